"""Rows that replace missing hypotheses: a single segment as long as the document."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from segscore.corpus.codings import Codings, joined_rows
from segscore.pairing.documents import Matched
from segscore.pairing.failures import Failures, Missing, Reasons


def with_segments(
    codings: Codings | None, coder: str, n_units: Mapping[str, int], about: Codings
) -> Codings:
    """A coder's codings, one of each document, and a single segment in each document of `n_units`.

    codings: None if there are none. about: the table that they come from.
    """
    n = len(n_units)
    boundaries = (
        np.array(list(n_units.values()), np.int64), np.zeros(n + 1, np.int64),
        np.empty(0, np.int64),
    )  # fmt: skip
    filled = Codings.plain(list(n_units), coder, boundaries)
    every = filled if codings is None else joined_rows([codings, filled])
    return replace(
        every, texts=about.texts, failures=about.failures, source=about.source, scope=about.scope,
        provenance=about.provenance,
    )  # fmt: skip


def failures_of(
    found: Matched, reasons: Reasons, missing: Missing, rows: Sequence[int] = ()
) -> Failures | None:
    """The documents that have a reference but no hypothesis; `rows` stand for them."""
    n_documents = len(found.documents) + len(found.without_hypothesis)
    return Failures.of(missing, found.without_hypothesis, reasons, n_documents, rows)
