"""Which script printed a number: every group of conventions has its case, and is named first.

Each case is a number of 60 random documents, computed by the letter (`oracles.script_conventions`)
or by the program itself (segeval, NLTK).
"""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pytest
import segeval
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

import segscore as ss
from needs import needs
from oracles import f_conventions
from oracles import script_conventions as script
from oracles.matching import matched
from segscore.conventions import Audit, audit

pytestmark = needs("peers")

Documents = list[script.Document]


def documents(seed: int = 41, count: int = 60) -> Documents:
    """Random references, and hypotheses that find, move, miss and add boundaries."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(rng.integers(14, 50))
        ref = sorted(rng.choice(np.arange(1, n), int(rng.integers(2, 6)), replace=False).tolist())
        hyp = {p + int(rng.integers(-1, 2)) for p in ref if rng.random() < 0.7}
        hyp |= set(np.flatnonzero(rng.random(n) < 0.04).tolist())
        made.append((ref, sorted(p for p in hyp if 0 < p < n), n))
    return made


DOCUMENTS = documents()


def pairs_of(documents: Documents) -> ss.Pairs:
    cut = ss.Segmentation.from_boundaries
    return ss.Pairs.from_segmentations(
        [cut(ref, n) for ref, _, n in documents], [cut(hyp, n) for _, hyp, n in documents]
    )


PAIRS = pairs_of(DOCUMENTS)


def masses(boundaries: list[int], n: int) -> tuple[int, ...]:
    return tuple(np.diff([0, *boundaries, n]).tolist())


def by_segeval(metric: Any, documents: Documents, **options: Any) -> float:
    """The mean over documents; segeval takes (hypothesis, reference)."""
    return fmean(
        float(metric(masses(hyp, n), masses(ref, n), **options)) for ref, hyp, n in documents
    )


def last_0(boundaries: list[int], n: int) -> str:
    return script.labels(boundaries, n, 0)


def last_1(boundaries: list[int], n: int) -> str:
    return script.labels(boundaries, n, 1)


def gaps(boundaries: list[int], n: int) -> str:
    return last_0(boundaries, n)[:-1]


def pooled(documents: Documents, kind: Callable[[list[int], int], str]) -> tuple[str, str]:
    ref, hyp = (
        "".join(kind(document[side], document[2]) for document in documents) for side in (0, 1)
    )
    return ref, hyp


def mean(documents: Documents, score: Callable[..., float], *more: Any) -> float:
    return script.mean(documents, lambda ref, hyp, n: score(ref, hyp, n, *more))


def macro(documents: Documents, kind: Callable[[list[int], int], str]) -> float:
    return mean(documents, lambda ref, hyp, n: script.macro_f1(kind(ref, n), kind(hyp, n)))


def total(f1: float, pk: float, wd: float) -> float:
    return f1 / 2 + (1 - pk) / 4 + (1 - wd) / 4


def binary_f1(documents: Documents) -> float:
    return mean(documents, lambda ref, hyp, n: script.f1(last_0(ref, n), last_0(hyp, n), "1"))


def f_of_mean_rates(documents: Documents) -> float:
    rates = [
        (len({*ref} & {*hyp}) / len(hyp) if hyp else 0.0, len({*ref} & {*hyp}) / len(ref))
        for ref, hyp, _ in documents
    ]
    precision, recall = (fmean(column) for column in zip(*rates, strict=True))
    return 2 * precision * recall / (precision + recall)


def f_of_confusion(documents: Documents, n_t: int) -> float:
    return fmean(
        float(segeval.fmeasure(
            segeval.boundary_confusion_matrix(masses(hyp, n), masses(ref, n), n_t=n_t)
        ))
        for ref, hyp, n in documents
    )  # fmt: skip


def near_any(ref: list[int], hyp: list[int], _: int, reach: int) -> float:
    found, n_hyp, of_ref, n_ref = f_conventions.any_near(ref, hyp, reach)
    precision, recall = found / n_hyp if hyp else 0.0, of_ref / n_ref
    return 2 * precision * recall / (precision + recall) if found else 0.0


def of_share(ref: list[int], hyp: list[int], n: int) -> int:
    return matched({*ref}, {*hyp}, n // 20)


def whole_chunks(ref: list[int], hyp: list[int], n: int) -> float:
    chunks, theirs = (list(pairwise([0, *side, n])) for side in (ref, hyp))
    return fmean(end - start == 1 or (start, end) in theirs for start, end in chunks)


class Case(NamedTuple):
    """A number, and the row that explains it; several conventions may be the same here."""

    number: Callable[[Documents], float]
    conventions: tuple[str, ...]
    measure: str
    average: str = "mean"
    reading: str | None = None


SAME = ("paper", "segeval")  # where no k is below 2

CASES: dict[str, Case] = {
    "1 swapped, segeval pk": Case(
        lambda docs: by_segeval(segeval.pk, script.swapped(docs)), SAME, "pk", reading="swapped"
    ),
    "1 swapped, NLTK": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: nltk_pk(gaps(hyp, n), gaps(ref, n))), ("nltk",), "pk",
        reading="swapped",),
    "1 swapped, SuperDialseg": Case(
        lambda docs: script.mean(script.swapped(docs), script.superdialseg), ("superdialseg",),
        "pk", reading="swapped",),
    "3 macro F1, last 0": Case(lambda docs: macro(docs, last_0), ("superdialseg",), "macro-f1"),
    "3 macro F1, last 1": Case(lambda docs: macro(docs, last_1), ("neural-texttiling",), "macro-f1"),
    "3 macro F1, gaps": Case(lambda docs: macro(docs, gaps), ("gaps",), "macro-f1"),
    "3 macro F1, last 0, pooled": Case(
        lambda docs: script.macro_f1(*pooled(docs, last_0)), ("superdialseg",), "macro-f1", "pooled"),
    "4 total, SuperDialseg": Case(
        lambda docs: total(
            binary_f1(docs), mean(docs, script.superdialseg), mean(docs, script.superdialseg, True)
        ),
        ("superdialseg",), "total",),
    "4 total, MUG": Case(
        lambda docs: total(
            script.f1(*pooled(docs, gaps), "1"), mean(docs, script.without_last_unit),
            mean(docs, script.without_last_unit, True),
        ),
        ("mug",), "total", "pooled",),
    "5 SuperDialseg pk": Case(lambda docs: mean(docs, script.superdialseg), ("superdialseg",), "pk"),
    "6 labels as gaps": Case(
        lambda docs: fmean(
            float(segeval.pk(*(segeval.convert_nltk_to_masses(last_0(side, n))
                               for side in (hyp, ref))))
            for ref, hyp, n in docs
        ),
        ("segeval-labels",), "pk",),
    "6 labels with last 1 as gaps": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: script.as_gaps(last_1(ref, n), last_1(hyp, n), False)
        ),
        ("segeval-labels-last-1",), "pk",),
    "6 labels of starts, first 1, as gaps": Case(
        lambda docs: mean(
            docs,
            lambda ref, hyp, n: script.as_gaps(
                *(script.labels(side, n, 0, first=1) for side in (ref, hyp)), True
            ),
        ),
        ("segeval-labels-first-1",), "windowdiff",),
    "7 B": Case(
        lambda docs: by_segeval(segeval.boundary_similarity, docs), ("segscore", "segeval"), "b"),
    "7 B, n_t 10": Case(
        lambda docs: by_segeval(segeval.boundary_similarity, docs, n_t=10), ("segeval",), "b"),
    "7 S": Case(
        lambda docs: by_segeval(segeval.segmentation_similarity, docs), ("segeval",), "s"),
    "7 confusion matrix, n_t 4": Case(
        lambda docs: f_of_confusion(docs, 4), ("segeval-fmeasure",), "b-f1"),
    "7 F1 called B, 3 characters": Case(
        lambda docs: mean(docs, near_any, 3), ("tolerant-f1",), "b"),
    "10 F1@Rel.Dis": Case(
        lambda docs: 2 * sum(of_share(*doc) for doc in docs)
        / sum(len(ref) + len(hyp) for ref, hyp, _ in docs),
        ("rel-dis",), "f1", "pooled"),
    "10 whole chunks": Case(lambda docs: mean(docs, whole_chunks), ("whole-segments",), "segment-f1"),
    "8 F of mean rates": Case(f_of_mean_rates, ("chunkseg",), "f1", "mean-rates"),
    "9 MUG pk": Case(lambda docs: mean(docs, script.without_last_unit), ("mug",), "pk"),
    "10 MAE": Case(
        lambda docs: mean(docs, lambda ref, hyp, _: abs(len(ref) - len(hyp))), ("count-mae",), "count-mae"),
    **{
        f"11 fixed k = {k}": Case(
            lambda docs, k=k: mean(docs, script.windows, k, False), ("fixed-k",), "pk"  # type: ignore[misc]
        )
        for k in range(2, 11)
    },
    "11 fixed k on labels, NLTK": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: nltk_windowdiff(last_0(ref, n), last_0(hyp, n), 5)
        ),
        ("fixed-k-labels",), "windowdiff",),
    "11 floored k": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: script.windows(ref, hyp, n, n // (2 * len(ref) + 2), False)
        ),
        ("floored",), "pk",),
    "12 runs of labels, last 1": Case(
        lambda docs: fmean(
            float(segeval.pk(*(segeval.convert_positions_to_masses(last_1(side, n))
                               for side in (hyp, ref))))
            for ref, hyp, n in docs
        ),
        SAME, "pk", reading="runs of equal labels are segments (1 = end, last label 1)",),
    "12 runs of labels, starts": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: script.by_segeval_rule(
                *(script.runs(script.labels(side, n, 0, first=1)) for side in (ref, hyp)), n
            )
        ),
        SAME, "pk", reading="runs of equal labels are segments (1 = start, first label 1)",),
    "12 length of the last boundary": Case(
        lambda docs: mean(docs, lambda ref, hyp, _: script.until_last_boundary(ref, hyp)),
        SAME, "pk", reading="last boundary of both sides + 1",),
    "paper": Case(lambda docs: mean(docs, script.paper), SAME, "pk"),
    "F1 of labels, last 1": Case(
        lambda docs: mean(docs, lambda ref, hyp, n: script.f1(last_1(ref, n), last_1(hyp, n), "1")),
        ("labels-last-1",), "f1",),
}  # fmt: skip


def check_first(found: Audit, case: Case) -> None:
    assert found.matches, "not explained"
    row = found.matches[0].row
    assert (row.convention in case.conventions, row.measure, row.average) == (
        True, case.measure, case.average,
    ), row  # fmt: skip
    assert (row.reading is None) == (case.reading is None)
    assert (case.reading or "") in (row.reading or "")
    assert row in found.rows
    assert f"what these print: {row.convention} (" in str(found.to_table().title)


@pytest.mark.parametrize("name", CASES)
def test_each_number_is_explained_and_the_right_one_is_first(name: str) -> None:
    case = CASES[name]
    check_first(audit(PAIRS, expect=f"{case.number(DOCUMENTS):.6f}"), case)


# ---- 2 documents that fail ----


def with_failures() -> tuple[dict[str, ss.Segmentation], dict[str, ss.Segmentation], Documents]:
    cut = ss.Segmentation.from_boundaries
    refs = {f"d{i}": cut(ref, n) for i, (ref, _, n) in enumerate(DOCUMENTS)}
    hyps = {f"d{i}": cut(hyp, n) for i, (_, hyp, n) in enumerate(DOCUMENTS) if i % 12}
    return refs, hyps, [document for i, document in enumerate(DOCUMENTS) if i % 12]


@pytest.mark.parametrize(("counted", "reading"), [(None, None), (1, "5 documents"), (0, "5 doc")])
def test_documents_that_fail(counted: int | None, reading: str | None) -> None:
    refs, hyps, left = with_failures()
    number = script.mean(left, script.by_segeval_rule)
    if counted is not None:
        number = (number * 55 + counted * 5) / 60
    found = audit(refs, hyps, expect=f"{number:.6f}", missing="skip")
    check_first(found, Case(len, SAME, "pk", reading=reading))


@pytest.mark.parametrize("reading", [None, "left out", "counted as 1", "counted as 0"])
def test_documents_that_fail_and_count_as_one_segment(reading: str | None) -> None:
    refs, hyps, left = with_failures()
    every = [(ref, hyp if i % 12 else [], n) for i, (ref, hyp, n) in enumerate(DOCUMENTS)]
    number = script.mean(left, script.by_segeval_rule)
    if reading is None:
        number = script.mean(every, script.by_segeval_rule)
    elif reading != "left out":
        number = (number * 55 + int(reading[-1]) * 5) / 60
    found = audit(refs, hyps, expect=f"{number:.6f}", missing="none")
    check_first(found, Case(len, SAME, "pk", reading=reading))


def test_f1_of_documents_that_fail_is_0() -> None:
    refs, hyps, left = with_failures()
    number = script.mean(left, lambda r, h, n: script.f1(last_0(r, n), last_0(h, n), "1"))
    found = audit(refs, hyps, expect=f"{number * 55 / 60:.6f}", missing="skip")
    case = Case(len, ("segscore", "superdialseg"), "f1", reading="counted as 0")
    check_first(found, case)
    assert not any("counted" in (row.reading or "") for row in audit(refs, refs, expect=1).rows)


# ---- variants, which are shown where they differ ----


def test_nltk_before_june_2026_fails_without_a_boundary() -> None:
    """Scripts that catch its error leave such documents out."""
    documents = [*DOCUMENTS, ([], [5], 12), ([], [], 20)]
    number = script.mean(DOCUMENTS, lambda ref, hyp, n: nltk_pk(gaps(ref, n), gaps(hyp, n)))
    found = audit(pairs_of(documents), expect=f"{number:.6f}")
    row = found.matches[0].row
    assert (row.convention, row.measure, row.undefined) == ("nltk-old", "pk", 2)
    assert row.note is not None
    assert "division by the number of boundaries" in row.note
    assert "nltk-old" not in {row.convention for row in audit(PAIRS).rows}


def test_a_floored_k_is_0_where_segments_are_short() -> None:
    documents = [*DOCUMENTS, ([1, 2, 3, 5], [3], 7)]
    for least, name in ((0, "floored"), (1, "floored-at-least-1")):
        scores = [script.windows(ref, hyp, n, k, False) if k else 0.0 for ref, hyp, n in documents
                  for k in [max(least, n // (2 * len(ref) + 2))]]  # fmt: skip
        found = audit(pairs_of(documents), expect=f"{fmean(scores):.6f}")
        assert found.matches[0].row.convention == name
    assert "floored-at-least-1" not in {row.convention for row in audit(PAIRS).rows}


# ---- 9 and 12: candidates, labels, words ----


def test_only_ends_of_paragraphs_are_candidates() -> None:
    rng = np.random.default_rng(2)
    made, refs, hyps = [], [], []
    for ref, hyp, n in DOCUMENTS:
        ends = sorted({*ref, *hyp, *rng.choice(np.arange(1, n), n // 4, replace=False).tolist()})
        made.append(([ends.index(p) + 1 for p in ref], [ends.index(p) + 1 for p in hyp],
                     len(ends) + 1))  # fmt: skip
        refs.append(ss.Segmentation.from_boundaries(ref, n, candidates=ends))
        hyps.append(ss.Segmentation.from_boundaries(hyp, n))
    number = script.mean(made, script.without_last_unit)
    case = Case(len, ("mug",), "pk", reading="only candidates are unit ends")
    check_first(audit(refs, hyps, expect=f"{number:.6f}"), case)


def test_runs_of_segment_labels() -> None:
    rng = np.random.default_rng(3)
    made, sides = [], ([], [])
    for ref, hyp, n in DOCUMENTS:
        kept = []
        for boundaries, side in zip((ref, hyp), sides, strict=True):
            names = rng.integers(0, 3, len(boundaries) + 1).tolist()
            side.append(ss.Segmentation.from_boundaries(
                boundaries, n, segment_labels=[f"t{name}" for name in names]
            ))  # fmt: skip
            kept.append(
                [p for p, a, b in zip(boundaries, names, names[1:], strict=False) if a != b]
            )
        made.append((*kept, n))
    number = script.mean(made, script.by_segeval_rule)
    case = Case(len, SAME, "pk", reading="neighbours with the same label")
    check_first(audit(*sides, expect=f"{number:.6f}"), case)


def koomri(texts: dict[str, list[str]]) -> float:
    """Weighted by windows."""
    errors = windows = 0
    for (ref, hyp, _), units in zip(DOCUMENTS, texts.values(), strict=True):
        lengths = [len(unit.split()) for unit in units]
        sides = [script.in_words(boundaries, lengths) for boundaries in (hyp, ref)]
        wrong, of = segeval.pk(
            *(masses(boundaries, sum(lengths)) for boundaries in sides), return_parts=True
        )
        errors, windows = errors + int(wrong), windows + int(of)
    return errors / windows


def test_words_as_units(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    texts = {
        f"d{i}": [" ".join(["word"] * int(rng.integers(1, 12))) for _ in range(n)]
        for i, (_, _, n) in enumerate(DOCUMENTS)
    }
    refs, hyps = (
        {f"d{i}": ss.Segmentation.from_boundaries(document[side], document[2])
         for i, document in enumerate(DOCUMENTS)} for side in (0, 1)
    )  # fmt: skip
    number = f"{koomri(texts):.6f}"
    case = Case(len, SAME, "pk", "windows", reading="words as units")
    check_first(audit(refs, hyps, expect=number, texts=texts), case)
    corpus = ss.Corpus.from_dict({name: {"gold": ref} for name, ref in refs.items()}, units=texts)
    check_first(audit(corpus, hyps, expect=number), case)
    assert not audit(refs, hyps, expect=number).matches
    texts["d0"] = texts["d0"][1:]  # other units
    assert not audit(refs, hyps, expect=number, texts=texts).matches
