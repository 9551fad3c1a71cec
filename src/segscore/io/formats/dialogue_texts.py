"""Dialogues as text: numbered lines of TADAM, and segments between lines of `=`.

`tadam`: DialSeg711 and ZYS by the authors of TADAM (Xu et al. 2021), many dialogues in one file. A
line names the dialogue, then comes an utterance per line, after the number of its topic.

    call_id_0
    0 check the weather for the 7 day forecast
    0 What city are you interested in?
    1 Yes, can you give me the information on the hotel?
    call_id_1
    0 …

There is a boundary wherever the number changes. Topics count from 0 in a dialogue, but some numbers
are missing (in 66 dialogues of DialSeg711); a number that falls, as once in ZYS, is reported.

`separated-text`: one document per file, as the programs of Dial-START and CSM have it: a unit per
line, and a line of eight or more `=` between segments, none before the first or after the last
one (`choi` has ten, and them at both ends).

    check the weather for the 7 day forecast
    ================
    Yes, can you give me the information on the hotel?
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.corpus.text_checks import check_name
from segscore.errors import about
from segscore.io.files import Source
from segscore.io.format import Format

_CALL = re.compile(r"call_id_[0-9]{1,15}")
_UTTERANCE = re.compile(r"([0-9]{1,9})(?:[ \t](.*))?")
_SEPARATOR = re.compile("={8,}")
_COUNTER = re.compile(r"[0-9]{1,9}[ \t]\S")
_FEW = 3  # lines; fewer say nothing about a file
_NEARLY_ALL = 0.9


# ---- TADAM ----


def matches_tadam(lines: list[str]) -> bool:
    """Whether the first line names a dialogue, and the second is a numbered utterance."""
    filled = [line for line in lines[:50] if line.strip()][:2]
    return (
        len(filled) == 2
        and _CALL.fullmatch(filled[0].strip()) is not None
        and _UTTERANCE.fullmatch(filled[1].strip()) is not None
    )


def read_tadam(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    returned: list[str] = []
    for number, name, turns in _calls(source):
        with source.locating(number), about(whereabouts(name, source.coder)):
            topics = [topic for topic, _ in turns]
            if any(later < before for before, later in pairwise(topics)):
                returned.append(name)
            yield Record(
                name, source.coder, Segmentation.from_segment_ids(topics),
                tuple(words for _, words in turns), place=source.at(number),
            )  # fmt: skip
    if returned:
        source.choices.remark(
            f"{source.at()}: the number of the topic falls in {len(returned)} "
            f"{'dialogue' if len(returned) == 1 else 'dialogues'}, such as {returned[0]!r}: there "
            "is a boundary wherever it changes"
        )


Call = tuple[int, str, list[tuple[int, str]]]  # line, name, (topic, utterance) of each turn


def _calls(source: Source) -> Iterator[Call]:
    """The dialogues of a file, each with its utterances."""
    current: Call | None = None
    for number, text in enumerate(source.read_lines(), start=1):
        line = text.strip()
        if _CALL.fullmatch(line):
            if current is not None:
                yield _filled(source, current)
            current = (number, line, [])
            continue
        found = _UTTERANCE.fullmatch(line)
        if found is None and not line:
            continue
        if found is None or current is None:
            raise source.fail(
                f"{shown(text)}: expected a line call_id_0 first, and then a topic's number and an "
                "utterance on each line, as in '0 hello'",
                number,
            )
        current[2].append((int(found[1]), (found[2] or "").strip()))
    if current is None:
        raise source.fail("the file is empty: expected a line call_id_0, and utterances below it")
    yield _filled(source, current)


def _filled(source: Source, call: Call) -> Call:
    number, name, turns = call
    if not turns:
        raise source.fail(f"document {name!r} has no utterance: expected some below it", number)
    return call


def tell_counters(source: Source, text: str) -> None:
    """A remark, or an error, about plain text whose lines begin with labels or counters, which
    would be lost."""
    lines = [line for line in text.splitlines() if line.strip()]
    calls = sum(_CALL.fullmatch(line.strip()) is not None for line in lines)
    if calls:
        raise source.fail(
            f"{calls} {'line names a dialogue' if calls == 1 else 'lines name dialogues'}, as "
            "call_id_0 does, and would be text: expected format='tadam', or a text "
            "without them"
        )
    counted = [line for line in lines if _COUNTER.match(line)]
    if len(counted) < max(_FEW, _NEARLY_ALL * len(lines)):
        return
    source.choices.remark(
        f"{source.at()}: {len(counted)} of {len(lines)} lines begin with a number, as in "
        f"{counted[0][:40]!r}, and are read as text, number and all: if the numbers are "
        "topics of a dialogue, put a line call_id_0 above it and read it as 'tadam'; "
        "if they are labels or counters, make a table of two columns and read it as "
        "'table' with marks="
    )


# ---- lines of = ----


def matches_separated(lines: list[str]) -> bool:
    """Whether there are equal lines of eight or more `=` between lines of text, none of them blank;
    a line as long as the title above it underlines that title, and separates nothing."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not all(line.strip() for line in lines):
        return False
    marks = [i for i, line in enumerate(lines) if _SEPARATOR.fullmatch(line)]
    if not marks or marks[0] == 0 or len({lines[i] for i in marks}) > 1:
        return False
    return any(len(lines[i]) != len(lines[i - 1].strip()) for i in marks)


def read_separated(source: Source) -> Iterator[Record]:
    """The record of a file."""
    where = f"document {source.document!r}"
    check_name(source.document, source.at())
    units: list[str] = []
    masses = [0]
    number = 0
    for number, line in enumerate(source.read_lines(latin=True), start=1):
        if _SEPARATOR.fullmatch(line.strip()):
            if not masses[-1]:
                raise source.fail(
                    f"{where}: a separator without a unit before it: expected them between "
                    "segments only; for ten '=' at both ends, too, format='choi'",
                    number,
                )
            masses.append(0)
        elif not line.strip():
            raise source.fail(f"{where}: a blank line: expected a unit, or eight '='", number)
        else:
            units.append(line)
            masses[-1] += 1
    if not units:
        raise source.fail(f"{where}: the file is empty: expected a unit per line")
    if not masses[-1]:
        raise source.fail(
            f"{where}: the last line is a separator: expected them between segments only, so the "
            "file may be cut off",
            number,
        )
    coding = Segmentation.from_masses(masses)
    yield Record(source.document, source.coder, coding, tuple(units), place=source.at())


TADAM = Format(
    "tadam", "TADAM's text", (".txt",), frozenset({"units"}), matches_tadam, read_tadam,
    alone=True, signs=("call_id_",),
)  # fmt: skip
SEPARATED = Format(
    "separated-text", "text in segments between lines of '='", (".txt",), frozenset({"units"}),
    matches_separated, read_separated, alone=True, signs=("\n========\n", "\n========="),
)  # fmt: skip
