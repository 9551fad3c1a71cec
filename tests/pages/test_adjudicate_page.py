"""What the page of adjudication holds, without a browser."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import data_of
from segscore.corpus.annotation import Annotation
from segscore.corpus.record import Record, unit_hash

cut = ss.Segmentation.from_masses
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
