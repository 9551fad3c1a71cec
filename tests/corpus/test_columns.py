"""Columns and the pairing of references and hypotheses by name."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora
from segscore.corpus.codings import Codings, CodingsBuilder
from segscore.pairing.pairing import Paired, paired
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import PairingRules

masses = ss.Segmentation.from_masses


def columns(rows: dict[str, dict[str, ss.Segmentation]], source: str = "x") -> Codings:
    return codings(ss.Corpus.from_dict(rows), source)


def codings(corpus: ss.Corpus, source: str) -> Codings:
    return CodingsBuilder().add_all(corpus.records()).codings(source=source)


class Made:
    """A hypothesis with its pairs and what was left out."""

    def __init__(self, hypothesis: str, found: Paired) -> None:
        self.hypothesis, self.pairs = hypothesis, Pairs.of_paired(found)
        self.without_hypothesis = found.without_hypothesis
        self.without_reference = found.without_reference


def pair(ref: Codings, hyp: Codings | None = None, **rules: Any) -> list[Made]:
    found = paired(ref, hyp, PairingRules(**rules))
    return [Made(coder, both) for coder, both in found.items()]


REF = {"a": {"r": masses([2, 3])}, "b": {"r": masses([1, 1])}}


def test_what_cannot_be_paired() -> None:
    ref = columns(REF, "REF")
    for hyp, options, message in (
        (None, {}, "hyps is missing"),
        (None, {"reference": "r"}, "REF.*no hypothesis"),
        (None, {"reference": "q"}, "REF.*coder 'q'.*there is 'r'"),
        (
            ref,
            {"missing": "maybe"},
            "missing is 'maybe'.*worst",
        ),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            pair(ref, hyp, **options)
    other = columns({"a": {"h": masses([5])}, "b": {"h": masses([3])}}, "HYP")
    with pytest.raises(ss.SegmentationError) as error:
        pair(ref, other)
    assert re.search("document 'b'.*2 units.*REF.*coder 'r'.*3.*coder 'h' of HYP", str(error.value))


@given(corpora(frozenset({"ranks", "types"})), corpora(frozenset({"ranks"})), st.data())
def test_pairing_is_what_a_loop_over_names_gives(
    ref: ss.Corpus, hyp: ss.Corpus, data: st.DataObject
) -> None:
    coder = data.draw(st.sampled_from(ref.coders))
    # the same documents, some of them, in the same lengths
    rows: list[Any] = [
        (name, "h", masses([1] * document.n_units)) for name, document in ref.items()
    ]
    rows = data.draw(st.permutations(rows))[: data.draw(st.integers(0, len(rows)))]
    rows += [record for record in hyp.records() if record.document not in ref]
    side = ss.Corpus.from_rows(rows)
    shared = [name for name in ref if coder in ref[name] and "h" in side.get(name, {})]
    if "h" not in side.coders or not shared:
        return
    made = pair(
        codings(ref, "r"), codings(side.select(coders=["h"]), "s"), reference=coder, missing="skip"
    )[0]
    assert list(made.pairs.documents) == shared
    for row, name in enumerate(shared):
        assert made.pairs.hypothesis(row).boundaries.tolist() == side[name]["h"].boundaries.tolist()
        wanted = ref[name][coder]
        assert np.array_equal(made.pairs.reference(row).boundaries, wanted.boundaries)
        assert made.pairs.reference(row).types in (wanted.types, None)
    coded = [name for name in ref if coder in ref[name]]
    assert made.without_hypothesis == [name for name in coded if name not in shared]
    assert set(made.without_reference) == {
        name for name in side if "h" in side[name] and name not in coded
    }
