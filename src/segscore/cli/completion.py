"""What the Tab key completes: names of metrics, segmenters, formats and corpora.

Typer calls these with what was typed so far, and keeps what begins with it. Only names are listed:
nothing is imported that a name does not need, and plug-ins are not loaded.
"""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import typer

from segscore.basics.plugins import plugin_names

_LONGEST_HINT = 56  # characters: Typer breaks longer lines, and fish takes the rest for a word


class Completion(NamedTuple):
    """A word that fits, and what shells show beside it."""

    value: str
    help: str | None = None
    type: str = "plain"


def metrics() -> list[str]:
    """Names of metrics."""
    from segscore.metrics.makers import METRICS

    return [*METRICS, *plugin_names("segscore.metrics")]


def metric_limits(context: typer.Context) -> list[str]:
    """Names of metrics, or of measures of evidence, before a number: `b=`."""
    if context.info_name != "evidence":
        return [f"{name}=" for name in metrics()]
    from segscore.retrieval.evidence_measures import DEFINITIONS

    return [f"{name}=" for name in DEFINITIONS]


def segmenters() -> list[str]:
    """Names of segmenters."""
    from segscore.segmenters.by_name import SEGMENTERS

    return [*SEGMENTERS, *plugin_names("segscore.segmenters")]


def formats() -> list[str]:
    """Names of formats that are read."""
    from segscore.io.registry import FORMATS

    return [*FORMATS, *plugin_names("segscore.readers")]


def written_formats() -> list[str]:
    """Names of formats that are written."""
    from segscore.io.registry import WRITTEN

    return list(WRITTEN)


def parts() -> list[str]:
    """Parts of tables, before the name of a column: `document=`."""
    from segscore.corpus.table_columns import PARTS

    return [f"{part}=" for part in PARTS]


def unit_rules() -> list[str]:
    """What a unit may be."""
    return ["lines", "paragraphs", "sentences", "words", "characters", "seconds:", "tier:"]


def corpora() -> list[str]:
    """Names of corpora that can be fetched."""
    from segscore.datasets.catalogue import DATASETS

    return list(DATASETS)


def commands(groups: Iterable[Mapping[str, str]], begun: str) -> Iterator[Completion]:
    """The commands that begin with the typed text, each with its summary."""
    for group in groups:
        for name, summary in group.items():
            if name.startswith(begun):
                yield Completion(name, hint(summary))


def hint(text: str) -> str:
    """What shells show beside a word, as far as it fits in a line.

    >>> hint('A metric, parameters in brackets: "wd(k=3)"; "b.recall" is a part. May be repeated.')
    'A metric, parameters in brackets: wd(k=3); b.recall is …'
    """
    return textwrap.shorten(text.replace('"', ""), _LONGEST_HINT, placeholder=" …")
