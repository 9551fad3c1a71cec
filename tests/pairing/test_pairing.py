"""One pairing for score, compare and audit: names, missing documents, texts, files and corpora."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora
from needs import needs
from segscore.cli import run

masses = ss.Segmentation.from_masses
REF = [
    {"document": "a", "coder": "gold", "masses": [1, 2], "units": ["so", "hello", "world"]},
    {"document": "b", "coder": "gold", "masses": [4, 4]},
]
HYP = [
    {"document": "b", "coder": "c99", "masses": [3, 5]},
    {"document": "a", "coder": "c99", "masses": [1, 2], "units": ["so", "hello", "world"]},
]
OTHER_TEXT = [HYP[0], {**HYP[1], "units": ["so", "hell", "o world"]}]
DIFFERS = "document 'a'.*unit 2 is 'hello'"


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def ref(tmp_path: Path) -> Path:
    return write(tmp_path / "ref.jsonl", REF)


@pytest.fixture
def hyp(tmp_path: Path) -> Path:
    return write(tmp_path / "v1.jsonl", HYP)


# ---- what ss.score takes ----


def expected() -> float:
    refs = {"a": masses([1, 2]), "b": masses([4, 4])}
    hyps = {"a": masses([1, 2]), "b": masses([3, 5])}
    return ss.score(refs, hyps, "f1")["f1"].micro


def test_files_and_corpora(ref: Path, hyp: Path) -> None:
    corpus = ss.read(ref).merged(ss.read(hyp))
    for arguments, options in (
        ((ref, hyp), {}),
        ((str(ref), str(hyp)), {}),
        ((ss.read(ref), hyp), {}),
        ((ref, ss.read(hyp)), {}),
        ((corpus,), {"reference": "gold", "hypothesis": "c99"}),
        ((corpus,), {"reference": "gold"}),
        ((corpus, corpus), {"reference": "gold", "hypothesis": "c99"}),
        ((ref, {"a": masses([1, 2]), "b": masses([3, 5])}), {}),
        (({"a": {"x": masses([1, 2])}, "b": {"x": masses([4, 4])}}, hyp), {}),
    ):
        result = ss.score(*arguments, metrics="f1", **options)  # type: ignore[arg-type]
        assert list(result.documents) == ["a", "b"]
        assert result["f1"].micro == expected() == 0.5
    rows = ss.audit(ref, hyp).rows  # some have no number, and nan is not equal to itself
    assert repr(rows) == repr(ss.audit(corpus, reference="gold", hypothesis="c99").rows)


def test_several_references(ref: Path, hyp: Path) -> None:
    corpus = ss.read(ref).merged(ss.read(hyp))
    more = ss.Corpus.from_dict({"a": {"ann": masses([3])}, "b": {"ann": masses([8])}})
    result = ss.score(
        corpus.merged(more), metrics="multwindowdiff", reference=["gold", "ann"], hypothesis="c99"
    )
    refs = {"a": [masses([1, 2]), masses([3])], "b": [masses([4, 4]), masses([8])]}
    hyps = {"a": masses([1, 2]), "b": masses([3, 5])}
    scored = ss.score(refs, hyps, "multwindowdiff")
    assert result["multwindowdiff"].micro == scored["multwindowdiff"].micro


def test_what_score_cannot_pair(ref: Path, hyp: Path) -> None:
    corpus = ss.read(ref).merged(ss.read(hyp))
    three = corpus.merged(ss.Corpus.from_dict({"a": {"x": masses([3])}, "b": {"x": masses([8])}}))
    for call, message in (
        (lambda: ss.score("nowhere.jsonl", hyp), "reference is 'nowhere.jsonl'"),
        (lambda: ss.compare(corpus, reference="x" * 5000, systems=["c99"]), "by reference 'xx"),
        (lambda: ss.score(corpus), "coder.*reference"),
        (lambda: ss.score(corpus, reference="nobody"), "no coder 'nobody'"),
        (lambda: ss.score(three, reference="gold"), "there are 2 hypotheses, by 'c99', 'x'"),
        (lambda: ss.score(ref, [masses([1, 2])]), "names of documents"),
        (lambda: ss.score([masses([2])], [masses([2])], reference="x"), "no coder 'x'"),
        (lambda: ss.score(ref, hyp, missing="no"), "missing is 'no'"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            call()


# ---- documents of one side ----


def test_missing_documents_are_skipped_and_listed(ref: Path, tmp_path: Path) -> None:
    short = write(tmp_path / "short.jsonl", [HYP[0], {**HYP[0], "document": "z"}])
    refs = {name: document["gold"] for name, document in ss.read(ref).items()}
    hyps = {name: document["c99"] for name, document in ss.read(short).items()}
    for sides in ((ref, short), (ss.read(ref), ss.read(short)), (refs, hyps)):
        with pytest.raises(
            ss.SegmentationError, match="no hypothesis.* for 'a'; no reference.* 'z'"
        ):
            ss.score(*sides)
        result = ss.score(*sides, missing="skip")
        assert (list(result.documents), result.skipped) == (["b"], ("a", "z"))
        assert "skipped (missing on one side): a, z" in str(result)
        made = ss.audit(*sides, missing="skip")
        assert made.skipped == ("a", "z")
        assert "skipped (missing on one side): a, z" in str(made)
    for corpus, system in ((ref, short), (refs, hyps)):
        with pytest.raises(ss.SegmentationError, match="no hypothesis .system 's'. for 'a'"):
            ss.compare(corpus, systems={"s": system})
        compared = ss.compare(corpus, systems={"s": system}, missing="skip", n_resamples=20)
        assert (compared.documents, compared.skipped) == (["b"], ("a", "z"))
        assert "skipped (missing on one side): a, z" in str(compared)


def test_nothing_in_common() -> None:
    with pytest.raises(ss.SegmentationError, match="document in common.*'a'"):
        ss.score({"a": masses([2])}, {"b": masses([2])}, missing="skip")


# ---- texts ----


def test_texts_that_differ_are_refused_everywhere(
    ref: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write(tmp_path / "other.jsonl", OTHER_TEXT)
    commands: tuple[Callable[..., Any], ...] = (
        lambda **options: ss.score(ref, other, **options),
        lambda **options: ss.score(ss.read(ref), ss.read(other), **options),
        lambda **options: ss.score(dict(ss.read(ref)), dict(ss.read(other)), **options),
        lambda **options: ss.audit(ref, other, **options),
        lambda **options: ss.compare(ref, systems={"c99": other}, n_resamples=20, **options),
        lambda **options: ss.compare(ref, systems=[other], n_resamples=20, **options),
    )
    for command in commands:
        with pytest.raises(ss.SegmentationError, match=DIFFERS):
            command()
        command(ignore_text=True)
    for name in ("score", "compare", "audit"):
        call = [name, str(ref), str(other)]
        assert run(call) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert re.search(DIFFERS, err)
        assert "'hell' in the " in err
        assert "align='words'" in err
        assert "--ignore-text" not in err  # the boundaries of 'a' are the same: it would be perfect
        assert run([*call, "--ignore-text"]) == 0
        capsys.readouterr()


# ---- compare reads files ----


def test_compare_reads_files(ref: Path, hyp: Path, tmp_path: Path) -> None:
    second = write(tmp_path / "v2.jsonl", [{**row, "coder": "tt"} for row in HYP])
    made = ss.compare(ref, systems=[hyp, str(second)], metrics="f1", n_resamples=20)
    assert made.systems == ["c99", "tt"]
    runs = ss.compare(ref, systems={"mine": [hyp, second]}, metrics="f1", n_resamples=20)
    assert runs["mine", "f1"].n_runs == 2
    assert runs["mine", "f1"].value == made["c99", "f1"].value
    with pytest.raises(ss.SegmentationError, match="'nowhere.jsonl'"):
        ss.compare(ref, systems=["nowhere.jsonl"])


# ---- pandas ----


@needs("dataframes")
def test_series_are_aligned_by_their_index() -> None:
    import pandas

    refs = pandas.Series({"a": masses([2, 3, 6]), "b": masses([4, 7]), "c": masses([1, 10])})
    hyps = refs.loc[["c", "a", "b"]]
    assert ss.score(refs, hyps, "f1")["f1"].micro == 1
    assert ss.score(refs, dict(hyps), "f1")["f1"].micro == 1
    assert list(ss.score(refs, hyps, "f1").documents) == ["a", "b", "c"]
    numbered = pandas.Series(list(refs))
    assert ss.score(numbered, numbered.sort_index(ascending=False), "f1")["f1"].micro == 1
    assert ss.score(numbered, list(refs), "f1")["f1"].micro == 1
    for wrong, message in (
        (refs.rename({"c": "d"}), "no hypothesis.*'c'.*'d'"),
        (list(refs), "names of documents"),
        (pandas.concat([refs, refs]), "Series.*index holds 'a'"),
        (pandas.DataFrame({"x": list(refs)}), "hypothesis is 'x'"),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            ss.score(refs, wrong, "f1")


@needs("dataframes")
def test_a_series_out_of_order_is_no_sequence_of_units() -> None:
    import pandas

    labels = pandas.Series([0, 1, 0, 0, 1, 0])
    right = ss.Segmentation.from_labels(labels, marks="end")
    mixed = labels.sort_values()
    make: tuple[Callable[[Any], Any], ...] = (
        lambda given: ss.Segmentation.from_labels(given, marks="end"),
        ss.Segmentation.from_gaps,
        ss.Segmentation.from_segment_ids,
        lambda given: ss.Segmentation.from_masses(given + 1),
    )
    for constructor in make:
        with pytest.raises(ss.SegmentationError, match="Series whose index"):
            constructor(mixed)
        assert constructor(mixed.sort_index()) == constructor(labels.to_numpy())
    assert right.boundaries.tolist() == [2, 5]
    positions = pandas.Series([5, 2], index=[1, 0])  # any order: they say where they belong
    assert ss.Segmentation.from_boundaries(positions, 6) == right


# ---- names ----


def test_documents_listed_twice() -> None:
    with pytest.raises(ss.SegmentationError, match="document 'a' is listed twice"):
        ss.Pairs([2, 2], [0, 0, 0], [], [0, 0, 0], [], ["a", "a"])
    with pytest.raises(ss.SegmentationError, match="document '1' is listed twice"):
        ss.Pairs.from_segmentations(
            {1: masses([2]), "1": masses([2])}, {1: masses([2]), "1": masses([2])}
        )  # type: ignore[dict-item]


def test_two_files_of_one_document_are_compared(tmp_path: Path) -> None:
    """ref.txt and hyp.txt name no document, and have one each."""
    for name, marks in (("ref", "01001"), ("hyp", "00101"), ("longer", "001010")):
        (tmp_path / f"{name}.txt").write_text("\n".join(marks))
    ref, hyp, longer = (str(tmp_path / f"{name}.txt") for name in ("ref", "hyp", "longer"))
    remarks: list[str] = []
    how: dict[str, Any] = {"marks": "end", "remark": remarks.append}
    assert list(ss.score(ref, hyp, "pk", **how)["pk"].documents) == ["ref"]
    assert "hyp.txt have a document each" in remarks[0]
    assert ss.compare(ref, systems={"x": hyp}, metrics="b", **how)["x", "b"].value == 0.5
    assert isinstance(ss.check(ref, hyp, **how), list)
    page = str(tmp_path / "page.html")
    for name, *options in (
        ["check"],
        ["report", "--as", "systems", "-o", page],
        ["curve", "--vary", "n_t=1:2"],
    ):
        assert run([name, ref, hyp, "--read", "marks=end", *options]) == 0
    with pytest.raises(ss.SegmentationError, match="'ref'.* 5 .*6"):
        ss.score(ref, longer, "pk", **how)
    both = tmp_path / "both.jsonl"
    both.write_text("".join(f'{{"document": "{name}", "masses": [2, 3]}}\n' for name in "xy"))
    with pytest.raises(ss.SegmentationError, match="'x', 'y'"):
        ss.score(ref, both, "pk", **how)


# ---- A consensus of coders as the reference ----


cut = ss.Segmentation.from_masses
PEOPLE = ss.Corpus.from_dict(
    {
        "a": {"x": cut([2, 3, 6]), "y": cut([2, 4, 5]), "z": cut([5, 6])},
        "b": {"x": cut([4, 4]), "y": cut([3, 5])},
    }
)
SYSTEM = {"a": cut([2, 9]), "b": cut([4, 4])}


@given(corpora(), st.sampled_from([0.3, 0.5, 1, "majority", "union"]), st.integers(0, 2))
def test_of_a_corpus_it_is_that_of_each_document(
    corpus: ss.Corpus, at_least: Any, within: int
) -> None:
    agreed = ss.consensus(corpus, at_least, within)
    assert list(agreed) == list(corpus)
    for name, document in corpus.items():
        assert agreed[name]["consensus"] == ss.consensus(document, at_least, within)


@pytest.mark.parametrize("rule", ["consensus:0.5", "consensus:majority", "consensus:union:1"])
def test_every_function_takes_it(rule: str) -> None:
    _, share, *near = rule.split(":")
    at_least: Any = share if share.isalpha() else float(share)
    agreed = ss.consensus(PEOPLE, at_least, int(near[0]) if near else 0)
    refs = {name: document["consensus"] for name, document in agreed.items()}
    scored = ss.score(PEOPLE, SYSTEM, reference=rule)
    assert scored.to_dicts() == ss.score(refs, SYSTEM).to_dicts()
    audited = ss.audit(PEOPLE, SYSTEM, reference=rule)
    assert str(audited) == str(ss.audit(refs, SYSTEM))
    scores = {name: [0.1 * i for i in range(coding.n_units - 1)] for name, coding in SYSTEM.items()}
    made, expected = (
        ss.curve(given, scores, "f1", reference=reference, n_resamples=9)
        for given, reference in ((PEOPLE, rule), (refs, None))
    )
    assert made.values("f1").tolist() == expected.values("f1").tolist()
    compared = ss.compare(PEOPLE, reference=rule, systems={"s": SYSTEM}, n_resamples=9)
    assert compared["s", "pk"].value == pytest.approx(scored["pk"].micro)


def test_one_corpus_may_hold_both_sides() -> None:
    against = ss.score(PEOPLE, reference="consensus:0.5", hypothesis="x", metrics="pk")
    agreed = {name: document["consensus"] for name, document in ss.consensus(PEOPLE).items()}
    ours = {name: document["x"] for name, document in PEOPLE.items()}
    assert against.to_dicts() == ss.score(agreed, ours, "pk").to_dicts()


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="consensus is .*expected SHARE"):
        ss.score(PEOPLE, SYSTEM, reference="consensus:half")
    with pytest.raises(ss.SegmentationError, match="share above 0.*1"):
        ss.score(PEOPLE, SYSTEM, reference="consensus:2")
