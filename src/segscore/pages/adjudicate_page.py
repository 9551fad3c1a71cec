"""`adjudication_page` writes the page in which one person decides where coders differ.

Python finds the places and applies the rule (`segscore.coders.adjudication`); the page
(`scripts/adjudicate.js`) shows them beside the text, saves decisions, and exports gold, and
the decisions as a table to read.

A blind page holds no name of a coder: they are numbered anew in each document, in an order that
follows from a hash, and their comments, which may name them, are left out.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from segscore.basics.arguments import truth
from segscore.coders.adjudication import (
    GOLD,
    LEVELS_BY_DEFAULT,
    AdjudicationCase,
    AdjudicationRule,
    adjudication_cases,
    check_gold_name,
    gold_ranks,
    places_of_different_levels,
    with_levels,
)
from segscore.coders.places import WITHIN, Place
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import Provenance
from segscore.corpus.text_checks import unit_hash
from segscore.errors import named
from segscore.io.formats.jsonl import header_fields
from segscore.io.given_texts import GivenTexts
from segscore.io.read_options import ReadOptions, warn
from segscore.pages.annotation_texts import texts_to_annotate
from segscore.pages.page_frame import write_page


def adjudication_page(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    within: int = WITHIN,
    accept: float = 1.0,
    reject: float = 0.0,
    blind: bool = False,
    coder: str = GOLD,
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
    rule = AdjudicationRule(within, accept, reject)
    cases = adjudication_cases(corpus, rule)
    check_gold_name(coder, cases)
    truth(blind, "blind")
    documents = [_document(case, blind) for case in cases]
    heading = title or "Adjudication"
    data: dict[str, Any] = {
        "title": heading,
        "coder": coder,
        "blind": blind,
        "rule": {"within": rule.within, "accept": rule.accept, "reject": rule.reject},
        "first": header_fields(_without_names(corpus) if blind else corpus.provenance),
        "documents": documents,
    }
    # the same title, codings and rule are the same page: what was decided is found again
    identity = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    if texts is not None:  # after the identity, which does not depend on them
        _add_speakers(documents, texts, remark)
    data |= {"page": f"adjudicate-{identity}", "file": Path(path).stem or "adjudicate"}
    levels = with_levels(cases)
    return write_page(
        path,
        "adjudicate.html",
        data,
        title=heading,
        rule=rule,
        n_places=sum(len(case.places) for case in cases),
        n_open=sum(case.n_open for case in cases),
        levels=LEVELS_BY_DEFAULT if levels else "",
        n_levels_differ=places_of_different_levels(cases) if levels else 0,
        blind=blind,
    )


def _without_names(corpus: Corpus) -> Provenance:
    """How units were formed, without the names of tiers, which may be names of people."""
    return replace(corpus.provenance, layers=())


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
        if list(text.units) != document.get("text"):
            wrong.append(document["name"])
            continue
        for key, values in (("speakers", text.speakers), ("starts", text.starts)):
            if values is not None:
                document[key] = list(values)
    if wrong:
        remark(
            f"speakers and times of {named(wrong)} are not shown: expected a transcript with the "
            "same units as the codings"
        )


def _document(case: AdjudicationCase, blind: bool) -> dict[str, Any]:
    """A document as the script needs it."""
    document = case.document
    people = _shuffled(document) if blind else list(document)
    numbers = {coder: number for number, coder in enumerate(people)}
    units = None if document.units is None else list(document.units)
    digest = None if units is None else unit_hash(units)
    data: dict[str, Any] = {
        "name": document.name,
        "key": f"{digest or f'units:{document.n_units}'}:{document.name}",
        "units": document.n_units,
        "hash": digest,
        "coders": [f"coder {number + 1}" for number in range(len(people))] if blind else people,
        "codings": [_coding(document[coder]) for coder in people],
        "places": [
            _place(place, ruling, numbers)
            for place, ruling in zip(case.places, case.rulings, strict=True)
        ],
    }
    if units is not None:
        data["text"] = units
    if document.group is not None:
        data["group"] = document.group
    ranks = gold_ranks(document)
    if ranks is not None:
        data |= {"ranks": ranks.by_position, "least": ranks.least}
    remarks = _remarks(document, numbers, comments=not blind)
    return data | ({"said": remarks} if remarks else {})


def _coding(coding: Segmentation) -> dict[str, Any]:
    ranks = {} if coding.ranks is None else {"ranks": coding.ranks.tolist()}
    return {"masses": coding.masses.tolist(), **ranks}


def _place(place: Place, ruling: Any, numbers: dict[str, int]) -> dict[str, Any]:
    positions = [alternative.position for alternative in place.alternatives]
    return {
        "at": positions,
        "who": [
            sorted(numbers[coder] for coder in alternative.coders)
            for alternative in place.alternatives
        ],
        "most": positions.index(place.position),
        "ruling": ruling,
    }


def _shuffled(document: Document) -> list[str]:
    """The coders in an order that reveals nothing, and is the same each time."""
    return sorted(
        document, key=lambda coder: hashlib.sha256(f"{document.name}\0{coder}".encode()).digest()
    )


def _remarks(
    document: Document, numbers: dict[str, int], comments: bool
) -> list[tuple[int, int, str | None]]:
    """(position, coder, comment) of people's comments while they coded; None: they were unsure."""
    found: list[tuple[int, int, str | None]] = []
    for coder, annotation in document.annotations.items():
        if coder in numbers:
            found += [(position, numbers[coder], None) for position in annotation.unsure]
            if comments:
                found += [
                    (comment.after, numbers[coder], comment.text) for comment in annotation.comments
                ]
    return sorted(found, key=lambda remark: remark[:2])
