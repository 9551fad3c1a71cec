"""The corpora that papers use, read from the folder of data."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from segscore.errors import SegmentationError
from segscore.papers.cells import Run
from segscore.ranked import from_level_columns
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


def moonstone_hierarchical(run: Run) -> dict[int, Codings]:
    """The ranked codings of The Moonstone (Kazantseva & Szpakowicz 2014), by chapter."""
    chapters: dict[int, dict[str, Segmentation]] = {}
    for path in sorted(run.folder("moonstone_hierarchical").glob("annots/ch*/*.csv")):
        chapter, _, coder = path.stem.removeprefix("ch").partition("-")
        # Lines end in CR alone; reading as text makes them lines.
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        try:
            levels = [name for name in rows[0] if name.startswith("level")]
            columns = [[int(row[name]) for row in rows] for name in levels]
            chapters.setdefault(int(chapter), {})[coder] = from_level_columns(columns)
        except (IndexError, TypeError, ValueError) as error:
            raise SegmentationError(
                f"{path.name}: {error}: expected par,level1,… and 0 or 1 in each cell"
            ) from error
    if not chapters:
        raise SegmentationError(f"no annots/ch*/*.csv in {run.folder('moonstone_hierarchical')}")
    return dict(sorted(chapters.items()))


def choi(run: Run, subset: str) -> list[Segmentation]:
    """References of a subset of Choi (2000), e.g. "3-11", counted in words.

    Candidates are the ends of lines: a line is a sentence, and no excerpt ends inside one.
    """
    paths = sorted(run.folder("choi").glob(f"*/{subset}/*.ref"))
    if not paths:
        raise SegmentationError(f"no */{subset}/*.ref in {run.folder('choi')}")
    return [_choi_document(path) for path in paths]


def _choi_document(path: Path) -> Segmentation:
    excerpts: list[list[int]] = [[]]  # words of each line
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith("====="):
            excerpts.append([])
        elif line.split():
            excerpts[-1].append(len(line.split()))
    full = [lines for lines in excerpts if lines]
    if not full:
        raise SegmentationError(f"{path.name} has no line of text: expected excerpts")
    in_lines = Segmentation.from_masses([len(lines) for lines in full])
    return in_lines.expand([words for lines in full for words in lines])


def longer_by_one(codings: Codings) -> Codings:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {coder: _with_last(made.masses.tolist()) for coder, made in codings.items()}


def _with_last(masses: Iterable[int]) -> Segmentation:
    *others, last = masses
    return Segmentation.from_masses([*others, last + 1])
