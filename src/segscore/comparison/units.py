"""Both sides of a comparison on the same units: the words of systems aligned with those of the
references, and what is not scored cut out of both."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from segscore.basics.arguments import check_choice
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Units
from segscore.pairing.masks import Cuts
from segscore.pairing.rules import Align, Mask

Codings = Mapping[str, Segmentation]  # of one document, by coder


class UnitChanges(NamedTuple):
    """What is done about units before anything is scored: as in `score`."""

    align: Align | None = None
    max_error: float = MAX_ERROR
    mask: Mask | Mapping[str, Mask] | None = None


AS_THEY_ARE = UnitChanges()


class Run(NamedTuple):
    """One run of a system: its segmentations by document, and what else is known of them.

    own: whether it has units of its own; a coder of the corpus has those of the corpus.
    """

    segmentations: Mapping[str, Segmentation]
    texts: dict[str, Units]
    provenance: Provenance = PLAIN
    own: bool = True


Runs = dict[str, list[Run]]  # of each system


def aligned_runs(
    runs: Runs, named: Mapping[str, Codings], provenance: Provenance, changes: UnitChanges
) -> Runs:
    """The runs of systems on the units of the references, by their words if it is asked for."""
    if changes.align is None:
        return runs
    check_choice(changes.align, "align", ("words",))
    texts = {name: getattr(one, "units", None) for name, one in named.items()}
    known = {name: units for name, units in texts.items() if units is not None}
    return {
        name: [
            _aligned(name, run, known, set(named), provenance, changes) if run.own else run
            for run in several
        ]
        for name, several in runs.items()
    }


def _aligned(
    system: str,
    run: Run,
    texts: dict[str, Units],
    documents: set[str],
    provenance: Provenance,
    changes: UnitChanges,
) -> Run:
    from segscore.io.read_options import warn
    from segscore.pairing.aligning import Sides, aligned_provenance, aligned_records

    both = Sides("the reference", texts, f"system {system!r}", run.texts)
    rows = ((name, system, coding) for name, coding in run.segmentations.items())
    found: dict[str, Segmentation] = {}
    for one in aligned_records(rows, documents, both, changes.max_error, warn):
        if one.segmentation is not None:
            found[one.document] = one.segmentation
    return Run(found, {}, aligned_provenance(provenance, run.provenance))


class Masked(NamedTuple):
    """What is left of a comparison: the codings, the references by coder, the runs of systems."""

    named: Mapping[str, Codings]
    references: Mapping[str, Codings]
    runs: Runs
    provenance: Provenance


def without_parts(given: Masked, kept: Iterable[str], changes: UnitChanges) -> Masked:
    """The documents that are compared without what is not scored; the others as they are."""
    if changes.mask is None:
        return given
    n_units = {name: next(iter(given.references[name].values())).n_units for name in kept}
    others = [name for name in given.named if name not in n_units]
    others += [name for run in _all(given.runs) for name in run.segmentations]
    cuts = Cuts.of(changes.mask, n_units, given.provenance, others)

    def masked(codings: Mapping[str, Codings]) -> dict[str, Codings]:
        return {
            name: cuts.of_codings(name, one) if name in n_units else one
            for name, one in codings.items()
        }

    runs = {
        system: [_masked(system, run, cuts) for run in several]
        for system, several in given.runs.items()
    }
    return Masked(masked(given.named), masked(given.references), runs, cuts.told(given.provenance))


def _masked(system: str, run: Run, cuts: Cuts) -> Run:
    segmentations = {
        name: cuts.of_document(name, one, f"system {system!r}") if name in cuts.parts else one
        for name, one in run.segmentations.items()
    }
    texts = {
        name: cuts.of_text(name, units) if name in cuts.parts else units
        for name, units in run.texts.items()
    }
    return run._replace(segmentations=segmentations, texts=texts)


def _all(runs: Runs) -> Iterable[Run]:
    return (run for several in runs.values() for run in several)
