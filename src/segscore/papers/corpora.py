"""The corpora that papers use, read from the folder of data."""

import csv
from collections.abc import Iterable, Mapping

from segscore.errors import SegmentationError
from segscore.io import read
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


def choi(run: Run, subset: str) -> list[Segmentation]:
    """References of a subset of Choi (2000), e.g. "3-11", counted in words.

    Candidates are the ends of lines: a line is a sentence, and no excerpt ends inside one.
    """
    made = []
    for folder in sorted(run.folder("choi").glob(f"*/{subset}")):
        for document in read(folder, "choi").values():
            words = [len(line.split()) for line in document.units or ()]
            made.append(document["reference"].expand(words))
    if not made:
        raise SegmentationError(f"no */{subset} in {run.folder('choi')}")
    return made


def longer_by_one(codings: Codings) -> Codings:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {coder: _with_last(made.masses.tolist()) for coder, made in codings.items()}


def _with_last(masses: Iterable[int]) -> Segmentation:
    *others, last = masses
    return Segmentation.from_masses([*others, last + 1])
