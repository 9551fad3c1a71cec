"""`segscore adjudicate`: the page, and what the command says about it."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore

cut = ss.Segmentation.from_masses
CODINGS = {
    "ann": {"d": cut([2, 4, 4]), "e": cut([1, 2])},
    "bob": {"d": cut([3, 3, 4]), "e": cut([1, 2])},
    "cyd": {"d": cut([6, 4]), "e": cut([1, 2])},
}


@pytest.fixture
def codings(tmp_path: Path) -> list[Path]:
    """A file for each person."""
    paths = []
    for name, documents in CODINGS.items():
        corpus = ss.Corpus.from_dict({key: {name: coding} for key, coding in documents.items()})
        corpus = corpus.with_details(units={"d": [f"Unit {i}." for i in range(10)]})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
        paths.append(tmp_path / f"{name}.jsonl")
    return paths


def test_the_page(codings: list[Path], tmp_path: Path) -> None:
    done = segscore("adjudicate", *codings, "-o", tmp_path / "a.html", "--title", "Who is right")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 of 3 places" in done.stderr
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "Who is right" in page
    assert "<bdi>" in page


def test_gold_is_nobody(codings: list[Path], tmp_path: Path) -> None:
    """`agree` counts people alone, also if gold or a consensus is given beside them."""
    rows = [{"document": name, "coder": "gold", "kind": "consensus", "masses": masses}
            for name, masses in (("d", [3, 3, 4]), ("e", [1, 2]))]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made = segscore("convert", *codings, "-o", tmp_path / "consensus.jsonl", "--consensus", "0.5")
    assert made.returncode == 0
    alone = segscore("agree", *codings, "--format", "json")
    for other in ("gold.jsonl", "consensus.jsonl"):
        both = segscore("agree", *codings, tmp_path / other, "--format", "json")
        assert json.loads(both.stdout) == json.loads(alone.stdout), other


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("-o", "gold.jsonl"), "-o is 'gold.jsonl': expected a page (.html)"),
        (("--accept", "0"), "accept is 0"),
        (("--reject", "0.9", "--accept", "0.5"), "accept is 0.5 and reject 0.9"),
        (("--coder", "ann"), "coder is 'ann', who coded document 'd'"),
    ],
)
def test_wrong_input(
    codings: list[Path], tmp_path: Path, given: tuple[str, ...], words: str
) -> None:
    done = segscore("adjudicate", *codings, *given, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert words in done.stderr
    assert not (tmp_path / "adjudicate.html").exists()


def test_texts_beside_the_codings(tmp_path: Path) -> None:
    folder = tmp_path / "codings"
    folder.mkdir()
    for name in ("ann", "bob"):
        corpus = ss.Corpus.from_dict({"e": {name: CODINGS[name]["e"]}})
        ss.write(corpus, folder / f"{name}.jsonl")
    (folder / "e.txt").write_text("First of all.\nThen.\nThe end.\n", "utf-8")
    done = segscore("adjudicate", folder, "-o", tmp_path / "a.html")
    assert done.returncode == 0
    assert "First of all." in (tmp_path / "a.html").read_text("utf-8")


def test_texts_of_several_files(tmp_path: Path) -> None:
    """--text names the folder; a text that another saw is refused by its hash."""
    paths = []
    for name in ("ann", "bob"):
        paths.append(tmp_path / f"{name}.jsonl")
        ss.write(ss.Corpus.from_dict({"e": {name: CODINGS[name]["e"]}}), paths[-1])
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "e.txt").write_text("First of all.\nThen.\nThe end.\n", "utf-8")
    done = segscore("adjudicate", *paths, "--text", texts, "-o", tmp_path / "a.html")
    assert (done.returncode, done.stdout) == (0, "")
    assert "First of all." in (tmp_path / "a.html").read_text("utf-8")
    assert "the rule decides all 1 places in 1 document" in done.stderr
    wrong = segscore("adjudicate", *paths, "--text", tmp_path / "none", "-o", tmp_path / "a.html")
    assert (wrong.returncode, "does not exist" in wrong.stderr) == (2, True)
    row = json.loads(paths[0].read_text("utf-8"))
    seen = row | {"annotation": {"units": "sha256:" + "0" * 64}}
    paths[0].write_text(json.dumps(seen), "utf-8")
    other = segscore("adjudicate", *paths, "--text", texts, "-o", tmp_path / "a.html")
    assert other.returncode == 2
    assert "another text" in other.stderr


def test_levels_are_told(tmp_path: Path) -> None:
    """How levels are decided, and at how many places people differ."""
    mark = ss.Segmentation.from_boundaries
    people = {"ann": mark([2, 5], 9, ranks=[1, 2]), "bob": mark([2, 5], 9, ranks=[3, 2])}
    path = tmp_path / "people.jsonl"
    ss.write(ss.Corpus.from_dict({"d": people}), path)
    done = segscore("adjudicate", path, "-o", tmp_path / "a.html")
    assert done.returncode == 0
    assert "the median level" in done.stderr
    assert "different levels at 1 place" in done.stderr


def test_speakers_of_transcripts(tmp_path: Path) -> None:
    """--text names transcripts; those of another text are named and left out."""
    texts = tmp_path / "texts"
    texts.mkdir()
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ms. Okafor>One.\n\n00:03.000 --> 00:04.000\nTwo.\n"
    (texts / "talk.vtt").write_text(vtt, "utf-8")
    (texts / "other.vtt").write_text(vtt.replace("Two.", "Three."), "utf-8")
    units = {"talk": ["One.", "Two."], "other": ["One.", "Two."]}
    paths = []
    for name in ("ann", "bob"):
        paths.append(tmp_path / f"{name}.jsonl")
        codings = {document: {name: cut([1, 1])} for document in units}
        ss.write(ss.Corpus.from_dict(codings).with_details(units=units), paths[-1])
    done = segscore("adjudicate", *paths, "--text", texts, "-o", tmp_path / "a.html")
    assert done.returncode == 0
    assert "speakers and times of 'other' are not shown: expected a transcript" in done.stderr
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.count("Ms. Okafor") == 1
    without = segscore("adjudicate", *paths, "-o", tmp_path / "b.html")
    assert without.returncode == 0
    pages = [re.search("adjudicate-[0-9a-f]{16}", (tmp_path / name).read_text("utf-8"))
             for name in ("a.html", "b.html")]  # fmt: skip
    assert pages[0] is not None
    assert pages[1] is not None
    assert pages[0][0] == pages[1][0]  # what was decided is found again


def test_a_report_on_people_and_gold_says_what_it_calls_systems(tmp_path: Path) -> None:
    for name, kind in (("gold", "consensus"), ("ann", "person"), ("bob", "person")):
        row = {"document": "d", "coder": name, "kind": kind, "masses": [2, 4, 4]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row), "utf-8")
    files = ("gold.jsonl", "ann.jsonl", "bob.jsonl")
    done = segscore("report", *files, "-o", "r.html", cwd=tmp_path)
    assert done.returncode == 0
    assert "ann, bob: the page compares people with the reference, and calls them systems" in (
        done.stderr
    )
    asked = segscore("report", *files, "--as", "systems", "-o", "r.html", cwd=tmp_path)
    assert "calls them systems" not in asked.stderr
