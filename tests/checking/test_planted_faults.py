"""`ss.check`: faults of issues 36 and 45, planted in honest corpora; each passed in silence once."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from honest_corpora import corpus, false_alarms, made, system


def kinds(refs: Any, hyps: Any) -> list[str]:
    return [finding.kind for finding in ss.check(refs, hyps)]


def f1(refs: Any, hyps: Any) -> float:
    return float(ss.score(refs, hyps, "f1")["f1"].micro)


# ---- issue 36, point 16 ----


@pytest.mark.parametrize("documents", [10, 15, 40])
def test_a_poor_system_that_is_shifted(documents: int) -> None:
    """F1 .58 is printed as .13: the level does not matter, the difference does."""
    refs, units = corpus(3, documents, segments=6)
    hyps = system(refs, units, found=0.55)
    late = [
        np.unique(np.minimum(positions + 1, n - 1))
        for positions, n in zip(hyps, units, strict=True)
    ]
    assert 0.45 < f1(made(refs, units), made(hyps, units)) < 0.65
    assert f1(made(refs, units), made(late, units)) < 0.2
    (found,) = ss.check(made(refs, units), made(late, units))
    assert (found.kind, found.evidence["shift"]) == ("shifted", -1)
    assert kinds(made(refs, units), made(hyps, units)) == []


def test_both_sides_padded_with_zeros() -> None:
    """Pk is .077 instead of .243: most windows stand in the padding."""
    refs, units = corpus(4, 40)
    hyps = system(refs, units)
    longer = [200] * len(units)
    pk = [float(ss.score(made(refs, n), made(hyps, n), "pk")["pk"].micro) for n in (units, longer)]
    assert pk[1] < pk[0] / 2
    (found,) = ss.check(made(refs, longer), made(hyps, longer))
    assert (found.kind, found.severity) == ("long-ending", "warning")
    assert "padded" in found.remedy
    assert kinds(made(refs, units), made(hyps, units)) == []


# ---- issue 45, point 12 ----


def test_the_reference_as_its_own_hypothesis() -> None:
    refs, units = corpus(5, 12)
    (found,) = ss.check(made(refs, units), made(refs, units))
    assert (found.kind, found.severity) == ("equal-sides", "warning")
    nearly = [*refs[:-1], refs[-1][:-1]]
    assert kinds(made(refs, units), made(nearly, units)) == []
    few, lengths = corpus(5, 1, segments=3)
    assert kinds(made(few, lengths), made(few, lengths)) == []  # luck
    every = [ss.Segmentation.from_masses([1] * 30)] * 3 + [ss.Segmentation.from_masses([1] * 40)]
    assert kinds(every, every) == []  # nothing was left to choose


def test_equal_boundaries_with_other_labels_are_no_accident() -> None:
    """A system that labels given segments."""
    refs, units = corpus(5, 12)
    sides = [
        [
            ss.Segmentation.from_boundaries(
                positions,
                n,
                segment_labels=[str((i * step) % 3) for i in range(len(positions) + 1)],
            )
            for positions, n in zip(refs, units, strict=True)
        ]
        for step in (1, 2)
    ]
    for given in (sides, [ss.Pairs.from_segmentations(*sides)]):
        assert [finding.kind for finding in ss.check(*given)] == []
    assert kinds(sides[0], sides[0]) == ["equal-sides"]
    assert kinds(ss.Pairs.from_segmentations(sides[0], sides[0]), None) == ["equal-sides"]


def test_texts_that_were_cut_at_a_limit_of_tokens() -> None:
    rng = np.random.default_rng(8)
    parts = [corpus(int(seed), 1, segments=int(rng.integers(4, 30))) for seed in range(60)]
    refs, units = [part[0][0] for part in parts], [part[1][0] for part in parts]
    hyps = [positions[positions <= 80] for positions in system(refs, units)]
    (found,) = ss.check(made(refs, units), made(hyps, units))
    assert (found.kind, found.severity) == ("stops-early", "warning")
    assert found.evidence["place"] <= 80
    assert "cut off" in found.remedy


@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_one_coding_repeated_over_documents(side: str, share: float) -> None:
    refs, _ = corpus(9, 40, segments=6, mean=7)
    units = [100] * 40
    hyps = system(refs, units)
    which = refs if side == "reference" else hyps
    repeated = [which[3] if i < share * 40 else positions for i, positions in enumerate(which)]
    sides = (repeated, hyps) if side == "reference" else (refs, repeated)
    cut = [[positions[positions < 100] for positions in each] for each in sides]
    (found,) = ss.check(made(cut[0], units), made(cut[1], units))
    assert found.kind == f"repeated-{'references' if side == 'reference' else 'hypotheses'}"
    assert share * 40 <= len(found.documents) <= share * 40 + 2  # two are the same by chance
    assert "the loop" in found.remedy


@pytest.mark.parametrize("order", ["rotated", "reversed", "shuffled"])
def test_hypotheses_of_other_documents(order: str) -> None:
    refs, _ = corpus(10, 30)
    units = [120] * 30
    refs = [positions[positions < 120] for positions in refs]
    hyps = system(refs, units)
    places = {
        "rotated": np.roll(np.arange(30), -1),
        "reversed": np.arange(30)[::-1],
        "shuffled": np.random.default_rng(1).permutation(30),
    }[order]
    wrong = [hyps[i] for i in places]
    findings = {
        finding.kind: finding for finding in ss.check(made(refs, units), made(wrong, units))
    }
    assert "other-order" in findings
    assert "fits the reference of" in findings["other-order"].sentence
    if order == "rotated":
        assert findings["other-order"].evidence["offset"] == 1
    assert "other-order" not in kinds(made(refs, units), made(hyps, units))


@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_inclusive_ends_on_one_side(side: str) -> None:
    """Spans [start, end] whose ends belong to them, as boundaries: 1 too low, and N − 1 is one."""
    refs, units = corpus(11, 30)
    hyps = system(refs, units)
    which = refs if side == "reference" else hyps
    ends = [
        np.unique([*(positions - 1)[positions > 1], n - 1])
        for positions, n in zip(which, units, strict=True)
    ]
    sides = (ends, hyps) if side == "reference" else (refs, ends)
    (found,) = ss.check(made(sides[0], units), made(sides[1], units))
    assert (found.kind, found.severity) == ("inclusive-ends", "warning")
    assert f"segments in the {side} are probably inclusive" in found.remedy


# ---- `ss.check` does not cry wolf ----


Seg = ss.Segmentation


def found(refs: Any, hyps: Any = None) -> list[str]:
    return [str(finding) for finding in ss.check(refs, hyps)]


# ---- simulated ----


@pytest.mark.parametrize(
    "first",
    [
        *range(0, 90, 30),
        *(pytest.param(first, marks=pytest.mark.slow) for first in range(90, 210, 30)),
    ],
)
def test_honest_corpora_of_many_shapes(first: int) -> None:
    """No false alarm in 90 of each, with --full in 210.

    `python tests/honest_corpora.py 4000` measures the rates.
    """
    rates = false_alarms(30, first)
    assert rates == {}


# ---- real ----


@pytest.mark.parametrize(
    "name", ["moonstone", "moonstone_hierarchical", "stargazer", "kubla_khan/codings.json"]
)
def test_coders_of_real_corpora(data: Path, name: str) -> None:
    assert found(ss.read(data / name)) == []


@pytest.mark.parametrize(
    ("file", "system"),
    [
        ("choi_c99", "c99_known"),
        ("choi_c99", "c99_auto"),
        ("choi_bayesseg_mincut", "bayes"),
        ("choi_bayesseg_mincut", "mincut"),
        ("ai_bayesseg_mincut", "bayes"),
        ("ai_bayesseg_mincut", "mincut"),
    ],
)
def test_original_programs_on_choi_and_lectures(data: Path, file: str, system: str) -> None:
    outputs = json.loads((data / "reference_outputs" / f"{file}.json").read_text())
    assert outputs
    sides = [
        {name: Seg.from_masses(output[which]) for name, output in outputs.items()}
        for which in ("ref", system)
    ]
    assert found(*sides) == []
