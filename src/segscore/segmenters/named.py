"""Segmenters by name, as the command line knows them: `c99`, `texttiling(w=10,k=6)`.

`auto` is None, `yes` and `no` are truth values; parameters left out have their defaults.
"""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation
from segscore.segmenters.adapters import as_segmenter
from segscore.segmenters.aps import APS
from segscore.segmenters.base import Segmenter
from segscore.segmenters.baseline import Bisect, Everything, Nothing, Random, Uniform
from segscore.segmenters.bayesseg import BayesSeg
from segscore.segmenters.c99 import C99
from segscore.segmenters.greedy_bayes import GreedyBayes
from segscore.segmenters.hier_bayes import HierBayes
from segscore.segmenters.mincut import MinCutSeg
from segscore.segmenters.texttiling import TextTiling
from segscore.segmenters.utiyama_isahara import UtiyamaIsahara

SEGMENTERS: dict[str, Callable[..., Segmenter]] = {
    "c99": C99,
    "hc99": partial(C99, hierarchical=True),
    "texttiling": TextTiling,
    "utiyama-isahara": UtiyamaIsahara,
    "bayesseg": BayesSeg,
    "greedy-bayes": GreedyBayes,
    "hier-bayes": HierBayes,
    "mincutseg": MinCutSeg,
    "aps": APS,
    "none": Nothing,
    "all": Everything,
    "uniform": Uniform,
    "random": Random,
    "bisect": Bisect,
}

_SPEC = re.compile(r"(?P<name>[\w-]+)(?:\((?P<parameters>[^()]*)\))?")
_NO_TEXT = (
    "preprocessing",
    "progress",
    "function",
    "encode",
    "space",
)  # parameters that a text cannot give
_WORDS = {"auto": None, "yes": True, "no": False}


def segmenter(spec: str | Callable[..., Any]) -> Callable[..., Segmentation]:
    """The segmenter that a text names; a segmenter, or any other function, as a segmenter.

    >>> segmenter("texttiling(w=10,cutoff=LC)").w
    10
    """
    if not isinstance(spec, str):
        return as_segmenter(spec)
    found = _SPEC.fullmatch(spec.strip())
    if found is None:
        raise SegmentationError(
            f"cannot read segmenter {spec!r}: expected for instance texttiling(w=10,k=6)"
        )
    make = SEGMENTERS.get(found["name"])
    if make is None:
        raise SegmentationError(
            f"no segmenter is called {found['name']!r}: expected one of {', '.join(SEGMENTERS)}"
        )
    given: dict[str, Any] = {}
    for cell in filter(None, (found["parameters"] or "").split(",")):
        key, _, value = cell.partition("=")
        given[key.strip()] = value_of(value.strip())
    known = parameters(make())
    for key in given:
        if key not in known:
            raise SegmentationError(
                f"segmenter {spec!r}: no parameter is called {key!r}: expected "
                + (", ".join(known) if known else "none, for it has none")
            )
    return make(**given)


def parameters(made: Any) -> list[str]:
    """The parameters of a segmenter that a text can give."""
    return [field.name for field in fields(made) if field.name not in _NO_TEXT]


def written(made: Any, name: str) -> str:
    """A segmenter as text: its name, and the parameters that are not its defaults.

    >>> written(TextTiling(w=None, k=3), "texttiling")
    'texttiling(w=auto,k=3)'
    """
    usual = SEGMENTERS[name]() if name in SEGMENTERS else None
    given = {
        field.name: getattr(made, field.name)
        for field in fields(made)
        if field.name not in _NO_TEXT
        and getattr(made, field.name) != getattr(usual, field.name, field.default)
    }
    cells = [f"{key}={_text_of(value)}" for key, value in given.items()]
    return f"{name}({','.join(cells)})" if cells else name


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return "/".join(map(_text_of, value))
    for word, meaning in _WORDS.items():
        if value is meaning:
            return word
    return str(value)


def value_of(text: str) -> Any:
    """The value of a parameter, as written."""
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def with_words(
    made: Callable[..., Any], stop_words: Path | None, stemmer: str | None
) -> Callable[..., Any]:
    """The same segmenter with another stop list or stemmer ("none": no stemming), where given."""
    changes: dict[str, Any] = {}
    if stop_words is not None:
        changes["stop_words"] = stop_words
    if stemmer is not None:
        changes["stemmer"] = None if stemmer == "none" else stemmer
    if not changes or not hasattr(made, "preprocessing"):
        return made
    return replace(made, preprocessing=replace(made.preprocessing, **changes))  # type: ignore[type-var]


def called(spec: Any) -> str:
    """How a table calls a segmenter."""
    return spec if isinstance(spec, str) else getattr(spec, "name", None) or shown(spec)
