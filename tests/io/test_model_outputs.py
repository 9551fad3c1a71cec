"""Answers of language models: files, scores, failures (their shapes: test_answer_shapes.py)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run

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
        (
            {"custom_id": "a", "response": {"body": {"choices": []}}},
            "response.body.choices has 0 choices",
        ),
        (
            {"custom_id": "a", "response": {"body": {"choices": [{}, {}]}}},
            "response.body.choices has 2 choices",
        ),
    ):
        Path(out).write_text(json.dumps(line))
        with pytest.raises(ss.SegmentationError, match=f"line 1: document 'a': {message}"):
            ss.answers.read(out, ref, **ASKED)
