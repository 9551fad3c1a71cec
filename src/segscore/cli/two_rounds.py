"""`segscore agree ROUND1 ROUND2 --rounds`: two rounds of coding are read, and their agreement is
compared."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from segscore.coders.random_codings import Null
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus
    from segscore.tables import Table


def two_rounds(codings: list[Path]) -> list[Path]:
    if len(codings) != 2:
        raise SegmentationError(
            f"--rounds takes two CODINGS, a file or a folder for each round, and there "
            f"{'is' if len(codings) == 1 else 'are'} {len(codings)}"
        )
    return codings


def one_round(path: Path, read: Callable[[list[Path]], "Corpus"]) -> "Corpus":
    """A round: a file, a folder, or a folder of people's folders, read like `agree ROUND/*`."""
    inside = (
        sorted(entry for entry in path.iterdir() if entry.name[0] != ".") if path.is_dir() else []
    )
    of_people = len(inside) > 1 and all(entry.is_dir() for entry in inside)
    if of_people and _called_alike(inside):
        return read(inside)
    try:
        return read([path])
    except SegmentationError as error:
        if not path.is_file() or path.suffix == ".jsonl":
            raise
        raise SegmentationError(
            f"{error}; if the two rounds come in different forms, convert each first: "
            f"segscore convert {path} {path.stem}.jsonl"
        ) from None


def _called_alike(folders: list[Path]) -> bool:
    """Whether two folders hold files with the same names, as the folders of people do."""
    names = Counter(file.name for folder in folders for file in folder.iterdir())
    return any(number > 1 for name, number in names.items() if name[0] != ".")


def rounds_table(
    both: "list[Corpus]", paths: list[Path], metric: str, null: Null, draws: int | None, seed: int
) -> "Table":
    """Agreement in two rounds, which are named after their files if the names differ."""
    from segscore.coders.rounds import compare_agreement

    first, second = (path.stem or str(path) for path in paths)
    names = (first, second) if first != second else ("round 1", "round 2")
    found = compare_agreement(
        both[0], both[1], metric, names=names, null=null, draws=draws, seed=seed
    )
    return found.to_table()
