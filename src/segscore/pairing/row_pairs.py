"""Rows of two tables of codings, paired as `Pairs`."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import Int64Array
from segscore.corpus.codings import Codings
from segscore.corpus.lists import pair_columns
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.pairing.failures import Failures
from segscore.pairing.pairs import Pairs


def pairs_of_rows(
    reference: Codings,
    ref_rows: Int64Array,
    side: Codings,
    hyp_rows: Int64Array,
    groups: Int64Array | None = None,
    *,
    documents: Sequence[str] | None = None,
    provenance: Provenance = PLAIN,
    skipped: Sequence[str] = (),
    failures: Failures | None = None,
) -> Pairs:
    """Pair rows of two tables. `groups`: where the references of each hypothesis begin in
    `ref_rows`, if it has several. Rows with details are used as segmentations."""
    if reference.details or side.details:
        refs: list[Any] = [reference.segmentation(row) for row in ref_rows.tolist()]
        hyps = [side.segmentation(row) for row in hyp_rows.tolist()]
        if groups is not None:
            refs = [refs[first:last] for first, last in pairwise(groups.tolist())]
        return Pairs.from_segmentations(
            refs, hyps, documents, provenance=provenance, skipped=skipped, failures=failures
        )
    return Pairs(
        side.n_units[hyp_rows],
        *reference.boundaries(ref_rows),
        *side.boundaries(hyp_rows),
        documents,
        groups=groups,
        provenance=provenance,
        skipped=skipped,
        failures=failures,
        **pair_columns(reference.labels_of(ref_rows), side.labels_of(hyp_rows)),
    )
