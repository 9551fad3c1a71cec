"""What can be fetched: each corpus with its authors, terms, citation, home and files.

`sources.json` holds, per corpus, the public repository, the commit, and for each file its path
here, its path there, its size in bytes and its SHA-256.
"""

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from importlib import resources
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError


class RemoteFile(NamedTuple):
    """One file of a corpus: its path here and in its repository, its size and checksum."""

    path: str
    upstream: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Dataset:
    """A corpus.

    Parameters
    ----------
    name: its name for `fetch`, `load` and `segscore data`.
    title: what it is.
    citation: the study that published it.
    papers: the papers of `segscore reproduce` that need it.
    terms: the terms of use.
    embedded: whether it is part of the package, so that nothing is fetched.
    repository, commit: where its files are, on GitHub.
    """

    name: str
    title: str
    citation: str
    papers: tuple[str, ...]
    terms: str = ""
    embedded: bool = False
    repository: str = ""
    commit: str = ""
    _rows: tuple[Any, ...] = field(default=(), repr=False)

    @cached_property
    def files(self) -> tuple[RemoteFile, ...]:
        """The files to fetch."""
        return tuple(RemoteFile(*row) for row in self._rows)

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


def _described(sources: dict[str, Any]) -> dict[str, Dataset]:
    def remote(name: str, title: str, citation: str, papers: tuple[str, ...]) -> Dataset:
        one = sources[name]
        return Dataset(
            name, title, citation, papers, one["terms"], False,
            one["repository"], one["commit"], tuple(map(tuple, one["files"])),
        )  # fmt: skip

    listed = (
        Dataset(
            "stargazer",
            "the article Stargazers, 21 paragraphs, cut by 7 people",
            "Marti A. Hearst (1997): TextTiling. Computational Linguistics 23(1)",
            ("fournier2013",),
            "codings are facts: free to quote with the citation",
            embedded=True,
        ),
        Dataset(
            "kubla_khan",
            "Coleridge's poem, 54 lines, cut and labelled by 9 people",
            "Chris Fournier (2013): An Initial Study of Topical Poetry Segmentation. CLfL 2013",
            ("fournier2013poetry",),
            "codings are facts: free to quote with the citation",
            embedded=True,
        ),
        remote(
            "moonstone",
            "20 chapters of Collins's novel, 4 to 6 people each, 108 codings",
            "Anna Kazantseva & Stan Szpakowicz (2012): Topical Segmentation: a Study of Human "
            "Performance and a New Measure of Quality. NAACL-HLT 2012",
            ("fournier2012", "fournier2013", "kazantseva2012"),
        ),
        remote(
            "moonstone_hierarchical",
            "9 chapters of the same novel in several levels, 3 to 6 people each, 45 codings",
            "Anna Kazantseva & Stan Szpakowicz (2014): Hierarchical Topical Segmentation with "
            "Affinity Propagation. COLING 2014",
            (),
        ),
        remote(
            "choi",
            "700 artificial documents of 10 excerpts each, with a stop list",
            "Freddy Y. Y. Choi (2000): Advances in domain independent linear text segmentation. "
            "NAACL 2000",
            ("carroll2010", "choi2000", "utiyama2001"),
        ),
        remote(
            "lectures_ai",
            "22 transcripts of lectures on artificial intelligence, with topics",
            "Igor Malioutov & Regina Barzilay (2006): Minimum Cut Model for Spoken Lecture "
            "Segmentation. COLING-ACL 2006",
            (),
        ),
    )
    return {one.name: one for one in listed}


def _sources() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("sources.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


DATASETS = _described(_sources())


def dataset(name: Any) -> Dataset:
    """The corpus of this name.

    name: as `segscore data` lists them.

    >>> dataset("choi").size
    7692022
    """
    if isinstance(name, str) and name in DATASETS:
        return DATASETS[name]
    close = get_close_matches(str(name), DATASETS, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise SegmentationError(
        f"dataset is {shown(name)}: expected one of {', '.join(DATASETS)}{hint}"
    )
