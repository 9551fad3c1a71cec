"""What the page holds, as far as it can be seen without a browser."""

import base64
import hashlib
import html
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import data_of
from command_line import segscore
from needs import needs
from segscore.metrics import METRICS, metric
from segscore.pages import report_sections as methods
from segscore.simulate.sample_codings import STARGAZER

cut = ss.Segmentation.from_masses
PEOPLE = {f"judge {name}": cut(masses) for name, masses in STARGAZER.items()}


def compared(n: int = 12, **options: Any) -> ss.Comparison:
    refs = {f"doc {i}": {"gold": cut([3, 4, 2 + i])} for i in range(n)}
    near = {name: cut([3, 5, codings["gold"].n_units - 8]) for name, codings in refs.items()}
    far = {name: cut([1, 1, codings["gold"].n_units - 2]) for name, codings in refs.items()}
    texts = {
        name: [f"{name} unit {i}" for i in range(codings["gold"].n_units)]
        for name, codings in refs.items()
    }
    corpus = ss.Corpus.from_dict(refs, units=texts)
    return ss.compare(corpus, systems={"near": near, "far": far}, **{"n_resamples": 500, **options})


def page_of(result: Any, folder: Path, **options: Any) -> str:
    return ss.report(result, folder / "report.html", **options).read_text("utf-8")


def words_of(page: str) -> str:
    """The text of the page without its script, style and data."""
    plain = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", plain))


# ---- the page as a whole ----


def test_the_policy_names_the_script_and_the_style(tmp_path: Path) -> None:
    page = page_of(compared(), tmp_path)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]  # type: ignore[index]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    for tag in ("script", "style"):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


@pytest.mark.usefixtures("drawn")
def test_the_page_is_small_and_reaches_for_nothing(tmp_path: Path) -> None:
    page = page_of(compared(), tmp_path)
    assert len(page) < 300_000
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b", page)
    assert not re.search(r'(src|href)="(?!#)', page)
    assert " style=" not in page


@pytest.mark.usefixtures("drawn")
def test_the_same_result_gives_the_same_page(tmp_path: Path) -> None:
    assert page_of(compared(), tmp_path) == page_of(compared(), tmp_path)


def test_large_data_are_compressed(tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict(
        {"d": {"a": cut([1, 2]), "b": cut([2, 1])}}, units={"d": ["x", "é<&" * 100_000, "z"]}
    )
    page = page_of(ss.agreement(corpus, draws=2), tmp_path)
    assert '{"gzip": "' in page
    assert data_of(page)["documents"][0]["text"][1] == "é<&" * 100_000
    assert len(page) < 200_000


@needs("plot")
@pytest.mark.usefixtures("drawn")
def test_pictures_have_titles_and_ids_of_their_own(tmp_path: Path) -> None:
    page = page_of(compared(), tmp_path)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    drawn = re.findall(r'<svg [^>]*role="img".*?</svg>', page, re.DOTALL)
    assert len(drawn) >= 4
    for picture in drawn:
        assert re.search(r"<title id=", picture)
        for used in re.findall(r'(?:href="#|url\(#)([^")]+)', picture):
            assert used in ids
    assert "<text" in drawn[0]


# ---- what it shows ----


def test_a_comparison(tmp_path: Path) -> None:
    found = compared()
    page = page_of(found, tmp_path)
    data = data_of(page)
    assert data["systems"] == ["near", "far"]
    assert [metric["name"] for metric in data["metrics"]] == found.metrics
    for i, document in enumerate(data["documents"]):
        for m, metric_name in enumerate(found.metrics):
            values = [found.values(metric_name)[system][i] for system in found.systems]
            assert document["values"][m] == pytest.approx(values, abs=1e-5)
        codings = {coding["coder"]: coding["masses"] for coding in document["codings"]}
        assert codings["near"] == found.hypotheses("near")[document["name"]].masses.tolist()
        assert document["text"][1] == f"{document['name']} unit 1"
        near = ss.boundary_edits(cut(codings["gold"]), cut(codings["near"])).transpositions
        held = {(a, b): pairs for a, b, pairs, _ in document.get("edits", [])}
        assert held.get((0, 1), []) == [[each.a, each.b] for each in near]
    words = words_of(page)
    near, far = map(found.values(found.metrics[0]).get, ("near", "far"))
    apart = {name: abs(near[i] - far[i]) for i, name in enumerate(found.documents)}  # type: ignore[index]
    assert f"Systems differ most in documents {max(apart, key=apart.__getitem__)}, " in words
    for signature in found.signatures.values():
        assert signature in words
    assert "@article{pevzner2002critique" in words
    assert found.describe() in words


def test_several_people_and_systems_together(tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict({"Stargazers": PEOPLE})
    found = ss.compare(corpus, systems={"uniform 4": {"Stargazers": ss.baselines.uniform(21, 4)}})
    page = page_of(found, tmp_path)
    assert 'id="agreement"' in page
    assert 'id="documents"' in page
    rows = {coding["coder"]: coding["kind"] for coding in data_of(page)["documents"][0]["codings"]}
    assert rows == {
        **dict.fromkeys(PEOPLE, "person"), "consensus:0.5": "consensus", "uniform 4": "system",
    }  # fmt: skip
    codings = data_of(page)["documents"][0]["codings"]
    (agreed,) = (coding["masses"] for coding in codings if coding["kind"] == "consensus")
    assert agreed == ss.consensus(PEOPLE.values()).masses.tolist()


@needs("polars")
def test_documents_that_were_added_up_have_a_page_without_them(tmp_path: Path) -> None:
    pl = import_module("polars")
    rows = {"pk.false_negatives": 1.0, "pk.false_positives": 1.0, "pk.windows": 9.0,
            "pk.value": 2 / 9, "pk.defined": 1.0, "documents": 1.0}  # fmt: skip
    sums = [{**rows, "bucket": i, "system": name} for i in range(12) for name in ("near", "far")]
    page = page_of(ss.compare(pl.DataFrame(sums)), tmp_path)
    assert 'id="documents"' not in page
    assert "12 documents" in words_of(page)


def test_a_part_of_an_agreement_is_refused(tmp_path: Path) -> None:
    found = ss.agreement(ss.Corpus.from_dict({"d": PEOPLE}), draws=2)
    with pytest.raises(ss.SegmentationError, match="not hold its codings"):
        ss.report(found.documents["d"], tmp_path / "r.html")
    with pytest.raises(ss.SegmentationError, match="report of int"):
        ss.report(3, tmp_path / "r.html")


# ---- sentences claim no more than the tests allow ----


def claims_of(result: Any, folder: Path) -> str:
    """The sentences at the start of a page."""
    return " ".join(re.findall('<p class="hurry">(.*?)</p>', page_of(result, folder), re.DOTALL))


def test_sentences_about_systems(tmp_path: Path) -> None:
    clear = claims_of(compared(metrics="windowdiff"), tmp_path)
    assert "<bdi>near</bdi> is significantly better than <bdi>far</bdi> in wind" in clear
    few = claims_of(compared(2, metrics="windowdiff"), tmp_path)
    assert "does not differ from it significantly" in few
    assert "better than" not in few
    single = claims_of(compared(1, metrics="windowdiff"), tmp_path)
    assert "nothing could be tested" in single
    assert "better than" not in single


def test_sentences_about_people(tmp_path: Path) -> None:
    apart = {"a": cut([1, 1, 18]), "b": cut([9, 1, 10]), "c": cut([18, 1, 1])}
    for people, chance in ((apart, True), (PEOPLE, False)):
        found = ss.agreement(ss.Corpus.from_dict({"d": people}), draws=50)
        assert ("That is no more than chance." in claims_of(found, tmp_path)) == chance


def test_who_stands_out_is_named(tmp_path: Path) -> None:
    some, all_units = cut([10, 10]), cut([1] * 20)
    people = {"a": some, "b": some, "c": some, "eve": all_units}
    found = ss.agreement(ss.Corpus.from_dict(dict.fromkeys("defghijklm", people)), draws=20)
    assert "eve marks 18.3 times" in words_of(page_of(found, tmp_path))


# ---- which documents ----


def test_the_worst_documents(tmp_path: Path) -> None:
    found = compared(metrics=["b", "windowdiff"])
    page = page_of(found, tmp_path, documents=3)
    names = [document["name"] for document in data_of(page)["documents"]]
    values = {
        name: min(found.values("b")[system][i] for system in found.systems)
        for i, name in enumerate(found.documents)
    }
    assert sorted(values[name] for name in names) == sorted(values.values())[:3]
    assert "9 documents are left out" in words_of(page)
    named = data_of(page_of(found, tmp_path, documents=["doc 7", "doc 2"]))["documents"]
    assert [document["name"] for document in named] == ["doc 7", "doc 2"]
    with pytest.raises(ss.SegmentationError, match="doc 99"):
        page_of(found, tmp_path, documents=["doc 99"])
    with pytest.raises(ss.SegmentationError, match="documents is"):
        page_of(found, tmp_path, documents=0)


# ---- anonymous ----


def test_numbers_of_people_follow_no_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that of the file nor that of names, and rows are in the order of the numbers."""
    drawn: list[list[str]] = []

    def reverse(self: object, names: list[str]) -> None:
        drawn.append(list(names))
        names.reverse()

    monkeypatch.setattr("random.SystemRandom.shuffle", reverse)
    people = {"ann": cut([2, 9]), "bob": cut([3, 8]), "eve": cut([4, 7])}
    page = page_of(ss.agreement(ss.Corpus.from_dict({"d": people})), tmp_path, anonymise=True)
    assert drawn == [["ann", "bob", "eve"]]
    rows = [row for row in data_of(page)["documents"][0]["codings"] if row["kind"] == "person"]
    assert [(row["coder"], row["masses"][0]) for row in rows] == [
        ("coder 1", 4), ("coder 2", 3), ("coder 3", 2),
    ]  # fmt: skip


def test_comments_and_doubts_of_coders_are_listed(tmp_path: Path) -> None:
    comment = {"after": 3, "text": "<b>or</b> before?"}
    said = {"ann": {"unsure": [3, 1], "comments": [comment]}, "bob": {"unsure": [3]}, "eve": {}}
    coded = {"document": "d", "masses": [2, 2], "units": ["A.", "B.", "C.", "D."]}
    rows = [
        {**coded, "coder": coder, "annotation": {"finished": True, **what}}
        for coder, what in said.items()
    ]
    path = tmp_path / "people.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = ss.agreement(ss.read(path), n_resamples=20)
    page = page_of(found, tmp_path)
    part = page.partition("Comments and doubts of coders</h3>")[2].partition("</div>")[0]
    listed = " ".join(words_of(part).split())
    assert "<b>or</b> before?" in html.unescape(listed)
    assert re.search(r"unit 1 ?ann unsure.*unit 3 ?ann unsure .*before\? ?bob unsure", listed)
    assert "Coders left 1 comment and marked 3 places as unsure" in words_of(page)
    assert "before?" not in page_of(found, tmp_path, anonymise=True)


FAMILY = ("Aldonza", "Basilio", "Carrasco", "Dorotea", "Eugenio")


def written_family(path: Path, kinds: bool) -> Path:
    """Five people and two systems; not everyone coded everything."""
    rows = []
    for document in ("Argamasilla", "Barataria", "Montesinos"):
        for i, name in enumerate((*FAMILY, "c99", "hc99")):
            if (name, document) != ("Eugenio", "Barataria") and not (
                name in FAMILY[1:3] and document == "Montesinos"
            ):
                row: dict[str, Any] = {"document": document, "coder": name}
                row["masses"] = [2 + i, 5, 13 - i]
                row["units"] = ["Rosinante grazes."] * 20
                row["group"] = "Mancha"
                if kinds and name.endswith("99"):
                    row["kind"] = "system"
                rows.append(row)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("kinds", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        ["--reference", "Aldonza"],
        ["--reference", "Aldonza", "--reference", "Basilio"],
        ["--reference", "Aldonza", "--system", "Basilio", "--system", "Carrasco"],
        ["--reference", "consensus:0.5", "--system", "c99"],
        ["--system", "c99"],
        ["--reference", "Aldonza", "--document", "Argamasilla"],
        [],
    ],
    ids=lambda words: " ".join(map(str, words)),
)
def test_everyone_is_anonymous_everywhere(
    options: list[object], kinds: bool, tmp_path: Path
) -> None:
    codings = written_family(tmp_path / "codings.jsonl", kinds)
    out = tmp_path / "page.html"
    given = ["report", codings, "-o", out, "--resamples", 50, "--missing", "skip", *options]
    done = segscore(*given, "--anonymise")
    assert done.returncode == 0, done.stderr
    page = out.read_text("utf-8")
    embedded = map(base64.b64decode, re.findall(r"base64,([A-Za-z0-9+/=]+)", page))
    pictures = [content.decode("latin-1") for content in embedded]
    everything = [page, json.dumps(data_of(page)), *pictures]
    for name in (*FAMILY, "Argamasilla", "Barataria", "Montesinos", "Rosinante", "Mancha"):
        assert not any(name in text for text in everything), name
    if kinds and "Aldonza" in options and "Basilio" not in options:
        assert "c99" in page
    plain = segscore(*given, "--title", "T & C")
    assert (plain.returncode, plain.stderr) == (0, f"wrote {out}\n")
    named = out.read_text("utf-8")
    for words in ("Aldonza", "<title>T &amp; C</title>", "Reproduce this page"):
        assert words in named
    numbers = [re.findall(r"\d\.\d{3}(?![.\d])", words_of(text)) for text in (page, named)]
    assert set(numbers[0]) <= set(numbers[1])


# ---- papers ----


def test_every_metric_with_a_paper_has_its_entry() -> None:
    entries = methods.bibtex_entries()
    for name in METRICS:
        for key in metric(name).papers:
            assert key[-4:] in entries[key]
    assert metric("e-wd").papers == ("carroll2010", "pevzner2002")
    assert metric("b.recall").papers == ("fournier2013",)
    assert metric("pk-prime").papers == ("beeferman1999", "pevzner2002")
    for key in (*methods.AGREEMENT, *methods.TESTING):
        assert entries[key].count("{") == entries[key].count("}")


# ---- people ----


def test_missing_outputs_and_ratio(tmp_path: Path) -> None:
    refs = {f"d{i}": cut([3, 4, 3]) for i in range(4)}
    answers = {"d0": "[0, 3]", "d1": "I cannot.", "d2": "[0, 4]"}
    outputs = ss.answers.read(answers, refs, shape="starts", base=0)
    made = ss.compare(refs, systems={"model": outputs}, metrics="pk", missing="none", n_resamples=9)
    page = tmp_path / "page.html"
    ss.report(made, page)
    shown = page.read_text()
    assert "2 <small>50 %</small>" in shown
    assert "2 of 4 hypotheses are missing (50 %), counted as one segment" in shown
    assert "ratio <small>" in shown
    assert "0.25" in shown
    assert "missing:none" in shown


# ---- labels ----


def test_labels_have_a_part_of_their_own(tmp_path: Path) -> None:
    hostile = "<script>"
    ann = cut([3, 3, 6], segment_labels=["dialogue", "narration", hostile])
    bob = cut([3, 3, 6], segment_labels=["Dialog", "Récit", hostile])
    found = ss.agreement(ss.Corpus.from_dict({"d": {"ann": ann, "bob": bob}}), draws=2)
    path = ss.report(found, tmp_path / "labels.html")
    words = " ".join(words_of(path.read_text(encoding="utf-8")).split())
    assert "People agree on 3 segments (same start and end)." in words
    assert "1 of 3 pairs of labels are the same" in words
    assert "probably the same by their spelling: dialogue=Dialog (ann)" in words
    assert "Segments by label and coder" in words
    unlabelled = {"ann": cut([3, 9]), "bob": cut([12])}
    plain = ss.agreement(ss.Corpus.from_dict({"d": unlabelled}), draws=2)
    assert "Labels" not in words_of(page_of(plain, tmp_path))
