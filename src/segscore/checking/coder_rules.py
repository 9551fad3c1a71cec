"""What names, texts, coders and labels show: sides that were swapped, a text or a person under two
names, gold or systems among people, labels read by the wrong marks.

In fewer than five documents a boundary at the same place proves nothing, but labels of 0 and 1 show
more than boundaries whether `marks` is right: a list that marks starts has a 1 at its first unit,
and mostly a 0 at its last; a list that marks ends has the opposite. Both readings of a file
together show every label: read by ends, a label of the first unit is a boundary; read by starts, a
label of the last unit is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import BothSides, CheckedSide, Finding
from segscore.checking.match_rules import FEWEST, constant_places
from segscore.coding.segmentation import Segmentation
from segscore.corpus import Codings, Corpus
from segscore.corpus.record import KINDS, spelt_alike
from segscore.errors import named

_MOST_CODERS = 30  # that are looked at


# ---- names and texts ----

_SYSTEMS = (
    "aps auto automatic baseline bayesseg bert c99 cwm embedding gpt hyp hyps hypotheses "
    "hypothesis llama llm mincut mincutseg mistral model models output outputs pred predicted "
    "prediction predictions preds random run segmenter system systems textseg texttiling "
    "uniform utiyama"
)
_REFERENCES = "gold golden groundtruth ref reference references truth"
_GOLD = f"{_REFERENCES} adjudicated consensus majority"
_PEOPLE = (
    f"{_REFERENCES} annotation annotations annotator annotators coder coders expert experts human "
    "humans manual people person rater raters refs"
)


def looks_like(name: str, kind: str) -> bool:
    """Whether a name looks like that of a `system`, or of a `gold` made from several people."""
    return _any_of([name], _SYSTEMS if kind == "system" else _GOLD)


def swapped(ref_names: Iterable[str], hyp_names: Iterable[str]) -> Iterator[Finding]:
    """The first side has the name of a system, the second that of people; or the second alone is
    called a reference."""
    refs, hyps = list(ref_names), list(hyp_names)
    if _any_of(refs, _PEOPLE) or _any_of(refs, _GOLD) or _any_of(hyps, _SYSTEMS) or not refs:
        return
    if _any_of(refs, _SYSTEMS) and _any_of(hyps, _PEOPLE):
        yield _swapped(refs, hyps, "a system", "people")
    elif _any_of(hyps, _REFERENCES):
        yield _swapped(refs, hyps, "", "a reference")


def swapped_kinds(refs: Corpus, hyps: Corpus) -> Iterator[Finding]:
    """The first side is by systems, the second by people, according to the corpora or to their
    names."""
    first, second = (
        {kind for document in corpus.values() for kind in document.kinds.values()}
        for corpus in (refs, hyps)
    )
    if (first, second) == ({"system"}, {"person"}):
        yield _swapped(refs.coders, hyps.coders, "a system", "people")
    elif second == {"consensus"} and first <= {"system"}:
        yield _swapped(refs.coders, hyps.coders, "", "a reference")
    elif not first and not second:
        yield from swapped(refs.coders, hyps.coders)


def _swapped(refs: Sequence[str], hyps: Sequence[str], *looks: str) -> Finding:
    first, second = (
        named(dict.fromkeys(names)) + f", which looks like {kind}" * bool(kind)
        for names, kind in zip((refs, hyps), looks, strict=True)
    )
    return Finding(
        "swapped-sides",
        "warning",
        f"The reference is by {first}, and the hypothesis by {second}.",
        {"reference_names": len(refs), "hypothesis_names": len(hyps)},
        (),
        "The sides are probably swapped: the reference comes first.",
    )


def _any_of(names: Iterable[str], words: str) -> bool:
    known = set(words.split())
    parts = (word for name in names for word in re.split(r"[^a-z0-9]+", name.lower()) if word)
    return any(word in known or word.rstrip("0123456789") in known for word in parts)


def duplicate_texts(corpus: Corpus) -> Iterator[Finding]:
    """A text that occurs under two names."""
    by_text: dict[tuple[str, ...], list[str]] = {}
    texts = ((name, document.units) for name, document in corpus.items())
    for name, units in ((name, units) for name, units in texts if units is not None):
        by_text.setdefault(units, []).append(name)
    twice = [names for names in by_text.values() if len(names) > 1]
    every = tuple(name for names in twice for name in names)
    if twice:
        yield Finding(
            "duplicate-texts",
            "warning",
            f"{len(every)} documents hold only {len(twice)} different "
            f"{'text' if len(twice) == 1 else 'texts'}, for instance {named(twice[0])}.",
            {"documents": len(every), "texts": len(twice)},
            every,
            "Such documents count twice in every average and make intervals too narrow: keep one "
            "of each.",
        )


def spellings(corpus: Corpus) -> Iterator[Finding]:
    """Coders, or documents, whose names differ only in case or spaces."""
    coders = spelt_alike(corpus.coders if corpus.coder_scope == "global" else ())
    documents = spelt_alike(corpus)
    one_name = "rename= gives one person one name"
    paired = "give them the same name in the files, or their codings are never paired"
    for what, alike, remedy in (("Coders", coders, one_name), ("Documents", documents, paired)):
        if alike:
            yield Finding(
                "spellings",
                "warning",
                f"{what} {'; '.join(map(named, alike[:3]))} differ only in spelling.",
                {"names": sum(map(len, alike))},
                tuple(name for names in alike for name in names) if what == "Documents" else (),
                f"If they are the same: {remedy}.",
            )


# ---- the sides of coders ----


def sides_of_coders(codings: Codings) -> dict[str, BothSides]:
    """Each coder as both sides of a check; the name is empty if all documents have one coding,
    which is one side, whoever made it."""
    if (np.diff(codings.starts) <= 1).all():
        return {"": _side(codings, np.arange(len(codings)))}
    if codings.scope != "global":
        return {}
    return {
        coder: _side(codings, codings.rows_of(coder)) for coder in codings.coders[:_MOST_CODERS]
    }


def _side(codings: Codings, rows: Int64Array) -> BothSides:
    names = [codings.documents[number] for number in codings.document_of_rows[rows].tolist()]
    side = CheckedSide(codings.n_units[rows], codings.offsets, codings.positions, rows)
    return BothSides(names, side, side, codings.provenance)


def same_places(codings: Codings) -> Iterator[Finding]:
    """Coders who have a boundary at the first place of nearly all documents, or at a place near the
    end, which people hardly mark so often: a note per place."""
    found = sorted(
        (where, remedy, coder, two.names(there), len(two))
        for coder, side in sides_of_coders(codings).items()
        for two in (side.comparable(),)
        for there, where, remedy in constant_places(two)
    )
    for (where, remedy), group in groupby(found, key=lambda row: row[:2]):
        coders, documents, coded = zip(*(row[2:] for row in group), strict=True)
        names = tuple(dict.fromkeys(name for listed in documents for name in listed))
        subject = "The coding" if coders == ("",) else named(coders)
        has = "has" if len(coders) == 1 else "have"
        yield Finding(
            "same-place",
            "note",
            f"{subject} {has} a boundary at {where} in {len(names)} of {max(coded)} documents.",
            {"documents": len(names), "coders": len(coders)},
            names,
            remedy,
        )


# ---- coders who are no people ----

_FEWEST_OTHERS = 3  # others in a document: two are no majority
_SURE_OF_SIDES = 4  # -log10 of the chance that a person always sides with the majority
_LEAST_USUAL = 0.7  # how often a person sides with it at least, whatever few places show


def no_people(codings: Codings) -> Iterator[Finding]:
    """Coders whose kind or name says that they are systems, or made from the others."""
    people, systems = (
        set(codings.codes[codings.kinds == KINDS.index(kind)].tolist())
        for kind in ("person", "system")
    )
    for kind, what in (("system", "a system"), ("gold", "a reference that was made from others")):
        odd = [
            coder
            for code, coder in enumerate(codings.coders)
            if (kind == "system" and code in systems)
            or (code not in people and looks_like(coder, kind))
        ]
        if odd and len(codings.coders) - len(odd) >= 2:
            yield Finding(
                "no-people",
                "note",
                f"{named(odd)} looks like {what}, among {len(codings.coders)} coders.",
                {"coders": len(odd)},
                (),
                "Agreement is about people: take the others only, by Corpus.select(coders=…), or "
                "name the one that is a system (system=).",
            )


def made_from_others(codings: Codings) -> Iterator[Finding]:
    """A coder who equals the majority of the others, or what at least half of them mark, in all
    documents, although the others are divided so often that no person would always side with
    most."""
    if codings.scope != "global" or not _FEWEST_OTHERS < len(codings.coders) <= _MOST_CODERS:
        return
    seen = _votes(codings)
    for coder, (own, votes, n) in enumerate(seen):
        divided = int(((votes > 0) & (votes < n)).sum())
        if not (np.array_equal(own, 2 * votes > n) or np.array_equal(own, 2 * votes >= n)):
            continue
        usual = max(_LEAST_USUAL, _siding(seen[:coder] + seen[coder + 1 :]))
        if -divided * np.log10(usual) >= _SURE_OF_SIDES:
            name = codings.coders[coder]
            yield Finding(
                "made-from-others",
                "warning",
                f"{name!r} has what most of the others mark, and nothing else, also at the "
                f"{divided} places on which they are divided.",
                {"divided": divided, "usual": usual},
                (),
                "It is probably a consensus, not a person, and makes agreement too high: leave it "
                f"out, or say what it is (with_details(kinds={{{name!r}: 'consensus'}}), or "
                '"kind": "consensus" in JSON Lines).',
            )


_Votes = tuple[NDArray[np.bool_], Int64Array, Int64Array]


def _votes(codings: Codings) -> list[_Votes]:
    """For each coder, at each marked position in documents that enough others coded, too: whether
    the coder marked it, how many others did, and the number of others."""
    offsets, positions = codings.offsets, codings.positions
    rows = np.repeat(np.arange(len(codings)), np.diff(offsets))
    both = np.stack([codings.document_of_rows[rows], positions])
    places, place = np.unique(both, axis=1, return_inverse=True)
    marked = np.zeros((places.shape[1], len(codings.coders)), np.bool_)
    marked[place.reshape(-1), codings.codes[rows]] = True
    coded = np.zeros((len(codings.documents), len(codings.coders)), np.bool_)
    coded[codings.document_of_rows, codings.codes] = True
    coded = coded[places[0]]
    n = coded.sum(axis=1) - 1
    found = []
    for coder in range(len(codings.coders)):
        there = coded[:, coder] & (n >= _FEWEST_OTHERS)
        own = marked[there, coder]
        found.append((own, marked[there].sum(axis=1) - own, n[there]))
    return found


def _siding(seen: list[_Votes]) -> float:
    """How often people side with the majority where the others are divided, but not in half."""
    sided = places = 0
    for own, votes, n in seen:
        divided = (votes > 0) & (votes < n) & (2 * votes != n)
        sided += int((own == (2 * votes > n))[divided].sum())
        places += int(divided.sum())
    return (sided + 1) / (places + 2)


# ---- one person twice ----

_BOUNDARIES = 20  # in documents that two share: so many are not all the same by luck
_SURE = 4  # -log10 of the chance that two people agree so far


def one_coder_twice(codings: Codings) -> Iterator[Finding]:
    """Two coders whose codings are all the same, unlike those of other pairs."""
    same, others = [], []
    for a, b in combinations(codings.coders[:_MOST_CODERS], 2):
        first, second = codings.rows_of(a), codings.rows_of(b)
        owner = codings.document_of_rows
        _, *at = np.intersect1d(owner[first], owner[second], return_indices=True)
        left, right = _side(codings, first[at[0]]), _side(codings, second[at[1]])
        common = BothSides(left.documents, left.ref, right.ref).matches()
        every = len(left.ref.positions) + len(right.ref.positions) - common
        unmarked = int((left.ref.n_units - 1).sum()) - common
        if common == every and min(common, unmarked) >= _BOUNDARIES:
            same.append((a, b, tuple(left.documents), common))
        else:
            others.append((common, every))
    shared, marked = np.sum(others, axis=0).tolist() if others else (0, 0)
    usual = (shared + 1) / (marked + 2) if others else 0.0  # a boundary is shared so often
    for a, b, names, common in same:
        if -common * np.log10(max(usual, 1e-9)) >= _SURE:
            yield Finding(
                "one-coder-twice",
                "warning",
                f"{a!r} and {b!r} have the same {common} boundaries in all {len(names)} documents "
                "that both coded.",
                {"boundaries": common, "documents": len(names), "usual": usual},
                names,
                "One person probably has two names, which makes agreement too high: leave one out, "
                f"or merge the names ({named((a, b))}).",
            )


# ---- labels of few documents ----

OTHER_MARKS = {"end": "start", "start": "end", "gaps": "end"}


def doubtful_marks(marks: str, read: list[Corpus], otherwise: list[Corpus]) -> Iterator[Finding]:
    """A note if all labels of a few documents suggest another value of `marks`.

    `read` are the corpora as read with `marks`, `otherwise` as read with OTHER_MARKS.
    """
    lists = [
        (document, _is_doubtful(marks, coding, other[document][coder]))
        for corpus, other in zip(read, otherwise, strict=True)
        for document, codings in corpus.items()
        for coder, coding in codings.items()
        if coding != other[document][coder] and coding.n_units > 1  # equal: it has no labels
    ]
    documents = tuple(dict.fromkeys(document for document, _ in lists))
    if not 0 < len(documents) < FEWEST or not all(doubtful for _, doubtful in lists):
        return
    many = "a list of labels has" if len(lists) == 1 else f"all {len(lists)} lists of labels have"
    seen, meant = {
        "end": ("1 at the first unit and 0 at the last", "mark starts have them: marks='start'?"),
        "start": ("0 at the first unit and 1 at the last", "mark ends have them: marks='end'?"),
        "gaps": ("1 at the end", "have a label per unit, not per gap, have it: marks='end'?"),
    }[marks]
    yield Finding(
        "doubtful-marks",
        "note",
        f"Read by marks={marks!r}, {many} {seen}.",
        {"lists": len(lists)},
        documents,
        f"Lists that {meant} So few documents cannot tell; what wrote the labels can.",
    )


def _is_doubtful(marks: str, coding: Segmentation, other: Segmentation) -> bool:
    """Whether the ends of a list of labels suggest another value of marks."""
    by_end, by_start = (coding, other) if marks == "end" else (other, coding)
    last = by_start.n_units - 1  # of gaps: the place before the last unit that they let expect
    at_first, at_last = 1 in by_end.boundaries, last in by_start.boundaries
    if marks == "end":
        return at_first and not at_last
    return at_last and (marks == "gaps" or not at_first)
