"""What modules of papers say of other readings and of the authors' programs, against their texts."""

import numpy as np
import pytest
from reproduction.corpora import moonstone
from reproduction.runs import Run

import segscore as ss
from reproduction import carroll2010_wikipedia as wikipedia
from reproduction import (
    kazantseva2012_program,
)
from reproduction import kazantseva2012_table_1 as table_1

# ---- Carroll ----


def test_p_of_section_4(run: Run) -> None:
    for system, other, p in (
        ("HC99", "linear reference", 0.0005),
        ("HCWM", "linear reference", 0.0008),
        ("GBEM", "linear hypothesis", 0.00011),
        ("HBT", "linear reference", 0.0844),
    ):
        assert wikipedia.p_against(run, system, other) == pytest.approx(p, rel=0.03)
    assert all(
        wikipedia.p_against(run, system, "50 %") < 1e-8
        for system in ("HC99", "HCWM", "HBT", "GBEM")
    )


# ---- the program of Kazantseva & Szpakowicz ----


def cut(masses: tuple[int, ...]) -> ss.Segmentation:
    return ss.Segmentation.from_masses(masses)


def literal_window_diff(ref: list[int], hyp: list[int], window: int) -> float:
    """Marks of each paragraph, 1 where a segment ends with it; windows are divided by one less."""
    starts = range(len(ref) - window + 1)
    differ = [sum(ref[i : i + window]) != sum(hyp[i : i + window]) for i in starts]
    return sum(differ) / (len(ref) - window)


def marks(coding: ss.Segmentation, end: bool) -> list[int]:
    inside = [int(at in coding.boundaries) for at in range(1, coding.n_units)]
    return [*inside, int(end)]


@pytest.mark.parametrize("seed", range(20))
def test_window_diff_of_the_program_against_its_text(seed: int) -> None:
    chance = np.random.default_rng(seed)
    n = int(chance.integers(6, 40))
    people, hyps = (
        [
            ss.baselines.random(n, n_boundaries=int(chance.integers(0, 4)), rng=chance)
            for _ in "abcd"
        ]
        for _ in range(2)
    )
    for end in (True, False):
        for name, reference in kazantseva2012_program.REFERENCES.items():
            ref = reference(people)
            window = n // 2 if ref.n_segments == 1 else n // ref.n_segments
            expected = [literal_window_diff(marks(ref, True), marks(h, end), window) for h in hyps]
            codings = dict(zip("abcd", people, strict=True))
            found = kazantseva2012_program.row_values(name, codings, hyps, end)
            assert found.tolist() == pytest.approx(expected), name


def test_mult_window_diff_of_the_program_against_its_text() -> None:
    """Errors divided by one window less than the bounds."""
    people, hyp = [cut((4, 4, 4)), cut((4, 8)), cut((5, 7))], cut((6, 6))
    window = 3  # 36 / 7 / 2 = 2.6
    counts = [
        [sum(marks(coding, True)[i : i + window]) for coding in people]
        for i in range(12 - window + 1)
    ]
    own = [sum(marks(hyp, True)[i : i + window]) for i in range(12 - window + 1)]
    errors = sum(count != mine for row, mine in zip(counts, own, strict=True) for count in row)
    best = sum(3 - max(row.count(number) for number in range(4)) for row in counts)
    worst = sum(3 - min(row.count(number) for number in range(4)) for row in counts)
    mean, low, high = errors / (3 * 9), best / (3 * 10), worst / (3 * 10)
    codings = dict(zip("abc", people, strict=True))
    found = kazantseva2012_program.row_values("multWinDiff", codings, [hyp])
    assert found.tolist() == pytest.approx([(mean - low) / (high - low)])


def literal_kappa(people: list[ss.Segmentation]) -> float:
    """Fleiss's κ of two categories, the end of the text an item like all others."""
    n, votes = len(people), np.sum([marks(coding, True) for coding in people], axis=0)
    observed = np.mean((votes * (votes - 1) + (n - votes) * (n - votes - 1)) / (n * (n - 1)))
    share = votes.sum() / (n * len(votes))
    expected = share**2 + (1 - share) ** 2
    return float((observed - expected) / (1 - expected))


def test_kappa_of_groups_against_its_equations(run: Run) -> None:
    """The mean of the chapters of a group, weighted by their paragraphs."""
    chapters = {n: list(codings.values()) for n, codings in moonstone(run).items()}
    groups = ([1, 3, 4, 11], [2, 5, 8, 10], [7, 9, 12, 13], [14, 15, 16, 20], [17, 18, 19, 21])
    expected = [
        sum(literal_kappa(chapters[n]) * chapters[n][0].n_units for n in group)
        / sum(chapters[n][0].n_units for n in group)
        for group in groups
    ]
    assert table_1.kappas_of_groups(run).tolist() == pytest.approx(expected)
    assert np.mean(expected) == pytest.approx(0.3805, abs=5e-5)
    assert np.std(expected, ddof=1) == pytest.approx(0.0930, abs=5e-5)
