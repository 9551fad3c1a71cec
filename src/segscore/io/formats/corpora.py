"""Corpora as their authors give them: dialogues, meetings, articles, sentences with a label each.

`dialogues`: what Xing & Carenini (2021) evaluate on (DialSeg711, TIAGE, doc2dial, AMI, ICSI and
committee meetings), a list of dialogues with the lengths of their segments. `set` is the group.

    [{"dial_id": 0, "utterances": ["…", "…", "…"], "segments": [2, 1], "set": "dev"}]

`superdialseg`: SuperDialseg and what its authors give beside it (Jiang et al. 2023). 1 is the last
turn of a segment; the last label of a dialogue is 1 in their data and 0 in their program, and both
are read. The name of the corpus is the group.

    {"dial_data": {"superseg": [{"dial_id": "a", "turns": [
        {"role": "user", "utterance": "…", "topic_id": 0, "segmentation_label": 1}]}]}}

`tiage`: TIAGE by its authors (Xie et al. 2021). 1 starts a topic; the first utterance has -1.

    {"1": [["…", "-1"], ["…", "0"], ["…", "1"]]}

`tadam`: DialSeg711 and ZYS by the authors of TADAM (Xu et al. 2021), many dialogues in one file. A
line names the dialogue, then comes an utterance per line, after the number of its topic. There is a
boundary wherever the number changes; a number that falls, as once in ZYS, is reported.

    call_id_0
    0 check the weather for the 7 day forecast
    1 Yes, can you give me the information on the hotel?

`qmsum` (Zhong et al. 2021): a meeting per file, or per line. Spans are numbers of turns from 0,
both included; a topic may have several, and each is a segment, labelled with the topic. In most
meetings some turns are in no topic, and in some two topics share turns: what to do then is the
caller's choice (`policy`). A file of one meeting names it; others are numbered, unless they have an
`id`.

    {"topic_list": [{"topic": "Agenda", "relevant_text_span": [["0", "64"], ["70", "71"]]}],
     "meeting_transcripts": [{"speaker": "Project Manager", "content": "…"}, …]}

`chat`: conversations with language models, one per line or in a list, or the messages of a single
one. A message is a unit, the texts of its parts together; there is no coding, as in any text.

    {"messages": [{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]}

In SuperDialseg, QMSum and chats the layer `speakers` has what one speaker says in a row as a
segment, labelled with the name (the role).

`wikisection` (Arnold et al. 2019): the document is the article's `id`, the label of a segment its
`sectionLabel`; with the layer `sectionHeading` it is the heading. Units come from the caller's
rule, and none goes beyond a section. Offsets are code points; they are UTF-16 code units where
these end with the text, or where a section ends beyond its code points.

    [{"id": "http://…", "title": "…", "text": "…", "annotations": [
        {"begin": 0, "length": 120, "sectionHeading": "Signs", "sectionLabel": "disease.symptom"}]}]

`sentence-labels`: Wiki-727K by saeedabc, and the unified form of SpokenNLP; 1 is the last sentence
of a segment. `levels` are those of the headings: the rank of a boundary is the level of the segment
that it starts, less one. Titles (`titles_mask`) are units as the file has them, and the label of
their segment; else `section_topic_labels` are the labels. The label -100 says that no boundary is
possible there, and the other sentences are candidates. Objects with sentences and labels alone are
read as `labels`, which needs `marks`.

    {"id": "12", "sentences": ["…", "…"], "labels": [0, 1], "levels": [1, 1], "titles_mask": [0, 0]}
    {"sentences": […], "labels": [-100, 1], "section_topic_labels": ["disease.cause"]}

`ytseg`: YTSeg (Retkowski & Waibel 2024); 1 is the first sentence of a segment. `chapters`, if there
are as many as segments, are their labels.

    [{"video_id": "x", "channel_id": "y", "text": ["…", "…", "…"], "targets": "001"}]
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import about, number_of
from segscore.io import safe_parsing as objects
from segscore.io.files import Source, expect
from segscore.io.placing import CodePoints, Span, placed_record, text_rule_of
from segscore.io.safe_parsing import all_texts, dialogue_turns, field, full_list, texts_in, whole_in
from segscore.text.unit_splitting import Stretches, put_together, text_units

SPEAKERS = "speakers"

Coded = tuple[tuple[str, ...], Segmentation, str | None]  # units, their coding, and the group


Reader = Callable[[Source], Iterator[Record]]


def _data_set(
    expected: str, names: str = "", mark: str | None = None
) -> Callable[[Callable[[Any], Coded]], Reader]:
    """The reader of a data set, made from a function that finds units and coding in an object.

    names: the keys that may name the document; if there are none, it is the key of the object.
    mark: what the labels of the data set are known to mark.
    """

    def declared(coded: Callable[[Any], Coded]) -> Reader:
        def read(source: Source) -> Iterator[Record]:
            marks = source.choices.marks
            what = f"marks is {marks!r}: expected {mark!r}, or for other data format='labels'"
            source.expect(None in (mark, marks) or mark == marks, what)
            by_name = objects.entries_by_name
            listed = objects.entries(source, expected, names.split()) if names else None
            for entry in listed or by_name(source, expected, list):
                with entry.locating():
                    units, coding, group = coded(entry.fields)
                yield entry.record(coding, units, group)

        return read

    return declared


def _numbers(owner: Any, key: str, n: int, known: Sequence[int] | None = None) -> list[int]:
    """Whole numbers, one per unit, of the known ones or from 0; texts of them are read, too."""
    values = owner.get(key)
    listed = full_list({key: list(values)} if isinstance(values, str) else owner, key, n)
    for index, value in enumerate(listed):
        text = str(value) if type(value) in (str, int) else ""
        number = int(text) if re.fullmatch("-?[0-9]{1,15}", text) else None
        fits = number is not None and (number >= 0 if known is None else number in known)
        expected = f"one of {known}" if known else "a number from 0"
        expect(fits, f"{key}[{index}] is %s: expected {expected}", value)
    return [int(value) for value in listed]


# ---- dialogues ----

_ENDS = "segmentation_label"
_SUPER = 'dialogues, as in {"dial_data": {"superseg": [{"dial_id": "a", "turns": […]}]}}'
_FIRST_PAIR = re.compile(r'\{"(?:[^"\\]|\\.)*":\[\["(?:[^"\\]|\\.)*","-1"\]')


@_data_set(
    'a list of dialogues, as in [{"dial_id": 0, "utterances": […], "segments": [2, 1]}, …]',
    "dial_id",
)
def read_dialogues(dialogue: Any) -> Coded:
    units = texts_in(dialogue, "utterances")
    coding = Segmentation.from_masses(dialogue.get("segments"))
    what = f"segments add up to {coding.n_units}: expected the {len(units)} utterances"
    expect(coding.n_units == len(units), what)
    return units, coding, objects.name_in(dialogue, ("set",), "") or None


def matches_tiage(lines: list[str]) -> bool:
    """Whether it begins with a pair whose label is -1."""
    return bool(_FIRST_PAIR.match("".join("\n".join(lines[:50]).split())))


@_data_set('dialogues, as in {"1": [["hello", "-1"], ["bye", "1"]]}')
def read_tiage(pairs: list[Any]) -> Coded:
    marks = []
    for index, pair in enumerate(pairs):
        label = str(pair[1]).strip() if isinstance(pair, list) and len(pair) == 2 else None
        fits = label in (("0", "1") if index else ("0", "1", "-1"))
        what = "expected [utterance, label], the label 1 where a topic starts, else 0, or first -1"
        expect(fits, f"[{index}] is %s: {what}", pair)
        marks.append(int(label == "1"))
    units = all_texts([text for text, _ in pairs], "utterances")
    return units, Segmentation.from_labels(marks, marks="start"), None


def read_superdialseg(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    by_speakers = _reads_speakers(source)
    with source.locating():
        data = objects.json_value(source, source.read_text(), _SUPER)
        corpora = field(data, "dial_data", dict)
        listed = {name: field(corpora, name, list) for name in corpora}
    for name, dialogues in listed.items():
        places = (((None, f"{name}[{index}]"), each) for index, each in enumerate(dialogues))
        for entry in objects.entries(source, _SUPER, ("dial_id",), places):
            with entry.locating():
                units = all_texts(dialogue_turns(entry.fields, "turns", "utterance")[1], "turns")
                if by_speakers:
                    coding = speaker_turns(entry.fields, "turns", "role")
                else:
                    _, ends = dialogue_turns(entry.fields, "turns", _ENDS)
                    ends = _numbers({_ENDS: ends}, _ENDS, len(ends), (0, 1))
                    coding = Segmentation.from_labels(ends, marks="end")
            yield entry.record(coding, units, name)


def _reads_speakers(source: Source) -> bool:
    """Whether the turns of speakers are the segments to read; raise for a rule of units, and for
    layers that a dialogue does not have."""
    refuse_units(source)
    return source.layer_of("topics", "speakers") == "speakers"


def refuse_units(source: Source, *known: str) -> None:
    """Raise for a rule of units, because turns are units."""
    rule = source.choices.units
    what = f"units is {rule!r}: expected none, because turns of a dialogue are units"
    source.expect(rule in (None, *known), what)


def speaker_turns(dialogue: Any, key: str, name: str) -> Segmentation:
    """The consecutive turns of a speaker as a segment, labelled with the name.

    >>> turns = [{"role": "ann"}, {"role": "ann"}, {"role": "bob"}]
    >>> speaker_turns({"turns": turns}, "turns", "role")
    Segmentation(masses=[2, 1], segment_labels=['ann', 'bob'])
    """
    names = all_texts(dialogue_turns(dialogue, key, name)[1], "speakers")
    runs = [(name or None, len(list(same))) for name, same in groupby(names)]
    labels, masses = zip(*runs, strict=True)
    return Segmentation.from_masses(masses, segment_labels=labels)


# ---- TADAM ----

_CALL = re.compile(r"call_id_[0-9]{1,15}")
_CALLS = "a line call_id_0 first, and then lines of a topic's number and an utterance"
_UTTERANCE = re.compile(r"([0-9]{1,9})(?:[ \t](.*))?")


def matches_tadam(lines: list[str]) -> bool:
    """Whether a line names a dialogue, and the next begins with a number."""
    filled = [line.strip() for line in lines[:50] if line.strip()][:2]
    return len(filled) == 2 and bool(_CALL.fullmatch(filled[0]) and _UTTERANCE.fullmatch(filled[1]))


def read_tadam(source: Source) -> Iterator[Record]:
    """A record per dialogue."""
    calls: list[tuple[int, str, list[re.Match[str]]]] = []
    for number, text in enumerate(source.read_lines(), start=1):
        line = text.strip()
        turn = _UTTERANCE.fullmatch(line)
        if _CALL.fullmatch(line):
            calls.append((number, line, []))
        elif turn is not None and calls:
            calls[-1][2].append(turn)
        else:
            source.expect(not line, f"%s: expected {_CALLS}", text, line=number)
    source.expect(calls, f"the file is empty: expected {_CALLS}")
    falls = []
    for number, name, turns in calls:
        topics = [int(turn[1]) for turn in turns]
        if topics != sorted(topics):
            falls.append(name)
        with source.locating(number), about(source.of(name).where):
            expect(topics, "no utterance: expected some below it")
            coding = Segmentation.from_segment_ids(topics)
        units = tuple((turn[2] or "").strip() for turn in turns)
        yield Record(name, source.coder, coding, units, place=source.at(number))
    if falls:
        such = f"{number_of(len(falls), 'dialogue')}, such as {falls[0]!r}"
        reading = "there is a boundary wherever it changes"
        source.remark(f"the number of the topic falls in {such}: {reading}")


def refuse_dialogues(source: Source, text: str) -> None:
    """Raise for plain text with lines that name dialogues, which would be units."""
    calls = sum(_CALL.fullmatch(line.strip()) is not None for line in text.splitlines())
    what = f"{number_of(calls, 'line')} such as call_id_0 would be text: expected format='tadam'"
    source.expect(not calls, what)


# ---- QMSum ----

_MEETING = 'a meeting of QMSum, {"topic_list": […], "meeting_transcripts": […]}'
_TURNS = "meeting_transcripts"
_MEETING_NAMES = ("id", "meeting_id", "document")


def matches_qmsum(lines: list[str]) -> bool:
    """Whether it is an object with topics and their spans, or a transcript; the other may come much
    later."""
    text = "\n".join(lines).strip()
    topics = '"topic_list"' in text and '"relevant_text_span"' in text
    return text.startswith("{") and (topics or '"meeting_transcripts"' in text)


def read_qmsum(source: Source) -> Iterator[Record]:
    """A record per meeting."""
    by_speakers = _reads_speakers(source)
    for entry in objects.entries(source, _MEETING, _MEETING_NAMES):
        if entry.place == (None, "") and not objects.name_in(entry.fields, _MEETING_NAMES, ""):
            entry = entry._replace(source=source)  # noqa: PLW2901
        with entry.locating():
            units = all_texts(dialogue_turns(entry.fields, _TURNS, "content")[1], _TURNS)
            if by_speakers:
                yield entry.record(speaker_turns(entry.fields, _TURNS, "speaker"), units)
                continue
            spans = _topics(entry.fields, len(units))
        n = len(units)
        if source.choices.policy == "keep-start":
            reached = holes = overlaps = 0  # what does not count if only starts do
            for span in sorted([*spans, Span(n, n)]):
                holes += span.start > reached
                overlaps += span.start < reached
                reached = max(reached, span.end)
            if holes or overlaps:
                where = f"{entry.source.where}: keep-start"
                left = f"{holes} × turns in no topic, left to the segment before"
                odd = f"{overlaps} × topics that overlap, of which only the starts count"
                source.remark(f"{where}: {left}; {odd}")
        places = Stretches(list(range(n)), list(range(1, n + 1)), units)
        yield placed_record(entry.source, spans, places)


def _topics(meeting: Any, n_turns: int) -> list[Span]:
    spans = []
    for index, topic in enumerate(full_list(meeting, "topic_list")):
        with about(f"topic_list[{index}]"):
            name = field(topic, "topic", str).strip()
            for given in field(topic, "relevant_text_span", list):
                pair = given if isinstance(given, list) and len(given) == 2 else (None, None)
                turns = dict(zip(("first", "last"), pair, strict=True))
                with about(f"a span is {shown(given)}"):
                    first, last = whole_in(turns, "first"), whole_in(turns, "last")
                    expect(first <= last < n_turns, f"expected turns, of 0 … {n_turns - 1}")
                spans.append(Span(first, last + 1, frozenset({name} - {""})))
    return spans


# ---- chat messages ----

_CHAT = 'conversations, as in {"messages": [{"role": "user", "content": "…"}, …]}'


def read_chat(source: Source) -> Iterator[Record]:
    """A record per conversation, without a coding; with one if its speakers are the segments."""
    by_speakers = _reads_speakers(source)
    listed = list(objects.json_objects(source, _CHAT))
    messages = [value for _, value in listed if isinstance(value, dict) and "role" in value]
    if messages and len(messages) == len(listed):  # of a single conversation
        listed = [((None, ""), {"messages": messages, "id": source.document})]
    names = ("id", "document", "conversation_id", "prompt_id")
    for entry in objects.entries(source, _CHAT, names, listed):
        with entry.locating():
            _, contents = dialogue_turns(entry.fields, "messages", "content")
            units = tuple(objects.message_text(content) or "" for content in contents)
            if by_speakers:
                yield entry.record(speaker_turns(entry.fields, "messages", "role"), units)
            else:
                place = source.at(entry.place[0])
                yield Record(entry.source.document, None, None, units, place=place)


# ---- WikiSection ----

_ARTICLES = 'articles, as in [{"id": …, "text": …, "annotations": [{"begin": 0, "length": 9, …}]}]'
_ABOVE_SECTIONS = {"id", "title", "abstract", "text"}  # what an article has before its sections


def matches_wikisection(lines: list[str]) -> bool:
    """Whether it is a list of objects with sections, which may come after more text than is
    inspected."""
    text = "\n".join(lines).strip()
    sections = '"annotations"' in text and '"sectionLabel"' in text
    begun = not text.endswith("]") and objects.first_keys(text) >= _ABOVE_SECTIONS
    return text.startswith("[") and (sections or begun)


def read_wikisection(source: Source) -> Iterator[Record]:
    """A record per article."""
    layer = source.layer_of("sectionLabel", "sectionHeading")
    for entry in objects.entries(source, _ARTICLES, ("id", "title")):
        with entry.locating():
            text = field(entry.fields, "text", str)
            expect(text.strip(), "text is %s: expected the article's text", text)
            spans = _sections(entry.fields, text, layer)
        rule = text_rule_of(entry.source)
        # units also end where a section does
        edges = sorted({0, len(text), *(edge for span in spans for edge in (span.start, span.end))})
        units = put_together([text_units(text, rule, lo, hi) for lo, hi in pairwise(edges)])
        yield placed_record(entry.source, spans, units)


def _sections(article: Any, text: str, layer: str) -> list[Span]:
    sections = []
    for index, section in enumerate(full_list(article, "annotations")):
        with about(f"annotations[{index}]"):
            begin, length = whole_in(section, "begin"), whole_in(section, "length")
            label = field({layer: "", **section}, layer, str, type(None))
            sections.append((begin, begin + length, frozenset({(label or "").strip()} - {""})))
    convert = CodePoints(text)
    reached = max(end for _, end, _ in sections)
    what = f"a section ends at {reached}: expected at most {len(text)}, the length of the text"
    expect(reached <= convert.length, what)
    if reached > len(text) or reached == convert.length:
        sections = [(convert(begin), convert(end), label) for begin, end, label in sections]
    return [Span(*section) for section in sections]


# ---- sentences with a label each ----

_INSIDE = -100  # where no boundary can stand


@_data_set(
    'objects, as in {"id": "12", "sentences": […], "labels": [0, 1], "levels": […]}',
    "id doc_id example_id file",
    "end",
)
def read_sentence_labels(document: Any) -> Coded:
    units = texts_in(document, "sentences")
    n = len(units)
    marks = _numbers(document, "labels", n, (_INSIDE, 0, 1))
    places = [i for i, mark in enumerate(marks[:-1], start=1) if mark == 1]
    can = [i for i, mark in enumerate(marks[:-1], start=1) if mark != _INSIDE]
    ranks: list[int] | None = None
    labels: Sequence[str | None] | None = None
    if document.get("levels") is not None:
        levels = _numbers(document, "levels", n)
        ranks = [max(1, levels[at] - 1) for at in places]
    if document.get("titles_mask") is not None:  # the label of a segment is its first title
        mask = _numbers(document, "titles_mask", n, (0, 1))
        edges = pairwise([0, *places, n])
        titles = [next((units[i] for i in range(*edge) if mask[i]), None) for edge in edges]
        labels = [title or None for title in titles] if any(titles) else None
    elif document.get("section_topic_labels") is not None:
        topics = full_list(document, "section_topic_labels", len(places) + 1)
        labels = all_texts(topics, "section_topic_labels")
    candidates = can if _INSIDE in marks else None
    coding = Segmentation.from_boundaries(
        places, n, ranks=ranks, candidates=candidates, segment_labels=labels
    )
    return units, coding, None


@_data_set(
    'videos, as in [{"video_id": "x", "text": […], "targets": "0010"}, …]', "video_id", "start"
)
def read_ytseg(video: Any) -> Coded:
    units = texts_in(video, "text")
    coding = Segmentation.from_labels(_numbers(video, "targets", len(units), (0, 1)), marks="start")
    if video.get("chapters") is not None:
        chapters = full_list(video, "chapters", coding.n_segments)
        titles = [each.get("title") if isinstance(each, dict) else each for each in chapters]
        labels = [title.strip() or None for title in all_texts(titles, "chapters")]
        coding = coding.with_segment_labels(labels)
    return units, coding, None
