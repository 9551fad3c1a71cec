"""Choi's documents: the outputs of the original C99, and the error rates that are known.

Where a run over all of them takes long, it waits for --full. Pk as Choi computed it: in words,
boundaries at the ends of sentences, the mean of the documents in per cent.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore import segmenters

SUBSETS = ("3-11", "3-5", "6-8", "9-11")
QUICK = 12  # documents of each subset in a quick run


@cache
def documents(data: Path, subset: str, n: int | None) -> dict[str, ss.Document]:
    found: dict[str, ss.Document] = {}
    for choi_set in "12":
        corpus = ss.read(data / "choi" / choi_set / subset, format="choi")
        chosen = list(corpus)[: None if n is None else n // 2]
        found |= {
            f"{choi_set}/{subset}/{name.removesuffix('.ref')}.ref": corpus[name] for name in chosen
        }
    return found


def units(document: ss.Document) -> list[str]:
    assert document.units is not None
    return list(document.units)


def pk(document: ss.Document, segmentation: ss.Segmentation) -> float:
    """Choi's Pk in per cent."""
    lengths = [len(unit.split()) for unit in units(document)]
    return 100 * ss.Pk()(document["reference"].expand(lengths), segmentation.expand(lengths))


def segment_texts(document: ss.Document) -> list[str]:
    ends = [0, *document["reference"].boundaries.tolist(), document.n_units]
    return [" ".join(units(document)[a:b]) for a, b in pairwise(ends)]


def mean_pk(found: dict[str, ss.Document], segmenter: Callable[..., Any], known: bool) -> float:
    errors = []
    for document in found.values():
        number = document["reference"].n_segments if known else None
        errors.append(pk(document, segmenter(units(document), number)))
    return float(np.mean(errors))


def as_choi(data: Path) -> segmenters.Preprocessing:
    return segmenters.Preprocessing("choi", data / "choi" / "STOPWORD.list", "porter")


def originals(data: Path) -> dict[str, dict[str, list[int]]]:
    path = data / "reference_outputs" / "choi_c99.json"
    outputs: dict[str, dict[str, list[int]]] = json.loads(path.read_text("utf-8"))
    return outputs


def compare_with_the_original(data: Path) -> tuple[float, dict[str, float]]:
    """Share of documents with the original's segmentation, and how far mean Pk is off."""
    segmenter, theirs = segmenters.C99(as_choi(data)), originals(data)
    same, off = [], {}
    for subset in SUBSETS:
        ours_pk, theirs_pk = [], []
        for name, document in documents(data, subset, None).items():
            known = theirs[name]
            assert document["reference"].masses.tolist() == known["ref"]
            segmentation = segmenter(units(document), document["reference"].n_segments)
            same.append(segmentation.masses.tolist() == known["c99_known"])
            ours_pk.append(pk(document, segmentation))
            theirs_pk.append(pk(document, ss.Segmentation.from_masses(known["c99_known"])))
        off[subset] = abs(float(np.mean(ours_pk)) - float(np.mean(theirs_pk)))
    return float(np.mean(same)), off


def test_c99_as_the_original(data: Path) -> None:
    same, off = compare_with_the_original(data)
    assert same >= 0.82
    assert max(off.values()) <= 0.4, off


def test_order_of_splits(data: Path) -> None:
    theirs = originals(data)
    hc99 = segmenters.C99(as_choi(data), hierarchical=True)
    same = []
    for subset in SUBSETS:
        for name, document in documents(data, subset, QUICK).items():
            segmentation = hc99(units(document))
            assert segmentation.ranks is not None
            first = segmentation.boundaries[np.argsort(segmentation.ranks)][:9].tolist()
            same.append(first == theirs[name]["split_order_indep"][:9])
    assert np.mean(same) >= 0.95


@pytest.mark.parametrize(
    ("known", "expected"),
    [(False, (10.5, 13.0, 6.3, 6.0)), (True, (10.4, 8.5, 6.4, 5.0))],
    ids=["automatic", "known"],
)
def test_utiyama_isahara_error_rates(data: Path, known: bool, expected: tuple[float, ...]) -> None:
    segmenter = segmenters.UtiyamaIsahara(as_choi(data))
    for subset, value in zip(SUBSETS, expected, strict=True):
        found = documents(data, subset, None)
        assert mean_pk(found, segmenter, known) == pytest.approx(value, abs=0.3)


def letters(text: str) -> list[str]:
    """Runs of letters, lower-case."""
    return re.findall("[a-z]+", text.lower())


@pytest.mark.parametrize(
    ("w", "known", "expected"),
    [
        (20, False, (33.4, 33.1, 29.0, 36.7)),
        (20, True, (26.4, 33.7, 24.3, 18.0)),
        (10, True, (26.8, 22.8, 24.1, 27.3)),
    ],
)
def test_texttiling_error_rates(
    data: Path, w: int, known: bool, expected: tuple[float, ...]
) -> None:
    words = segmenters.Preprocessing(letters, data / "choi" / "STOPWORD.list", "martin")
    segmenter = segmenters.TextTiling(w, k=6, preprocessing=words)
    for subset, value in zip(SUBSETS, expected, strict=True):
        found = documents(data, subset, None)
        assert mean_pk(found, segmenter, known) == pytest.approx(value, abs=1)


def test_dense_vectors_find_the_number_of_segments(data: Path) -> None:
    """Choi's rule finds next to no boundary with dense vectors, beginning with the first text."""
    found = {
        name: document
        for name, document in documents(data, "3-11", None).items()
        if name.startswith("1/")
    }
    contexts = [text for document in found.values() for text in segment_texts(document)]
    space = segmenters.LSASpace.train(contexts, dimensions=60)
    first = units(found["1/3-11/0.ref"])
    for old, new in (
        (segmenters.CWM(space, stop="start", c=1.2), segmenters.CWM(space)),
        (segmenters.EmbeddingSegmenter(space.encode, "c99", 1.2, stop="start"),
         segmenters.EmbeddingSegmenter(space.encode, "c99")),
    ):  # fmt: skip
        assert old(first).n_segments == 1
        assert 8 <= new(first).n_segments <= 13
        sample = {name: found[name] for name in list(found)[:QUICK]}
        assert mean_pk(sample, new, False) < mean_pk(sample, old, False) - 10
