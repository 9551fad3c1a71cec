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
from typing import Any, Unpack

from segscore.basics.arguments import shown
from segscore.corpus.corpus import Corpus
from segscore.corpus.text_checks import check_name, check_unicode, unit_hash
from segscore.errors import SegmentationError, about, check_keywords
from segscore.io import read
from segscore.io.files import Source
from segscore.io.formats.jsonl import header_fields
from segscore.io.given_texts import GivenTexts
from segscore.io.read_options import ReadOptions, TextKeywords
from segscore.pages.annotation_codings import (
    MarkRules,
    mark_rules,
    practice_documents,
    prefilled_codings,
)
from segscore.pages.annotation_texts import TextToAnnotate, check_sizes, texts_to_annotate
from segscore.pages.html_markup import name as shown_name
from segscore.pages.page_frame import asset, data_json, framed_page, write_page

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
    whole = framed_page(
        heading,
        _body(heading, words[2]),
        data_json(data),
        entry="annotate.js",
        styles=["page.css", "annotate.css"],
    )
    written = write_page(path, whole)
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


def _body(title: str, guidelines: str) -> str:
    """The HTML of the page, which the script fills."""
    shown_guidelines = (
        '<details id="guidelines" class="guidelines" open><summary>Guidelines</summary>\n'
        f'<div dir="auto">\n{guidelines}</div></details>\n'
        if guidelines
        else ""
    )
    parts = asset("annotate.html").split("$guidelines")
    return parts[0].replace("$heading", shown_name(title, 200)) + shown_guidelines + parts[1]
