"""`annotation_page`: one HTML file in which a person places boundaries between units of texts.

What the page holds is JSON (`AnnotationData` of `scripts/annotation_state.js`): its id, the rules
of marks, and the documents with their units, hashes, prefill and gold. Its behaviour is in
`scripts/annotate.js`. Its id depends on what is annotated and on what coders are told: a second
round, or a page with other guidelines, has work of its own in a browser, and offers a copy of the
work that the browser has saved for another page over the same texts.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from segscore.basics.arguments import shown
from segscore.coding.levels import Levels
from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.text_checks import check_name, check_unicode, unit_hash
from segscore.errors import SegmentationError, about, check_keywords, named
from segscore.io import read
from segscore.io.files import Source
from segscore.io.formats.jsonl import header_fields
from segscore.io.given_texts import GivenTexts
from segscore.io.read_options import ReadOptions, TextKeywords
from segscore.pages.annotation_texts import (
    TextToAnnotate,
    check_sizes,
    document_to_annotate,
    texts_to_annotate,
)
from segscore.pages.html_markup import escaped
from segscore.pages.page_frame import write_page


class MarkRules(NamedTuple):
    """What coders may give: how many levels, which labels, or free titles."""

    levels: int = 1
    labels: tuple[str, ...] = ()
    titles: bool = False


def mark_rules(levels: Any, labels: Any, titles: Any) -> MarkRules:
    """Check the rules and return them."""
    if not isinstance(levels, int) or isinstance(levels, bool) or not 1 <= levels <= 6:
        raise SegmentationError(f"levels is {shown(levels)}: expected a whole number from 1 to 6")
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise SegmentationError(f"labels is {shown(labels)}: expected a list of labels")
    found: list[str] = []
    for label in labels:
        if not isinstance(label, str) or not label.strip():
            raise SegmentationError(f"labels has {shown(label)}: expected a text that is not blank")
        if label.strip() in found:
            raise SegmentationError(f"label {label.strip()!r} is listed twice: expected each once")
        found.append(label.strip())
    if found and titles:
        raise SegmentationError(
            "labels and titles are both given: expected a list to choose from, or free titles"
        )
    return MarkRules(levels, tuple(found), bool(titles))


def given_coding(document: Document, what: str) -> tuple[str, Segmentation] | None:
    """The only coder of a document, and their coding; None if it has only a text."""
    if not len(document):
        return None
    if len(document) > 1:
        raise SegmentationError(
            f"{what}: document {document.name!r} is coded by {named(document)}: expected one "
            "coding; segscore convert with only_coders writes those of one coder"
        )
    (coding,) = document.items()
    return coding


def check_fits(text: TextToAnnotate, document: Document, what: str) -> None:
    """Refuse a coding of another text."""
    if document.n_units != len(text.units):
        raise SegmentationError(
            f"{what}: document {text.name!r} has {document.n_units:,} units, and the text has "
            f"{len(text.units):,}: expected a coding of the same units"
        )
    if document.units is not None and tuple(document.units) != text.units:
        place = next(
            i for i, (a, b) in enumerate(zip(document.units, text.units, strict=True), 1) if a != b
        )
        raise SegmentationError(
            f"{what}: unit {place} of document {text.name!r} is "
            f"{document.units[place - 1][:60]!r}, and the text has {text.units[place - 1][:60]!r}: "
            "expected a coding of the same text"
        )


def prefilled_codings(
    texts: Sequence[TextToAnnotate],
    corpus: Corpus,
    rules: MarkRules,
    remark: Callable[[str], None],
) -> dict[str, dict[str, Any]]:
    """The boundaries that each document begins with, and their coder, by document."""
    found: dict[str, dict[str, Any]] = {}
    ignored = False
    for text in texts:
        document = corpus.get(text.name)
        given = None if document is None else given_coding(document, "prefill")
        if document is None or given is None:
            continue
        check_fits(text, document, "prefill")
        coder, coding = given
        if isinstance(coding, Levels):
            raise SegmentationError(
                f"prefill: document {text.name!r} has several levels, each with segments of its "
                "own: expected one segmentation, whose boundaries may have ranks"
            )
        labels = _labels_of(coding, rules, text.name)
        ignored |= labels is None and coding.segment_labels is not None
        found[text.name] = {
            "by": coder,
            "boundaries": coding.boundaries.tolist(),
            "levels": _levels_of(coding, rules, text.name),
            "labels": labels,
        }
    if not found:
        raise SegmentationError(
            f"prefill has {named(corpus)}, and the texts are "
            f"{named([text.name for text in texts])}: expected codings of the same documents"
        )
    if len(found) < len(texts):
        remark(
            f"prefill has no coding of {len(texts) - len(found)} of {len(texts)} documents: they "
            "begin without boundaries"
        )
    names = {text.name for text in texts}
    others = [name for name in corpus if name not in names]
    if others:
        remark(f"prefill has codings of documents that are not to be annotated: {named(others)}")
    if ignored:
        remark("prefill has labels, and the page asks for none: they are left out")
    return found


def _levels_of(given: Segmentation, rules: MarkRules, name: str) -> list[int] | None:
    if rules.levels == 1 or given.ranks is None:  # many systems rank boundaries by their strength
        return None
    ranks: list[int] = given.ranks.tolist()
    if max(ranks, default=1) > rules.levels:
        raise SegmentationError(
            f"prefill: document {name!r} has a boundary of level {max(ranks)}: expected at most "
            f"{rules.levels}, as levels= says"
        )
    return ranks


def _labels_of(given: Segmentation, rules: MarkRules, name: str) -> list[str | None] | None:
    if given.segment_labels is None or not (rules.labels or rules.titles):
        return None
    found: list[str | None] = []
    for labels in label_sets(given.segment_labels):
        if len(labels) > 1:
            raise SegmentationError(
                f"prefill: document {name!r} has a segment with {len(labels)} labels: expected one"
            )
        label = next(iter(labels), None)
        if label is not None and rules.labels and label not in rules.labels:
            raise SegmentationError(
                f"prefill: document {name!r} has the label {label!r}: expected one of "
                f"{named(rules.labels)}, as labels= says"
            )
        found.append(label)
    return found


def practice_documents(
    texts: Sequence[TextToAnnotate], gold: Corpus
) -> tuple[list[TextToAnnotate], dict[str, list[int]]]:
    """The documents, those for practice first, and the boundaries of their gold. Documents of the
    gold that are not among the texts are added, with the text that the gold has."""
    known: Mapping[str, TextToAnnotate] = {text.name: text for text in texts}
    practice: list[TextToAnnotate] = []
    answers: dict[str, list[int]] = {}
    for name, document in gold.items():
        given = given_coding(document, "practice")
        if given is None:
            continue
        if name not in known and document.units is None:
            raise SegmentationError(
                f"practice: document {name!r} has no text, and is not among the texts: expected "
                "its units in the file, or its text among the texts"
            )
        text = known[name] if name in known else document_to_annotate(document)
        check_fits(text, document, "practice")
        practice.append(text)
        answers[name] = given[1].boundaries.tolist()
    if not answers:
        raise SegmentationError("practice holds no coding: expected gold of some documents")
    return [*practice, *(text for text in texts if text.name not in answers)], answers


Codings = Corpus | str | os.PathLike[str]

MOST_CHARACTERS = 200_000  # of guidelines
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
    rules = mark_rules(levels, labels, titles)
    check_keywords(annotation_page, options, TextKeywords.__optional_keys__)
    reading = ReadOptions(**options)
    remark, large = reading.remark, reading.large
    documents, provenance = texts_to_annotate(texts, reading)
    answers: dict[str, list[int]] = {}
    if practice is not None:
        documents, answers = practice_documents(documents, _corpus(practice, remark, large))
    check_sizes(documents)
    first: dict[str, dict[str, Any]] = {}
    if prefill is not None:
        real = [document for document in documents if document.name not in answers]
        first = prefilled_codings(real, _corpus(prefill, remark, large), rules, remark)
    held = [
        _document(document, first.get(document.name), answers.get(document.name))
        for document in documents
    ]
    words = (_checked(title, "title"), _checked(round, "round"), _guidelines(guidelines))
    data = {
        "page": _page_id(held, rules, words),
        "title": title,
        "round": round,
        "coder": _checked(coder, "coder"),
        "shuffle": bool(shuffle),
        "levels": rules.levels,
        "labels": list(rules.labels),
        "titles": rules.titles,
        "provenance": header_fields(provenance).get("provenance"),
        "documents": held,
    }
    heading = " · ".join(filter(None, (title or _TITLE, round)))
    guidance = escaped(words[2])
    written = write_page(path, "annotate.html", data, title=heading, guidelines=guidance)
    if counted is not None:
        counted(len(documents), sum(len(document.units) for document in documents))
    return written


def _checked(value: str | None, what: str) -> str | None:
    if value is not None:
        check_name(value, what)
        if not value.strip():
            raise SegmentationError(f"{what} is {shown(value)}: expected a text that is not blank")
    return value


def _corpus(given: Codings, remark: Callable[[str], None], large: bool) -> Corpus:
    return given if isinstance(given, Corpus) else read(given, remark=remark, large=large)


def _document(
    text: TextToAnnotate, prefill: dict[str, Any] | None, gold: list[int] | None
) -> dict[str, Any]:
    """A document as the page holds it."""
    with about(f"document {text.name!r}"):
        hash_ = unit_hash(text.units)
        for speaker in text.speakers or ():
            check_unicode(speaker or "", "a speaker")
    known = {
        "speakers": text.speakers, "starts": text.starts, "group": text.group,
        "prefill": prefill, "gold": gold,
    }  # fmt: skip
    return {
        "name": text.name,
        "units": text.units,
        "hash": hash_,
        **{key: value for key, value in known.items() if value is not None},
    }


def _page_id(
    documents: list[dict[str, Any]], rules: MarkRules, words: tuple[str | None, ...]
) -> str:
    """The id of a page, made from what is annotated and what coders are told; pages with the same
    id share the work that a browser has saved."""
    known = ("name", "hash", "prefill", "gold")
    what = [words, list(rules), [[document.get(key) for key in known] for document in documents]]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


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


def _guidelines(given: str | os.PathLike[str] | None) -> str:
    """The HTML of guidelines, or nothing."""
    if given is None:
        return ""
    markdown = given if isinstance(given, str) else Source(Path(given), "", "").read_text()
    if len(markdown) > MOST_CHARACTERS:
        raise SegmentationError(
            f"the guidelines have {len(markdown):,} characters: expected at most "
            f"{MOST_CHARACTERS:,}"
        )
    check_unicode(markdown, "guidelines")
    if not markdown.strip():
        raise SegmentationError("the guidelines are empty: expected some, or leave them out")
    return guideline_markup(markdown)
