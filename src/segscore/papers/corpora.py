"""The corpora that papers use, read from the folder of data."""

import csv
from collections.abc import Iterable, Mapping

from segscore.errors import SegmentationError
from segscore.papers.cells import Run
from segscore.segmentation import Segmentation

Codings = Mapping[str, Segmentation]  # by coder


def moonstone(run: Run) -> dict[int, Codings]:
    """The Moonstone (Kazantseva & Szpakowicz 2012), by chapter; coders are local to a chapter."""
    chapters: dict[int, Codings] = {}
    for path in run.folder("moonstone").glob("segmentations/ch*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        try:
            chapters[int(path.stem.removeprefix("ch"))] = {
                coder: Segmentation.from_segment_ids([int(row[coder]) for row in rows])
                for coder in rows[0]
                if coder != "paragraph"
            }
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise SegmentationError(
                f"{path.name}: {error}: expected paragraph,an1,… and a segment number in each cell"
            ) from error
    if not chapters:
        raise SegmentationError(f"no segmentations/ch*.csv in {run.folder('moonstone')}")
    return dict(sorted(chapters.items()))


def longer_by_one(codings: Codings) -> Codings:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {coder: _with_last(made.masses.tolist()) for coder, made in codings.items()}


def _with_last(masses: Iterable[int]) -> Segmentation:
    *others, last = masses
    return Segmentation.from_masses([*others, last + 1])
