"""What intervals are about: other documents and these coders, or other coders and these documents."""

import math

import numpy as np
import pytest
from scipy import stats

import segscore as ss
from oracles.agreement_sums import LiteralAgreement
from panels import panel


def test_each_interval_says_what_it_is_about() -> None:
    made = ss.agreement(panel(1, 8, 6), draws=20, n_resamples=200)
    two = panel(1, 2, 6)
    local = ss.Corpus.from_rows(panel(1, 8, 6).records(), coders="local")
    single = ss.agreement(two["d0"], draws=20)
    for interval, words in (
        (made.ci, "for these 6 coders, over documents"),
        (made.kappa_ci, "for these 6 coders, over documents"),
        (made.corrected_ci, "for these 6 coders, over documents"),
        (made.documents["d0"].ci, "for this document, over coders"),
        (ss.agreement(two, draws=20).ci, "for these documents, over coders"),
        (single.ci, "for this document, over coders"),
        (single.over_coders, "for this document, over coders"),
        (ss.agreement(local, draws=20).ci, "for these coders, over documents"),
    ):
        assert interval.method.startswith(f"{words}, by ")
    assert "each document alone: jackknife over its coders" in " ".join(str(made).split())
    groups = panel(1, 12, 6).with_details(groups={f"d{i}": "x" for i in range(6)})
    assert "bootstrap over 6 documents" in ss.agreement(groups, draws=20).groups["x"].ci.method


def test_the_interval_over_coders_is_a_jackknife_by_the_letter() -> None:
    people = panel(4, 6, 6)
    made = ss.agreement(people, draws=20, rng=3, n_resamples=200)
    literal = LiteralAgreement(people, 20, 3)
    assert made.corrected == pytest.approx(literal.corrected())
    left_out = np.array([literal.corrected(without=[coder]) for coder in people.coders])
    error = math.sqrt(5 / 6 * ((left_out - left_out.mean()) ** 2).sum())
    half = stats.t.ppf(0.975, 5) * error
    assert made.over_coders[:2] == pytest.approx((made.corrected - half, made.corrected + half))
    low, high = made.over_coders[:2]
    sentence = (
        f"corrected agreement of all: [{low:.3f}, {high:.3f}] for these documents, over coders, by "
    )
    assert sentence in made.to_table().footnotes[1]
    assert "rough with so few" in made.over_coders.method
    (row,) = [row for row in made.to_table().records() if row["level"] == "whole"]
    assert (row["coders_low"], row["coders_high"]) == made.over_coders[:2]


@pytest.mark.slow
@pytest.mark.parametrize("n_coders", [6, 10])
def test_it_covers_the_agreement_of_all_who_could_code(n_coders: int) -> None:
    """Coders are drawn from people who differ; documents stay. 300 panels: .93 and .94 were seen."""
    n_documents, places = 10, 59
    covered = of_documents = 0
    for world in range(6):
        rng = np.random.default_rng([10, world, n_coders])
        true = rng.random((n_documents, places)) < 0.12

        def corpus(n: int) -> ss.Corpus:
            documents: dict[str, dict[str, ss.Segmentation]] = {}
            for coder in range(n):
                seen = np.clip(rng.normal(0.6, 0.18), 0.05, 0.98)  # noqa: B023
                own = math.exp(rng.normal(math.log(0.04), 0.5))  # noqa: B023
                marks = rng.random(true.shape) < np.where(true, seen, own)  # noqa: B023
                for i, row in enumerate(marks):
                    coding = ss.Segmentation.from_boundaries(np.flatnonzero(row) + 1, places + 1)
                    documents.setdefault(f"d{i}", {})[f"c{coder}"] = coding
            return ss.Corpus.from_dict(documents)

        truth = ss.agreement(corpus(70), draws=20, n_resamples=2).corrected
        for seed in range(50):
            made = ss.agreement(corpus(n_coders), draws=40, n_resamples=200, rng=seed)
            covered += made.over_coders.low <= truth <= made.over_coders.high
            of_documents += made.corrected_ci.low <= truth <= made.corrected_ci.high
    assert covered >= 0.9 * 300
    assert of_documents < 0.8 * 300  # it is about something else
