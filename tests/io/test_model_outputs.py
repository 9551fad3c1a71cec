"""Answers of language models: which form they have, what they mean, and why some mean nothing."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.cli import run

UNITS = [
    "It was raining in the city.", "The streets were empty.", "Then the bus came.",
    "Nobody got in.", "The driver smiled at us.", "We went home late.",
    "Dinner was cold by then.", "We ate it anyway.",
]  # fmt: skip
PARTS = [" ".join(UNITS[:2]), " ".join(UNITS[2:5]), " ".join(UNITS[5:])]
STARTS = [UNITS[0], UNITS[2], UNITS[5]]
CHANGED = [part.replace("city", "town").replace("us.", "me.") for part in PARTS]


def read_one(text: Any, **options: Any) -> Any:
    return ss.read_outputs({"d": text}, {"d": UNITS}, **options).rows[0]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('Sure:\n```json\n{"starts": [0, 2, 5]}\n```\nAnything else?', "JSON in a fence, starts"),
        ("[0, 2, 5]", "JSON, starts"),
        ('{"segments": ["0", "2", "5"]}', "JSON, starts"),
        ("[[0, 1], [2, 4], [5, 7]]", "JSON, (start, end) pairs"),
        ("[[1, 2], [3, 5], [6, 8]]", "JSON, (start, end) pairs"),
        ("[[0, 2], [2, 5], [5, 8]]", "JSON, (start, end) pairs"),
        ("[[0, 1], [2, 3, 4], [5, 6, 7]]", "JSON, numbers of all units"),
        (json.dumps(STARTS), "JSON, quotations"),
        (json.dumps(["It was raining…", "Then the bus", "We went"]), "JSON, quotations"),
        (
            '["It was raining in this city.", "Then a bus came.", "We went home rather late."]',
            "JSON, quotations, with changes",
        ),
        (json.dumps(PARTS), "JSON, quotations, all of the text"),
        (json.dumps(CHANGED), "JSON, quotations, all of the text, with changes"),
        ("0, 2, 5", "list of starts"),
        ("Segment starts: 0, 2, 5.", "list of starts"),
        ("0\n2\n5\n", "list of starts"),
        ("\n".join(f"{i + 1}. {start}" for i, start in enumerate(STARTS)), "lines of quotations"),
        ("They begin so:\n" + "\n".join(f'- "{start}"' for start in STARTS), "lines of quotations"),
        ("\n---\n".join(PARTS), "text copied with separators"),
        (" [SEP] ".join(PARTS), "text copied with separators"),
        ("```\n" + "\n=====\n".join(PARTS) + "\n```", "text copied with separators"),
        ("\n***\n".join(CHANGED), "text copied with separators, with changes"),
    ],
)  # fmt: skip
def test_forms(text: str, form: str) -> None:
    row = read_one(text)
    assert (row.reason, row.boundaries, row.form) == (None, [2, 5], form)


@pytest.mark.parametrize(
    "text",
    [
        '[{"title": "Rain", "start": 0}, {"title": "Bus", "start": 2}, {"title": "Home", "start": 5}]',
        '{"chapters": [{"topic": "Rain", "start": 1, "end": 2}, {"topic": "Bus", "start": 3, '
        '"end": 5}, {"topic": "Home", "start": 6, "end": 8}]}',
        '[{"name": "Rain", "sentences": [0, 1]}, {"name": "Bus", "sentences": [2, 3, 4]}, '
        '{"name": "Home", "sentences": [5, 6, 7]}]',
        '{"Rain": 0, "Bus": 2, "Home": 5}',
        '{"Rain": [0, 1], "Bus": [2, 4], "Home": [5, 7]}',
        '{"0": "Rain", "2": "Bus", "5": "Home"}',
        '{"starts": [0, 2, 5], "titles": ["Rain", "Bus", "Home"]}',
        '[[0, "Rain"], [2, "Bus"], [5, "Home"]]',
        "Rain: 0\nBus: 2\nHome: 5",
        "0: Rain\n2: Bus\n5: Home",
        "[0] Rain\n[2] Bus\n[5] Home",
        "Sentences 1-2: Rain\nSentences 3-5: Bus\nSentences 6-8: Home",
        "1. Rain (sentences 1–2)\n2. Bus (sentences 3–5)\n3. Home (sentences 6–8)",
        f"## Rain\n{PARTS[0]}\n## Bus\n{PARTS[1]}\n## Home\n{PARTS[2]}",
        f"== Rain ==\n{PARTS[0]}\n== Bus ==\n{PARTS[1]}\n== Home ==\n{PARTS[2]}",
        json.dumps([{"title": t, "text": part} for t, part in zip(("Rain", "Bus", "Home"), PARTS)]),  # noqa: B905
        json.dumps([{"title": t, "start": start} for t, start in zip(("Rain", "Bus", "Home"), STARTS)]),  # noqa: B905
    ],
)  # fmt: skip
def test_titles_are_labels(text: str) -> None:
    outputs = ss.read_outputs({"d": text}, {"d": UNITS})
    assert outputs.failures == {}
    assert outputs["d"] == ss.Segmentation.from_masses(
        [2, 3, 3], segment_labels=["Rain", "Bus", "Home"]
    )
    assert "title" in (outputs.rows[0].form or "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[0, 3, 12]", "12 is out of range: expected numbers 0 … 7"),
        ("[0, 8]", "8 is out of range"),
        ("[-1, 3]", "-1 is out of range"),
        ("[0, 5, 3]", "3 comes after 5: expected ascending numbers"),
        ("[0, 3, 3]", "3 is given twice"),
        ('{"starts": [0, 2], "titles": ["a"]}', "1 titles, and 2 segments"),
        ("[[0, 1], [3, 7]]", "units between them are in none"),
        ("[[0, 3], [2, 7]]", "they overlap"),
        ("[[0, 1], [2, 5]]", "they have 6 units, and the document has 8"),
        ("[[3, 4], [5, 7]]", "the first segment starts at 3: expected 0 or 1"),
        (json.dumps([UNITS[0], "A dragon flew over the castle."]), "'A dragon flew .* is not in"),
        (json.dumps([UNITS[5], UNITS[2]]), "is not in the document after unit 6"),
        (json.dumps([UNITS[0], "the bus came."]), "segment 2 begins inside unit 3, after 'Then'"),
        ("A wet day downtown.\n---\nA bus arrived and nobody took it, so it left again.", "rewritten"),
        ("\n---\n".join(PARTS[:2]), "cut off in the middle: the copy ends after unit 5 of 8"),
        ("\n---\n".join(CHANGED[:2]), "cut off in the middle: the copy ends after unit 5 of 8"),
        ("\n---\n".join([PARTS[0], PARTS[2]]), "the copy leaves out text of unit 3"),
        ('```json\n{"segments": [{"title": "Rain", "start": 0}, {"title": "Bu', "cut off in the"),
        ("[0, 2, 5", "cut off in the middle: the JSON does not end"),
        ("I'm sorry, but I can’t help with that.", "a refusal: "),
        ("As an AI model, I cannot read this.", "a refusal: "),
        ("", "the output is empty"),
        (None, "the output is empty"),
        ('{"lengths": [2, 3, 3]}', "called 'lengths': expected starts"),
        ('{"Rain": [0, 7]}', "may be a title with a pair, or the name of a list"),
        ("[0, 2.5]", "a list that holds 0 and 2.5"),
        ("[]", "expected a list of segments"),
        ("[0, 2]\n[0, 3]", "2 different answers in JSON"),
        ("The text is well structured.", "is not in the document"),
        ("1. Rain\n2. Bus\n3. Home", "'Rain', is not in the document"),
        ("[" * 100_000, "nested too deeply|does not end"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "a number is too long"),
        ("x" * 1_000_000, "many times the document's"),
        ("[\n" * 50_000, "nested too deeply|does not end"),
        ("--a" + "-" * 90_000 + "b", "is not in|rewritten|no words"),
    ],
)  # fmt: skip
def test_failures_say_why(text: str | None, reason: str) -> None:
    row = read_one(text)
    assert row.boundaries is None
    assert re.search(reason, row.reason), row.reason


def test_numbers_that_decide_nothing_are_asked_about() -> None:
    for text in ("[3, 5]", "[1, 5]", "Rain: 1\nBus: 5"):
        with pytest.raises(
            ss.SegmentationError, match="document 'd': .* expected base=0 or base=1"
        ):
            read_one(text)
    assert read_one("[3, 5]", base=0).boundaries == [3, 5]
    assert read_one("[3, 5]", base=1).boundaries == [2, 4]
    assert read_one("[1, 8]").boundaries == [7]  # 8 of 8 units: they count from 1
    with pytest.raises(ss.SegmentationError, match="base is 2"):
        read_one("[3]", base=2)


def test_a_copy_line_by_line_is_no_list_of_starts() -> None:
    assert "may be a copy of the text" in read_one("\n".join(UNITS)).reason
    assert "may be a copy of the text" in read_one("\n".join(UNITS[:4])).reason
    assert read_one("\n".join(f"- {unit}" for unit in UNITS)).boundaries == [*range(1, 8)]
    assert read_one("\n".join(UNITS[:2])).boundaries == [1]


def test_text_beside_numbers_tells_how_they_count() -> None:
    text = "1: It was raining in the city.\n3: Then the bus came.\n6: We went home"
    row = read_one(text)
    assert (row.boundaries, row.form) == ([2, 5], "lines of quotations with starts")
    assert "numbers count from 1" in read_one(text, base=0).reason
    found = [{"title": start, "start": UNITS.index(start)} for start in STARTS]
    assert read_one(json.dumps(found)).boundaries == [2, 5]
    assert "expected base" not in str(read_one(json.dumps(found)).reason)


def test_repeated_sentences_are_not_guessed() -> None:
    units = ["Yes.", "No.", "Yes.", "No.", "Well."]
    row = ss.read_outputs({"d": '["Yes.", "No."]'}, {"d": units}).rows[0]
    assert "also fit elsewhere" in row.reason
    copied = ss.read_outputs({"d": "Yes. No.\n---\nYes. No. Well."}, {"d": units}).rows[0]
    assert copied.boundaries == [2]


def test_similarity_and_separator() -> None:
    text = '["It was raining in this city.", "Then a bus came.", "We went home rather late."]'
    assert read_one(text, similarity=0.9).boundaries is None
    lines = "\n\n".join(part.replace(". ", ".\n") for part in PARTS)
    assert "blank lines between some of them: separator=" in read_one(lines).reason
    assert read_one(lines, separator="\n\n").boundaries == [2, 5]
    blank = "\n\n".join(PARTS)
    assert read_one(blank).boundaries == [2, 5]  # lines that are all of the text
    assert read_one(blank, separator="\n\n").form == "text copied with separators"
    assert read_one(" @@ ".join(PARTS), separator="@@").boundaries == [2, 5]


@given(st.sets(st.integers(1, 7)), st.sampled_from([0, 1]), st.randoms())
def test_starts_come_back(boundaries: set[int], base: int, rng: random.Random) -> None:
    starts = [base, *(boundary + base for boundary in sorted(boundaries))]
    forms = [
        json.dumps(starts),
        "```json\n" + json.dumps({"starts": starts}) + "\n```",
        ", ".join(map(str, starts)),
        json.dumps([UNITS[start - base] for start in starts]),
    ]
    row = read_one(rng.choice(forms), base=base)
    assert (row.reason, row.boundaries) == (None, sorted(boundaries))


@given(st.text(max_size=80))
def test_any_text_has_a_segmentation_or_a_reason(text: str) -> None:
    row = read_one(text, base=0)
    assert (row.boundaries is None) == (row.reason is not None)


# ---- what is made of them ----


OUTPUTS = {"a": "[0, 2, 5]", "b": "I cannot do that.", "c": json.dumps(STARTS)}
REFS = {name: ss.Segmentation.from_masses([2, 3, 3]) for name in OUTPUTS}


def test_outputs_are_scored_as_they_are() -> None:
    outputs = ss.read_outputs(OUTPUTS, dict.fromkeys(OUTPUTS, UNITS))
    assert list(outputs) == ["a", "c"]
    assert outputs.failures == {"b": "a refusal: 'I cannot do that.'"}
    with pytest.raises(ss.SegmentationError, match="no hypothesis for 'b' .'b': a refusal"):
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
        "document": "a", "form": "JSON, starts", "boundaries": [2, 5], "reason": None,
    }  # fmt: skip


def test_all_outputs_may_fail() -> None:
    outputs = ss.read_outputs(dict.fromkeys(OUTPUTS, "No."), dict.fromkeys(OUTPUTS, UNITS))
    assert ss.score(REFS, outputs, "pk", missing="worst")["pk"].micro == 1
    refs = ss.Corpus.from_dict({k: {"r": v} for k, v in REFS.items()})
    assert ss.score(refs, outputs.corpus, "pk", missing="worst")["pk"].micro == 1
    made = ss.compare(REFS, systems={"m": outputs}, metrics="pk", missing="worst", n_resamples=9)
    assert made["m", "pk"].value == 1


def test_units_may_be_numbers_or_a_corpus() -> None:
    assert ss.read_outputs({"a": "[0, 2]"}, {"a": 8})["a"].boundaries.tolist() == [2]
    with pytest.raises(
        ss.SegmentationError, match="'a': the output quotes text, and only the number"
    ):
        ss.read_outputs({"a": json.dumps(STARTS)}, {"a": 8})
    corpus = ss.Corpus.from_dict({"a": {"r": REFS["a"]}}, units={"a": UNITS})
    assert len(ss.read_outputs({"a": json.dumps(STARTS)}, corpus)) == 1
    assert len(ss.read_outputs({"a": "[0, 2]"}, REFS)) == 1
    for units, message in (({"b": 8}, "document 'a' has no units"), ({"a": "x"}, "expected the texts"),
                           (3, "expected a mapping"), ({"a": []}, "expected a text for each")):  # fmt: skip
        with pytest.raises(ss.SegmentationError, match=message):
            ss.read_outputs({"a": "[0]"}, units)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="outputs is 3"):
        ss.read_outputs(3, {"a": 8})  # type: ignore[arg-type]


def write_files(folder: Path) -> tuple[str, str]:
    lines = [{"document": k, "masses": [2, 3, 3], "units": UNITS} for k in OUTPUTS]
    ref, out = folder / "ref.jsonl", folder / "model.jsonl"
    ref.write_text("\n".join(map(json.dumps, lines)))
    out.write_text("\n".join(json.dumps({"document": k, "output": v}) for k, v in OUTPUTS.items()))
    return str(ref), str(out)


def test_files(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    expected = ss.read_outputs(OUTPUTS, ref).to_dicts()
    assert ss.read_outputs(out, ref).to_dicts() == expected
    whole = tmp_path / "all.json"
    whole.write_text(json.dumps(OUTPUTS))
    assert ss.read_outputs(whole, ref).to_dicts() == expected
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in OUTPUTS.items():
        (folder / f"{name}.txt").write_text(text)
    assert ss.read_outputs(folder, ref).to_dicts() == expected
    for text, message in (
        ('{"document": "a"}', "model.jsonl, line 1: document 'a' has no output"),
        ('{"document": "", "output": ""}', "document is ''"),
        ("[]", "expected an object with"),
        ("{", "not JSON"),
    ):
        Path(out).write_text(text)
        with pytest.raises(ss.SegmentationError, match=message):
            ss.read_outputs(out, ref)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, out = write_files(tmp_path)
    assert run(["score", ref, out, "--from", "llm", "-m", "pk"]) == 2
    assert "'b': a refusal" in capsys.readouterr().err
    command = ["score", ref, out, "--from", "llm", "-m", "pk", "--missing", "worst", "-f", "json"]
    assert run(command) == 0
    done = capsys.readouterr()
    (row,) = json.loads(done.out)
    assert (row["system"], row["failed"], round(row["macro"], 4)) == ("model", 1, 0.3333)
    assert "3 outputs: JSON, starts 1, no segmentation 1, JSON, quotations 1" in done.err
    command = [
        "compare",
        ref,
        out,
        "--hyp-from",
        "llm",
        "-m",
        "pk",
        "--missing",
        "none",
        "-f",
        "json",
    ]
    assert run([*command, "--resamples", "9"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["failed"] == 1
    lines = [{"document": k, "masses": [2, 3, 3]} for k in OUTPUTS]
    Path(ref).write_text("\n".join(map(json.dumps, lines)))  # without text
    Path(out).write_text(
        "\n".join(json.dumps({"document": k, "output": "[1, 3]"}) for k in OUTPUTS)
    )
    assert run(["score", ref, out, "--from", "llm", "-m", "pk"]) == 2
    assert "--base" in capsys.readouterr().err
    assert run(["score", ref, out, "--from", "llm", "-m", "pk", "--base", "1", "-f", "json"]) == 0
    both = str(tmp_path / "both.jsonl")
    Path(both).write_text(json.dumps({"document": "a", "masses": [2, 3, 3], "units": UNITS}))
    copied = "\n\n".join(part.replace(". ", ".\n") for part in PARTS)
    Path(out).write_text(json.dumps({"document": "a", "output": copied}))
    assert run(["score", both, out, "--from", "llm", "-m", "pk", "--separator", r"\n\n"]) == 0
    lines = [{"document": k, "output": v} for k, v in OUTPUTS.items() if k != "c"]
    Path(out).write_text("\n".join(map(json.dumps, lines)))
    with pytest.warns(ss.io.ReadingWarning, match="2 outputs: JSON, starts 1, no segmentation 1"):
        found = ss.score(ref, out, "pk", hypothesis_format="llm", missing="worst")
    assert found["pk"].values.tolist() == [0, 1, 1]
    assert found.failures is not None
    assert list(found.failures.reasons.values()) == [
        "a refusal: 'I cannot do that.'",
        "no hypothesis",
    ]
    Path(out).write_text(json.dumps({"document": "new", "output": "[0]"}))
    assert run(["score", ref, out, "--from", "llm"]) == 2
    assert "document 'new' has no units" in capsys.readouterr().err
    with pytest.raises(ss.SegmentationError, match="do not hold the document"):
        ss.read(out, "llm")


# ---- marks inside lines, labels of units, names of lists, words around ----

LABELS = {at: "B" if at in (0, 2, 5) else "I" for at in range(8)}
TOPICS = {at: "ABC"[(at > 1) + (at > 4)] for at in range(8)}


@pytest.mark.parametrize(
    "mark", [" | ", "|", " // ", " <br> ", "<SEG>", " <topic_break> ", "\n|\n"]
)
def test_marks_inside_lines(mark: str) -> None:
    row = read_one(mark.join(PARTS))
    assert (row.reason, row.boundaries) == (None, [2, 5])
    assert repr(mark.strip()) in row.form
    assert read_one(mark.join(CHANGED)).boundaries == [2, 5]


def test_a_copy_with_unknown_marks_is_no_single_segment() -> None:
    two = f"{PARTS[0]} <br> {PARTS[1]} <SEG> {PARTS[2]}"
    assert "'<br>' and '<SEG>' in it: separator= " in read_one(two).reason
    assert read_one(two.replace("<br>", "<SEG>")).boundaries == [2, 5]
    text = " NEXT ".join(PARTS)
    assert "separator= (--separator)" in read_one(text).reason
    assert read_one(text, separator="NEXT").boundaries == [2, 5]
    lines = "\n".join(UNITS).replace("city", "town")  # line by line, with a change
    assert "line by line, with changes" in read_one(lines).reason
    assert read_one(" ".join(PARTS)).boundaries == []  # nothing was added
    units = ["a | b.", "c | d.", "e | f."]  # the document's own sign is no mark
    assert ss.read_outputs({"d": " ".join(units)}, {"d": units})["d"].n_segments == 1


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("\n".join(f"[{at}] {label}" for at, label in LABELS.items()), "B starts a segment"),
        ("\n".join(f"{at + 1}: {label}" for at, label in LABELS.items()), "B starts a segment"),
        (json.dumps([*LABELS.values()]), "B starts a segment"),
        (json.dumps({str(at + 1): topic for at, topic in TOPICS.items()}), "names of segments"),
        ('{"topic_ids": [0, 0, 1, 1, 1, 2, 2, 2]}', "names of segments"),
        ("[1, 1, 2, 2, 2, 3, 3, 3]", "names of segments"),
        ("\n".join(f"{at + 1}: Topic {topic}" for at, topic in TOPICS.items()), "names of segments"),
    ],
)  # fmt: skip
def test_labels_of_all_units(text: str, meaning: str) -> None:
    row = read_one(text)
    assert (row.reason, row.boundaries) == (None, [2, 5])
    assert row.form.endswith(f"labels of all units, {meaning}")


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{at}: {int(at in (2, 5))}" for at in range(8)),
        "\n".join(f"{at + 1}. {'Yes' if at in (2, 5) else 'No'}" for at in range(8)),
        "[0, 0, 1, 0, 0, 1, 0, 0]",
        '{"labels": [0, 0, 1, 0, 0, 1, 0, 0]}',
        json.dumps({str(at + 1): int(at in (2, 5)) for at in range(8)}),
    ],
)  # fmt: skip
def test_zeros_and_ones_are_asked_about(text: str) -> None:
    assert "a label 0 or 1: marks='start' or 'end' (--marks)" in read_one(text).reason
    assert read_one(text, marks="start").boundaries == [2, 5]
    assert read_one(text, marks="end").boundaries == [3, 6]
    assert read_one("[0, 0, 0, 0, 0, 1, 1, 1]", marks="ids").boundaries == [5]


@pytest.mark.parametrize("given", ["BIOBIOBI", "SSNSSNSS", "BIEBIEBI", ["same"] * 7 + ["new"]])
def test_labels_that_may_be_marks_are_failures(given: Any) -> None:
    assert read_one(json.dumps([*given])).reason.startswith("labels ")


def test_what_lists_are_called() -> None:
    for text in ('{"boundaries": [2, 5, 8]}', '{"boundaries": [2, 5]}', '{"ends": [2, 5, 8]}',
                 '{"ends": [1, 4, 7]}', '[{"end": 2}, {"end": 5}, {"end": 8}]',
                 '{"boundary_after": [2, 5, 8]}'):  # fmt: skip
        assert read_one(text).boundaries == [2, 5], text
    assert read_one('{"boundary_after": [0, 4]}').boundaries == [1, 5]
    assert read_one('{"boundary_after": [2, 5]}', base=0).boundaries == [3, 6]
    assert read_one('{"boundaries": []}').boundaries == []
    with pytest.raises(ss.SegmentationError, match="expected base"):
        read_one('{"boundary_after": [2, 5]}')
    assert "0 is not a boundary" in read_one('{"boundaries": [0, 2, 5]}').reason
    assert "the last segment ends at 5" in read_one('{"ends": [2, 5]}').reason
    for text in ("Boundaries: 2, 5, 8", "Boundaries: [2, 5, 8]", "The boundaries:\n[2, 5, 8]",
                 "{'boundaries': [2, 5, 8]}"):  # fmt: skip
        assert "may be starts, or positions" in read_one(text).reason, text
    assert read_one("The boundaries:\n[0, 2, 5]").boundaries == [2, 5]


SPANS = "Segment 1: 1-2\nSegment 2: 3-5\nSegment 3: 6-8"


@pytest.mark.parametrize(
    "text",
    [
        "Sure! [0, 2, 5]",
        "The segments start at [0, 2, 5].",
        "**Answer:** `[0, 2, 5]`",
        '{"starts": [0, 2, 5]} Hope it helps.',
        'Sure! {"starts": [0, 2, 5]}\nHope it helps.',
        "[0, 2, 5] because the topic changes at 2 and 5.",
        r"\boxed{[0, 2, 5]}",
        "The first topic is [0, 1], I think.\n\nFinal answer: [0, 2, 5]",
        f"Here they are:\n\n{SPANS}\n\nLet me know!",
        "I see three parts:\n\n1. **Rain** (1-2): It rains.\n2. **Bus** (3-5): 1 bus comes.\n"
        "3. **Home** (6-8): They eat.\n\nLet me know if you want more.",
        "Segment 1: [1, 2]\nSegment 2: [3, 4, 5]\nSegment 3: [6, 7, 8]",
        '{"start": 1, "end": 2}\n{"start": 3, "end": 5}\n{"start": 6, "end": 8}',
    ],
)
def test_words_around_answers(text: str) -> None:
    row = read_one(text)
    assert (row.reason, row.boundaries) == (None, [2, 5])


def test_lists_between_words_are_not_guessed() -> None:
    assert read_one("It may be [0, 2] or [0, 5].").boundaries is None
    assert read_one("After some thought: [0, 2, 5]").boundaries == [2, 5]
    units = ["See [1, 2].", "It is so.", "Or not."]  # the list is the document's own
    assert ss.read_outputs({"d": "See [1, 2]. It is so."}, {"d": units}).failures["d"]


# ---- files: failures that were written, batches, baselines beside answers ----


def test_failures_are_written_and_read_back(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    made = tmp_path / "made.jsonl"
    assert run(["convert", out, str(made), "--from", "llm", "--text", ref]) == 0
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
    plain = ss.read_outputs({"a": "[0, 2]", "b": "No."}, {"a": 8, "b": 8}).corpus
    with pytest.raises(ss.SegmentationError, match="cannot hold why an output gave no coding"):
        ss.write(plain, tmp_path / "made.csv")
    made.write_text('{"document": "b", "failure": "x", "masses": [2]}')
    with pytest.raises(ss.SegmentationError, match="masses is given, and a failure"):
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
    assert ss.read_outputs(out, ref).to_dicts() == ss.read_outputs(OUTPUTS, ref).to_dicts()


def test_results_of_batches_that_are_none(tmp_path: Path) -> None:
    ref, out = write_files(tmp_path)
    failed = {"custom_id": "a", "result": {"type": "errored", "error": {"type": "overloaded"}}}
    Path(out).write_text(json.dumps(failed))
    assert ss.read_outputs(out, ref).failures == {"a": "the output is empty"}
    for line, message in (
        ({"doc_id": "a", "resps": [["[0]", "[0, 2]"]]}, "resps holds 2 answers"),
        ({"custom_id": "a", "response": {"body": {"choices": []}}}, "no answer in response.body"),
        ({"custom_id": "a", "response": {"body": {"choices": [{}, {}]}}}, "2 choices"),
    ):
        Path(out).write_text(json.dumps(line))
        with pytest.raises(ss.SegmentationError, match=f"line 1: document 'a': {message}"):
            ss.read_outputs(out, ref)


def test_baselines_beside_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, out = write_files(tmp_path)
    base = tmp_path / "base.jsonl"
    lines = [{"document": k, "coder": "base", "masses": [4, 4]} for k in OUTPUTS]
    base.write_text("\n".join(map(json.dumps, lines)))
    command = ["compare", ref, str(base), out, "--hyp-from", "llm", "--missing", "none", "-m", "pk"]
    assert run([*command, "--resamples", "9", "-f", "json"]) == 0
    done = capsys.readouterr()
    assert {"base", "model"} <= {row["system"] for row in json.loads(done.out)}
    assert "base.jsonl: codings, not answers of a model" in done.err


def test_answers_are_suggested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, _ = write_files(tmp_path)
    whole = tmp_path / "all.json"
    whole.write_text(json.dumps(OUTPUTS))
    assert run(["score", ref, str(whole)]) == 2
    assert "It could be llm (raw answers of a language model" in capsys.readouterr().err


def test_failures_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = {f"d{i}": "[0, 2, 5]" if i < 15 else "I cannot do that." for i in range(30)}
    lines = [{"document": k, "masses": [2, 3, 3], "units": UNITS} for k in outputs]
    ref, out = tmp_path / "ref.jsonl", tmp_path / "model.json"
    ref.write_text("\n".join(map(json.dumps, lines)))
    out.write_text(json.dumps(outputs))
    command = ["score", str(ref), str(out), "--from", "llm", "-m", "pk"]
    assert run([*command, "--missing", "none"]) == 0
    done = capsys.readouterr()
    assert "no boundary in" not in done.err
    assert done.out.count("15 of 30") == 1
    assert run(command) == 2
    assert "--missing worst as wrong throughout" in capsys.readouterr().err
    out.write_text(json.dumps(dict.fromkeys(outputs, "No.")))
    assert run([*command, "--missing", "none"]) == 0  # nothing is left to look at


@pytest.mark.parametrize(
    "answer",
    [
        "[true, false]", "[null]", '{"a": [null]}', "[1.5]", '{"' + 5000 * "1" + '": "a"}',
        "# " + 600 * " " + 310 * "x", "--" + 2000 * " " + "x", "starts:" + 40000 * " " + "x",
        2000 * "( ",
    ],
)  # fmt: skip
def test_odd_values_and_long_blanks_are_failures(answer: str) -> None:
    found = ss.read_outputs({"d": answer}, {"d": ["One two three.", "Four.", "Five."]}, base=0)
    assert list(found.failures) == ["d"]


def test_outputs_that_are_no_path() -> None:
    for outputs in (b"x", {1}, object(), 5, 5000 * "x", "a\0b"):
        with pytest.raises(ss.SegmentationError, match="expected a"):
            ss.read_outputs(outputs, {"d": ["One."]})  # type: ignore[arg-type]
