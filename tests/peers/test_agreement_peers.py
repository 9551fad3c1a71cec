"""Agreement against krippendorff, statsmodels and segeval, where they compute the same thing."""

import krippendorff
import numpy as np
import pytest
import segeval
from hypothesis import assume, given, settings
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

import segscore as ss
from needs import needs
from oracles.agreement import decisions
from strategies import codings

pytestmark = needs("peers")

Given = dict[str, dict[str, ss.Segmentation]]


@given(codings())
@settings(max_examples=30)
def test_krippendorff_alpha(given: Given) -> None:
    """With holes: a coder who did not code a document has no value there."""
    coders = sorted({coder for document in given.values() for coder in document})
    columns = []
    for document in given.values():
        n_units = next(iter(document.values())).n_units
        for place in range(1, n_units):
            columns.append([
                float(place in document[c].boundaries) if c in document else np.nan for c in coders
            ])  # fmt: skip
    table = np.array(columns).T
    values = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    assume(len(set(values[~np.isnan(values)])) == 2)
    theirs = krippendorff.alpha(table, level_of_measurement="nominal")
    assert ss.coders.krippendorff_alpha(ss.Corpus.from_dict(given), n_resamples=5) == pytest.approx(
        theirs
    )


@given(codings(holes=False))
@settings(max_examples=30)
def test_fleiss_kappa(given: Given) -> None:
    """Each item needs the same number of coders for statsmodels."""
    items = decisions(given)
    assume(len({decision for item in items for decision in item}) == 2)
    theirs = their_fleiss(np.array([[sum(item), len(item) - sum(item)] for item in items]))
    assert ss.coders.fleiss_kappa(ss.Corpus.from_dict(given), n_resamples=5) == pytest.approx(
        theirs
    )


def masses_of(given: Given) -> dict[str, dict[str, list[int]]]:
    return {
        name: {coder: coding.masses.tolist() for coder, coding in document.items()}
        for name, document in given.items()
    }


@given(codings(max_documents=1))
@settings(max_examples=20)
def test_segeval(given: Given) -> None:
    """On pairs without a boundary segeval crashes; in S it prices a transposition at d / n_t."""
    assume(all(coding.n_segments > 1 for coding in given["d0"].values()))
    corpus, theirs = ss.Corpus.from_dict(given), masses_of(given)
    ours = ss.agreement(corpus)
    assume(ours.expected_pi < 1)
    assert ours.pi == pytest.approx(float(segeval.fleiss_pi_linear(theirs)))
    assert ours.kappa == pytest.approx(float(segeval.fleiss_kappa_linear(theirs)))
    by_s = ss.agreement(corpus, ss.SegmentationSimilarity(cost="span"))
    their_s = segeval.fleiss_pi_linear(theirs, fnc_compare=segeval.segmentation_similarity)
    assert by_s.pi == pytest.approx(float(their_s))
