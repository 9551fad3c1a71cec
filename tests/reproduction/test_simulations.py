"""Simulated tables: how close they must come, that they follow their input, and what their modules
say about readings that were tried."""

import numpy as np
import pytest
from reproduction.published import PrintTolerance, PublishedNumber, Run
from reproduction.simulations import of_trials, simulated_values

import segscore as ss
from reproduction import (
    fournier2012_simulation,
    fournier2013_simulation,
    pevzner2002,
)
from segscore.simulate import Errors, UniformSizes


def computed(cells: list[PublishedNumber], item: str) -> float:
    return {cell.item: cell for cell in cells}[item].compute(Run())


# ---- tolerances ----


def test_tolerance_is_half_a_digit_and_two_standard_errors_of_their_trials() -> None:
    trials = np.array([0.240, 0.241, 0.242])
    made = of_trials(3, trials, 4)
    assert made.value == pytest.approx(0.0005 + 2 * 0.001 / 2)
    assert made.reason.endswith("and two standard errors of their 4 trials")


def test_standard_errors_of_ten_trials_whose_k_differs() -> None:
    """Half of the trials around 0, half around 1: the mean of ten is off by 0.5 / √10."""
    values = np.repeat([[0.0], [1.0]] * 200, 3, axis=1)
    mean = fournier2012_simulation.standard_error(values, "mean")
    assert mean == pytest.approx(0.5 / 10**0.5, rel=0.05)
    chance = np.random.default_rng(3)
    deviations = [chance.integers(0, 2, 10).std() for _ in range(4000)]
    found = fournier2012_simulation.standard_error(values, "sd")
    assert found == pytest.approx(np.std(deviations), rel=0.1)


def test_trials_come_in_parts_from_one_seed() -> None:
    """Twenty at once; the others are drawn on, and not the same again."""
    metric, sizes = ss.WindowDiff(), UniformSizes(5, 9)
    first, more = (
        simulated_values([metric], sizes, 50, Errors(misses=0.5), trials, 4, seed=1)[metric]
        for trials in (20, 30)
    )
    assert (first.shape, more.shape) == ((20, 4), (30, 4))
    assert (more[:20] == first).all()
    assert not (more[20:] == first[:10]).any(axis=1).all()


def test_a_tolerance_from_the_run_is_used() -> None:
    cell = PublishedNumber(
        "x", 1.0, lambda run: 1.2, lambda run: PrintTolerance(0.3 if run.full else 0.1, "luck")
    )
    assert cell.outcome("p", Run()).status == "not-reproduced"
    made = cell.outcome("p", Run(full=True))
    assert (made.status, made.tolerance) == ("reproduced", 0.3)
    assert "tolerance: luck" in made.note
    without = PublishedNumber("x", 1.0, cell.compute, cell.tolerance, needs=("nowhere",)).outcome(
        "p", Run()
    )
    assert (without.status, without.tolerance) == ("no-data", 0)


# ---- Pevzner & Hearst ----


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A quarter of the trials."""
    for module in (pevzner2002, fournier2012_simulation):
        monkeypatch.setattr(module, "TRIALS", 5)
    return monkeypatch


def test_pevzner_follows_its_input(few: pytest.MonkeyPatch) -> None:
    few.setattr(pevzner2002, "P", 0.25)
    halved = computed(pevzner2002.CELLS, "table 1, (20, 30), FN, Pk")
    assert halved == pytest.approx(0.25 * 12 / 24.5, abs=0.002)
    few.setattr(pevzner2002, "P", 0.0)
    assert computed(pevzner2002.CELLS, "table 3, FNP2, WD") == 0


def test_table_2_follows_its_probability(few: pytest.MonkeyPatch) -> None:
    del few
    for p in (0.05, 0.25):
        item = f"table 2, p = {p}, (20, 30), FN, Pk"
        assert computed(pevzner2002.CELLS, item) == pytest.approx(p * 12 / 24.5, abs=0.002)


def test_estimates_follow_table_1(few: pytest.MonkeyPatch) -> None:
    few.setattr(pevzner2002, "P", 0.0)
    item = "section 4.1, (15, 35), estimate of FNP, WD"
    assert computed(pevzner2002.CELLS, item) == 0
    few.setattr(pevzner2002, "P", 0.5)
    run = Run()
    extra, missed = (
        run.shared(pevzner2002.TABLE_1[(15, 35), kind])["WD"].mean() for kind in ("FP", "FN")
    )
    cell = {cell.item: cell for cell in pevzner2002.CELLS}[item]
    assert cell.compute(run) == pytest.approx(extra + missed / 2)


def test_errors_of_three_types(few: pytest.MonkeyPatch) -> None:
    """A false positives alone, B misses alone, C pairs of them within k of each other."""
    few.setattr(pevzner2002, "K", 1000)  # everything is near everything
    few.setitem(pevzner2002.ERRORS, "FNP", lambda p: Errors(misses=p))
    alone = pevzner2002.error_types(Run())
    assert not alone["errors of type A"].any() | alone["errors of type C"].any()
    assert alone["errors of type B"].tolist() == alone["false negatives"].tolist()
    assert alone["false negatives"].mean() == pytest.approx(500, rel=0.02)
    few.setitem(pevzner2002.ERRORS, "FNP", lambda p: Errors(false_positives=p))
    alone = pevzner2002.error_types(Run())
    assert not alone["errors of type B"].any() | alone["errors of type C"].any()
    assert alone["errors of type A"].tolist() == alone["false positives"].tolist()
    assert alone["false positives"].mean() == pytest.approx(500, rel=0.02)


def test_errors_of_type_c_are_within_k(few: pytest.MonkeyPatch) -> None:
    """A false positive one place from a miss is near for k = 1; most are farther off."""
    few.setattr(pevzner2002, "K", 1)
    near = pevzner2002.error_types(Run())["errors of type C"].mean()
    assert near == pytest.approx(500 * 0.5 * 2 / 23.5, rel=0.1)
    few.setattr(pevzner2002, "K", 12)
    near = pevzner2002.error_types(Run())["errors of type C"].mean()
    assert near == pytest.approx(258, rel=0.02)


def test_false_positive_windows_do_not_depend_on_misses(few: pytest.MonkeyPatch) -> None:
    alone, both = (
        {
            name: means.mean()
            for name, means in pevzner2002.trial_means((15, 35), kind, 0.5, 1).items()
        }
        for kind in ("FP2", "FNP2")
    )
    assert both["Pk′"] - both["Pk"] == pytest.approx(alone["Pk"], abs=0.001)


def test_the_other_reading_of_fp2_is_farther_off() -> None:
    """As `pevzner2002` says: around boundaries WindowDiff is .239 and not .236."""
    metric = ss.WindowDiff()
    made = {
        placement: simulated_values(
            [metric], UniformSizes(15, 35), 1000, Errors(0, 0, 0.5, placement), 10, 100, seed=1
        )[metric].mean()
        for placement in ("ends", "boundary")
    }
    assert made["ends"] == pytest.approx(0.236, abs=0.0015)
    assert made["boundary"] == pytest.approx(0.239, abs=0.0015)


# ---- Fournier & Inkpen ----


def test_fournier2012_follows_its_input(few: pytest.MonkeyPatch) -> None:
    few.setitem(fournier2012_simulation.ERRORS, "FN", Errors())
    for measure, statistic, value in (("WD", "mean", 0), ("S", "mean", 1), ("S", "sd", 0)):
        item = f"table 1, (20, 30), FN, {measure}, {statistic}"
        assert computed(fournier2012_simulation.CELLS, item) == value


def test_the_standard_deviation_is_that_of_all_hypotheses(few: pytest.MonkeyPatch) -> None:
    del few
    run, sizes = Run(), (10, 40)
    values = run.shared(fournier2012_simulation.ROWS[sizes, "FP"])["WD"]
    item = "table 1, (10, 40), FP, WD, sd"
    cell = {cell.item: cell for cell in fournier2012_simulation.CELLS}[item]
    assert cell.compute(run) == pytest.approx(values.std())


def test_the_last_place_inside_a_segment_is_never_a_false_positive() -> None:
    """As `fournier2012_simulation` says: .9605 comes out, and .9608 with the last place."""
    chance, errors = np.random.default_rng(1), fournier2012_simulation.ERRORS["FNP"]
    refs = ss.simulate.references(UniformSizes(20, 30, closed=True), 1000, 8, seed=chance)
    pairs = fournier2012_simulation.hypotheses_without_last_place(refs, errors, 50, chance)
    assert len(pairs) == 400
    for row in range(0, 400, 50):
        extra = np.setdiff1d(pairs.hypothesis(row).boundaries, refs[row // 50].boundaries)
        ends = np.append(refs[row // 50].boundaries, refs[row // 50].n_units)
        assert not np.isin(extra + 1, ends).any()
        assert np.isin(extra + 2, ends).any()
    assert ss.score(pairs, metrics="s")["s"].macro == pytest.approx(0.9605, abs=0.0001)
    others = ss.simulate.hypotheses(refs, errors, 50, seed=chance)
    assert ss.score(others, metrics="s")["s"].macro == pytest.approx(0.9608, abs=0.0002)


# ---- Fournier ----


def test_curves_of_omissions_rise_from_one_half_on() -> None:
    """As `fournier2013_simulation` says: only if coders do nothing but omit boundaries."""
    run, rises = Run(), fournier2013_simulation.RISES
    assert fournier2013_simulation.curves_that(rises, "S", run, first=0.4, omit=True) >= 8
    assert fournier2013_simulation.curves_that(rises, "S", run, first=0.4) == 0
    assert fournier2013_simulation.curves_that(-rises, "S", run) == 9


def test_curves_follow_their_input(monkeypatch: pytest.MonkeyPatch) -> None:
    item = "fig. 9, curves of π* by B that fall"
    monkeypatch.setattr(fournier2013_simulation, "coders", _alike)
    assert computed(fournier2013_simulation.CELLS, item) == 0


def _alike(
    refs: list[ss.Segmentation], errors: Errors, n: int, *, seed: np.random.Generator
) -> ss.Corpus:
    """Coders who all do the same."""
    del errors, seed
    return ss.Corpus.from_dict({"1": {str(number): refs[0] for number in range(n)}})
