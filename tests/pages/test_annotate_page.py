"""The annotation page as Python writes it: its data, its id, and what is refused in words."""

import json
import re
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import data_of
from remarks import each_matches
from segscore.corpus.annotation import Annotation
from segscore.corpus.record import Record, unit_hash
from segscore.pages.annotate_page import guideline_markup

TEXTS = {"a": ["One.", "Two.", "Three."], "b": ["Four.", "Five."]}


def cut(masses: list[int], **more: Any) -> ss.Segmentation:
    ends = list(accumulate(masses))
    return ss.Segmentation.from_boundaries(ends[:-1], ends[-1], **more)


def page(tmp_path: Path, texts: Any = TEXTS, **options: Any) -> dict[str, Any]:
    path = ss.pages.annotate(texts, tmp_path / "p.html", **options)
    return data_of(path.read_text("utf-8"))  # type: ignore[no-any-return]


# ---- what the page holds ----


def test_data(tmp_path: Path) -> None:
    data = page(tmp_path, levels=2, labels=["x ", "y"], coder="ann", shuffle=True, title="T")
    assert {key: data[key] for key in ("levels", "labels", "titles", "coder", "shuffle", "title")} == {
        "levels": 2, "labels": ["x", "y"], "titles": False, "coder": "ann", "shuffle": True,
        "title": "T",
    }  # fmt: skip
    assert data["documents"] == [
        {"name": name, "units": units, "hash": unit_hash(units)} for name, units in TEXTS.items()
    ]


def test_texts_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("One. Two.\nThree.", "utf-8")
    (tmp_path / "two.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello.\n", "utf-8")
    rows = [{"document": name, "units": units} for name, units in TEXTS.items()]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    files = [tmp_path / name for name in ("one.txt", "two.vtt", "c.jsonl")]
    documents = {document["name"]: document for document in page(tmp_path, files)["documents"]}
    assert documents["one"]["units"] == ["One.", "Two.", "Three."]
    assert (documents["two"]["speakers"], documents["two"]["starts"]) == (["Ann"], [1.0])
    assert documents["a"]["units"] == TEXTS["a"]
    lines = page(tmp_path, tmp_path / "one.txt", units="lines")["documents"][0]
    assert lines["units"] == ["One. Two.", "Three."]
    assert page(tmp_path, {"a": "One. Two."})["documents"][0]["units"] == ["One.", "Two."]
    corpus = ss.Corpus.from_dict(
        {"a": {"ann": cut([2, 1])}}, units={"a": TEXTS["a"]}, groups={"a": "news"}
    )
    (document,) = page(tmp_path, corpus)["documents"]
    assert (document["units"], document["group"]) == (TEXTS["a"], "news")


def test_the_id_is_that_of_what_is_annotated(tmp_path: Path) -> None:
    first = page(tmp_path)["page"]
    assert re.fullmatch("[0-9a-f]{16}", first)
    assert page(tmp_path, coder="c", shuffle=True)["page"] == first
    told: list[Mapping[str, Any]] = [
        {"title": "T"}, {"guidelines": "G"}, {"round": "T"}, {"levels": 2}, {"labels": ["x"]},
    ]  # fmt: skip
    assert len({first, *(page(tmp_path, **options)["page"] for options in told)}) == 6
    assert page(tmp_path, {**TEXTS, "b": ["Four.", "Six."]})["page"] != first
    assert page(tmp_path, practice=ss.Corpus.from_dict({"a": {"g": cut([1, 2])}}))["page"] != first


def test_prefill_and_practice(tmp_path: Path) -> None:
    system = cut([1, 2], ranks=[2], segment_labels=["x", None])
    gold = ss.Corpus.from_dict(
        {"w": {"gold": cut([2, 1])}, "b": {"gold": cut([1, 1])}}, units={"w": TEXTS["a"]}
    )
    data = page(
        tmp_path, levels=2, labels=["x"], practice=gold,
        prefill=ss.Corpus.from_dict({"a": {"c99": system}}),
    )  # fmt: skip
    assert [document["name"] for document in data["documents"]] == ["w", "b", "a"]
    w, b, a = data["documents"]
    assert (w["gold"], w["units"], b["gold"], a.get("gold")) == ([2], TEXTS["a"], [1], None)
    assert a["prefill"] == {"by": "c99", "boundaries": [1], "levels": [2], "labels": ["x", None]}
    assert "prefill" not in b


def test_what_prefill_has_too_much_is_left_out_and_told(tmp_path: Path) -> None:
    system = ss.Corpus.from_dict({
        "a": {"c99": cut([1, 2], ranks=[5], segment_labels=["x", "y"])}, "b": {"c99": cut([1, 1])},
    })  # fmt: skip
    remarks: list[str] = []
    data = page(tmp_path, prefill=system, remark=remarks.append)
    assert data["documents"][0]["prefill"] == {
        "by": "c99", "boundaries": [1], "levels": None, "labels": None,
    }  # fmt: skip
    assert each_matches(remarks, "page asks for none")


def test_guidelines(tmp_path: Path) -> None:
    (tmp_path / "g.md").write_text("# Task\n<b>$heading $guidelines</b>\n", "utf-8")
    for given in (tmp_path / "g.md", "# Task\n<b>$heading $guidelines</b>"):
        path = ss.pages.annotate(TEXTS, tmp_path / "p.html", guidelines=given, title="$guidelines")
        text = path.read_text("utf-8")
        assert "<h3>Task</h3>\n<p>&lt;b&gt;$heading $guidelines&lt;/b&gt;</p>" in text
        assert "<h1><bdi>$guidelines</bdi></h1>" in text
        assert text.count('id="guidelines"') == 1
    assert 'id="guidelines"' not in ss.pages.annotate(TEXTS, tmp_path / "q.html").read_text("utf-8")


# ---- what is refused ----

GOLD = ss.Corpus.from_dict({"a": {"gold": cut([1, 2])}})
CASES: list[tuple[dict[str, Any], str]] = [
    ({"texts": {}}, "texts is empty"),
    ({"texts": []}, "files.*corpus"),
    ({"texts": {"a": []}}, "'a'"),
    ({"texts": {"a": [3]}}, "'a'"),
    ({"texts": {"": ["x"]}}, "expected a name"),
    ({"texts": {"a": ["\ud800", "x"]}}, "surrogate"),
    ({"texts": {"a": [{"text": "x", "who": "y"}]}}, "unit 1.*text"),
    ({"texts": {"a": [{"text": "x", "start": "1:00"}]}}, "1:00.*seconds"),
    ({"texts": {"a": [{"text": "x", "speaker": 3}]}}, "speaker is 3.*expected a name"),
    ({"texts": {"a": ["x"]}, "units": "lines"}, "units of their own"),
    ({"texts": GOLD}, "document 'a' has no text"),
    ({"levels": 7}, "levels is 7.*1 … 6"),
    ({"labels": ["x", "y", "x "]}, "labels is.*each once"),
    ({"labels": ["x", " "]}, "none blank"),
    ({"labels": "xy"}, "list of labels"),
    ({"labels": ["x"], "titles": True}, "labels and titles"),
    ({"coder": " "}, "coder is"),
    ({"title": 3}, "title is 3"),
    ({"guidelines": " "}, "guidelines have 0"),
    ({"guidelines": "x" * 200_001}, "200,001 characters.*200,000"),
    ({"guidelines": Path("nowhere.md")}, "nowhere.md"),
    ({"prefill": ss.Corpus.from_dict({"a": {"s": cut([2, 2])}})}, "4 units.*text has 3"),
    ({"prefill": ss.Corpus.from_dict({"z": {"s": cut([2, 2])}})}, "prefill has 'z'"),
    (
        {"prefill": ss.Corpus.from_dict({"a": {"s": cut([1, 2]), "t": cut([3])}})},
        "coded.*'s'.*'t'.*segscore convert",
    ),
    (
        {"prefill": ss.Corpus.from_dict({"a": {"s": cut([1, 2])}}, units={"a": ["One.", "2", "3"]})},
        "unit 2.*document 'a'.*'2'.*text has 'Two.'",
    ),
    (
        {"prefill": ss.Corpus.from_dict({"a": {"s": cut([1, 2], ranks=[3])}}), "levels": 2},
        "boundary.*level 3.*at most 2",
    ),
    (
        {"prefill": ss.Corpus.from_dict({"a": {"s": cut([1, 2], segment_labels=["q", "x"])}}),
         "labels": ["x"]},
        "'q'.*'x'",
    ),
    (
        {"prefill": ss.Corpus.from_dict({"a": {"s": ss.Levels([cut([3]), cut([1, 2])])}})},
        "several levels",
    ),
    ({"practice": ss.Corpus.from_dict({"a": {"g": cut([2, 2])}})}, "practice: document 'a' has 4 units"),
    ({"practice": ss.Corpus.from_dict({"w": {"g": cut([2, 2])}})}, "'w'.*not among"),
    ({"practice": ss.Corpus.from_rows([{"document": "a", "units": TEXTS["a"]}])}, "holds no coding"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), CASES)
def test_what_is_wrong_is_told(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    options = {"texts": TEXTS, **options}
    with pytest.raises(ss.SegmentationError, match=words):
        ss.pages.annotate(options.pop("texts"), tmp_path / "p.html", **options)
    assert not (tmp_path / "p.html").exists()


# ---- guidelines in Markdown: HTML in them is text, and links lead to web pages or mail only ----

ALLOWED = {
    "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
    "a", "br", "hr", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip

LINKS = ("http://", "https://", "mailto:")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# One #\n## Two\n###### Six", "<h3>One</h3>\n<h4>Two</h4>\n<h6>Six</h6>\n"),
        ("- a\n  1. b", "<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>\n"),
        (
            "| cue | *level* |\n|:---|--:|\n| a \\| `b` | 1 |",
            "<table>\n<thead>\n<tr>\n<th>cue</th>\n<th><em>level</em></th>\n</tr>\n</thead>\n"
            "<tbody>\n<tr>\n<td>a | <code>b</code></td>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n",
        ),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("```py\n# *x* <b>\n```\nb", "<pre><code># *x* &lt;b&gt;\n</code></pre>\n<p>b</p>\n"),
        ("a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"),
        ("[a](x.html) [b](JavaScript:x) ![i](data:x)",
         "<p>[a](x.html) [b](JavaScript:x) ![i](data:x)</p>\n"),
        ("[a](https://a.org)",
         '<p><a href="https://a.org" target="_blank" rel="noopener noreferrer">a</a></p>\n'),
    ],
)  # fmt: skip
def test_forms(markdown: str, html: str) -> None:
    assert guideline_markup(markdown) == html


@pytest.mark.parametrize("string", STRINGS)
def test_hostile_strings_are_text(string: str) -> None:
    from html.parser import HTMLParser

    found: list[tuple[str, list[tuple[str, str | None]]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, attrs))

    for form in ("{}", "# {}", "- {}", "> {}", "**{}**", "`{}`", "[{0}]({0})", "```\n{}\n```",
                 "| {} |\n|---|\n| {} |", "- a\n  - {}"):  # fmt: skip
        Reader().feed(guideline_markup(form.replace("{0}", "{}").replace("{}", string)))
    assert {tag for tag, _ in found} <= ALLOWED
    for tag, attrs in found:
        assert [name for name, _ in attrs] == (["href", "target", "rel"] if tag == "a" else [])
        assert tag != "a" or str(attrs[0][1]).lower().startswith(LINKS) or not attrs[0][1]


# ---- what the page of adjudication holds, without a browser ----


UNITS = ["One.", "Two.", "Three.", "Four."]


def corpus(**names: str) -> ss.Corpus:
    annotation = Annotation(unsure=(2,), comments=((2, "says Zoe-Ann"),))
    first, second = names.get("first", "Zoe-Ann"), names.get("second", "Bartholomew")
    rows = [
        Record("d", first, cut([2, 2]), UNITS, annotation=annotation, group="g"),
        Record("d", second, cut([1, 3]), UNITS),
        Record("e", first, cut([2, 3])), Record("e", second, cut([2, 3])),
        Record("d", "c99", cut([3, 1]), kind="system"),
        Record("d", "gold of old", cut([3, 1]), kind="consensus"),
    ]  # fmt: skip
    return ss.Corpus.from_rows(rows)


def data_in(path: Path) -> Any:
    return data_of(path.read_text("utf-8"))


def test_what_the_page_holds(tmp_path: Path) -> None:
    data = data_in(ss.pages.adjudicate(corpus(), tmp_path / "my page.html", within=2))
    assert data["rule"] == {"within": 2, "accept": 1.0, "reject": 0.0}
    assert (data["coder"], data["file"], data["blind"]) == ("gold", "my page", False)
    first, second = data["documents"]
    assert first["places"] == [{"at": [1, 2], "who": [[1], [0]], "most": 0, "ruling": None}]
    assert second["places"] == [{"at": [2], "who": [[0, 1]], "most": 0, "ruling": 2}]
    assert (first["text"], first["group"], first["hash"]) == (UNITS, "g", unit_hash(UNITS))
    assert (second["hash"], "text" in second) == (None, False)
    assert first["said"] == [[2, 0, None], [2, 0, "says Zoe-Ann"]]
    assert first["coders"] == ["Zoe-Ann", "Bartholomew"]


def test_the_same_title_and_codings_are_the_same_page(tmp_path: Path) -> None:
    """So that what is kept in the browser is found again; other codings are another page."""
    first = data_in(ss.pages.adjudicate(corpus(), tmp_path / "a.html", title="x"))["page"]
    again = data_in(ss.pages.adjudicate(corpus(), tmp_path / "b.html", title="x"))["page"]
    named = data_in(ss.pages.adjudicate(corpus(), tmp_path / "b.html", title="y"))["page"]
    other = data_in(ss.pages.adjudicate(corpus(), tmp_path / "c.html", accept=0.5))["page"]
    more = data_in(ss.pages.adjudicate(corpus(first="Al"), tmp_path / "d.html"))["page"]
    assert first == again
    assert len({first, named, other, more}) == 4


@pytest.mark.parametrize("title", [None, "A title"])
def test_a_blind_page_holds_no_name(tmp_path: Path, title: str | None) -> None:
    path = ss.pages.adjudicate(corpus(), tmp_path / "blind.html", blind=True, title=title)
    text = path.read_text("utf-8")
    for name in ("Zoe-Ann", "Bartholomew", "c99", "gold of old"):
        assert name not in text
    data = data_in(path)
    assert data["documents"][0]["coders"] == ["coder 1", "coder 2"]
    assert len(data["documents"][0]["said"]) == 1  # unsure; comments may name people
    again = ss.pages.adjudicate(corpus(), tmp_path / "blind.html", blind=True, title=title)
    assert again.read_text("utf-8") == text


def test_the_order_of_a_blind_page_tells_nothing(tmp_path: Path) -> None:
    """Coders change places from document to document, and their order is not that of the file."""
    people = {name: cut([i + 1, 9 - i]) for i, name in enumerate("abcdef")}
    many = ss.Corpus.from_dict({f"d{i}": people for i in range(8)})
    data = data_in(ss.pages.adjudicate(many, tmp_path / "blind.html", blind=True))
    orders = [[coding["masses"][0] for coding in each["codings"]] for each in data["documents"]]
    assert len(set(map(tuple, orders))) == 8
    for document, firsts in zip(data["documents"], orders, strict=True):
        for place in document["places"]:  # each number still marks what its row shows
            for position, coders in zip(place["at"], place["who"], strict=True):
                assert {firsts[n] for n in coders} == {position}


def test_how_units_were_formed_goes_into_gold(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"provenance": {"units": ["seconds:6"], "layers": ["tier of Zoe"]}, "document": "d", '
        '"coder": "Zoe", "masses": [1, 2]}\n', "utf-8",
    )  # fmt: skip
    timed = ss.read(tmp_path / "a.jsonl")
    data = data_in(ss.pages.adjudicate(timed, tmp_path / "a.html"))
    assert data["first"] == {"provenance": {"units": ["seconds:6"], "layers": ["tier of Zoe"]}}
    blind = ss.pages.adjudicate(timed, tmp_path / "b.html", blind=True)
    assert data_in(blind)["first"] == {"provenance": {"units": ["seconds:6"]}}
    assert "Zoe" not in blind.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"coder": "Zoe-Ann"}, "coder is 'Zoe-Ann'.*document 'd'"),
        ({"coder": ""}, "coder is ''"),
        ({"blind": 1}, "blind is 1.*True.*False"),
        ({"accept": 2}, "accept is 2"),
        ({"within": 1.5}, "within is 1.5"),
    ],
)
def test_wrong_arguments(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        ss.pages.adjudicate(corpus(), tmp_path / "a.html", **options)
    assert list(tmp_path.iterdir()) == []
