"""Segmenters that work in rounds (hier-bayes): how long they may take, and how far they are."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from segscore.cli.output import remark
from segscore.coding.segmentation import Segmentation

_WORTH_A_WORD = 10.0  # seconds of work


def announced(
    segmenter: Callable[..., Segmentation], texts: Iterable[Sequence[str]]
) -> Callable[..., Segmentation]:
    """The segmenter, after a word on the time if much is expected.

    A single document on a terminal gets a bar of its own.
    """
    if not hasattr(segmenter, "expected_seconds"):
        return segmenter
    listed = list(texts)
    seconds = sum(segmenter.expected_seconds(units) for units in listed)
    if seconds < _WORTH_A_WORD:
        return segmenter
    long = f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
    documents = "document" if len(listed) == 1 else "documents"
    remark(f"{segmenter.name}: {len(listed)} {documents} may take {long} on one core")  # type: ignore[attr-defined]
    if len(listed) == 1 and sys.stderr.isatty():
        return _with_bar(segmenter)
    return replace(segmenter, progress=_said_already)  # type: ignore[type-var]


def _said_already(now: Any) -> None:
    """In place of the segmenter's own warning."""


def _with_bar(segmenter: Any) -> Callable[..., Segmentation]:
    from rich.console import Console
    from rich.progress import Progress

    def segment(units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(segmenter.name, total=segmenter.rounds)
            watched = replace(
                segmenter, progress=lambda now: bar.update(task, completed=now.number)
            )
            found: Segmentation = watched(units, n_segments)
            return found

    return segment
