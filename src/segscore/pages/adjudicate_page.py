"""`adjudication_page` writes the page in which one person decides where coders differ.

Python finds the places and applies the rule (`segscore.coders.gold`); the page
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
from operator import itemgetter
from pathlib import Path
from typing import Any

from segscore.basics.arguments import truth
from segscore.coders import gold
from segscore.coders.places import WITHIN
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import unit_hash
from segscore.errors import named
from segscore.io.formats.jsonl import header_fields
from segscore.io.read_options import ReadOptions, warn
from segscore.io.texts import GivenTexts
from segscore.pages.annotate_page import texts_to_annotate
from segscore.pages.page_frame import write_page


def adjudication_page(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    within: int = WITHIN,
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
    documents = [_document(case, blind) for case in cases]
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


def _document(case: gold.AdjudicationCase, blind: bool) -> dict[str, Any]:
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
                "at": (at := [each.position for each in place.alternatives]),
                "who": [sorted(map(number.get, each.coders)) for each in place.alternatives],
                "most": at.index(place.position),
                "ruling": ruling,
            }
            for place, ruling in zip(case.places, case.rulings, strict=True)
        ],
        **{key: value for key, value in known.items() if value is not None},
    }
