"""Every public name of segscore, and the page of the site that explains it.

The lists are those of the package itself (`__all__`), so a new name gets its page by itself.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import segscore

ROOMS = {  # what is used by the name of its room, `ss.plot.boundaries(…)`
    "metrics": "Metrics",
    "corpus": "Segmentations and corpora",
    "coders": "Agreement among people",
    "chunks": "Chunks and evidence",
    "answers": "Answers of language models",
    "curves": "Scores instead of decisions",
    "pages": "Reports",
    "plot": "Pictures, `ss.plot`",
    "segmenters": "Segmenters, `ss.segmenters`",
    "simulate": "Simulations, `ss.simulate`",
    "datasets": "Data sets, `ss.datasets`",
    "baselines": "Baselines, `ss.baselines`",
    "ranked": "Hierarchies, `ss.ranked`",
    "io": "Files, `segscore.io`",
    "adapters.labels": "Other frameworks, `segscore.adapters`",
    "adapters.intervals": "Other frameworks, `segscore.adapters`",
    "adapters.gating": "Other frameworks, `segscore.adapters`",
}
SUBJECTS = {  # the module that a name of `ss` comes from, or the first part of it
    "coding.levels": "Hierarchies, `ss.ranked`",
    "coding.outline": "Hierarchies, `ss.ranked`",
    "coding.scored": "Scores instead of decisions",
    "coding": "Segmentations and corpora",
    "corpus": "Segmentations and corpora",
    "pairing": "Segmentations and corpora",
    "errors": "Segmentations and corpora",
    "metrics.statistics": "Scoring",
    "metrics": "Metrics",
    "scoring": "Scoring",
    "engines": "Scoring",
    "curves": "Scores instead of decisions",
    "comparison": "Comparing systems",
    "chunks": "Chunks and evidence",
    "coders": "Agreement among people",
    "conventions": "Checks and audits",
    "checking": "Checks and audits",
    "io": "Files, `segscore.io`",
    "pages": "Reports",
}
ORDER = list(dict.fromkeys([*SUBJECTS.values(), *ROOMS.values()]))


class Name(NamedTuple):
    """A public name: where it is found, and where it is explained."""

    path: str  # segscore.plot.boundaries
    thing: Any
    subject: str

    @property
    def shown(self) -> str:
        """How users write it: `ss.plot.boundaries`."""
        _, _, rest = self.path.partition(".")
        return self.path if rest.startswith(("io.", "adapters.")) else f"ss.{rest}"

    @property
    def kind(self) -> str:
        """`class`, `function` or `data`."""
        if inspect.isclass(self.thing):
            return "class"
        return "function" if inspect.isroutine(self.thing) else "data"

    @property
    def page(self) -> str:
        """The name of its page; kinds apart, for `Score` and `score` are one file on some disks."""
        folder = {"class": "classes", "function": "functions", "data": "data"}[self.kind]
        return f"api/{folder}/{self.path.partition('.')[2]}"


def public_names() -> Iterator[Name]:
    """All of them, each once: those of `ss` first, then room by room."""
    seen: set[int] = set()
    for name in segscore.__all__:
        thing = getattr(segscore, name)
        if name != "__version__" and not inspect.ismodule(thing):
            seen.add(id(thing))
            yield Name(f"segscore.{name}", thing, _subject(thing))
    for room, subject in ROOMS.items():
        module = import_module(f"segscore.{room}")
        for name in names_of(module):
            thing = getattr(module, name)
            if id(thing) not in seen and not inspect.ismodule(thing):
                yield Name(f"segscore.{room}.{name}", thing, subject)


def names_of(module: Any) -> list[str]:
    """What a module offers: `__all__`, or else what it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
    ]


def _subject(thing: Any) -> str:
    _, room, *module = thing.__module__.split(".")
    return SUBJECTS.get(".".join((room, *module)), SUBJECTS.get(room, "Others"))
