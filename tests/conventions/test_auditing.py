"""audit: the peers' numbers, the four averages, expected numbers, and what it refuses."""

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from command_line import segscore
from segscore.conventions import audit
from segscore.conventions.convention import READINGS
from segscore.conventions.convention_list import CONVENTIONS
from segscore.conventions.document_scores import WindowConvention
from segscore.simulate.sample_codings import STARGAZER
from strategies import pairs

masses = ss.Segmentation.from_masses
coders = list(STARGAZER.values())
WINDOWS = [convention for convention in CONVENTIONS if isinstance(convention, WindowConvention)]

# Pk/WindowDiff by the definitions as published, and by others: a pair per row; - if not compared
CASES = """
reference   hypothesis     paper       segeval     lamprier nltk        nltk-labels solbiati    superdialseg treeseg    textsplit
6,3,4       4,4,5          .5455/.5455 .5455/.5455 -/.3750  .4/.4       .5/.5       .3636/.3636 .5/.5       .5/.5       .3333/-
5,5         4,6            .25/.25     -/-         -/.1538  .3333/.3333 .2222/.2222 .3333/.3333 .2222/.2222 .2222/.2222 .25/-
coder0      coder1         .3684/.3684 -/-         -/.2917  .3684/.3684 .35/.35     .35/.35     -/-         -/-         0/-
12          6,6            1/1         -/-         -/.3158  1/1         .8571/.8571 nan/nan     -/-         -/-         .7143/-
4,4,4       1*12           .6/1        -/-         -/.8     .3333/1     .5455/1     .4/1        .6364/1     .6364/1     .7273/-
1,1         2              1/1         0/nan       -/.4     0/0         0/0         .5/.5       1/1         0/0         0/-
20,20,20    1,19,20,20     .02/.02     -/-         -/.1408  .0222/.0222 -/-         .0435/.0435 .0196/.0196 .0392/.0392 .0392/-
8,8,8,8     8,7,1,8,8      .0357/.1429 -/-         -/.1081  .0370/.1852 .0345/.1379 .0357/.1786 -/-         .0345/.1379 .0345/-
"""


def side(text: str) -> ss.Segmentation:
    """Masses, a coder of Stargazer, or a number of masses of 1."""
    if text.startswith("coder"):
        return masses(coders[int(text[-1])])
    return masses([1] * 12 if text == "1*12" else [int(mass) for mass in text.split(",")])


@pytest.mark.parametrize("row", CASES.strip().splitlines()[1:])
def test_what_each_prints(row: str) -> None:
    names = CASES.split("\n")[1].split()[2:]
    ref, hyp, *numbers = row.split()
    found = audit(side(ref), side(hyp))
    for name, both in zip(names, numbers, strict=True):
        for measure, expected in zip(("pk", "windowdiff"), both.split("/"), strict=True):
            if expected != "-":
                prints = found[name, measure].prints
                assert prints == pytest.approx(float(expected), abs=6e-5, nan_ok=True), name


def test_fi12_is_a_metric_of_ours() -> None:
    ref, hyp = masses([1, 2, 2, 3, 3, 1, 2]), masses([1, 2, 1, 2, 6, 2])
    row = audit(ref, hyp)["fi12", "windowdiff"]
    assert (row.k, row.windows) == (1, 13)
    assert row.value == ss.WindowDiff(rounding="half-up", k_offset=-1)(ref, hyp)


@given(pairs(min_units=2))
def test_paper_is_our_default(pair: Any) -> None:
    found = audit(*pair)
    for measure, metric in (("pk", ss.Pk()), ("windowdiff", ss.WindowDiff())):
        row = found["paper", measure]
        score = metric(*pair, on_undefined="nan")
        assert (row.value, row.prints) == pytest.approx((score, score), nan_ok=True)
        if row.windows:
            assert (row.k, row.windows) == (score.k, score.windows)


# ---- averages ----

CORPUS = (
    [masses([6, 3, 4]), masses([40, 40, 40]), masses([2, 2])],
    [masses([4, 4, 5]), masses([40, 41, 39]), masses([4])],
)


def test_four_averages_of_one_corpus() -> None:
    """docs/definitions.md §10, with segeval's k."""
    found = audit(*CORPUS)
    averages = ("mean", "windows", "global-k", "concatenated")
    values = [found["segeval", "pk", average].value for average in averages]
    assert values == pytest.approx([0.5218, 0.0885, 0.0090, 0.0156], abs=5e-5)
    row = found["segeval", "pk", "global-k"]
    assert (row.k, row.undefined, row.documents) == (9, 1, 3)
    assert row.prints == pytest.approx(0.0060, abs=5e-5)
    assert row.note == "prints 0: k = 9 leaves no window"
    with pytest.raises(KeyError):
        found["segeval", "pk", "median"]


VARIANTS = {
    convention.name for convention in WINDOWS if convention.variant_of
}  # shown where they differ


@given(st.lists(pairs(max_units=300), min_size=2, max_size=4))
def test_a_corpus_is_its_documents(documents: Any) -> None:
    """All documents are counted at once; each is as if it were alone."""
    found = audit([ref for ref, _ in documents], [hyp for _, hyp in documents], tolerance=2)
    alone = [audit(*pair, tolerance=2) for pair in documents]
    names = {
        (row.convention, row.measure)
        for row in found.rows
        if row.average == "mean" and row.measure != "total"  # which is made of averages
        if row.convention not in VARIANTS
    }
    assert len(names) > 50
    for key in names:
        row, each = found[(*key, "mean")], [result[key] for result in alone]
        defined = [entry.value for entry in each if not math.isnan(entry.value)]
        mean = sum(defined) / len(defined) if defined else math.nan
        assert row.value == pytest.approx(mean, rel=1e-14, nan_ok=True)
        prints = sum(entry.prints for entry in each) / len(each)
        assert row.prints == pytest.approx(prints, rel=1e-14, nan_ok=True)
        assert row.undefined == sum(entry.undefined for entry in each)
        own = [entry.note for entry in each if entry.note]
        assert (row.note or "").count("more documents") == (len(own) > 1)
        if key[1] not in ("pk", "windowdiff") or key[0] == "evalhds":
            continue  # EvalHDS has no other average
        by_windows = found[(*key, "windows")]
        assert by_windows.windows == sum(entry.windows or 0 for entry in each)
        sizes = {entry.k for entry in each}
        assert by_windows.k == (sizes.pop() if len(sizes) == 1 else None)


# ---- expected numbers ----


@pytest.mark.parametrize(
    ("expect", "conventions"),
    [
        (0.3636, {"solbiati"}),
        ("0.364", {"solbiati"}),
        ("36.36", {"solbiati"}),
        ("36.4%", {"solbiati"}),
        (0.6364, {"solbiati"}),  # 1 − value
        (0.375, {"lamprier"}),
        (0.3637, set()),
        ("0.36360", set()),  # more digits, less room
    ],
)
def test_expect_finds_the_convention(expect: Any, conventions: set[str]) -> None:
    found = audit(masses([6, 3, 4]), masses([4, 4, 5]), expect=expect)
    assert {match.row.convention for match in found.matches} == conventions
    first = str(found).splitlines()[0]  # the verdict stands above the table
    assert ("No known convention prints" in first) == (not conventions)
    assert "Cite paper: Pk = 0.5455" in first


def test_expect_in_a_corpus_names_value_and_print() -> None:
    printed = audit(*CORPUS, expect="0.006").matches
    assert ("segeval", "global-k") in {(m.row.convention, m.row.average) for m in printed}
    sound = audit(*CORPUS, expect="0.00901").matches
    assert all("without undefined documents" in m.form for m in sound if m.row.undefined)
    assert ("segeval", "global-k") in {(m.row.convention, m.row.average) for m in sound}


@pytest.mark.parametrize(
    "expect", ["much", "", float("nan"), "inf", True, [0.3], pytest.param(10**5000, id="huge")]
)
def test_expect_must_be_a_number(expect: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="expect.*expected a number"):
        audit(masses([2, 2]), masses([4]), expect=expect)


# ---- the command ----


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `segscore audit …`."""
    return segscore("audit", *arguments)


def test_plain_audit_shows_the_ten_that_differ_most_and_all_if_asked(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sides = [tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"]
    for side in sides:
        rows = [rng.integers(1, 9, size=12).tolist() for _ in range(6)]
        lines = [
            json.dumps({"document": f"d{i}", "masses": [*row, 120 - sum(row)]})
            for i, row in enumerate(rows)
        ]
        side.write_text("\n".join(lines))
    found = audit(*map(str, sides))
    _, out, _ = run(*sides)
    assert out.startswith("Cite paper: Pk = ")
    assert f"{len(found.rows) - 10} more numbers" in out
    gaps = [abs(gap) for gap in found.short_table().cells[-1]]
    assert gaps == sorted(gaps, reverse=True)
    assert len(gaps) == 10
    assert len(json.loads(run(*sides, "-f", "json")[1])) == len(found.rows)
    assert run(sides[0], sides[0])[1].startswith("All conventions print the same")
    code, _, err = run(*sides, "-m", "f2")
    assert (code, "'f2'" in err) == (2, True)


def test_nltk_on_labels_whose_last_is_0_and_rare_explanations() -> None:
    refs = {str(i): ss.Segmentation.from_masses([3 + i, 4, 5 + i % 3]) for i in range(6)}
    hyps = {str(i): ss.Segmentation.from_masses([2, 6 + i, 4 + i % 3]) for i in range(6)}
    found = audit(refs, hyps, measures=["pk"])
    value = found["nltk-labels-last-0", "pk"].prints
    named = audit(refs, hyps, expect=f"{value:.9f}", measures=["pk"])
    assert f"{value:.9f} is what these print: nltk-labels-last-0 (Pk" in str(named.to_table().title)
    other = {k: ss.Segmentation.from_masses([n - 3, 1, 1, 1]) for k, n in
             ((k, ref.n_units) for k, ref in refs.items())}  # fmt: skip
    swapped = audit(other, refs, measures=["pk"])["segeval", "pk"].prints
    named = audit(refs, other, expect=f"{swapped:.9f}", measures=["pk"])
    assert "is perhaps what these print" in str(named.to_table().title)
    assert "sides swapped, so that k comes from the hypothesis" in str(named.to_table().title)
    assert READINGS[0].words_for("s") == "sides swapped"


# ---- evalHDS and HAPS ----


# What the repository of EvalHDS stores for HC99, to three decimals: with levels, and with a linear
# reference (eval/scores/wp_wal_eos and wp_walR_eos, commit 8eb804b). The mean is over 66 articles.
STORED = {
    "Aircraft": (0.439, 0.478),
    "Albert_Einstein": (0.518, 0.538),
    "Apollo": (0.476, 0.383),
    "Baseball": (0.454, 0.343),
    "Bedbug": (0.492, 0.442),
    "Trinity": (0.471, None),
    "Ulysses_S._Grant": (0.518, None),
    "United_States_Congress": (0.474, None),
}
STORED_MEANS = (0.452, 0.427)


def without_ranks(segmentation: ss.Segmentation) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(segmentation.boundaries, segmentation.n_units)


def by_evalhds(ref: ss.Segmentation, hyp: ss.Segmentation) -> float:
    """WindowDiff with the three decimals that the program prints."""
    return round(ss.audit(ref, hyp, measures=["windowdiff"])["evalhds", "windowdiff"].prints, 3)


@pytest.mark.usefixtures("data")
def test_the_scores_in_the_repository() -> None:
    corpus = ss.datasets.load("carroll2010")
    for name, (levels, linear) in STORED.items():
        ref, hyp = corpus[name]["reference"], corpus[name]["HC99"]
        assert by_evalhds(ref, hyp) == levels
        if linear is not None:
            assert by_evalhds(without_ranks(ref), hyp) == linear
    everything = ss.audit(corpus, reference="reference", hypothesis="HC99", expect="0.452")
    row = everything["evalhds", "windowdiff"]
    assert (row.average, row.documents, row.undefined) == ("mean", 66, 0)
    assert round(row.prints, 3) == STORED_MEANS[0]
    assert ("evalhds", "windowdiff") in [match.row[:2] for match in everything.matches]
    refs = {name: without_ranks(document["reference"]) for name, document in corpus.items()}
    hyps = {name: document["HC99"] for name, document in corpus.items()}
    linear_row = ss.audit(refs, hyps, measures=["windowdiff"])["evalhds", "windowdiff"]
    assert round(linear_row.prints, 3) == STORED_MEANS[1]


# ---- the rules, literally ----


def evalhds(ref: ss.Segmentation, hyp: ss.Segmentation, counted: bool) -> Fraction:
    """One level after the other, every choice among ties, windows on the ring of places."""
    n = ref.n_units
    ref_rank = ranks_of(ref)
    hyp_rank = dict.fromkeys(range(1, n), 10**6) | ranks_of(hyp)
    total = Fraction(0)
    for level in sorted(set(ref_rank.values())):
        chosen = {place for place, rank in ref_rank.items() if rank <= level}
        order = sorted(hyp_rank.values())
        last = order[len(chosen) - 1]
        sure = {place for place, rank in hyp_rank.items() if rank < last}
        tied = [place for place, rank in hyp_rank.items() if rank == last]
        draws = [sure | set(choice) for choice in combinations(tied, len(chosen) - len(sure))]
        k = int(0.5 * n / (len(chosen) + 1))
        errors = sum(ring_errors(chosen, draw, n, k, counted) for draw in draws)
        new = sum(rank == level for rank in ref_rank.values())
        total += new * Fraction(errors, (n - 1) * len(draws))
    return total / len(ref_rank)


def ranks_of(segmentation: ss.Segmentation) -> dict[int, int]:
    ranks = (
        [1] * len(segmentation.boundaries)
        if segmentation.ranks is None
        else segmentation.ranks.tolist()
    )
    return dict(zip(segmentation.boundaries.tolist(), ranks, strict=True))


def ring_errors(ref: set[int], hyp: set[int], n: int, k: int, counted: bool) -> int:
    errors = 0
    for start in range(n - 1):
        window = {(start + step) % (n - 1) + 1 for step in range(k)}
        a, b = len(ref & window), len(hyp & window)
        errors += a != b if counted else (a > 0) != (b > 0)
    return errors


@st.composite
def ranked_pairs(draw: Any) -> tuple[ss.Segmentation, ss.Segmentation]:
    n = draw(st.integers(2, 11))
    sides = []
    for least in (1, 0):
        places = draw(st.lists(st.integers(1, n - 1), min_size=least, max_size=n - 1, unique=True))
        ranks = draw(st.lists(st.integers(1, 3), min_size=len(places), max_size=len(places)))
        flat = draw(st.booleans())
        given_ranks = None if flat else ranks
        sides.append(ss.Segmentation.from_boundaries(places, n_units=n, ranks=given_ranks))
    return sides[0], sides[1]


@given(ranked_pairs())
def test_evalhds_is_the_mean_over_all_draws(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    for measure in ("pk", "windowdiff"):
        expected = evalhds(*pair, counted=measure == "windowdiff")
        found = ss.audit(*pair, measures=[measure])["evalhds", measure]
        assert found.prints == pytest.approx(float(expected), abs=1e-12)
        assert math.isnan(found.value) == (found.note is not None)


def haps(ref: ss.Segmentation, hyp: ss.Segmentation) -> float:
    """A symbol per unit, the last one 1; windows of a whole mean segment."""
    n = ref.n_units
    sides = [
        [int(u in {*segmentation.boundaries.tolist(), n}) for u in range(1, n + 1)]
        for segmentation in (ref, hyp)
    ]
    segments = sum(sides[0])
    size = n // 2 if segments <= 1 else n // segments
    errors = sum(
        sum(sides[0][at : at + size]) != sum(sides[1][at : at + size]) for at in range(n - size + 1)
    )
    return errors / (n - size)


@given(pairs(max_units=40))
def test_haps_is_the_rule_of_the_program(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    found = ss.audit(*pair, measures=["windowdiff"])["haps", "windowdiff"]
    assert found.prints == pytest.approx(haps(*pair), abs=1e-12)
    assert math.isnan(found.value) == (pair[0].n_units == 1)


def test_what_evalhds_cannot_score() -> None:
    cut = ss.Segmentation.from_masses
    none = ss.audit(cut([12]), cut([6, 6]), measures=["pk"])["evalhds", "pk"]
    assert math.isnan(none.prints)
    assert none.note == "fails: division by the number of boundaries, 0"
    dense = ss.audit(cut([1, 1]), cut([2]), measures=["pk"])["evalhds", "pk"]
    assert (dense.k, dense.prints, dense.undefined) == (0, 0.0, 1)
    assert math.isnan(dense.value)
    assert dense.note == "counts no error at 1 of 1 levels, where k = 0"
