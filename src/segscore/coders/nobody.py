"""A consensus is not a person: codings of the kind `consensus` were made from people's codings, so
statements about people leave them out. They serve as references."""

from collections.abc import Iterable, Mapping
from typing import Any

from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError, named


def without_consensus(corpus: Corpus) -> Corpus:
    """The corpus without codings of the kind `consensus`; the same object if it has none.

    >>> cut = Segmentation.from_masses
    >>> codings = {"d": {"ann": cut([2, 3]), "bob": cut([5]), "gold": cut([2, 3])}}
    >>> corpus = Corpus.from_dict(codings, kinds={"gold": "consensus"})
    >>> without_consensus(corpus).coders
    ('ann', 'bob')
    """
    columns = corpus.columns
    people = columns.without_consensus()
    if people is columns:
        return corpus
    return Corpus.from_columns(people, corpus.coder_scope, corpus.provenance)


def people_in(document: Mapping[str, Segmentation]) -> dict[str, Segmentation]:
    """The codings of a document that were not made from others."""
    made = consensus_in(document)
    return {coder: coding for coder, coding in document.items() if coder not in made}


def consensus_in(document: Any) -> tuple[str, ...]:
    """The coders of a document that are known to be a consensus."""
    kinds: Mapping[str, Any] = document.kinds if isinstance(document, Document) else {}
    return tuple(coder for coder, kind in kinds.items() if kind == "consensus")


def only_consensus(codings: Codings) -> str:
    """The consensus codings of a table that also holds the people."""
    found = codings.consensus_coders
    if len(found) == 1:
        return found[0]
    held = f"more than one consensus, {named(found)}" if found else "no consensus"
    raise SegmentationError(
        f"the reference is not named, and there is {held}: expected one consensus, a second file "
        "(PERSON), or reference="
    )


def consensus_note(names: Iterable[str]) -> tuple[str, ...]:
    """A note that says which consensus was left out, and why; nothing if none was."""
    listed = sorted(set(names))
    if not listed:
        return ()
    whose = "their kind is" if len(listed) > 1 else "its kind is"
    return (f"left out: {named(listed)}; {whose} consensus, which was made from people's codings",)
