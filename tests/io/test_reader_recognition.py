"""Files of annotation tools are recognised, and the commands take them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.fuzz.samples import SAMPLES
from typer.testing import CliRunner

import segscore as ss
from needs import needs
from segscore.cli import app
from segscore.cli import run as cli_run
from segscore.io import FORMATS, registry
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats.gaps import refuse_guess
from segscore.io.registry import WRITTEN, first_lines, recognise, suffixes_of
from segscore.io.safe_parsing import json_value, opening_keys
from segscore.io.table_files import header_of

# a file as its tool writes it: name, content
EXAMPLES = {
    "dialogues": (
        "x.json",
        '[{"dial_id": 0, "utterances": ["a", "b"], "segments": [1, 1], "set": "dev"}]',
    ),
    "superdialseg": ("x.json", '{"dial_data": {"superseg": [{"dial_id": "a", "turns": []}]}}'),
    "tiage": ("x.json", '{"1": [["hello", "-1"], ["bye", "1"]]}'),
    "tadam": ("x.txt", "call_id_0\n0 hello\n1 bye\n"),
    "separated-text": ("x.txt", "hello\n================\nbye\n"),
    "qmsum": ("x.json", '{"topic_list": [{"topic": "A", "relevant_text_span": [["0", "1"]]}]}'),
    "wikisection": (
        "x.json",
        '[{"id": 1, "text": "a", "annotations": [{"begin": 0, "sectionLabel": "a"}]}]',
    ),
    "sentence-labels": (
        "x.jsonl",
        '{"id": "1", "sentences": ["a"], "labels": [1], "levels": [1]}\n',
    ),
    "ytseg": ("x.json", '[{"text": ["a"], "targets": "0", "video_id": "v"}]'),
    "vidchapters": ("x.json", '{"v": {"duration": 9, "timestamps": [[0, 9]], "sentences": ["A"]}}'),
    "chapter-llama": ("x.json", '{"v": {"duration": 9, "chapters": {"0:00:00": "A"}}}'),
    "chunkseg": ("x.jsonl", '{"hypothesis": [3], "reference": [4], "duration": 9}\n'),
    "chunks": ("x.jsonl", '{"document": "ch1", "chunks": ["One.", "Two."]}\n'),
    "rttm": ("x.rttm", "SPEAKER talk 1 0.00 6.00 <NA> <NA> ann <NA> <NA>\n"),
    "ctm": ("x.ctm", "talk A 0.00 0.35 hello 0.98\n"),
    "transcript": ("x.json", '{"text": "Hi.", "segments": [{"id": 0, "start": 0.0, "end": 1.0}]}'),
    "labels": ("x.json", '{"ch1": {"ann": [0, 1, 0]}}'),
    "json": ("x.json", '[\n {"document": "ch1", "boundaries": [2], "n_units": 5}\n]'),
    "table": ("x.csv", "doc_id;annotator;sentence_id;boundary\nch1;ann;1;0\n"),
    "ranked-text": ("x.tok", "==== 1 ====\nText .\n==== 2 ====\nText .\n"),
    "wiki-727k": ("x", "========,1,preface.\nText.\n"),
    "markdown": ("x.md", "# Title\n\nText.\n"),
    "text": ("x.txt", "Text.\n\nText.\n"),
    "webvtt": ("x.vtt", "WEBVTT\n\n00:00.000 --> 00:06.000\nIntro\n"),
    "srt": ("x.srt", "1\n00:00:00,000 --> 00:00:06,000\nIntro\n"),
    "youtube": ("x.txt", "0:00 Intro\n0:12 Middle\n0:30 End\n"),
    "yt-dlp": ("x.info.json", '{"id": "a", "chapters": [{"start_time": 0, "end_time": 6.0}]}'),
    "chapters": ("x.json", '{"version": "1.2.0", "chapters": [{"startTime": 0}]}'),
    "label-studio": ("x.json", '[{"id": 1, "annotations": [], "data": {"text": "a"}}]'),
    "doccano": ("x.jsonl", '{"id": 1, "text": "a", "label": []}\n'),
    "brat": ("x.ann", "T1\tSegment 0 1\ta\n"),
    "textgrid": ("x.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n'),
    "elan": ("x.eaf", '<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT AUTHOR="">\n'),
    "audacity": ("x.txt", "0.000000\t12.500000\tintro\n"),
    "lab": ("x.lab", "0.0 12.5 intro\n"),
    "webanno-tsv": ("x.tsv", "#FORMAT=WebAnno TSV 3.3\n\n"),
    "uima-xmi": ("x.xmi", '<?xml version="1.0"?>\n<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">'),
    "uima-json": ("x.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}'),
}
BY_SUFFIX_ONLY = {"markdown", "text", "lab", "ctm"}


def test_every_reader_has_an_example() -> None:
    assert EXAMPLES.keys() == FORMATS.keys() - WRITTEN.keys() - {"llm"}  # which must be asked for


@pytest.mark.parametrize("name", EXAMPLES)
def test_recognised(name: str, tmp_path: Path) -> None:
    file, content = EXAMPLES[name]
    path = tmp_path / file
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes(content.encode(encoding))
        assert recognise(path).name == name
    likely = {
        format_name for format_name, kind in FORMATS.items() if kind.matches(content.split("\n"))
    }
    assert likely == ({name} if name not in BY_SUFFIX_ONLY else set())


def asking_all(source: Source, lines: list[str], likely: list[Format]) -> str:
    """The rule of `recognise`, literally: every format is asked, without a look for signs."""
    suffix = source.suffix
    called = [kind for kind in FORMATS.values() if suffix in suffixes_of(kind)]
    both = [kind for kind in called if kind in likely]
    if both:
        return both[0].name
    if len(likely) == 1:
        if likely == [FORMATS["gaps"]]:
            refuse_guess(source)
        return likely[0].name
    if not likely:
        if suffix == ".json":
            json_value(source, source.read_text(), "codings in JSON")
        elif called and not opening_keys(lines):
            if FORMATS["table"] in called and not {"document", "coder"} <= set(header_of(lines)):
                return "table"
            return called[0].name
    raise source.fail(
        "the format is not clear"
        + (f" (perhaps {', '.join(kind.name for kind in likely)})" if likely else "")
        + f": expected format=, one of {', '.join(FORMATS)}"
    )


def decision(decide: Callable[[], str]) -> str:
    try:
        return decide()
    except ss.SegmentationError as error:
        return str(error)


CONTENTS = {content for _, content in EXAMPLES.values()} | {
    sample.content for sample in SAMPLES.values()
}
TEXT_SUFFIXES = ("", ".other", *registry.all_suffixes() - {*registry.TABLES}, ".md", ".txt")


@pytest.mark.parametrize("content", sorted(CONTENTS))
def test_under_every_suffix_the_decision_is_that_of_asking_all(
    content: str, tmp_path: Path
) -> None:
    for text in (
        content,
        "\n \n" + content,
        content.upper(),
        content[1:],
        content[: len(content) // 2],
        "# A, b\n" + content,
        content + '\n"data": "start" 0:00 SPEAKER --> <xmi:XMI',
    ):
        lines, likely = None, None
        for suffix in TEXT_SUFFIXES:
            path = tmp_path / f"x{suffix}"
            path.write_text(text)
            source = Source(path, "x", "")
            if lines is None:  # the same under every suffix
                lines = first_lines(source)
                likely = [kind for kind in FORMATS.values() if kind.matches(lines)]
            literally = decision(partial(asking_all, source, lines, likely))
            assert decision(lambda source=source: recognise(source).name) == literally


@pytest.mark.parametrize(
    ("name", "content", "expected", "most"),
    [
        ("reference.jsonl", SAMPLES["jsonl"].content, "jsonl", 1),
        ("x.json", SAMPLES["segeval-json"].content, "segeval-json", 1),
        ("x.csv", SAMPLES["csv"].content, "csv", 1),
        ("x.csv", SAMPLES["levels"].content, "levels", 1),
        ("x.csv", SAMPLES["wide"].content, "wide", 2),
        ("x.tsv", SAMPLES["segeval-tsv"].content, "segeval-tsv", 2),
        ("x.md", "# A guide, with [links](a.md)\n\nText: 12 pages.\n", "markdown", 3),
        ("x.txt", "First, a sentence.\n\nSecond, another.\n", "text", 3),
        *((file, content, name, 4) for name, (file, content) in EXAMPLES.items()),
        *((sample.name, sample.content, name, 4) for name, sample in SAMPLES.items() if name != "llm"),
    ],
)  # fmt: skip
def test_few_formats_are_asked_and_the_file_is_read_once(
    name: str,
    content: str,
    expected: str,
    most: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: Counter[str] = Counter()

    def counting(kind: ss.io.Format) -> ss.io.Format:
        def matches(lines: list[str]) -> bool:
            calls["matches"] += 1
            return kind.matches(lines)

        return kind if kind.name in BY_SUFFIX_ONLY else replace(kind, matches=matches)

    def opened(source: Source) -> object:
        calls["opened"] += 1
        return opening(source)

    opening = Source.open
    monkeypatch.setattr(Source, "open", opened)
    monkeypatch.setattr(
        registry, "FORMATS", {name: counting(kind) for name, kind in FORMATS.items()}
    )
    path = tmp_path / name
    path.write_text(content)
    assert recognise(path).name == expected
    assert calls["matches"] <= most
    assert calls["opened"] == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_read_and_not_written(name: str, tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict({"a": {"b": ss.Segmentation.from_masses([1])}})
    with pytest.raises(ss.SegmentationError) as error:
        ss.write(corpus, tmp_path / "x", name)
    assert re.search(f"{re.escape(FORMATS[name].title)}.*{name}.*not written", str(error.value))


def run(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


def test_commands(tmp_path: Path) -> None:
    for name, middle in (("ref", "0:00:12,000"), ("hyp", "0:00:20,000")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "talk.srt").write_text(
            f"1\n0:00:00,000 --> {middle}\nA\n\n2\n{middle} --> 0:01:00,000\nB\n"
        )
    ref, hyp, out = tmp_path / "ref", tmp_path / "hyp", tmp_path / "out.jsonl"
    code, _, stderr = run("convert", ref, out, "--units", "seconds:6")
    assert (code, stderr) == (0, f"{ref}: 1 document, 1 coder (ref), 10 units (seconds:6)\n")
    assert json.loads(out.read_text())["masses"] == [2, 8]
    code, shown, stderr = run(
        "score", ref, hyp, "-m", "f1", "--units", "seconds:6", "--read", "policy=snap"
    )
    assert code == 0
    assert "f1" in shown
    assert re.search(r"talk\.srt.*document 'talk'.*coder 'hyp'.*2.*edge inside", stderr)
    code, _, stderr = run("compare", ref, hyp, "-m", "f1", "--units", "seconds:2", "--no-scale")
    assert code == 0, stderr


def test_warnings_by_default(tmp_path: Path) -> None:
    path = tmp_path / "x.lab"
    path.write_text("0 7 a\n7 12 b\n")
    with pytest.warns(ss.io.ReadingWarning, match="2.*edge inside"):
        corpus = ss.read(path, units="seconds:6", policy="snap")
    assert corpus["x"]["x"].masses.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param(
            "x.eaf", b'<!DOCTYPE a [<!ENTITY b "c">]><ANNOTATION_DOCUMENT>&b;</ANNOTATION_DOCUMENT>',
            r"x\.eaf.*DTD.*entity",
            marks=needs("readers")),
        ("x.vtt", b"WEBVTT\r\r00:00.000 --> \r", r"x\.vtt.*line 3.*'00:00\.000 --> '.*times.*00:00:00\.000.*00:00:12\.500"),
        ("x.zip", b"PK", r"x\.zip.*not a zip file"),
        ("x.lab", b"0 1 \xff\n", r"x\.lab.*line 1.*0xff.*utf-8"),
        ("x.srt", b"1\n00:00:00,000 --> 00:00:06,000\n\0", r"x\.srt.*line 3.*NUL byte"),
    ],
)  # fmt: skip
def test_hostile_files_end_with_2_and_one_line(
    name: str, content: bytes, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    arguments = ["convert", str(path), str(tmp_path / "out.jsonl"), "--units", "seconds:6"]
    assert cli_run(arguments) == 2
    shown = " ".join(f"segscore: {tmp_path}/{expected}".split())
    assert re.search(shown, capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == [path]


def test_formats_stand_under_their_own_names() -> None:
    assert [kind.name for kind in registry.FORMATS.values()] == list(registry.FORMATS)
    written = {name for name, kind in registry.FORMATS.items() if kind.is_written}
    assert written == set(registry.WRITTEN)
