"""audit: the peers' numbers, the four averages, expected numbers, and what it refuses."""

import json
import math
import re
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from command_line import segscore
from segscore._kernels import window
from segscore.conventions import audit
from segscore.conventions.convention_list import CONVENTIONS
from segscore.conventions.document_scores import WindowConvention
from segscore.conventions.documents import READINGS
from segscore.simulate.sample_codings import STARGAZER
from strategies import pairs

masses = ss.Segmentation.from_masses
coders = list(STARGAZER.values())
WINDOWS = [convention for convention in CONVENTIONS if isinstance(convention, WindowConvention)]

# Pk and WindowDiff where they differ: by convention, one pair per row.
CASES: list[tuple[Any, Any, dict[str, tuple[float | None, float | None]]]] = [
    (
        (6, 3, 4),
        (4, 4, 5),
        {
            "paper": (0.5455, 0.5455),
            "segeval": (0.5455, 0.5455),
            "lamprier": (None, 0.3750),
            "nltk": (0.4, 0.4),
            "nltk-labels": (0.5, 0.5),
            "solbiati": (0.3636, 0.3636),
            "superdialseg": (0.5, 0.5),
            "treeseg": (0.5, 0.5),
            "textsplit": (0.3333, None),
        },
    ),
    (
        (5, 5),
        (4, 6),
        {
            "paper": (0.25, 0.25),
            "lamprier": (None, 0.1538),
            "nltk": (0.3333, 0.3333),
            "nltk-labels": (0.2222, 0.2222),
            "solbiati": (0.3333, 0.3333),
            "superdialseg": (0.2222, 0.2222),
            "treeseg": (0.2222, 0.2222),
            "textsplit": (0.25, None),
        },
    ),
    (
        coders[0],
        coders[1],
        {
            "paper": (0.3684, 0.3684),
            "lamprier": (None, 0.2917),
            "nltk": (0.3684, 0.3684),
            "nltk-labels": (0.35, 0.35),
            "solbiati": (0.35, 0.35),
            "textsplit": (0.0, None),
        },
    ),
    (
        (12,),
        (6, 6),
        {
            "paper": (1.0, 1.0),
            "lamprier": (None, 0.3158),
            "nltk": (1.0, 1.0),
            "nltk-labels": (0.8571, 0.8571),
            "solbiati": (math.nan, math.nan),
            "textsplit": (0.7143, None),
        },
    ),
    (
        (4, 4, 4),
        (1,) * 12,
        {
            "paper": (0.6, 1.0),
            "lamprier": (None, 0.8),
            "nltk": (0.3333, 1.0),
            "nltk-labels": (0.5455, 1.0),
            "solbiati": (0.4, 1.0),
            "superdialseg": (0.6364, 1.0),
            "treeseg": (0.6364, 1.0),
            "textsplit": (0.7273, None),
        },
    ),
    (
        (1, 1),
        (2,),
        {
            "paper": (1.0, 1.0),
            "segeval": (0.0, math.nan),
            "lamprier": (None, 0.4),
            "nltk": (0.0, 0.0),
            "nltk-labels": (0.0, 0.0),
            "solbiati": (0.5, 0.5),
            "superdialseg": (1.0, 1.0),
            "treeseg": (0.0, 0.0),
            "textsplit": (0.0, None),
        },
    ),
    (
        (20, 20, 20),
        (1, 19, 20, 20),
        {
            "paper": (0.02, 0.02),
            "lamprier": (None, 0.1408),
            "nltk": (0.0222, 0.0222),
            "solbiati": (0.0435, 0.0435),
            "superdialseg": (0.0196, 0.0196),
            "treeseg": (0.0392, 0.0392),
            "textsplit": (0.0392, None),
        },
    ),
    (
        (8, 8, 8, 8),
        (8, 7, 1, 8, 8),
        {
            "paper": (0.0357, 0.1429),
            "lamprier": (None, 0.1081),
            "nltk": (0.0370, 0.1852),
            "nltk-labels": (0.0345, 0.1379),
            "solbiati": (0.0357, 0.1786),
            "treeseg": (0.0345, 0.1379),
            "textsplit": (0.0345, None),
        },
    ),
]


@pytest.mark.parametrize(("ref", "hyp", "table"), CASES, ids=[str(case[0]) for case in CASES])
def test_what_each_prints(ref: Any, hyp: Any, table: dict[str, Any]) -> None:
    found = audit(masses(ref), masses(hyp))
    for name, numbers in table.items():
        for measure, expected in zip(("pk", "windowdiff"), numbers, strict=True):
            if expected is not None:
                prints = found[name, measure].prints
                assert prints == pytest.approx(expected, abs=6e-5, nan_ok=True), (name, measure)


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


# ---- rules of code that is not installed, by the letter of their tables ----


def symbols(segmentation: ss.Segmentation, kind: str) -> list[int]:
    """One symbol per unit."""
    made = [0] * segmentation.n_units
    for p in segmentation.boundaries.tolist():
        made[p - 1 if kind == "end" else p] = 1
    return made


def literal(ref: list[int], hyp: list[int], k: int, counts: bool) -> Fraction | None:
    """Share of the stretches of k symbols that differ."""
    if k < 1 or k > len(ref):
        return None
    starts = range(len(ref) - k + 1)
    sums = [(sum(ref[i : i + k]), sum(hyp[i : i + k])) for i in starts]
    wrong = [r != h if counts else (r > 0) != (h > 0) for r, h in sums]
    return Fraction(sum(wrong), len(wrong))


@given(pairs(max_units=60))
def test_written_rules(pair: Any) -> None:
    found = audit(*pair)
    n, segments = pair[0].n_units, pair[0].n_segments
    ends, starts = (
        [symbols(segmentation, kind) for segmentation in pair] for kind in ("end", "start")
    )
    ones = sum(ends[0])
    rules = {
        "superdialseg": (ends, max(2, round(Fraction(n, ones + 1) / 2))),
        "treeseg": (starts, round(Fraction(n, 2 * segments))),
        "solbiati": (starts, round(Fraction(n, 2 * ones)) if ones else None),
        "textsplit": ([marks[:-1] for marks in starts], round(Fraction(n, 2 * segments) - 1)),
    }
    for name, (sides, k) in rules.items():
        for measure in ("pk", "windowdiff") if name != "textsplit" else ("pk",):
            row = found[name, measure]
            assert row.k == k
            expected = None if k is None else literal(*sides, k, measure == "windowdiff")
            assert row.value == pytest.approx(
                math.nan if expected is None else float(expected), nan_ok=True
            )


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


def test_averages_by_our_own_scoring() -> None:
    scores = ss.score(*CORPUS, metrics="pk(min_k=2)")["pk(min_k=2)"]
    found = audit(*CORPUS)
    assert found["segeval", "pk", "mean"].value == pytest.approx(scores.macro)
    assert found["segeval", "pk", "windows"].value == pytest.approx(scores.micro)
    assert found["segeval", "pk", "windows"].windows == scores.micro.windows


@pytest.mark.parametrize("form", ["mapping", "pairs"])
def test_takes_what_score_takes(form: str) -> None:
    names = ("a", "b", "c")
    mappings = [dict(zip(names, side, strict=True)) for side in CORPUS]
    made = mappings if form == "mapping" else [ss.Pairs.from_segmentations(*CORPUS)]
    found, expected = repr(audit(*made).rows), repr(audit(*CORPUS).rows)  # type: ignore[arg-type]
    assert found == expected  # as text, for NaN equals nothing


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
    assert len(names) == 59
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


def test_windows_of_each_size_are_those_of_each_pair() -> None:
    """The kernel that takes a k for each document gives what the kernel for one pair gives."""
    rng = np.random.default_rng(0)
    refs, hyps = (
        [ss.baselines.random(n, probability=0.2, rng=rng) for n in range(1, 300)] for _ in range(2)
    )
    both = ss.Pairs.from_segmentations(refs, hyps)
    for padded in (False, True):
        sizes = rng.integers(-1, 40, len(both))
        for counted in (False, True):
            rows = both.rows(window.rows_of_sizes, 2, sizes, counted, padded)
            for k, ref, hyp, row in zip(sizes.tolist(), refs, hyps, rows.tolist(), strict=True):
                rule = k, 0, 1, 0, int(padded)
                if k < 1:
                    assert row == [0, 0]
                elif counted:
                    wanted = window.window_diff_of_pair(
                        ref.n_units, ref.packed, hyp.packed, rule, False
                    )
                    assert row == [*wanted[:2]]
                elif not padded:
                    missed, extra, windows = window.pk_of_pair(
                        ref.n_units, ref.packed, hyp.packed, rule
                    )
                    assert row == [missed + extra, windows]


def test_documents_are_cheap() -> None:
    """Under a tenth of a millisecond each on a quiet machine; one by one they took 2.4 ms."""
    rng = np.random.default_rng(0)
    refs, hyps = (
        [ss.baselines.random(30, probability=0.2, rng=rng) for _ in range(2000)] for _ in range(2)
    )
    both = ss.Pairs.from_segmentations(refs, hyps)
    audit(both, tolerance=2)
    start = time.process_time()
    audit(both, tolerance=2)
    assert (time.process_time() - start) / 2000 < 0.4e-3


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


# ---- shape ----


@given(st.lists(pairs(max_units=30), min_size=1, max_size=4))
def test_rows_are_complete_and_bounded(documents: Any) -> None:
    sides = [pair[0] for pair in documents], [pair[1] for pair in documents]
    found = audit(*sides, measures=["pk", "windowdiff"])
    n_averages = 1 if len(documents) == 1 else 4
    of_evalhds = 2  # Pk and WindowDiff
    usual = [row for row in found.rows if row.convention not in VARIANTS]
    assert len(usual) == of_evalhds + n_averages * sum(
        len(convention.measures) for convention in WINDOWS if not convention.variant_of
    )
    for row in found.rows:
        most = 2 if row.convention == "haps" else 1  # which divides by a window too few
        for number in (row.value, row.prints):
            assert math.isnan(number) or 0 <= number <= most
        assert bool(row.undefined) <= (row.note is not None)
        assert math.isnan(row.value) == (row.undefined == row.documents)


def test_tables() -> None:
    found = audit(*CORPUS, expect=0.0156)
    text = str(found)
    assert all(convention.sentence.split()[0] in text for convention in WINDOWS)
    records = found.to_table().records()
    assert len(records) == len(found.rows) == len(found.to_dicts())
    assert records[0]["convention"] == "paper"
    assert {"k", "windows", "value", "prints", "average", "note"} <= set(records[0])
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((masses([2, 2]), masses([5])), "4 units.* 5 units"),
        (([masses([2, 2])], []), "1 references and 0 hypotheses"),
        (([], []), "no document"),
        (([[masses([2, 2])] * 2], [masses([4])]), "one reference per document"),
        ((masses([2, 2]), [masses([4])]), "sequences or mappings"),
    ],
)
def test_what_it_refuses(arguments: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        audit(*arguments)


# ---- the command ----


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `segscore audit …`."""
    return segscore("audit", *arguments)


def test_command_gives_what_the_library_gives(tmp_path: Path) -> None:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    ref.write_text('{"document": "a", "coder": "gold", "masses": [6, 3, 4]}\n')
    hyp.write_text('{"document": "a", "coder": "sys", "masses": [4, 4, 5]}\n')
    code, out, _ = run(ref, hyp, "--expect", "0.3636", "-f", "json")
    assert code == 0
    expected = audit(masses([6, 3, 4]), masses([4, 4, 5]), expect="0.3636")
    assert json.loads(out) == json.loads(expected.to_table().render("json"))
    code, out, _ = run(ref, hyp, "--expect", "36.36%")
    assert "36.36% is what these print: solbiati" in out
    rows = [line for line in out.splitlines() if re.search(r"\d\.\d{4} ", line)]
    assert len(rows) == len({match.row for match in expected.matches})
    more = f"{len(expected.rows) - len(rows)} more numbers, under other conventions: --all shows"
    assert more in out
    _, everything, _ = run(ref, hyp, "--expect", "36.36%", "--all")
    assert more not in everything
    assert len(everything.splitlines()) > len(expected.rows)
    _, nothing, _ = run(ref, hyp, "--expect", "0.123456789")
    assert nothing.startswith("No known convention prints 0.123456789.")
    assert "convention  measure" not in nothing


def test_plain_audit_shows_the_ten_that_differ_most_and_all_if_asked(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sides = [tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"]
    for side in sides:
        masses = [rng.integers(1, 9, size=12).tolist() for _ in range(6)]
        masses = [[*some, 120 - sum(some)] for some in masses]
        lines = [json.dumps({"document": f"d{i}", "masses": some}) for i, some in enumerate(masses)]
        side.write_text("\n".join(lines))
    found = audit(*map(str, sides))
    code, out, _ = run(*sides)
    assert code == 0
    assert len(out.splitlines()) <= 40
    assert out.startswith("Cite paper: Pk = ")
    assert f"{len(found.rows) - 10} more numbers" in out
    assert "--all" in out
    table = found.short_table()
    gaps = [abs(gap) for gap in table.cells[-1]]
    assert gaps == sorted(gaps, reverse=True)
    assert len(gaps) == 10
    _, everything, _ = run(*sides, "--all")
    assert len(everything.splitlines()) > len(found.rows)
    _, whole, _ = run(*sides, "-f", "json")
    assert len(json.loads(whole)) == len(found.rows)
    _, same, _ = run(sides[0], sides[0])
    assert same.startswith("All conventions print the same")


def test_empty_columns_are_not_shown() -> None:
    whole = audit(masses([6, 3, 4]), masses([4, 4, 5]), measures=["f1"]).to_table()
    shown = str(whole).splitlines()[1:4]
    assert not any(re.search(r"\b(k|windows)\b", line) for line in shown)
    assert {"k", "windows", "prints"} <= set(whole.records()[0])  # machines have all


def test_command_asks_for_what_it_lacks(tmp_path: Path) -> None:
    codings = tmp_path / "codings.jsonl"
    coders = {"ann": [6, 7], "bob": [5, 8], "cy": [13]}
    rows = [{"document": "a", "coder": name, "masses": m} for name, m in coders.items()]
    codings.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for arguments, message in (
        ((), "HYP.*--reference CODER"),
        (("--reference", "ann"), "there are 2 hypotheses"),
        (("--reference", "ann", "--hypothesis", "di"), "hypothesis is 'di'"),
        (("--reference", "ann", "--hypothesis", "cy", "--expect", "x"), "expect is 'x'"),
    ):
        code, out, err = run(codings, *arguments)
        assert (code, out) == (2, "")
        assert re.search(message, err)
    assert run(codings, "--reference", "ann", "--hypothesis", "cy")[0] == 0


def test_times_without_a_match_are_no_error(tmp_path: Path) -> None:
    """Texts are looked for where nothing explains a number: in the file as it was read."""
    path = tmp_path / "samples.jsonl"
    lines = [
        {"hypothesis": [30.5, 80.0 + i], "reference": [36.0, 90.0], "duration": 200.0}
        for i in range(3)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ("--reference", "reference", "--units", "seconds:6", "--read", "policy=snap")
    code, out, err = run(path, *options, "--expect", "0.123456")
    assert (code, "No known convention prints 0.123456" in out) == (0, True), err


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
