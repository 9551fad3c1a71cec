"""Files of annotation tools with a few bytes changed: read or refused, never another exception."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

import segscore as ss
from fuzz.samples import SAMPLES, UNITS_OF_ANSWERS
from io_reading_tools import damaged
from needs import where_needed
from segscore.io import FORMATS
from segscore.io.format import WRITTEN

SECONDS, WORDS = "seconds:1:60", "words"
# units, content; each is read whole before it is damaged
EXAMPLES = {
    "wiki-727k": (None, "========,1,preface.\nText.\n========,2,A, b.\nMore.\n"),
    "markdown": (None, "# Title\n\nText.\n\nTwo\n---\n```\n# x\n```\n"),
    "text": (None, "Text. More.\n\nText.\n"),
    "webvtt": (SECONDS, "WEBVTT\n\nNOTE x\n\na\n00:00.000 --> 00:06.000 x:y\n<b>Intro</b>\n"),
    "srt": (SECONDS, "1\n00:00:00,000 --> 00:00:06,000\nIntro\n\n2\n00:00:06,000 --> 00:00:09,000\nB\n"),
    "youtube": (SECONDS, "0:00 Intro\n- [0:12] Middle\n0:30 End\n"),
    "yt-dlp": (SECONDS, '{"id": "a", "duration": 9, "chapters": [{"start_time": 0, "end_time": 6.5, "title": "x"}]}'),
    "label-studio": (WORDS, '[{"id": 1, "data": {"text": "a 😀"}, "annotations": [{"completed_by": {"id": 3}, '
                     '"result": [{"type": "labels", "value": {"start": 0, "end": "4", "text": "a 😀", "labels": ["A"]}}]}]}]'),
    "doccano": (WORDS, '{"id": 1, "text": "a 😀", "label": [[0, 4, "A"]]}\n'
                '{"id": 2, "text": "b", "entities": [{"label": "A", "start_offset": 0, "end_offset": 1}]}\n'),
    "brat": (WORDS, "T1\tSegment 0 1;2 3\ta b\nA1\tLevel T1 2\n"),
    "textgrid": (SECONDS, 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 9\ntiers? <exists>\n'
                 'size = 2\nitem []:\n item [1]:\n class = "IntervalTier"\n name = "t"\n xmin = 0\n xmax = 9\n'
                 ' intervals: size = 1\n intervals [1]:\n xmin = 0\n xmax = 9\n text = "a ""b"""\n'
                 'item [2]:\n "TextTier"\n "p"\n 0\n 9\n 1\n 3\n "m"\n'),
    "elan": (SECONDS, '<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="s1" TIME_VALUE="0"/>'
             '<TIME_SLOT TIME_SLOT_ID="s2" TIME_VALUE="9000"/></TIME_ORDER><TIER TIER_ID="t"><ANNOTATION>'
             '<ALIGNABLE_ANNOTATION ANNOTATION_ID="a" TIME_SLOT_REF1="s1" TIME_SLOT_REF2="s2"><ANNOTATION_VALUE>'
             'x</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER><TIER TIER_ID="u"><ANNOTATION>'
             '<REF_ANNOTATION ANNOTATION_ID="b" ANNOTATION_REF="a"/></ANNOTATION></TIER></ANNOTATION_DOCUMENT>'),
    "audacity": (SECONDS, "0.000000\t12.500000\tintro\n\\\t1.0\t2.0\n12.5\t13.0\tb\n"),
    "lab": (SECONDS, "0.0 12.5 intro\n12.5 13 b # c\n"),
    "webanno-tsv": (None, "#FORMAT=WebAnno TSV 3.3\n#T_SP=c.S|label\n\n#Text=a b\n1-1\t0-1\ta\tA[1]|B\t\n1-2\t2-3\tb\tA[1]\t\n"),
    "uima-xmi": (WORDS, '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="http:///c.ecore" xmlns:cas="http:///uima/cas.ecore">'
                 '<cas:Sofa xmi:id="1" sofaString="abc"/><c:S sofa="1" begin="0" end="3" label="A"/></xmi:XMI>'),
    "uima-json": (WORDS, '{"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "abc"}, '
                  '{"%ID": 2, "%TYPE": "c.S", "@sofa": 1, "begin": 0, "end": 3, "label": "A"}]}'),
    **{name: (SAMPLES[name].units, SAMPLES[name].content) for name in
       ("dialogues", "superdialseg", "tiage", "tadam", "separated-text", "qmsum", "wikisection", "sentence-labels",
        "ytseg", "vidchapters", "chapter-llama", "chunkseg", "ranked-text", "chapters", "chunks", "json", "labels", "table", "rttm", "ctm", "transcript", "llm")},
}  # fmt: skip


def test_every_reader_has_an_example() -> None:
    assert EXAMPLES.keys() == FORMATS.keys() - {*WRITTEN}


@pytest.mark.parametrize("name", where_needed(EXAMPLES, {"elan": "readers", "uima-xmi": "readers"}))
def test_damaged_files_are_read_or_refused(name: str) -> None:
    units, whole = EXAMPLES[name]

    def read(folder: str, content: bytes) -> ss.Corpus:
        path = Path(folder, f"x{FORMATS[name].suffixes[0]}")
        path.write_bytes(content)
        if name == "brat":
            path.with_suffix(".txt").write_text("a b")
        marks: Any = "end" if name in ("labels", "table") else None
        more: dict[str, Any] = {}
        if name == "llm":
            Path(folder, "units.jsonl").write_text(UNITS_OF_ANSWERS)
            more = {"text": Path(folder, "units.jsonl"), "base": 0, "shape": "starts"}
        if "policy" in FORMATS[name].used_keys:
            more["policy"] = "snap"
        return ss.read(path, name, units=units, marks=marks, remark=lambda _: None, **more)

    with TemporaryDirectory() as folder:
        assert read(folder, whole.encode())

    @given(damaged(whole.encode()))
    def check(content: bytes) -> None:
        with TemporaryDirectory() as folder:
            try:
                corpus = read(folder, content)
            except ss.SegmentationError as error:
                assert str(error).startswith(str(Path(folder, "x")))  # noqa: PT017
            else:
                ss.write(corpus, Path(folder, "y.jsonl"))
                assert ss.read(Path(folder, "y.jsonl")) == corpus

    check()
