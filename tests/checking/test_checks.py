"""`ss.check`: each fault that it is to find, planted in an honest corpus, and what it says of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.checking import quick_check

Seg = ss.Segmentation
N, DOCUMENTS = 31, 200


def drawn(seed: int, documents: int = DOCUMENTS, n_units: int = N, most: int = 3) -> list[Any]:
    """Positions that were drawn by chance, `most` in each document."""
    rng = np.random.default_rng(seed)
    places = np.arange(1, n_units)
    return [np.sort(rng.choice(places, most, replace=False)) for _ in range(documents)]


def made(places: list[Any], n_units: int = N) -> list[ss.Segmentation]:
    return [Seg.from_boundaries(positions, n_units) for positions in places]


REFS, HYPS = drawn(3), drawn(4)


def better(refs: list[Any], seed: int = 9, missed: float = 0.3) -> list[Any]:
    """Hypotheses that have most of the boundaries of the references, and some of their own."""
    rng = np.random.default_rng(seed)
    found = []
    for positions in refs:
        kept = positions[rng.random(len(positions)) >= missed]
        found.append(np.union1d(kept, rng.integers(1, N, int(rng.random() < missed))))
    return found


def kinds(*sides: Any) -> list[str]:
    return [finding.kind for finding in ss.check(*sides)]


def f1(refs: Any, hyps: Any) -> float:
    return float(ss.score(refs, hyps, "f1")["f1"].micro)


# ---- labels in the wrong frame (issue 16, item 4) ----


def ends(places: Any) -> list[int]:
    """A label per unit, 1 at the end of each segment, the last unit included."""
    labels = np.zeros(N, int)
    labels[[*(places - 1), N - 1]] = 1
    return labels.tolist()  # type: ignore[no-any-return]


def starts(places: Any) -> list[int]:
    labels = np.zeros(N, int)
    labels[[0, *places]] = 1
    return labels.tolist()  # type: ignore[no-any-return]


def ids(places: Any) -> list[int]:
    return np.searchsorted(places, np.arange(N), side="right").tolist()  # type: ignore[no-any-return]


FRAMES: dict[str, tuple[Callable[[Any], ss.Segmentation], str]] = {
    "starts as ends": (lambda p: Seg.from_labels(starts(p), "end"), "marks='start'"),
    "labels as gaps": (lambda p: Seg.from_gaps(ends(p)), "not from_gaps"),
    "padding zeros": (lambda p: Seg.from_labels([*ends(p), 0, 0], "end"), "Padding"),
    "padding of another id": (
        lambda p: Seg.from_segment_ids([*ids(p), 99]),
        "labels|Labels|Padding",
    ),
}


def test_the_true_frame_is_at_chance_and_without_findings() -> None:
    assert f1(made(REFS), made(HYPS)) == pytest.approx(0.101, abs=0.02)
    assert kinds(made(REFS), made(HYPS)) == []


@pytest.mark.parametrize("case", FRAMES)
@pytest.mark.parametrize("perfect", [False, True])
def test_a_wrong_frame_is_found(case: str, perfect: bool) -> None:
    frame, remedy = FRAMES[case]
    refs = [frame(positions) for positions in REFS]
    hyps = refs if perfect else [frame(positions) for positions in HYPS]
    if not perfect:
        assert f1(refs, hyps) == pytest.approx(0.331, abs=0.02)  # .101 in the true frame
    findings = [*ss.check(refs, hyps)]
    assert [finding.kind for finding in findings] == ["free-match", *["equal-sides"] * perfect]
    found = findings[0]
    assert found.severity == "warning"
    assert any(word in found.remedy for word in remedy.split("|"))
    assert found.evidence["f1"] == pytest.approx(f1(refs, hyps))
    if not perfect:
        assert found.evidence["f1_without"] == pytest.approx(f1(made(REFS), made(HYPS)), abs=0.01)
    assert len(found.documents) == DOCUMENTS
    assert quick_check(ss.Pairs.from_segmentations(refs, hyps)) == findings


@pytest.mark.parametrize("shift", [1, -1])
def test_a_shifted_side_is_found(shift: int) -> None:
    hyps = better(REFS)
    moved = [
        positions[(positions + shift >= 1) & (positions + shift < N)] + shift for positions in hyps
    ]
    (found,) = ss.check(made(REFS), made(moved))
    assert found.kind == "shifted"
    assert found.evidence["shift"] == -shift
    assert found.evidence["f1"] == pytest.approx(f1(made(REFS), made(moved)))
    assert found.evidence["f1_shifted"] == pytest.approx(f1(made(REFS), made(hyps)), abs=0.03)
    assert ("back" if shift > 0 else "on") in found.sentence
    assert kinds(made(REFS), made(hyps)) == []


# ---- numbers of units ----


@pytest.mark.parametrize("documents", [1, 2, 50])
def test_one_unit_more_everywhere(documents: int) -> None:
    right, wrong = (
        made(REFS[:documents]),
        [Seg.from_gaps(ends(positions)) for positions in HYPS[:documents]],
    )
    (found,) = ss.check(right, wrong)
    assert (found.kind, found.severity) == ("one-unit-more", "error")
    assert "The hypothesis has one unit more" in found.sentence
    assert found.evidence["difference"] == 1
    (found,) = ss.check(wrong, right)
    assert "The reference has one unit more" in found.sentence


def test_units_of_different_size() -> None:
    rng = np.random.default_rng(5)
    words = [coding.expand(rng.integers(5, 20, N)) for coding in made(HYPS)]
    (found,) = ss.check(made(REFS), words)
    assert (found.kind, found.severity) == ("unit-size", "error")
    assert found.evidence["ratio"] == pytest.approx(12, abs=1)


def test_other_lengths() -> None:
    hyps = made(HYPS)
    hyps[7] = Seg.from_masses([N + 5])
    (found,) = ss.check(made(REFS), hyps)
    assert (found.kind, found.documents) == ("different-length", ("7",))


# ---- what segmentations hold ----


def test_positions_read_as_masses_and_the_reverse() -> None:
    positions = [Seg.from_masses(places) for places in REFS[:20]]
    found = ss.check(positions, positions)
    assert {problem.kind for problem in found} == {"positions-as-masses"}
    assert len(found) == 2
    rng = np.random.default_rng(2)
    cuts = [np.unique(rng.integers(1, 200, 6)) for _ in range(40)]
    masses = [np.diff([0, *places, 200]) for places in cuts]
    distinct = [lengths for lengths in masses if len(set(lengths)) == len(lengths)]
    for wrong in (
        [Seg.from_boundaries(lengths, 200) for lengths in distinct],
        [Seg.from_boundaries(lengths[:-1], 200) for lengths in distinct],
    ):
        right = [Seg.from_masses(lengths) for lengths in distinct]
        (finding,) = ss.check(right, wrong)
        assert finding.kind == "masses-as-positions"
        assert "In the hypothesis" in finding.sentence
        (finding,) = ss.check(wrong, right)
        assert "In the reference" in finding.sentence


def test_documents_without_boundaries() -> None:
    lost = [positions if i % 3 else [] for i, positions in enumerate(HYPS)]
    (found,) = ss.check(made(REFS), made(lost))
    assert (found.kind, found.severity) == ("no-boundary", "warning")
    assert found.evidence["documents"] == len(found.documents) == 67
    (found,) = ss.check(made(REFS), made([[]] * DOCUMENTS))
    assert "The hypothesis has no boundary in 200 of 200" in found.sentence
    (found,) = ss.check(made([[]] * 4), made([[]] * 4))
    assert (found.severity, found.evidence["documents"]) == ("note", 4)
    both = [positions if i % 3 else [] for i, positions in enumerate(REFS)]
    (found,) = ss.check(made(both), made(lost))
    assert "Neither side" in found.sentence
    few = [positions if i % 30 else [] for i, positions in enumerate(HYPS)]
    assert kinds(made(REFS), made(few)) == []


def test_identical_hypotheses() -> None:
    (found,) = ss.check(made(REFS), made([HYPS[0]] * DOCUMENTS))
    assert found.kind == "identical-hypotheses"
    assert found.evidence["boundaries"] == 3
    assert kinds(made([REFS[0]] * 30), made([REFS[0]] * 30)) == []


# ---- names and texts ----


def corpus(coder: str, places: list[Any], **details: Any) -> ss.Corpus:
    by_name = {f"d{i}": {coder: coding} for i, coding in enumerate(made(places))}
    return ss.Corpus.from_dict(by_name, **details)


def test_swapped_sides() -> None:
    assert kinds(corpus("c99", REFS), corpus("gold", HYPS)) == ["swapped-sides"]
    for theirs in ("gold", "reference"):  # whatever the other side is called
        assert kinds(corpus("ours", REFS), corpus(theirs, HYPS)) == ["swapped-sides"]
        assert kinds(corpus(theirs, REFS), corpus("ours", HYPS)) == []
    decided = corpus("zoe", HYPS, kinds={"zoe": "consensus"})
    assert kinds(corpus("ours", REFS), decided) == ["swapped-sides"]
    assert kinds(decided, corpus("ours", REFS)) == []
    assert kinds(corpus("gold", REFS), corpus("c99", HYPS)) == []
    sides: Any = [
        corpus("ann", REFS, kinds={"ann": "system"}),
        corpus("bob", HYPS, kinds={"bob": "person"}),
    ]
    assert kinds(*sides) == ["swapped-sides"]
    assert kinds(*sides[::-1]) == []
    pairs = ss.Pairs.from_segmentations(made(REFS), made(HYPS))
    assert [finding.kind for finding in quick_check(pairs, ["system_a"], ["gold"])] == [
        "swapped-sides"
    ]
    assert quick_check(pairs, ["reference"], ["model"]) == []


def test_one_text_under_two_names() -> None:
    texts = {f"d{i}": [f"unit {j} of {i}" for j in range(N)] for i in range(9)}
    refs, hyps = (corpus("ann", places[:9], units=texts) for places in (REFS, HYPS))
    assert kinds(refs, hyps) == []
    texts["d8"] = texts["d2"]
    refs, hyps = (corpus("ann", places[:9], units=texts) for places in (REFS, HYPS))
    (found,) = ss.check(refs, hyps)
    assert (found.kind, found.documents) == ("duplicate-texts", ("d2", "d8"))


# ---- what it takes and gives ----


def test_names_and_missing_documents() -> None:
    refs = dict(enumerate(made(REFS[:20])))
    hyps = {i: coding for i, coding in enumerate(made(HYPS[:20])) if i != 5}
    (found,) = ss.check(refs, hyps)
    assert (found.kind, found.severity, found.documents) == ("missing-documents", "error", ("5",))


def test_many_references_and_pairs() -> None:
    lists = [[coding, coding] for coding in made(REFS)]
    moved = made([positions[positions < N - 1] + 1 for positions in REFS])
    assert kinds(lists, moved) == kinds(ss.Pairs.from_segmentations(lists, moved)) == ["shifted"]
    narrow = ss.Pairs.from_segmentations(made(REFS), moved)
    narrow = ss.Pairs(
        narrow.n_units, narrow.ref_offsets, narrow.ref_positions.astype(np.int32),
        narrow.hyp_offsets, narrow.hyp_positions.astype(np.int32),
    )  # fmt: skip
    assert kinds(narrow) == ["shifted"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((made(REFS), made(HYPS[:5])), "200 references and 5 hypotheses"),
        (({"a": made(REFS)[0]}, {"b": made(REFS)[0]}), "no document in common"),
        (({"a": made(REFS)[0]}, made(REFS)), "is a mapping"),
        ((ss.Pairs.from_segmentations(made(REFS), made(REFS)), made(REFS)), "both given"),
    ],
)
def test_wrong_calls(arguments: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.check(*arguments)


def test_vast_documents_do_no_harm() -> None:
    vast = [Seg.from_boundaries([2**52, 2**52 + 5], 2**53)] * 9
    assert kinds(vast, vast) == []
