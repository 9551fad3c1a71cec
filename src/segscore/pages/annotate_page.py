"""`annotation_page`: one HTML file in which a person places boundaries between units of texts.

What the page holds is JSON (`AnnotationData` of `scripts/annotation_state.js`): its id, the rules
of marks, and the documents with their units, hashes, prefill and gold. Its behaviour is in
`scripts/annotate.js`. Its id depends on what is annotated and on what coders are told: a second
round, or a page with other guidelines, has work of its own in a browser, and offers a copy of the
work that the browser has saved for another page over the same texts.

`adjudication_page` writes the page in which one person decides where coders differ.

Python finds the places and applies the rule (`segscore.coders.gold`); the page
(`scripts/adjudicate.js`) shows them beside the text, saves decisions, and exports gold, and
the decisions as a table to read.

A blind page holds no name of a coder: they are numbered anew in each document, in an order that
follows from a hash, and their comments, which may name them, are left out.
"""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from segscore.basics.arguments import check_name, check_unicode, shown, truth, whole_number
from segscore.coders import gold, places
from segscore.coding.constructor_checks import label_sets
from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus import PLAIN, Corpus, Document, Provenance
from segscore.corpus.record import unit_hash
from segscore.errors import SegmentationError, about, check_keywords, named
from segscore.io import read
from segscore.io.files import Source
from segscore.io.formats.jsonl import header_fields
from segscore.io.read_options import ReadOptions, TextKeywords, warn
from segscore.io.texts import GivenTexts, SpokenUnits, units_by_document
from segscore.pages.page_frame import escaped, write_page

Codings = Corpus | str | os.PathLike[str]

MOST_DOCUMENTS = 5_000
MOST_UNITS = 100_000  # of a document
MOST_CHARACTERS = 20_000_000
_MOST_GUIDANCE = 200_000  # characters
_LATEST = 1e9  # seconds
_LINKS = ("http://", "https://", "mailto:")
_TITLE = "Where does a new segment start?"


def annotation_page(
    texts: "GivenTexts | Mapping[str, Sequence[Mapping[str, Any]]]",
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    round: str | None = None,  # noqa: A002
    guidelines: str | os.PathLike[str] | None = None,
    levels: int = 1,
    labels: Sequence[str] = (),
    titles: bool = False,
    coder: str | None = None,
    shuffle: bool = False,
    prefill: Codings | None = None,
    practice: Codings | None = None,
    counted: Callable[[int, int], None] | None = None,
    **options: Unpack[TextKeywords],
) -> Path:
    """Write one HTML page in which a person marks where segments start, and exports the result.

    The page needs no network and no server. It saves each change in the browser, and exports JSON
    Lines that `segscore.read` and `segscore agree` read as they are.

    texts: files or folders of texts; a corpus that knows its texts; or {document: its text, or the
        list of its units}. A unit may be {"text": …, "speaker": …, "start": seconds}. For
        subtitles, transcripts and dialogues, the page also shows speakers and times.
    path: the page to write.
    title: the heading of the page.
    round: the name of a round or project, if people annotate the same texts again. Pages that
        differ in it, or in title, guidelines, levels or labels, keep their work apart.
    guidelines: what coders should know, shown beside the text: Markdown, or a `Path` to a Markdown
        file. Headings, lists, tables, quotations, code, bold and italic are formatted.
    levels: how many levels a boundary can have, 1 to 6; 1 is the most prominent.
    labels: the labels to choose from, if coders are to label each segment.
    titles: whether coders can give each segment a title of their own.
    coder: the name of the person who will use the page; by default the page asks for it once.
    shuffle: whether the order of the documents depends on the name of the coder.
    prefill: codings to correct, one per document, as a corpus or a file; the export names their
        coder.
    practice: gold, as a corpus or a file: after such a document is done, the page shows which
        boundaries match, are near, missed or extra. Practice documents come first.
    units: what a unit is (`sentences`, `lines` …) in texts that are not in units yet; by default
        sentences, and paragraphs in Markdown.
    text_encoding: the encoding of text files; by default UTF-8.
    remark: called with each change to texts and codings; by default a warning.
    large: read files that would otherwise be refused as too large.
    counted: called with the number of documents and the number of units on the page.

    Returns the path.

    >>> import segscore as ss
    >>> folder = getfixture("tmp_path")
    >>> ss.pages.annotate({"talk": "Hello. Bye."}, folder / "annotate.html").name
    'annotate.html'
    """
    levels = whole_number(levels, "levels", 1, 6)
    labels = _labels(labels, titles)
    check_keywords(annotation_page, options, TextKeywords.__optional_keys__)
    reading = ReadOptions(**options)

    def corpus_of(given: Codings) -> Corpus:
        if isinstance(given, Corpus):
            return given
        return read(given, remark=reading.remark, large=reading.large)

    documents, provenance = texts_to_annotate(texts, reading)
    gold: dict[str, list[int]] = {}
    if practice is not None:
        documents, gold = _with_practice(documents, corpus_of(practice))
    _check_sizes(documents)
    first: dict[str, dict[str, Any]] = {}
    if prefill is not None:
        real = [document for document in documents if document.name not in gold]
        rules = levels, labels, bool(titles)
        first = _prefilled(real, corpus_of(prefill), rules, reading.remark)
    held = [_document(each, first.get(each.name), gold.get(each.name)) for each in documents]
    guidance = _guidelines(guidelines)
    words = (_checked(title, "title"), _checked(round, "round"), guidance)
    # pages with the same id share the work that a browser has saved
    keys = ("name", "hash", "prefill", "gold")
    contents = [[document.get(key) for key in keys] for document in held]
    identity = json.dumps([words, [levels, labels, bool(titles)], contents], sort_keys=True)
    data = {
        "page": hashlib.sha256(identity.encode()).hexdigest()[:16],
        "title": title,
        "round": round,
        "coder": _checked(coder, "coder"),
        "shuffle": bool(shuffle),
        "levels": levels,
        "labels": labels,
        "titles": bool(titles),
        "provenance": header_fields(provenance).get("provenance"),
        "documents": held,
    }
    shown_on_page = {
        "title": " · ".join(filter(None, (title or _TITLE, round))),
        "guidelines": escaped(guidance),
        "coder": coder,
        "levels": levels,
        "label": "Title" if titles else "Label" if labels else "",
    }
    written = write_page(path, "annotate.html", data, **shown_on_page)
    if counted is not None:
        counted(len(documents), sum(len(document.units) for document in documents))
    return written


def _checked(value: str | None, what: str) -> str | None:
    if value is not None:
        check_name(value.strip() if isinstance(value, str) else value, what)
    return value


def _labels(labels: Any, titles: Any) -> list[str]:
    """The labels to choose from."""
    listed = isinstance(labels, Sequence) and not isinstance(labels, str)
    found = [label.strip() for label in labels if isinstance(label, str)] if listed else []
    if not listed or not all(found) or len(set(found)) < len(labels):
        raise SegmentationError(
            f"labels is {shown(labels)}: expected a list of labels, each once and none blank"
        )
    if found and titles:
        raise SegmentationError("labels and titles are both given: expected one of them")
    return found


# ---- texts ----


class TextToAnnotate(NamedTuple):
    """A document: its units, their speakers and times (in seconds) where these are known, and its
    group."""

    name: str
    units: Sequence[str]
    speakers: Sequence[str | None] | None = None
    starts: Sequence[float | None] | None = None
    group: str | None = None


def texts_to_annotate(texts: Any, options: ReadOptions) -> tuple[list[TextToAnnotate], Provenance]:
    """The documents in their order, and how a reader formed their units."""
    provenance, in_units = PLAIN, isinstance(texts, Corpus)
    groups: dict[str, str | None] = {}
    spoken: dict[str, SpokenUnits] = {}
    if isinstance(texts, Corpus):
        provenance = texts.provenance
        groups = {name: document.group for name, document in texts.items()}
    elif isinstance(texts, Mapping):
        in_units = any(not isinstance(text, str) for text in texts.values())
        for name, units in texts.items():
            if isinstance(units, list | tuple) and any(isinstance(each, Mapping) for each in units):
                with about(f"document {name!r}"):
                    rows = [_details(unit, i) for i, unit in enumerate(units, 1)]
                spoken[name] = SpokenUnits(*zip(*rows, strict=True))
        texts = {**texts, **spoken}
    if in_units and options.units is not None:
        raise SegmentationError(
            f"units is {options.units!r}, and the texts have units of their own: leave it out"
        )
    found = units_by_document(texts, options, spoken=True)
    documents = []
    for name, units in {**found, **spoken}.items():
        said = getattr(units, "speakers", None), getattr(units, "starts", None)
        documents.append(TextToAnnotate(name, tuple(units), *said, groups.get(name)))
    return documents, provenance


def _details(unit: Any, number: int) -> tuple[str, str | None, float | None]:
    """Text, speaker and start of a unit."""
    if isinstance(unit, str):
        return unit, None, None
    known = unit if isinstance(unit, Mapping) else {}
    start, strange = known.get("start"), {*known} - {"text", "speaker", "start"}
    is_number = isinstance(start, int | float) and not isinstance(start, bool)
    timed = start is None or (is_number and 0 <= start < _LATEST)
    if strange or not timed or not isinstance(known.get("text"), str):
        raise SegmentationError(
            f"unit {number} is {shown(unit)}: expected a text, or "
            '{"text": …, "speaker": …, "start": seconds}'
        )
    if known.get("speaker") is not None:
        check_name(known["speaker"], f"unit {number}: speaker")
    return known["text"], known.get("speaker"), None if start is None else float(start)


def _check_sizes(documents: Sequence[TextToAnnotate]) -> None:
    """Refuse texts that a page cannot hold, or a browser cannot show."""
    longest = max(documents, key=lambda document: len(document.units))
    n_characters = sum(len(unit) for document in documents for unit in document.units)
    for what, number, most, noun in (
        ("the texts are", len(documents), MOST_DOCUMENTS, "documents"),
        (f"document {longest.name!r} has", len(longest.units), MOST_UNITS, "units"),
        ("the texts have", n_characters, MOST_CHARACTERS, "characters"),
    ):
        if number > most:
            raise SegmentationError(
                f"{what} {number:,} {noun}: expected at most {most:,} on a page; write several"
            )


def _document(
    text: TextToAnnotate, prefill: dict[str, Any] | None, gold: list[int] | None
) -> dict[str, Any]:
    """A document as the page holds it."""
    with about(f"document {text.name!r}"):
        hash_ = unit_hash(text.units)
        for speaker in text.speakers or ():
            check_unicode(speaker or "", "a speaker")
    found = {**text._asdict(), "hash": hash_, "prefill": prefill, "gold": gold}
    return {key: value for key, value in found.items() if value is not None}


# ---- codings: to correct, and to practise with ----


def _coding_of(
    document: Document, text: TextToAnnotate, what: str
) -> tuple[str, Segmentation] | None:
    """The only coder of a document, and their coding of this text; None if nobody coded it."""
    if not len(document):
        return None
    if len(document) > 1:
        raise SegmentationError(
            f"{what}: document {document.name!r} is coded by {named(document)}: expected one "
            "coding; segscore convert with only_coders writes those of one coder"
        )
    if document.n_units != len(text.units):
        raise SegmentationError(
            f"{what}: document {text.name!r} has {document.n_units:,} units, and the text has "
            f"{len(text.units):,}: expected a coding of the same units"
        )
    for i, (coded, unit) in enumerate(zip(document.units or (), text.units, strict=False), 1):
        if coded != unit:
            raise SegmentationError(
                f"{what}: unit {i} of document {text.name!r} is {coded[:60]!r}, and the text has "
                f"{unit[:60]!r}: expected a coding of the same text"
            )
    (coding,) = document.items()
    return coding


def _prefilled(
    texts: Sequence[TextToAnnotate],
    corpus: Corpus,
    rules: tuple[int, list[str], bool],
    remark: Callable[[str], None],
) -> dict[str, dict[str, Any]]:
    """The boundaries that each document begins with, and their coder, by document."""
    found: dict[str, dict[str, Any]] = {}
    n_levels, choice, titles = rules
    ignored = False
    for text in texts:
        document = corpus.get(text.name)
        given = None if document is None else _coding_of(document, text, "prefill")
        if given is None:
            continue
        coder, coding = given
        with about(f"prefill: document {text.name!r}"):
            if isinstance(coding, Levels):
                raise SegmentationError(
                    "it has several levels, each with segments of its own: expected one "
                    "segmentation, whose boundaries may have ranks"
                )
            ranks = None if coding.ranks is None or n_levels == 1 else coding.ranks.tolist()
            if ranks and max(ranks) > n_levels:
                raise SegmentationError(
                    f"a boundary has level {max(ranks)}: expected at most {n_levels}"
                )
            labels = None
            if coding.segment_labels is not None and (choice or titles):
                sets = label_sets(coding.segment_labels)
                labels = [_label(each, choice) for each in sets]
        ignored |= labels is None and coding.segment_labels is not None
        first = {"by": coder, "boundaries": coding.boundaries.tolist()}
        found[text.name] = {**first, "levels": ranks, "labels": labels}
    names = [text.name for text in texts]
    if not found:
        raise SegmentationError(
            f"prefill has {named(corpus)}, and the texts are {named(names)}: expected codings of "
            "the same documents"
        )
    if len(found) < len(texts):
        remark(
            f"prefill has no coding of {len(texts) - len(found)} of {len(texts)} documents: they "
            "begin without boundaries"
        )
    others = [name for name in corpus if name not in set(names)]
    if others:
        remark(f"prefill has codings of documents that are not to be annotated: {named(others)}")
    if ignored:
        remark("prefill has labels, and the page asks for none: they are left out")
    return found


def _label(labels: Collection[str], choice: Sequence[str]) -> str | None:
    """The label of a segment."""
    if len(labels) > 1 or (choice and not {*labels} <= {*choice}):
        expected = f"one of {named(choice)}" if choice else "one"
        raise SegmentationError(f"a segment has the labels {named(labels)}: expected {expected}")
    return next(iter(labels), None)


def _with_practice(
    texts: Sequence[TextToAnnotate], gold: Corpus
) -> tuple[list[TextToAnnotate], dict[str, list[int]]]:
    """The documents, those for practice first, and the boundaries of their gold. Documents of the
    gold that are not among the texts are added, with the text that the gold has."""
    known = {text.name: text for text in texts}
    practice: list[TextToAnnotate] = []
    answers: dict[str, list[int]] = {}
    for name, document in gold.items():
        if len(document) and name not in known and document.units is None:
            raise SegmentationError(
                f"practice: document {name!r} has no text, and is not among the texts: expected "
                "its units in the file, or its text among the texts"
            )
        own = TextToAnnotate(name, document.units or (), group=document.group)
        text = known.get(name, own)
        coding = _coding_of(document, text, "practice")
        if coding is not None:
            practice.append(text)
            answers[name] = coding[1].boundaries.tolist()
    if not answers:
        raise SegmentationError("practice holds no coding: expected gold of some documents")
    return [*practice, *(text for text in texts if text.name not in answers)], answers


# ---- guidelines ----


def _guidelines(given: str | os.PathLike[str] | None) -> str:
    """The HTML of guidelines, or nothing."""
    if given is None:
        return ""
    markdown = given if isinstance(given, str) else Source(Path(given), "", "").read_text()
    if not 0 < len(markdown.strip()) <= _MOST_GUIDANCE:
        raise SegmentationError(
            f"guidelines have {len(markdown.strip()):,} characters: expected 1 … {_MOST_GUIDANCE:,}"
        )
    check_unicode(markdown, "guidelines")
    return guideline_markup(markdown)


def guideline_markup(markdown: str) -> str:
    r"""The HTML of guidelines: CommonMark and tables. HTML in them is shown as text, images and
    links to other places than web pages and mail are none, headings start at the third level.

    >>> guideline_markup("# Task\nMark *topics*, no <b>.")
    '<h3>Task</h3>\n<p>Mark <em>topics</em>, no &lt;b&gt;.</p>\n'
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: url.lower().startswith(_LINKS)  # type: ignore[method-assign]
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
        token.attrs, token.info = {}, ""  # no style, which the policy of the page forbids
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
    return str(parser.renderer.render(tokens, parser.options, {}))


def adjudication_page(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    within: int = places.WITHIN,
    accept: float = 1.0,
    reject: float = 0.0,
    blind: bool = False,
    coder: str = gold.GOLD,
    title: str | None = None,
    texts: "GivenTexts | Mapping[str, Sequence[Mapping[str, Any]]] | None" = None,
    remark: Callable[[str], None] = warn,
) -> Path:
    """Write one HTML page in which a person decides, place by place, where coders differ.

    A place is a run of marked positions at most `within` apart in which no coder marks twice, as in
    `segscore.coders.contested`. The page needs no network; it keeps each decision in the browser
    and exports gold, of the kind `consensus`, as JSON Lines, and every decision as CSV. Systems and
    another consensus in the corpus have no vote, and are not shown. Gold keeps ranks, called
    levels on the page, if all people gave some (the median of those who mark the position, unless
    you choose another), and no types or labels.

    corpus: the codings of people, with the texts of the documents if the page is to show them.
    path: the file to write.
    within: how far apart neighbouring positions of one place may be, in units.
    accept: the share of coders that must mark the same position for the page to accept it without
        asking; 1.0: all.
    reject: the page drops a place without asking if less than this share of coders mark it.
    blind: whether to hide names. The page then holds no names: coders have numbers, in another
        order in each document.
    coder: the name of the gold coder in the export.
    title: the heading of the page.
    texts: transcripts of the documents, as in `annotation_page`: the page then shows who speaks and
        when.
    remark: called with a sentence about texts that do not fit; by default a warning.

    Returns the path.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> folder = getfixture("tmp_path")
    >>> corpus = ss.Corpus.from_dict({"Stargazers": people})
    >>> ss.pages.adjudicate(corpus, folder / "adjudicate.html", accept=0.8).name
    'adjudicate.html'
    """
    rule = gold.AdjudicationRule(within, accept, reject)
    cases = gold.adjudication_cases(corpus, rule)
    gold.check_gold_name(coder, cases)
    truth(blind, "blind")
    documents = [_adjudicated(case, blind) for case in cases]
    heading = title or "Adjudication"
    known = corpus.provenance  # names of tiers may be names of people
    data: dict[str, Any] = {
        "title": heading,
        "coder": coder,
        "blind": blind,
        "rule": {"within": rule.within, "accept": rule.accept, "reject": rule.reject},
        "first": header_fields(replace(known, layers=()) if blind else known),
        "documents": documents,
    }
    # the same title, codings and rule are the same page: what was decided is found again
    identity = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    if texts is not None:  # after the identity, which does not depend on them
        _add_speakers(documents, texts, remark)
    data |= {"page": f"adjudicate-{identity}", "file": Path(path).stem or "adjudicate"}
    levels = gold.with_levels(cases)
    return write_page(
        path,
        "adjudicate.html",
        data,
        title=heading,
        rule=rule,
        n_places=sum(len(case.places) for case in cases),
        n_open=sum(case.n_open for case in cases),
        levels=gold.LEVELS_BY_DEFAULT if levels else "",
        n_levels_differ=gold.places_of_different_levels(cases) if levels else 0,
        blind=blind,
    )


def _add_speakers(
    documents: Sequence[dict[str, Any]], texts: Any, remark: Callable[[str], None]
) -> None:
    """Add who speaks and when, where a text says it and has the units that were coded."""
    options = ReadOptions(remark=lambda _: None, on_error="skip")  # what fits is all that counts
    found = {text.name: text for text in texts_to_annotate(texts, options)[0]}
    wrong = []
    for document in documents:
        text = found.get(document["name"])
        if text is None or (text.speakers is None and text.starts is None):
            continue
        if list(text.units) == document.get("text"):
            spoken = {"speakers": text.speakers, "starts": text.starts}
            document |= {key: list(values) for key, values in spoken.items() if values is not None}
        else:
            wrong.append(document["name"])
    if wrong:
        remark(
            f"speakers and times of {named(wrong)} are not shown: expected a transcript with the "
            "same units as the codings"
        )


def _adjudicated(case: gold.AdjudicationCase, blind: bool) -> dict[str, Any]:
    """A document as the script needs it. Blind, coders are in an order that reveals nothing, and is
    the same each time; comments, which may name them, are left out."""
    document, people = case.document, list(case.document)
    if blind:
        hashed = {coder: hashlib.sha256(f"{document.name}\0{coder}".encode()) for coder in people}
        people.sort(key=lambda coder: hashed[coder].digest())
    number = {coder: i for i, coder in enumerate(people)}
    units = None if document.units is None else list(document.units)
    ranks = gold.gold_ranks(document)
    said = [  # position, coder, comment; None: they were unsure
        (position, number[coder], comment)
        for coder, annotation in document.annotations.items()
        for position, comment in (
            *((position, None) for position in annotation.unsure),
            *(annotation.comments if not blind else ()),
        )
        if coder in number
    ]
    known = {
        "text": units,
        "group": document.group,
        "ranks": ranks and ranks[0],
        "least": ranks and ranks[1],
        "said": sorted(said, key=itemgetter(0, 1)) or None,
    }
    digest = None if units is None else unit_hash(units)
    return {
        "name": document.name,
        "key": f"{digest or f'units:{document.n_units}'}:{document.name}",
        "units": document.n_units,
        "hash": digest,
        "coders": [f"coder {i}" for i in range(1, len(people) + 1)] if blind else people,
        "codings": [
            {
                "masses": document[coder].masses.tolist(),
                **({} if (given := document[coder].ranks) is None else {"ranks": given.tolist()}),
            }
            for coder in people
        ],
        "places": [
            {
                "at": (at := [position for position, _ in place.alternatives]),
                "who": [sorted(map(number.get, coders)) for _, coders in place.alternatives],
                "most": at.index(place.position),
                "ruling": ruling,
            }
            for place, ruling in zip(case.places, case.rulings, strict=True)
        ],
        **{key: value for key, value in known.items() if value is not None},
    }
