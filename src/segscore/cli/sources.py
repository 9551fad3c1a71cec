"""What several sources are: people who are to agree, or a reference and systems."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus

Meaning = Literal["people", "systems"]


def what_is_meant(
    first: "Corpus",
    others: "Mapping[str, Sequence[Corpus]]",
    given: Sequence[str],
    metrics: Sequence[str],
) -> Meaning:
    """What the files and options say; if they say nothing, an error asks.

    Systems have a name (NAME=FILE), a kind, or a reference that is a consensus or is called gold;
    metrics that agreement cannot use, or several metrics, also mean systems. People have a kind.
    """
    from segscore.checking.names import looks_like

    named = any("=" in source and not Path(source).exists() for source in given)
    if named or _for_systems(metrics):
        return "systems"
    kinds = _kinds([run for runs in others.values() for run in runs])
    own = _kinds([first])
    if "system" in kinds or own == {"consensus"}:
        return "systems"
    if own | kinds == {"person"}:
        return "people"
    if len(first.coders) == 1 and looks_like(first.coders[0], "gold"):
        return "systems"
    raise SegmentationError(
        f"there are {len(given) + 1} sources, and neither they nor other options say what they "
        "are: expected --as people (all of them are coders: how far they agree), or --as systems "
        "(the first is the reference, and the others are compared with it)"
    )


def _for_systems(metrics: Sequence[str]) -> bool:
    from segscore.coders.agreement_choices import is_similarity
    from segscore.metrics import metric

    return len(metrics) > 1 or any(not is_similarity(metric(name)) for name in metrics)


def _kinds(given: "Sequence[Corpus]") -> set[str | None]:
    """The kinds of all codings; None: unknown."""
    return {
        document.kinds.get(coder)
        for corpus in given
        for document in corpus.values()
        for coder in document
    }
