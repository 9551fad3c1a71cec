"""A table of shapes that answers of language models have: what they mean, or why they mean nothing
certain. No shape may be read as anything else than what was meant."""

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from growth import assert_linear
from needs import needs

U = [
    "It was raining in the city.", "The streets were empty.", "Then the bus came.",
    "Nobody got in.", "The driver smiled at us.", "We went home late.",
    "Dinner was cold by then.", "We ate it anyway.",
]  # fmt: skip
PARTS = [" ".join(U[:2]), " ".join(U[2:5]), " ".join(U[5:])]
STARTS = [U[0], U[2], U[5]]
ENDS = [U[1], U[4], U[7]]
CHANGED = [part.replace("city", "town").replace("us.", "me.") for part in PARTS]
NAMES = ("Rain", "Bus", "Home")
BI, IDS, MARKS = "BIBIIBII", "AABBBCCC", "10100100"
J = json.dumps


def numbered(given: Any, first: int = 0, form: str = "[{}] {}") -> str:
    return "\n".join(form.format(at, entry) for at, entry in enumerate(given, first))


def objects(**columns: Any) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def lines_of_json(**columns: Any) -> str:
    return "\n".join(map(J, objects(**columns)))


# ---- shapes that are certain, and all mean [2, 5] ----


def changed(*case: str) -> Any:
    """A case whose text is not that of the document as it stands."""
    return pytest.param(*case, marks=needs("align"))


READ = [
    "[0, 2, 5]", "```json\n[0, 2, 5]\n```", "```\n[0, 2, 5]\n```", "`[0, 2, 5]`", "[0,\n 2,\n 5]",
    "0, 2, 5", "0\n2\n5\n", "0 2 5", "(0; 2; 5).", "Starts: 0, 2, 5", "Segment starts: [0, 2, 5].",
    '{"starts": [0, 2, 5]}', '{"Start indices": ["0", "2", "5"]}', '{"segments": [0, 2, 5]}',
    'Sure:\n```json\n{"starts": [0, 2, 5]}\n```\nAnything else?',
    'Sure! {"starts": [0, 2, 5]}\nHope it helps.', '{"starts": [0, 2, 5]} Hope it helps.',
    '{"reasoning": "It rains.", "confidence": 3, "starts": [0, 2, 5]}',
    '{"result": {"starts": [0, 2, 5]}}', '{"starts": [0, 2, 5]}\n\n{"starts": [0, 2, 5]}',
    "<think>Perhaps [0, 3]?</think>[0, 2, 5]", "Is it 3?\n</think>\n\n[0, 2, 5]",
    '{"boundaries": [2, 5]}', '{"boundaries": [2, 5, 8]}', '{"boundary_after": [2, 5, 8]}',
    '{"ends": [2, 5, 8]}', J(objects(end=[2, 5, 8])), "Ends: 2, 5, 8",
    "[[0, 1], [2, 4], [5, 7]]", "[[1, 2], [3, 5], [6, 8]]", "[[0, 2], [2, 5], [5, 8]]",
    "Here:\n[[0, 1], [2, 4], [5, 7]]", "[[0, 1], [2, 3, 4], [5, 6, 7]]",
    '{"segments": [[0, 1], [2, 4], [5, 7]]}', lines_of_json(start=[1, 3, 6], end=[2, 5, 8]),
    "```jsonl\n" + lines_of_json(start=[0, 2, 5]) + "\n```",
    J(objects(index=[0, 1, 2], text=PARTS)), J(objects(segment=[1, 2, 3], text=STARTS)),
    J(objects(start=[0, 2, 5], text=STARTS)), J(objects(start=[1, 3, 6], text=PARTS)),
    J(objects(start=[0, 2, 5], confidence=[1, 2, 3])),
    J(objects(id=[1, 2, 3], start=[0, 2, 5], count=[2, 3, 3])),
    J(objects(sentences=[[0, 1], [2, 3, 4], [5, 6, 7]])), J(objects(sentences=[U[:2], U[2:5], U[5:]])),
    "Here they are:\n\nSegment 1: 1-2\nSegment 2: 3-5\nSegment 3: 6-8\n\nLet me know!",
    "1-2\n3-5\n6-8", "Segment 1: [1, 2]\nSegment 2: [3, 4, 5]\nSegment 3: [6, 7, 8]",
    "Sentences 0 to 1\nSentences 2 to 4\nSentences 5 to 7",
    J(STARTS), J(["It was raining…", "Then the bus...", "We went"]), J({"starts": STARTS}),
    changed('["It was raining in this city.", "Then a bus came.", "We went home rather late."]'),
    J(PARTS), changed(J(CHANGED)), J({"segments": PARTS}), "```json\n" + J(PARTS) + "\n```",
    numbered(STARTS, 1, "{}. {}"), "\n".join(f'- "{start}"' for start in STARTS), "\n".join(STARTS),
    "\n\n".join(PARTS), "\n---\n".join(PARTS), changed("\n-----\n".join(CHANGED)), " [SEP] ".join(PARTS),
    "```\n" + "\n=====\n".join(PARTS) + "\n```", "Sure:\n```\n" + "\n---\n".join(PARTS) + "\n```",
    " | ".join(PARTS), changed("|".join(CHANGED)), " // ".join(PARTS), " <br> ".join(PARTS), "<SEG>".join(PARTS),
    " ||| ".join(PARTS), "\n|\n".join(PARTS), "".join(f"<topic>{part}</topic>\n" for part in PARTS),
    numbered(BI), numbered(BI, 1, "{}: {}"), J([*BI]), J([f"{tag}-x" for tag in BI]),
    J([*IDS]), "[1, 1, 2, 2, 2, 3, 3, 3]", '{"topic_ids": [0, 0, 1, 1, 1, 2, 2, 2]}',
    numbered(IDS, 1, "{}: Topic {}"), J(dict(zip("12345678", IDS, strict=True))),
    numbered(STARTS[:1], 1, "{}: {}") + "\n3: Then the bus came.\n6: We went home",
    changed("\n---\n".join(numbered(U[a:b], a) for a, b in ((0, 2), (2, 5), (5, 8)))),
]  # fmt: skip

TITLED = [
    J(objects(title=NAMES, start=[0, 2, 5])), J(objects(title=NAMES, start=STARTS)),
    J({"chapters": objects(topic=NAMES, start=[1, 3, 6], end=[2, 5, 8])}),
    lines_of_json(title=NAMES, start=[0, 2, 5]), J(objects(title=NAMES, text=PARTS)),
    J(objects(name=NAMES, sentences=[[0, 1], [2, 3, 4], [5, 6, 7]])),
    '{"Rain": 0, "Bus": 2, "Home": 5}', '{"Rain": [0, 1], "Bus": [2, 4], "Home": [5, 7]}',
    '{"0": "Rain", "2": "Bus", "5": "Home"}', '[[0, "Rain"], [2, "Bus"], [5, "Home"]]',
    '{"starts": [0, 2, 5], "titles": ["Rain", "Bus", "Home"]}',
    "Rain: 0\nBus: 2\nHome: 5", "0: Rain\n2: Bus\n5: Home", "[0] Rain\n[2] Bus\n[5] Home",
    "Sentences 1-2: Rain\nSentences 3-5: Bus\nSentences 6-8: Home",
    "1. Rain (sentences 1–2)\n2. Bus (sentences 3–5)\n3. Home (sentences 6–8)",
    "Three parts:\n\n1. **Rain** (1-2): It rains.\n2. **Bus** (3-5): 1 bus.\n3. **Home** (6-8): Eat.",
    *("\n".join(form.format(n) + f"\n{part}" for n, part in zip(NAMES, PARTS, strict=True))
      for form in ("## {}", "== {} ==", "**{}**", "---\n## {}")),
    "# All of it\n" + "\n".join(f"## {n}\n{part}" for n, part in zip(NAMES, PARTS, strict=True)),
]  # fmt: skip

# ---- shapes that are not certain: a token of the reason ----

FAILED = [
    ("[5, 9, 14, 20]", "5.*not the first unit"), ("[2, 5, 8]", "2, is not"),
    ("[3, 6]", "3, is not"), ("2, 5, 8", "2, is not"), ("[1, 3, 8]", "8, is the last unit"),
    ("[0, 4, 7]", "7, is the last unit"), ("[0, 1, 2]", "count"), ("[1, 2, 3]", "count"),
    ("0 | 2 | 5", "rewritten|not text"), ("[0] | [2] | [5]", "rewritten|not text|no words"),
    ("[0] [2] [5]", "not in the document"), ("[0] [5]", "not in the document"),
    ("0 / 2 / 5", "not in the document"), ("0 and 2 and 5", "not in the document"),
    ("There is 1 topic", "not in the document"), ("Segment 0", "not in the document"),
    (numbered(U), "count"), (numbered(U, 1), "count"), (numbered(U, 1, "{}. {}"), "copy"),
    (numbered(U, 0, "{}: {}"), "count"), (numbered(U[:4], 1, "{}. {}"), "copy"),
    ("\n".join(U), "copy"), ("\n".join(f"- {unit}" for unit in U), "copy"), (J(U), "copy"),
    ("\n".join(U[:2]), "copy"), (U[0], "copy"), (J(objects(index=range(8), text=U)), "copy"),
    changed("\n".join(U).replace("city", "town"), "one by one"), changed(" NEXT ".join(PARTS), "in one piece"),
    ("---\n" + "\n".join(U[:4]) + "\n\n" + "\n".join(U[4:]) + "\n---", "other separators"),
    ('{"lengths": [0, 2, 5]}', "'lengths'"), ('{"scores": [0, 2, 5]}', "'scores'"),
    ('{"count": 3}', "'count'"), ('{"confidence": 0, "quality": 2}', "'confidence'"),
    ('{"indices": [0, 2, 5]}', "'indices'|objects"), ('{"changes": [0, 2, 5]}', "'changes'"),
    ('{"starts": [0, 2, 5], "shift": 1}', "'shift'"), ('{"Rain": [0, 7]}', "'Rain'"),
    ('{"starts": [0, 2, 5], "ends": [1, 4, 7]}', "'ends'"), ('{"title": "Rain", "start": 3}', "single"),
    (J(objects(index=[0, 2, 5])), "start, or a text"), (J(objects(title=NAMES, id=[0, 2, 5])), "text"),
    (J(objects(sentence=[0, 2, 5])), "'sentence'"), (J(objects(title=NAMES, count=[0, 2, 5])), "text"),
    (J(objects(title=NAMES, confidence=[0, 2, 5])), "start, or a text"),
    (J(objects(start=[0, 2, 5], text=[U[0], U[3], U[6]])), "other units"),
    (J([*objects(start=[0, 2]), {"begin": 5}]), "'begin'"), (J(objects(start=["0:00", "0:20"])), "document"),
    ("[0, 2]\n[0, 3]", "different"), ('{"starts": [0, 2]} no: {"starts": [0, 3]}', "different"),
    ("```json\n[0, 2]\n```\nor\n```json\n[0, 3]\n```", "different"),
    ('{"starts": [0, 3]}\nWait: 0, 2, 5', "numbers come after"),
    ("```\n0, 2\n```\n```\n0, 5\n```", "not in|given twice|comes after|different"),
    ("It may be [0, 2] or [0, 5].", "among words"), ("Sure! [0, 2, 5]", "among words"),
    ("The last sentences:\n[0, 4]", "among words"), ("Ends:\n```\n0, 4\n```", "among words"),
    ("The boundaries: [2, 5]", "'The boundaries'"), ("Lengths: 0, 2, 5", "'Lengths'"),
    ("[0, 2, 5] because the topic changes at 2 and 5.", "among words"),
    ("They end with:\n- " + "\n- ".join(ENDS), "not in the document"),
    ("\n".join(ENDS), "unit is not quoted"), (J(ENDS), "unit is not quoted"),
    (J([U[0], U[3], U[7]]), "last unit is quoted"), (J({"ends": ENDS}), "holds"),
    (J({"titles": STARTS}), "'titles'"), (J([U[0], "A dragon flew over it."]), "is not in"),
    (J([U[5], U[2]]), "first unit|is not in"), (J([U[0], "the bus came."]), "inside unit 3"),
    ("<think>It may be [0, 2, 5]", "thoughts do not end"), ("<think>[0, 2]</think>", "after the thoughts"),
    ("<think>a</think><think>[0, 2, 5]", "thoughts do not end"),
    ('{"starts": [0, 2', "cut off"), ("[0, 2, 5", "cut off"), ("```json\n[0, 2, 5]", "cut off"),
    ('{"segments": [\n{"start": 0},\n{"start": 2},\n{"st', "cut off"),
    ('[{"start": 0}, {"start": 2}, {"st', "cut off"), ('{"starts": [0, 2, 5],}', "not JSON"),
    ("\n---\n".join(PARTS[:2]), "ends after unit 5"), changed("\n---\n".join(CHANGED[:2]), "ends after unit 5"),
    ("\n---\n".join([PARTS[0], PARTS[2]]), "leaves out.*unit 3"),
    ("\n---\n".join([*PARTS, "Let me know if you need more."]), "not text|begin"),
    ("\n---\n".join(["Here is the text:", *PARTS]), "not text|begin|segment"),
    (f"{PARTS[0]} <br> {PARTS[1]} <SEG> {PARTS[2]}", "'<br>'"),
    (f"## A\n{PARTS[0]}\n### B\n{PARTS[1]}\n## C\n{PARTS[2]}", "'##'"),
    ("A wet day downtown.\n---\nA bus arrived and left again.", "rewritten"),
    ("\n\n".join(part.replace(". ", ".\n") for part in PARTS), "separator="),
    (J([int(mark) for mark in MARKS]), "marks="), (numbered(MARKS), "marks="), (J([0] * 8), "marks="),
    ('{"labels": [0, 0, 1, 0, 0, 1, 0, 0]}', "marks="), (numbered(["Yes", *["No"] * 7], 1), "marks="),
    (J([*"IIBIIBII"]), "marks="), (J([*"BIOBIOBI"]), "marks="), (J([*"BCBCCBCC"]), "marks="),
    (J([*"SSNSSNSS"]), "marks="), (J([*"AAABBBAA"]), "marks="), (J([*"AAAABBBB"]), "marks="),
    ('{"labels": ["B", "I", "B"]}', "3 labels"), ("[true, false]", "holds"), ("[0, 2.5]", "holds"),
    ("[null]", "holds"), ("[]", "empty"), ("{}", "expected a list"), ('{"starts": []}', "empty"),
    ("[0, 3, 12]", "12 is out of range"), ("[0, 8]", "out of range"), ("[-1, 3]", "-1, is not"),
    ("[0, 5, 3]", "3 comes after 5"), ("[0, 3, 3]", "3 is given twice"), ('{"a": 0, "a": 2}', "twice"),
    ("[[0, 1], [3, 7]]", "in none"), ("[[0, 3], [2, 7]]", "overlap"), ("[[0, 1], [2, 5]]", "6 units"),
    ("[[3, 4], [5, 7]]", "starts at 3"), ("[[0, 2], [2, 3], [5, 3]]", "before its start"),
    ("Rain: 2\nBus: 3\nHome: 3", "given twice"), ("Rain: 1-2\nBus: 4-8", "in none"),
    ("1. Rain\n2. Bus\n3. Home", "'Rain', is not in"), ("Segment 1: 0\nSegment 2: 2", "not in"),
    ('{"ends": [2, 5]}', "ends at 5"), ('{"boundaries": [0, 2, 5]}', "0 is not a boundary"),
    ('{"starts": [0, 2], "titles": ["a"]}', "1 titles"), ("{'starts': [0, 2, 5]}", "among words"),
    (r"\boxed{[0, 2, 5]}", "not JSON"), ("```python\nstarts = [0, 2, 5]\n```", "rewritten"),
    ("", "empty"), (None, "empty"), ("The text is well structured.", "is not in"),
    ("I'm sorry, but I can’t help with that.", "a refusal"), ("As an AI, I cannot.", "a refusal"),
]  # fmt: skip

ASKED = [
    "[1, 3, 6]",
    "Rain: 1\nBus: 5",
    '{"starts": [3, 5]}',
    '{"boundary_after": [2, 5]}',
    '{"ends": [1, 4, 7]}',
]


def read_one(text: Any, **options: Any) -> Any:
    return ss.answers.read({"d": text}, {"d": U}, **options).rows[0]


@pytest.mark.parametrize("text", READ)
def test_certain_shapes(text: str) -> None:
    row = read_one(text)
    assert (row.reason, row.boundaries) == (None, [2, 5])


@pytest.mark.parametrize("text", TITLED)
def test_titles_are_labels(text: str) -> None:
    found = ss.answers.read({"d": text}, {"d": U})
    assert found.failures == {}
    assert found["d"] == ss.Segmentation.from_masses([2, 3, 3], segment_labels=[*NAMES])
    assert "title" in (found.rows[0].form or "")


@pytest.mark.parametrize(("text", "reason"), FAILED)
def test_uncertain_shapes_fail_with_a_reason(text: str | None, reason: str) -> None:
    row = read_one(text)
    assert row.boundaries is None
    assert re.search(reason, row.reason), row.reason


@pytest.mark.parametrize("text", ASKED)
def test_numbers_that_decide_nothing_are_asked_about(text: str) -> None:
    with pytest.raises(ss.SegmentationError, match="document 'd': .* expected base=0 or base=1"):
        read_one(text)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("[1, 3, 6]", {"base": 1}, [2, 5]), ("[1, 3, 6]", {"base": 0}, None),
        ("[3, 6]", {"base": 1}, None), ("[3, 6]", {"base": 0}, None), ("[1]", {"base": 1}, None),
        ('{"starts": [3, 6]}', {"base": 1}, [2, 5]), ('{"starts": [2, 5]}', {"base": 0}, [2, 5]),
        ('{"starts": [3, 8]}', {}, [2, 7]), ('{"boundary_after": [1, 4]}', {"base": 0}, [2, 5]),
        ('{"ends": [1, 4, 7]}', {"base": 0}, [2, 5]), ('{"ends": [1, 4, 7]}', {"base": 1}, None),
        ("1: It was raining\n3: Then the bus came.", {"base": 0}, None), ("[0]", {}, []),
        (J([int(mark) for mark in MARKS]), {"marks": "start"}, [2, 5]),
        (numbered("01001001", 0, "{}: {}"), {"marks": "end"}, [2, 5]),
        (J([*"AAAABBBB"]), {"marks": "ids"}, [4]), (J([*BI]), {"marks": "start"}, None),
        (" NEXT ".join(PARTS), {"separator": "NEXT"}, [2, 5]), (PARTS[0], {"separator": "@"}, None),
        ("\n\n".join(part.replace(". ", ".\n") for part in PARTS), {"separator": "\n\n"}, [2, 5]),
        (J(CHANGED), {"similarity": 0.99}, None), (" ".join(PARTS), {}, []),
        ('{"boundaries": []}', {}, []),
    ],
)  # fmt: skip
def test_what_callers_say(text: str, options: Any, expected: list[int] | None) -> None:
    row = read_one(text, **options)
    assert row.boundaries == expected
    assert (row.reason is None) == (expected is not None)


def test_what_the_document_has_is_no_mark_and_no_answer() -> None:
    for units in (["a | b.", "c | d.", "e | f."], ["See [1, 2].", "It is so.", "Or not."]):
        assert ss.answers.read({"d": " ".join(units)}, {"d": units})["d"].n_segments == 1
        copied = f"{units[0]}\n---\n{units[1]} {units[2]}"
        assert ss.answers.read({"d": copied}, {"d": units})["d"].boundaries.tolist() == [1]
    units = ["Yes.", "No.", "Yes.", "No.", "Well."]
    assert "elsewhere" in ss.answers.read({"d": '["Yes.", "No."]'}, {"d": units}).failures["d"]
    found = ss.answers.read({"d": "Yes. No.\n---\nYes. No. Well."}, {"d": units})["d"]
    assert found.boundaries.tolist() == [2]


def test_ends_are_not_starts() -> None:
    found = ss.answers.read({"d": "[5, 9, 14, 20]"}, {"d": 20})
    assert "first unit" in found.failures["d"]


def test_no_object_is_lost() -> None:
    units = [f"Unit {at} says {at}." for at in range(150)]
    for columns in ({"start": [*range(0, 150, 2)]}, {"text": units[::2]}):
        row = ss.answers.read({"d": lines_of_json(**columns)}, {"d": units}).rows[0]
        assert row.boundaries == [*range(2, 150, 2)]


@given(st.sets(st.integers(1, 7)), st.sampled_from([0, 1]), st.randoms())
def test_no_set_of_starts_is_misread(boundaries: set[int], base: int, rng: random.Random) -> None:
    starts = [base, *(boundary + base for boundary in sorted(boundaries))]
    spans = [[a, b - 1] for a, b in zip(starts, [*starts[1:], 8 + base], strict=True)]
    cuts = [0, *sorted(boundaries), 8]
    parts = [" ".join(U[a:b]) for a, b in pairwise(cuts)]
    certain = [J({"starts": starts}), J(spans), J(objects(title=map(str, starts), start=starts))]
    if len(parts) > 1:
        certain += ["\n---\n".join(parts), "\n".join(f"{a}-{b}" for a, b in spans)]
    row = read_one(rng.choice(certain), base=base)
    assert (row.reason, row.boundaries) == (None, sorted(boundaries))
    bare = [J(starts), ", ".join(map(str, starts)), J(parts), numbered(parts, 1, "{}. {}"),
            J([U[start - base] for start in starts]), "\n".join(U[start - base] for start in starts)]  # fmt: skip
    row = read_one(rng.choice(bare), base=base)
    assert row.boundaries in (None, sorted(boundaries))


@given(st.text(max_size=80) | st.text(alphabet="[]{}\"'`:,.|#-*<>/= \n0123456789aBI", max_size=60))
def test_any_text_has_a_segmentation_or_a_reason(text: str) -> None:
    row = read_one(text, base=0)
    assert (row.boundaries is None) == (row.reason is not None)


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
    ],
)  # fmt: skip
def test_time_grows_with_the_answer(made: Callable[[int], str]) -> None:
    units = ["One two three.", "Four.", "x" * 300_000]

    def work_of(n: int) -> Callable[[], object]:
        text = made(n)
        return lambda: ss.answers.read({"d": text}, {"d": units}, base=0).rows

    assert_linear(work_of, 20_000)
