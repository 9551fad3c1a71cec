"""A corpus of ranked codings, level by level."""

from dataclasses import replace

from segscore.coding.ranks import at_level, dense_ranks
from segscore.corpus.corpus import Corpus


def corpus_levels(corpus: Corpus) -> list[Corpus]:
    """The codings of a corpus cut off at level 1, at level 2 … down to the deepest that is used.

    Whatever is defined for codings without ranks, such as agreement, is so defined level by level.
    A coder with fewer levels keeps all their boundaries below their last. Segment labels, which
    name the segments of the whole, are left out.

    >>> from segscore.coding.ranks import from_nested_masses
    >>> tree = from_nested_masses([[2, 3], 6])
    >>> levels = corpus_levels(Corpus.from_dict({"a": {"ann": tree, "bob": at_level(tree, 1)}}))
    >>> [[coding.masses.tolist() for coding in level["a"].values()] for level in levels]
    [[[5, 6], [5, 6]], [[2, 3, 6], [5, 6]]]
    """
    codings = [coding for document in corpus.values() for coding in document.values()]
    depth = max((int(dense_ranks(coding).max(initial=1)) for coding in codings), default=0)
    return [
        Corpus.from_rows(
            (
                replace(
                    record,
                    segmentation=record.segmentation and at_level(record.segmentation, level),
                    labels=None,
                )
                for record in corpus.records()
            ),
            coders=corpus.coder_scope,
        )
        for level in range(1, depth + 1)
    ]
