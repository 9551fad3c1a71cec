"""Dialogues in JSON, as the corpora of dialogue segmentation come; utterances are the units.

`dialogues`: what Xing & Carenini (2021) evaluate on (DialSeg711, TIAGE, doc2dial, AMI, ICSI and
committee meetings), a list of dialogues with the lengths of their segments. `set` is the group.

    [{"dial_id": 0, "utterances": ["…", "…", "…"], "segments": [2, 1], "set": "dev"}]

`superdialseg`: SuperDialseg and what its authors give beside it (Jiang et al. 2023). 1 is the last
turn of a segment; the last label of a dialogue is 1 in their data and 0 in their program, and both
are read. The name of the corpus is the group.

    {"dial_data": {"superseg": [{"dial_id": "a", "turns": [
        {"role": "user", "utterance": "…", "topic_id": 0, "segmentation_label": 1}]}]}}

With the layer `speakers` its segments are the turns of one role, which is their label.

`tiage`: TIAGE by its authors (Xie et al. 2021). 1 starts a topic; the first utterance has -1.

    {"1": [["…", "-1"], ["…", "0"], ["…", "1"]]}
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import Format, tool_format
from segscore.io.json_objects import name_in, objects_by_name, objects_only, placed, text_list
from segscore.io.safe_parsing import field, first_keys, json_value

SPEAKERS = "speakers"
_LIST = 'a list of dialogues, as in [{"dial_id": 0, "utterances": […], "segments": [2, 1]}, …]'
_SUPER = 'dialogues, as in {"dial_data": {"superseg": [{"dial_id": "a", "turns": […]}]}}'
_FIRST_PAIR = re.compile(r'\{"(?:[^"\\]|\\.)*":\[\["(?:[^"\\]|\\.)*","-1"\]')
_TIAGE = 'dialogues, as in {"1": [["hello", "-1"], ["bye", "1"]]}'


# ---- the list of Xing & Carenini ----


def matches_list(lines: list[str]) -> bool:
    """Whether it is a list of objects with the utterances of a dialogue; its segments may come much
    later."""
    text = "\n".join(lines).lstrip()
    return text.startswith("[") and {"dial_id", "utterances"} <= first_keys(text)


def read_list(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    for number, (place, dialogue) in enumerate(objects_only(source, _LIST), start=1):
        with placed(source, *place):
            document = name_in(dialogue, ("dial_id",), str(number))
            with about(whereabouts(document, source.coder)):
                units = text_list(dialogue.get("utterances"), "utterances")
                coding = Segmentation.from_masses(dialogue.get("segments"))  # type: ignore[arg-type]
                if coding.n_units != len(units):
                    raise SegmentationError(
                        f"segments add up to {coding.n_units}: expected {len(units)}, as many as "
                        "utterances"
                    )
            group = name_in(dialogue, ("set",), "") or None
            yield Record(document, source.coder, coding, units, group=group, place=source.at())


# ---- SuperDialseg ----


def matches_super(lines: list[str]) -> bool:
    """Whether it is an object with `dial_data`."""
    text = "\n".join(lines).lstrip()
    return text.startswith("{") and "dial_data" in first_keys(text)


def read_super(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    check_own_units(source)
    data = json_value(source, source.read_text(), _SUPER)
    corpora = field(source, data, "dial_data", dict, "the file")
    at_odds: list[str] = []
    for name, dialogues in corpora.items():
        for index, dialogue in enumerate(field(source, corpora, name, list, "dial_data")):
            with placed(source, None, f"{name}[{index}]"):
                if not isinstance(dialogue, dict):
                    raise SegmentationError(f"{shown(dialogue)}: expected a dialogue, an object")
                document = name_in(dialogue, ("dial_id",), str(index + 1))
            where = whereabouts(document, source.coder)
            turns = field(source, dialogue, "turns", list, where)
            with source.locating(), about(where):
                yield _super_record(source, document, turns, name, at_odds)
        if not dialogues:
            raise source.fail(f"{name} is empty: expected {_SUPER}")
    if at_odds:
        source.choices.remark(
            f"{source.at()}: topic_id changes elsewhere than segmentation_label says in "
            f"{len(at_odds)} {'dialogue' if len(at_odds) == 1 else 'dialogues'}, such as "
            f"{at_odds[0]!r}: the labels count"
        )


def _super_record(
    source: Source, document: str, turns: list[Any], group: str, at_odds: list[str]
) -> Record:
    units = text_list([of_turn(turn, "utterance") for turn in turns], "turns")
    if speakers_asked(source):
        coding = speaker_turns([of_turn(turn, "role") for turn in turns])
    else:
        labels = [of_turn(turn, "segmentation_label") for turn in turns]
        wrong = next((i for i, label in enumerate(labels) if label not in (0, 1, "0", "1")), None)
        if wrong is not None:
            raise SegmentationError(
                f"turns[{wrong}]: segmentation_label is {shown(labels[wrong])}: expected 0, or 1 "
                "for the last turn of a segment"
            )
        coding = Segmentation.from_labels([int(label) for label in labels], marks="end")
        topics = [turn.get("topic_id") for turn in turns]
        if None not in topics and _changes(topics) != coding.boundaries.tolist():
            at_odds.append(document)
    return Record(document, source.coder, coding, units, group=group, place=source.at())


def of_turn(turn: Any, key: str) -> Any:
    """A field of a turn."""
    if not isinstance(turn, dict) or key not in turn:
        raise SegmentationError(f"a turn is {shown(turn)}: expected an object with {key!r}")
    return turn[key]


def _changes(values: list[Any]) -> list[int]:
    return [i for i in range(1, len(values)) if values[i] != values[i - 1]]


# ---- who speaks ----


def check_own_units(source: Source) -> None:
    """Raise for a rule of units, and for layers that a dialogue does not have."""
    rule, layer = source.choices.units, source.choices.layer
    if rule is not None:
        raise source.fail(
            f"units is {rule!r}: expected no units=, because the turns of a dialogue are its units"
        )
    if layer not in (None, "topics", SPEAKERS):
        raise source.fail(f"layer is {layer!r}: expected 'topics' or 'speakers'")


def speakers_asked(source: Source) -> bool:
    """Whether the segments to read are turns of speakers, and not topics."""
    return source.choices.layer == SPEAKERS


def speaker_turns(speakers: Sequence[Any]) -> Segmentation:
    """The consecutive turns of a speaker as a segment, labelled with the name.

    >>> speaker_turns(["ann", "ann", "bob"])
    Segmentation(masses=[2, 1], segment_labels=['ann', 'bob'])
    """
    wrong = next((i for i, speaker in enumerate(speakers) if not isinstance(speaker, str)), None)
    if wrong is not None:
        raise SegmentationError(f"turn {wrong + 1}: the speaker is {shown(speakers[wrong])}: "
                                "expected a name")  # fmt: skip
    runs = [(name, len(list(same))) for name, same in groupby(speakers)]
    return Segmentation.from_masses(
        [length for _, length in runs], segment_labels=[name or None for name, _ in runs]
    )


# ---- TIAGE ----


def matches_tiage(lines: list[str]) -> bool:
    """Whether it is an object of lists of pairs, the first of which has the label -1."""
    text = "".join("\n".join(lines[:50]).split())
    return _FIRST_PAIR.match(text) is not None


def read_tiage(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    for document, pairs in objects_by_name(source, _TIAGE):
        with source.locating(), about(whereabouts(document, source.coder)):
            if not isinstance(pairs, list) or not pairs:
                raise SegmentationError(f"{shown(pairs)}: expected a list of [utterance, label]")
            labels = [_label(pair, index) for index, pair in enumerate(pairs)]
            units = text_list([pair[0] for pair in pairs], "utterances")
            coding = Segmentation.from_labels([max(label, 0) for label in labels], marks="start")
            yield Record(document, source.coder, coding, units, place=source.at())


def _label(pair: Any, index: int) -> int:
    if isinstance(pair, list) and len(pair) == 2:
        found = {"-1": -1, "0": 0, "1": 1}.get(str(pair[1]).strip())
        if found is not None and (found >= 0 or index == 0):
            return found
    raise SegmentationError(
        f"[{index}] is {shown(pair)}: expected [utterance, label], the label 1 where a topic "
        "starts, 0 where none does, and -1 for the first utterance only"
    )


LIST = Format(
    "dialogues", "a list of dialogues (Xing & Carenini 2021)", (".json",),
    frozenset({"units", "group"}), matches_list, read_list, signs=('"dial_id"',),
)  # fmt: skip
SUPERDIALSEG = tool_format(
    "superdialseg", "SuperDialseg's JSON", ".json", "units group labels", matches_super, read_super,
    '"dial_data"', keys="layer",
)  # fmt: skip
TIAGE = Format(
    "tiage", "TIAGE's JSON", (".json",), frozenset({"units"}), matches_tiage, read_tiage,
    signs=('"-1"',),
)  # fmt: skip
