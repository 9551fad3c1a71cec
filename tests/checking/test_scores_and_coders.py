"""`ss.check` of scored boundaries and of coders, tolerances and recordings."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from honest_corpora import corpus, made, system
from segscore.checking import quick_check


def scores(seed: int, documents: int, signal: float = 1.5) -> tuple[list[Any], list[Any]]:
    """References, and scores that are higher at their boundaries."""
    rng = np.random.default_rng(seed)
    refs, units = corpus(seed, documents)
    found = []
    for ref, n in zip(refs, units, strict=True):
        values = rng.normal(size=n - 1)
        values[ref - 1] += signal
        found.append(values)
    return made(refs, units), found


def given(refs: Any, values: Any) -> list[Any]:
    return ss.check(refs, [ss.ScoredBoundaries(document_scores) for document_scores in values])


@pytest.mark.parametrize("documents", [3, 30])
def test_scores_with_the_wrong_sign(documents: int) -> None:
    refs, values = scores(1, documents)
    assert given(refs, values) == []
    (found,) = given(refs, [-document_scores for document_scores in values])
    assert (found.kind, found.severity) == ("inverted-scores", "note")
    made_curve = ss.curve(refs, [-document_scores for document_scores in values], n_resamples=9)
    assert made_curve.findings == (found,)
    assert found.evidence["average_precision"] == pytest.approx(made_curve.average_precision.value)
    right = ss.curve(refs, values, n_resamples=9)
    assert found.evidence["inverted"] == pytest.approx(right.average_precision.value)
    assert right.findings == ()


@pytest.mark.parametrize("shift", [1, -1])
@pytest.mark.parametrize("documents", [5, 30])
def test_scores_one_place_further(documents: int, shift: int) -> None:
    refs, values = scores(2, documents, signal=2.5)
    (found,) = given(refs, [np.roll(document_scores, shift) for document_scores in values])
    assert (found.kind, found.severity) == ("shifted-scores", "note")
    assert found.evidence["shift"] == -shift
    assert "marks='start'" in found.remedy


# ---- coders ----


def people(seed: int, documents: int, *found: float) -> dict[str, dict[str, ss.Segmentation]]:
    """Documents with people who each find a given share of the boundaries."""
    refs, units = corpus(seed, documents, segments=14)
    coders = [system(refs, units, seed=100 + i, found=share) for i, share in enumerate(found)]
    return {
        f"d{i}": {f"p{number}": made([hyps[i]], [n])[0] for number, hyps in enumerate(coders)}
        for i, n in enumerate(units)
    }


def kinds(codings: Any, **details: Any) -> list[str]:
    return [finding.kind for finding in ss.check(ss.Corpus.from_dict(codings, **details))]


def test_one_person_under_two_names() -> None:
    codings = people(3, 6, 0.7, 0.8, 0.6)
    assert kinds(codings) == []
    twice = {name: {**document, "again": document["p1"]} for name, document in codings.items()}
    (found,) = ss.check(ss.Corpus.from_dict(twice))
    assert (found.kind, found.severity) == ("one-coder-twice", "warning")
    assert "'p1' and 'again'" in found.sentence
    once = {**twice, "d0": {**twice["d0"], "again": twice["d0"]["p0"]}}
    assert kinds(once) == []


@pytest.mark.parametrize("name", ["gold", "Consensus", "c99", "model_2"])
def test_gold_or_a_system_among_people(name: str) -> None:
    codings = people(4, 5, 0.7, 0.8, 0.6)
    named = {document: {**by, name: by["p0"]} for document, by in codings.items()}
    del named["d0"][name]
    named["d1"][name] = codings["d1"]["p2"]
    findings = ss.check(ss.Corpus.from_dict(named))
    assert [finding.kind for finding in findings] == ["no-people"]
    assert findings[0].sentence.startswith(repr(name)) or findings[0].sentence.startswith(name)
    kind: Any = {name: "person"}
    assert kinds(named, kinds=kind) == []  # whoever says so knows better


# ---- settings ----


def test_a_tolerance_of_half_a_segment() -> None:
    """`f1(tolerance=30)` of documents with 50 units gives .90 to anything."""
    refs, units = corpus(6, 20, segments=6)
    hyps = made(system(refs, units, found=0.2), units)
    sides = made(refs, units), hyps
    assert ss.check(*sides, metrics=["f1", "f1(tolerance=2)", "pk"]) == []
    (found,) = ss.check(*sides, metrics="f1(tolerance=30)")
    assert (found.kind, found.severity) == ("wide-tolerance", "note")
    mean = sum(units) / (sum(map(len, refs)) + len(refs))
    assert found.evidence == {"tolerance": 30, "mean_segment": pytest.approx(mean)}
    (part,) = ss.check(*sides, metrics=["f1(tolerance=30).recall"])
    assert part.kind == "wide-tolerance"
    quick = quick_check(
        ss.Pairs.from_segmentations(*sides), metrics=[ss.metric("f1(tolerance=30)")]
    )
    assert [finding.kind for finding in quick] == ["wide-tolerance"]


def test_milliseconds_read_as_seconds() -> None:
    """Talks of half an hour that seem to last for weeks."""
    rng = np.random.default_rng(7)
    for factor, expected in ((1, []), (1000, ["milliseconds"])):
        sides = [
            [
                ss.Segmentation.from_times(
                    [0, *(factor * np.unique(rng.integers(60, 1700, 8))).tolist()], 1800 * factor, 1
                )
                for _ in range(4)
            ]
            for _ in range(2)
        ]
        assert [finding.kind for finding in ss.check(*sides)] == expected


def test_one_side_in_milliseconds() -> None:
    times = [[0, 40, 65, 130 + i] for i in range(5)]
    refs = [ss.Segmentation.from_times(starts, 360, resolution=1) for starts in times]
    hyps = [
        ss.Segmentation.from_times([1000 * start for start in starts], 360_000, resolution=1)
        for starts in times
    ]
    (found,) = ss.check(refs, hyps)
    assert found.kind == "unit-size"
    assert "milliseconds" in found.remedy


def test_units_of_time_that_are_too_fine() -> None:
    """`b` in milliseconds counts near misses of one millisecond, and gave .05 to a good system."""
    starts = [[0, 120, 290, 410], [0, 95, 260, 500], [0, 200, 330, 450]]
    late = [[0, *(start + 2 for start in few[1:])] for few in starts]
    sides = [
        [ss.Segmentation.from_times(times, 600, resolution=0.001) for times in side]
        for side in (starts, late)
    ]
    for metric, reach, remedy in (
        ("b", 0.001, "cannot be a time"),
        ("s(n_t=3)", 0.002, "coarser units"),
        ("f1(tolerance=5)", 0.005, "tolerance=5s"),
        ("f1", 0.001, "tolerance=5s"),
        ("windowdiff(k=20)", 0.02, "k=60s"),
    ):
        (found,) = ss.check(*sides, metrics=[metric])
        assert (found.kind, found.severity) == ("fine-units", "warning")
        evidence = {"reach_seconds": reach, "mean_segment_seconds": 150}
        assert found.evidence == pytest.approx(evidence)
        assert remedy in found.remedy
    fine = ["f1(tolerance=5s)", "windowdiff", "pk(k=60s)", "b(n_t=5001)", "b(n_t=1)"]
    assert ss.check(*sides, metrics=fine) == []
    seconds = [
        [ss.Segmentation.from_times(times, 600, resolution=1) for times in side]
        for side in (starts, late)
    ]
    assert ss.check(*seconds, metrics=["b", "f1", "f1(tolerance=5)"]) == []
    plain = [[ss.Segmentation.from_masses(coding.masses) for coding in side] for side in sides]
    assert ss.check(*plain, metrics=["b"]) == []  # nobody knows how long a unit lasts


# ---- one side alone ----


def alone(codings: Any, units: Any) -> list[Any]:
    rows = zip(codings, units, strict=True)
    named = {f"d{i}": {"gold": ss.Segmentation.from_boundaries(*row)} for i, row in enumerate(rows)}
    return ss.check(ss.Corpus.from_dict(named))


def test_one_coding_per_document_is_checked_alone() -> None:
    refs, units = corpus(8, 20, segments=6)
    assert alone(refs, units) == []
    (first,) = alone([np.union1d([1], positions) for positions in refs], units)
    assert (first.kind, first.severity) == ("same-place", "note")
    assert first.sentence == (
        "The coding has a boundary at the first place (after the first unit) in 20 of 20 documents."
    )
    assert "marks='start'" in first.remedy
    (padded,) = alone(refs, [20 * n for n in units])
    assert padded.kind == "long-ending"
    assert "both sides" not in padded.sentence
    (empty,) = alone([[]] * 20, units)
    assert (empty.kind, empty.severity) == ("no-boundary", "note")
    more, lengths = corpus(8, 60)
    (lost,) = alone([*more[:30], *([[]] * 30)], lengths)
    assert (lost.kind, len(lost.documents)) == ("no-boundary", 30)
    (again,) = alone([*refs[:10], *([refs[0]] * 10)], [*units[:10], *([units[0]] * 10)])
    assert (again.kind, again.severity) == ("repeated-codings", "note")
    assert again.documents == ("d0", *(f"d{i}" for i in range(10, 20)))
    rng = np.random.default_rng(8)
    masses = [np.sort(rng.choice(np.arange(2, 30), 6, replace=False)) for _ in range(20)]
    (wrong,) = alone(masses, [int(segment_lengths.sum()) for segment_lengths in masses])
    assert wrong.kind == "masses-as-positions"
