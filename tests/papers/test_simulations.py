"""Simulated tables: how close they must come, that they follow their input, and what their modules
say about readings that were tried."""

import numpy as np
import pytest

import segscore as ss
from segscore.papers import fournier2012_simulation, fournier2013_simulation, pevzner2002
from segscore.papers.published import PrintTolerance, PublishedNumber, Run
from segscore.papers.simulations import between_runs, capped, simulated_values
from segscore.simulate import Errors, UniformSizes


def computed(cells: list[PublishedNumber], item: str) -> float:
    return {cell.item: cell for cell in cells}[item].compute(Run())


# ---- tolerances ----


def test_tolerance_is_four_standard_errors_of_both_runs_and_the_rounding() -> None:
    trials = np.array([0.240, 0.241, 0.242])
    rounding = 0.001**2 / 12
    made = between_runs(0.24, 3, trials, 6)
    assert made.value == pytest.approx(4 * (0.001**2 * (1 / 3 + 1 / 6) + rounding) ** 0.5)
    assert "3 trials of ours, 6 of theirs" in made.reason


@pytest.mark.parametrize(("published", "most"), [(0.2, 0.004), (0.9605, 0.01), (-3.0, 0.06)])
def test_tolerance_is_never_above_two_per_cent_nor_a_hundredth(
    published: float, most: float
) -> None:
    assert capped(PrintTolerance(9, "wide"), published, "9 would be more").value == pytest.approx(
        most
    )
    assert capped(PrintTolerance(most / 2, "narrow"), published, "") == PrintTolerance(
        most / 2, "narrow"
    )
    assert between_runs(published, 3, np.array([0.0, 1.0]), 10).value == pytest.approx(most)


def test_their_trials_may_scatter_less_than_ours() -> None:
    trials = np.array([0.240, 0.241, 0.242])
    made = between_runs(0.24, 3, trials, 6, their_variance=0.0)
    assert made.value == pytest.approx(4 * (0.001**2 / 3 + 0.001**2 / 12) ** 0.5)


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


def test_errors_of_three_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pevzner2002, "P", 0.25)
    found = pevzner2002.error_types(Run())
    assert found["errors of type A"] == pytest.approx(0.75 * 0.25 * 1000, rel=0.02)
    assert found["errors of type C"] == pytest.approx(0.25 * 0.25 * 1000, rel=0.03)


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


def test_similarity_if_the_last_place_inside_a_segment_is_left_out() -> None:
    """As `fournier2012_simulation` says: .9605 comes out."""
    chance = np.random.default_rng(1)
    values = []
    for _ in range(8):
        ref = ss.simulate.references(UniformSizes(20, 30, closed=True), 1000, seed=chance)[0]
        found = chance.random((50, 999)) < 0.5
        extra = chance.random((50, 1000)) < 0.5
        starts = np.concatenate([[0], ref.boundaries])
        hyps = [
            ss.Segmentation.from_boundaries(
                [
                    *ref.boundaries[found[row]],
                    *(starts + chance.integers(1, ref.masses - 1))[extra[row]],
                ],
                ref.n_units,
            )
            for row in range(50)
        ]
        values.append(ss.score([ref] * 50, hyps, "s")["s"].macro)
    assert np.mean(values) == pytest.approx(0.9605, abs=0.0001)


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
