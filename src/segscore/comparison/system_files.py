"""Systems as a list of files: each coder of a file is a system, or NAME=FILE says its name."""

from collections.abc import Sequence
from pathlib import Path

from segscore.comparison.compared import systems_of
from segscore.corpus.corpus import Corpus
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions
from segscore.io.reading import read


def system_runs(
    files: Sequence[str],
    format: str | None = None,  # noqa: A002
    options: ReadOptions = DEFAULT_OPTIONS,
) -> dict[str, list[Corpus]]:
    """The runs of each system by its name, as `compare` takes them: a NAME again is another run."""
    found: dict[str, list[Corpus]] = {}
    paths = list(map(system_path, files))
    for given in files:
        path = system_path(given)
        name = given.removesuffix(path).removesuffix("=")
        corpus = read(path, format, **vars(options))
        for coder, run in systems_of(corpus, path, found, paths).items():
            found.setdefault(name or coder, []).append(run)
    return found


def system_path(given: str) -> str:
    """The path of a system that may have a name before it: NAME=FILE."""
    _, mark, path = given.partition("=")
    return path if mark and not Path(given).exists() else given
