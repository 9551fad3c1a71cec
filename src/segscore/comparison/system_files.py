"""The systems that a command line names: files, folders, or NAME=FILE."""

import os
from collections.abc import Sequence
from pathlib import Path

from segscore.comparison.given_systems import systems_of
from segscore.corpus.corpus import Corpus
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions
from segscore.io.reading import read_chosen


def system_files(given: Sequence[str]) -> list[tuple[Path, str | None]]:
    """The files of FILE and NAME=FILE: each of its coders is a system, or its only coder has this
    name."""
    paths = [system_path(spec) for spec in given]
    return [
        (Path(path), spec.removesuffix(path).removesuffix("=") or None)
        for spec, path in zip(given, paths, strict=True)
    ]


def system_runs(
    files: Sequence[str],
    format: str | None = None,  # noqa: A002
    options: ReadOptions = DEFAULT_OPTIONS,
) -> dict[str, list[Corpus]]:
    """The runs of each system by its name, as `compare` takes them: a repeated NAME is another
    run."""
    found: dict[str, list[Corpus]] = {}
    paths = list(map(system_path, files))
    for path, (_, name) in zip(paths, system_files(files), strict=True):
        corpus = read_chosen(path, format, options)
        for coder, run in systems_of(corpus, path, found, paths).items():
            found.setdefault(name or coder, []).append(run)
    return found


def system_path(given: str) -> str:
    """The path of a system that may have a name before it: NAME=FILE."""
    _, mark, path = given.partition("=")
    return path if mark and not os.path.exists(given) else given
