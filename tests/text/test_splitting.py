"""One splitter for readers and segmenters: a page of hard cases, the AI lectures, and that N agrees."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import chunk_description as oracle

import segscore as ss
from growth import assert_linear
from segscore.cli import run
from segscore.text.folding import neighbour_cosines
from segscore.text.unit_splitting import TEXT_RULES, text_units, units_of

HARD = {  # text, with | where a sentence ends
    "abbreviations": 'Dr. Smith came.| "Where from?"| No. 5, he said!| Really',
    "titles": "Mr. and Mrs. Jones met Prof. Lee and Lt. Col. Hart.| Rev. Hill stayed.",
    "a title and a name that is a word": "Dr. No saw St. Paul.| Mt. Everest is high.",
    "initials": "J. R. R. Tolkien and C. S. Lewis met.| They talked.",
    "I am no initial": "So do I.| Nobody else does.",
    "letters with dots": "The U.S. Senate sat.| She left the U.S.| They stayed until 5 p.m.| It rained.",
    "Latin": "Cats (e.g. Tom) hide, i.e. The Cat does, cf. Jerry vs. Spike.| Smith et al. (2012) say so.",
    "et al. at the end": "It was shown by Smith et al.| The proof is long.",
    "numbers": "See Fig. 3, pp. 4 and Vol. 2 of Sept. 5.| It is 3.5 m.| In 1999.| Then no more.",
    "no is also a word": "He said no.| Nobody heard.",
    "items": "1. Open the door.| 2. Go in.| A. Sit.| (3) Wait.",
    "small letters": "“Why?” he asked.| Wait... what?| Yahoo! is a name.",
    "dots": "Well…| I think so...| Perhaps.",
    "brackets": "It is so.| [writing on the board] Yes.| (inaudible) No.",
    "straight quotes": "He said 'go.'| She said \"stay.\"| (They left.)| [All.]",
    "German quotes": "„Ja.“| Er ging.| »Nein!«| Sie blieb.",
    "French quotes": "« Vraiment ? »| Oui.| « Non ! » dit-il.",
    "notes": "It is known.[1]| It is new.[2][3]| End.",
    "a heading": "Chapter One||It rains\nagain.| It pours.",
    "lines": "It rains\nagain.| It pours\r\neach day.",
    "Chinese": "你好。|再见！|真的吗？！|是",
    "Chinese quotes": "“你好。”|他说：「走吧！」|『好。』|（完。）|《书。》|结束",
    "Chinese stops after quotes": "他说“好。”。|她走。|〝好。〞|﹁好。﹂|走。",
    "Japanese": "雨が降る。|「なぜ？」|知らない｡|円周率は３．１４です．|はい",
    "Arabic": "هل ينبح؟| نعم.",
    "Urdu": "یہ کیا ہے؟| کچھ نہیں۔| اچھا",
    "Hindi": "बारिश हुई।| क्यों?| पता नहीं।",
    "Amharic": "ዝናብ ዘነበ።| ለምን?",
    "no text": "",
}


@pytest.mark.parametrize("name", HARD)
def test_hard_cases(name: str) -> None:
    expected = [" ".join(sentence.split()) for sentence in HARD[name].split("|") if sentence]
    text = HARD[name].replace("||", "\n\n").replace("|", "")
    assert units_of(text) == expected
    made = text_units(text, "sentences")
    raw = [text[a:b] for a, b in zip(made.starts, made.ends, strict=True)]
    assert [" ".join(sentence.split()) for sentence in raw] == expected


def test_names_in_the_singular_and_others() -> None:
    text = "One. Two.\nThree\n\nFour"
    for rule in TEXT_RULES:
        assert units_of(text, rule.removesuffix("s")) == units_of(text, rule)
    assert [len(units_of(text, rule)) for rule in TEXT_RULES] == [3, 2, 4, 4, len(text)]
    assert units_of("\ufeffOne.\u00a0 Two. ") == ["One.", "Two."]
    for wrong in ("syllables", "sentencess", "", None, 3):
        with pytest.raises(ss.SegmentationError, match="units.*lines"):
            units_of(text, wrong)


@pytest.mark.parametrize(
    "text", ["Word. ", "!", "e.g. ", '."', "\n", ". ", "。", "A. ", " [1]", "1. "]
)
def test_long_texts_take_no_square_of_time(text: str) -> None:
    assert len(units_of(text * 4_000)) in (0, 1, 2_000, 4_000)
    assert_linear(lambda n: partial(units_of, text * n), 4_000)


def lecture(path: Path) -> list[str]:
    """The sentences as the transcript has them, one a line."""
    (document,) = ss.read(path, format="choi").values()
    return [" ".join(line.split()) for line in document.units or ()]


def ends(units: list[str]) -> Iterator[int]:
    """Where units end, in characters that are no space: line ends and spaces make no difference."""
    at = 0
    for unit in units:
        at += len("".join(unit.split()))
        yield at


def test_lectures_are_cut_where_their_transcripts_are(data: Path) -> None:
    """A line of a transcript is a sentence, or a few; the last of a line ends with it."""
    goes_on = missed = all_lines = 0
    for path in sorted((data / "lectures_ai" / "manual").iterdir()):
        lines = lecture(path)
        made = set(ends(units_of(" ".join(lines))))
        for end, line, following in zip(ends(lines), lines, [*lines[1:], ""], strict=True):
            all_lines += line[-1] in ".?!"
            if line[-1] in ".?!" and end not in made:
                goes_on += following[0].islower()  # "You can do this... / a V."
                missed += not following[0].islower()
    assert all_lines == 10_997
    assert (goes_on, missed) == (95, 2)  # "e.g. / I put a piece", "7. / In order to"


# ---- who segments a text and who reads its annotation count the same units ----


def annotated(folder: Path, text: str) -> Path:
    """The text with one span over all of it, as doccano writes it."""
    path = folder / "annotation.jsonl"
    fields = {"id": 1, "text": text, "label": [[0, len(text), "all"]]}
    path.write_text(json.dumps(fields) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("units", ["sentence", "sentences", "paragraphs", "lines"])
def test_segment_and_readers_agree_on_units(units: str, data: Path, tmp_path: Path) -> None:
    text = "\n\n".join(case.replace("||", "\n\n").replace("|", "") for case in HARD.values())
    text += "\n\n" + "\n".join(lecture(data / "lectures_ai" / "manual" / "02-07-01.ref"))
    plain = tmp_path / "talk.txt"
    plain.write_bytes(text.encode())
    command = ["segment", str(plain), "--method", "none", "--units", units]
    assert run([*command, "-o", str(tmp_path / "made.jsonl")]) == 0
    (segmented,) = ss.read(tmp_path / "made.jsonl").values()
    (read,) = ss.read(annotated(tmp_path, text), "doccano", units=units).values()
    assert segmented.n_units == read.n_units
    assert segmented.units == read.units
    if units.startswith("sentence"):
        (headed,) = ss.read(plain, "text", units=units).values()
        assert headed.units == segmented.units


# ---- similarities of neighbours by the words that they share ----


sentences = st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join)


@given(st.lists(st.lists(sentences, min_size=1, max_size=5), min_size=1, max_size=3))
def test_cosines_are_those_of_the_oracle(texts):
    for found, expected in zip(neighbour_cosines(texts), oracle.cosines(texts), strict=True):
        wanted = [np.nan if cosine is None else cosine for cosine in expected]
        assert found.tolist() == pytest.approx(wanted, nan_ok=True)
