"""Answers of language models in the shape that was asked for: answer_cases.json has what each means,
or why it means nothing certain. No answer may be read as anything else than what was meant."""

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from growth import assert_linear
from needs import needs
from segscore.cli import run
from segscore.io.read_options import SHAPES

TABLE = json.loads(Path(__file__).with_name("answer_cases.json").read_text("utf-8"))
U = TABLE["units"]["walk"]
J = json.dumps


def read_one(text: Any, shape: Any, base: int | None = 0, **options: Any) -> Any:
    return ss.answers.read({"d": text}, {"d": U}, shape=shape, base=base, **options).to_dicts()[0]


def objects(**columns: Any) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


# ---- the table ----


KINDS = dict.fromkeys((row[0], (*row[5:],)) for row in TABLE["cases"])  # some need an extra


@pytest.mark.parametrize(
    ("shape", "extras"), [pytest.param(*kind, marks=needs(*kind[1])) for kind in KINDS]
)
def test_answers_are_read_as_they_were_meant_or_fail(shape: Any, extras: tuple[str, ...]) -> None:
    wrong = []
    rows = [row for row in TABLE["cases"] if row[0] == shape and (*row[5:],) == extras]
    for _, base, units, text, expected, *_ in rows:
        texts = {"d": TABLE["units"][units]}
        row = ss.answers.read({"d": text}, texts, shape=shape, base=base).to_dicts()[0]
        told = isinstance(expected, str) and row["boundaries"] is None and expected in row["reason"]
        if row["boundaries"] != expected and not told:
            wrong.append((base, text, expected, row))
    assert wrong == []
    assert len(rows) > (60 if extras == () else -1)


# ---- what callers say ----


TITLES = ("Rain", "Bus", "Home")
PARTS = [" ".join(U[:2]), " ".join(U[2:5]), " ".join(U[5:])]
PAIRS = ([0, 1], [2, 4], [5, 7])


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("starts", J(objects(title=TITLES, start=[0, 2, 5]))),
        ("starts", '{"starts": [0, 2, 5], "titles": ["Rain", "Bus", "Home"]}'),
        ("ends", J(objects(heading=TITLES, end=[1, 4, 7]))),
        ("segments", J(dict(zip(TITLES, PAIRS, strict=True)))),
        ("segments", "1. **Rain** (0-1)\n2. Bus (2-4)\n3. Home: 5-7"),
        ("quotations", J(objects(topic=TITLES, start=[U[0], U[2], U[5]]))),
        ("copy", "\n".join(f"## {title}\n{part}" for title, part in zip(TITLES, PARTS, strict=True))),
    ],
)  # fmt: skip
def test_titles_are_labels(shape: Any, text: str) -> None:
    found = ss.answers.read({"d": text}, {"d": U}, shape=shape, base=0)
    assert found.failures == {}
    assert found["d"] == ss.Segmentation.from_masses([2, 3, 3], segment_labels=[*TITLES])
    assert "titles" in (found.to_dicts()[0]["form"] or "")


@pytest.mark.parametrize(
    ("shape", "text", "options", "expected"),
    [
        ("copy", " NEXT ".join(PARTS), {"separator": "NEXT"}, [2, 5]),
        ("copy", PARTS[0], {"separator": "@"}, None),
        ("quotations", J([U[0], "The bus came."]), {"similarity": 0.99}, None),
        ("labels", J([*"BIBIIBII"]), {"base": None}, [2, 5]),
    ],
)
def test_what_callers_say(shape: str, text: str, options: Any, expected: list[int] | None) -> None:
    assert read_one(text, shape, **options)["boundaries"] == expected


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"shape": None}, "shape is missing.*starts.*copy"), ({"shape": "start"}, "shape is 'start'"),
        ({"shape": "starts", "base": None}, "base is missing.*base=0 or base=1"),
        ({"shape": "ends", "base": 2}, "base is 2"), ({"shape": "starts", "base": True}, "base is True"),
        ({"shape": "copy", "similarity": 2}, "similarity"), ({"shape": "copy", "separator": ""}, "separator"),
    ],
)  # fmt: skip
def test_a_choice_that_is_missing_or_wrong_is_named(wrong: Any, named: str) -> None:
    with pytest.raises(ss.SegmentationError, match=named):
        read_one("[0]", **wrong)
    if wrong["shape"] is None:
        with pytest.raises(ss.SegmentationError, match=named):
            ss.answers.read({"d": "[0]"}, {"d": U})


def test_no_object_is_lost() -> None:
    units = [f"Unit {at} says {at}." for at in range(150)]
    columns: Any = {"starts": ("start", range(0, 150, 2)), "quotations": ("text", units[::2])}
    for shape, (key, column) in columns.items():
        text = "\n".join(J({key: each}) for each in column)
        row = ss.answers.read({"d": text}, {"d": units}, shape=shape, base=0).to_dicts()[0]
        assert row["boundaries"] == [*range(2, 150, 2)]


def answers_of(boundaries: list[int], base: int) -> dict[str, list[str]]:
    """Answers in each shape that have these boundaries."""
    cuts = [*pairwise([0, *boundaries, 8])]
    starts, ends = [a + base for a, _ in cuts], [b - 1 + base for _, b in cuts]
    parts = [" ".join(U[a:b]) for a, b in cuts]
    spans = [*zip(starts, ends, strict=True)]
    tags = ["B" if at in (0, *boundaries) else "I" for at in range(8)]
    return {
        "starts": [J(starts), J({"starts": starts}), ", ".join(map(str, starts))],
        "ends": [J(ends), J({"ends": ends}), "\n".join(map(str, ends))],
        "segments": [J(spans), "\n".join(f"{a}-{b}" for a, b in spans), J(objects(start=starts, end=ends))],
        "labels": [J(tags), "\n".join(f"[{at}] {tag}" for at, tag in enumerate(tags, base))],
        "quotations": [J([U[a] for a, _ in cuts]), "\n".join(U[a] for a, _ in cuts)],
        "copy": ["\n---\n".join(parts), J(parts)],
    }  # fmt: skip


@given(st.sets(st.integers(1, 7)), st.sampled_from([0, 1]), st.randoms())
def test_no_segmentation_is_misread(found: set[int], base: int, rng: random.Random) -> None:
    boundaries = sorted(found)
    for shape, answers in answers_of(boundaries, base).items():
        one_by_one = boundaries == [*range(1, len(found) + 1)] and shape in ("quotations", "copy")
        row = read_one(rng.choice(answers), shape, base)
        assert row["boundaries"] == boundaries or (one_by_one and row["reason"]), (shape, row)
        if boundaries and shape in ("starts", "ends", "segments"):
            assert read_one(rng.choice(answers), shape, 1 - base)["boundaries"] is None


@given(
    st.text(max_size=80) | st.text(alphabet="[]{}\"'`:,.|#-*<>/= \n0123456789aBI", max_size=60),
    st.sampled_from(SHAPES),
)
def test_any_text_has_a_segmentation_or_a_reason(text: str, shape: str) -> None:
    row = read_one(text, shape)
    assert (row["boundaries"] is None) == (row["reason"] is not None)


# ---- hostile answers ----


@pytest.mark.parametrize(
    "made",
    [
        lambda n: n * "`", lambda n: n * "." + "a", lambda n: J([n * "." + "a"]), lambda n: n * "```\n",
        lambda n: n * "```json\n[0]\n```\n", lambda n: n * "---", lambda n: n * "---\n",
        lambda n: "--a" + n * "-" + "b", lambda n: n * "=" + n * " " + "x", lambda n: n * "## a\n",
        lambda n: J({f"k{i}": i for i in range(n // 10)}), lambda n: n // 10 * '{"start": 0}\n',
        lambda n: J({f"k{i}": [i, i] for i in range(n // 10)}), lambda n: n * "[", lambda n: n * "[\n",
        lambda n: '{"a":' * n, lambda n: n * "[0] ", lambda n: n * '["', lambda n: n * "{ ",
        lambda n: n * "| ", lambda n: "".join(f"<a{i}>" for i in range(n // 5)), lambda n: n * "1-2 ",
        lambda n: n * "1, ", lambda n: "a: " + n * " " + "x", lambda n: n * "1. a\n",
        lambda n: n * "<think>", lambda n: n * "( ", lambda n: "[" + n * "9" + "]", lambda n: n * "0: a\n",
        lambda n: n * "[0, 1]\n", lambda n: "[0]" + n * " 1", lambda n: n * "\n \n", lambda n: n * "1-2\n",
        lambda n: J({str(i): "B" for i in range(n // 10)}), lambda n: n * "Segment 1: [0, 1]\n",
    ],
)  # fmt: skip
def test_time_grows_with_the_answer(made: Callable[[int], str]) -> None:
    units = ["One two three.", "Four.", "x" * 300_000]

    def work_of(n: int) -> Callable[[], object]:
        text: Any = {"d": made(n)}
        shapes: Any = SHAPES
        return lambda: [
            ss.answers.read(text, {"d": units}, shape=shape, base=0) for shape in shapes
        ]

    assert_linear(work_of, 20_000)


# ---- answers of language models ----


UNITS = [
    "It was raining in the city.", "The streets were empty.", "Then the bus came.",
    "Nobody got in.", "The driver smiled at us.", "We went home late.",
    "Dinner was cold by then.", "We ate it anyway.",
]  # fmt: skip


# ---- what is made of them ----


OUTPUTS = {"a": "[0, 2, 5]", "b": "I cannot do that.", "c": "Starts: 0, 2, 5"}
ASKED: Any = {"shape": "starts", "base": 0}
LLM = ["--from", "llm", "--read", "shape=starts", "--read", "base=0"]
REFS = {name: ss.Segmentation.from_masses([2, 3, 3]) for name in OUTPUTS}


def test_outputs_are_scored_as_they_are() -> None:
    outputs = ss.answers.read(OUTPUTS, dict.fromkeys(OUTPUTS, UNITS), **ASKED)
    assert list(outputs) == ["a", "c"]
    assert outputs.failures == {"b": "a refusal: 'I cannot do that.'"}
    with pytest.raises(ss.SegmentationError, match="no hypothesis.*'b'.*'b'"):
        ss.score(REFS, outputs, "pk")
    found = ss.score(REFS, outputs, "pk", missing="worst")
    assert found["pk"].values.tolist() == [0, 1, 0]
    assert found.to_dicts()[1]["failure"] == "a refusal: 'I cannot do that.'"
    compared = ss.compare(REFS, systems={"m": outputs}, metrics="pk", missing="none", n_resamples=9)
    assert compared.failures["m"].reasons == outputs.failures
    assert outputs.corpus["a"].units == tuple(UNITS)
    assert outputs.corpus.failures == outputs.failures
    refs = ss.Corpus.from_dict({k: {"r": v} for k, v in REFS.items()})
    assert ss.score(refs, outputs.corpus, "pk", missing="worst")["pk"].micro == found["pk"].micro
    assert outputs.to_dicts()[0] == {
        "document": "a", "form": "JSON", "boundaries": [2, 5], "reason": None,
    }  # fmt: skip


def test_a_single_answer_is_scored() -> None:
    metrics = ["windowdiff", "b", "titles"]
    ref = ss.Segmentation.from_masses([2, 3, 3], segment_labels=[*"abc"])
    answer = {
        "segments": [{"start": at, "title": name} for at, name in ((0, "a"), (2, "x"), (6, "c"))]
    }
    found = ss.answers.score(answer, UNITS, ref, metrics, **ASKED)
    expected = ss.Segmentation.from_masses([2, 4, 2], segment_labels=["a", "x", "c"])
    for name in metrics:
        score = ss.metric(name)(ref, expected)
        assert found[name] == score
        counts = {f"{name}.{key}": score.statistics[key] for key in score.statistics.names}
        assert counts.items() <= found.items()
    assert (found["failed"], found["reason"], found["boundaries"]) == (False, None, [2, 6])
    assert json.loads(json.dumps(found)) == found


def test_a_failed_answer_counts() -> None:
    of_one = ss.metric("windowdiff")(REFS["a"], ss.Segmentation.from_masses([8]))
    for missing, value in (("none", of_one), ("worst", 1)):
        found = ss.answers.score("[0, 12]", 8, REFS["a"], "windowdiff", missing=missing, **ASKED)
        assert (found["windowdiff"], found["failed"], found["boundaries"]) == (value, True, None)
        assert "12" in found["reason"]
    with pytest.raises(ss.SegmentationError, match="missing"):
        ss.answers.score("[0]", 8, REFS["a"], "pk", missing="error", **ASKED)


def write_files(folder: Path) -> tuple[str, str]:
    lines = [{"document": k, "masses": [2, 3, 3], "units": UNITS} for k in OUTPUTS]
    ref, out = folder / "ref.jsonl", folder / "model.jsonl"
    ref.write_text("\n".join(map(json.dumps, lines)))
    out.write_text("\n".join(json.dumps({"document": k, "output": v}) for k, v in OUTPUTS.items()))
    return str(ref), str(out)


def test_files(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    expected = ss.answers.read(OUTPUTS, ref, **ASKED).to_dicts()
    assert ss.answers.read(out, ref, **ASKED).to_dicts() == expected
    whole = tmp_path / "all.json"
    whole.write_text(json.dumps(OUTPUTS))
    assert ss.answers.read(whole, ref, **ASKED).to_dicts() == expected
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in OUTPUTS.items():
        (folder / f"{name}.txt").write_text(text)
    assert ss.answers.read(folder, ref, **ASKED).to_dicts() == expected
    for text, message in (
        ('{"document": "a"}', "model.jsonl.*line 1.*document 'a'.*no output"),
        ('{"document": "", "output": ""}', "document is ''"),
        ("[]", "expected an object with"),
        ("{", "not JSON"),
    ):
        Path(out).write_text(text)
        with pytest.raises(ss.SegmentationError, match=message):
            ss.answers.read(out, ref, **ASKED)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, out = write_files(tmp_path)
    assert run(["score", ref, out, *LLM, "-m", "pk"]) == 2
    assert "'b': a refusal" in capsys.readouterr().err
    command = ["score", ref, out, *LLM, "-m", "pk", "--missing", "worst", "-f", "json"]
    assert run(command) == 0
    done = capsys.readouterr()
    (row,) = json.loads(done.out)
    assert (row["system"], row["failed"], round(row["macro"], 4)) == ("model", 1, 0.3333)
    assert re.search("3 outputs.*JSON.*1.*1", done.err)
    assert run([*command, "--per-document"]) == 0
    each = capsys.readouterr().err
    assert re.search(r"'a': starts \(JSON\): boundaries 2, 5\b", each)
    assert "'b': a refusal" in each
    words = ["-m", "pk", "--missing", "none", "-f", "json", "--resamples", "9"]
    assert run(["compare", ref, out, "--hyp-from", *LLM[1:], *words]) == 0
    assert json.loads(capsys.readouterr().out)[0]["failed"] == 1
    lines = [{"document": k, "masses": [2, 3, 3]} for k in OUTPUTS]
    Path(ref).write_text("\n".join(map(json.dumps, lines)))  # without text
    Path(out).write_text(
        "\n".join(json.dumps({"document": k, "output": "[1, 3]"}) for k in OUTPUTS)
    )
    assert run(["score", ref, out, *LLM[:4], "--read", "base=1", "-m", "pk", "-f", "json"]) == 0
    Path(out).write_text(json.dumps({"document": "new", "output": "[0]"}))
    assert run(["score", ref, out, *LLM]) == 2
    assert "document 'new' has no units" in capsys.readouterr().err
    with pytest.raises(ss.SegmentationError, match="hold no document"):
        ss.read(out, "llm")


# ---- files: failures that were written, batches, baselines beside answers ----


def test_failures_are_written_and_read_back(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    made = tmp_path / "made.jsonl"
    assert run(["convert", out, str(made), *LLM, "--text", ref]) == 0
    reason = "a refusal: 'I cannot do that.'"
    assert {"document": "b", "failure": reason} in map(json.loads, made.read_text().splitlines())
    again = ss.read(made)
    assert (again.failures, list(again)) == ({"b": reason}, ["a", "c"])
    twice = tmp_path / "twice.jsonl"
    ss.write(again, twice)
    assert ss.read(twice).failures == again.failures
    assert again.with_details(groups={"a": "g"}).failures == again.failures
    score = ss.score(ss.read(ref), again, "pk", missing="worst")["pk"]
    assert score.values.tolist() == [0, 1, 0]
    plain = ss.answers.read({"a": "[0, 2]", "b": "No."}, {"a": 8, "b": 8}, **ASKED).corpus
    with pytest.raises(ss.SegmentationError, match="cannot hold why"):
        ss.write(plain, tmp_path / "made.csv")
    made.write_text('{"document": "b", "failure": "x", "masses": [2]}')
    with pytest.raises(ss.SegmentationError, match="failure and masses"):
        ss.read(made)


def batch(kind: str, name: str, text: str) -> dict[str, Any]:
    if kind == "openai":
        body = {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
        return {"id": f"r-{name}", "custom_id": name, "response": {"body": body}, "error": None}
    if kind == "anthropic":
        message = {"content": [{"type": "text", "text": text}]}
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}
    return {"doc_id": name, "resps": [[text]], "target": ""}


@pytest.mark.parametrize("kind", ["openai", "anthropic", "lm-eval"])
def test_results_of_batches(kind: str, tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    lines = [batch(kind, name, text) for name, text in OUTPUTS.items()]
    Path(out).write_text("\n".join(map(json.dumps, lines)))
    assert (
        ss.answers.read(out, ref, **ASKED).to_dicts()
        == ss.answers.read(OUTPUTS, ref, **ASKED).to_dicts()
    )


def test_results_of_batches_that_are_none(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    failed = {"custom_id": "a", "result": {"type": "errored", "error": {"type": "overloaded"}}}
    Path(out).write_text(json.dumps(failed))
    assert ss.answers.read(out, ref, **ASKED).failures == {"a": "the output is empty"}
    for line, message in (
        ({"doc_id": "a", "resps": [["[0]", "[0, 2]"]]}, "resps is .*one text per document"),
        ({"custom_id": "a", "response": {"body": {"choices": []}}}, "choices has 0"),
        ({"custom_id": "a", "response": {"body": {"choices": [{}, {}]}}}, "choices has 2"),
    ):
        Path(out).write_text(json.dumps(line))
        with pytest.raises(ss.SegmentationError, match=f"line 1: document 'a': {message}"):
            ss.answers.read(out, ref, **ASKED)
