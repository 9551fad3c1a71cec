"""Segmenters by name, as on the command line: `c99`, `texttiling(w=10,k=6)`.

`segscore.basics.specs` says how values are written; parameters left out have their defaults.
`cwm(space=FILE.npz)` reads the space that `LSASpace.save` wrote.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.specs import WORDS, parse_spec, unknown_name, unknown_parameter, value_of
from segscore.basics.user_functions import load_plugins
from segscore.errors import SegmentationError
from segscore.segmenters.aps import APS
from segscore.segmenters.baseline import Bisect, Everything, Nothing, Random, Uniform
from segscore.segmenters.bayesseg import BayesSeg
from segscore.segmenters.c99 import C99
from segscore.segmenters.contract import Segmenter
from segscore.segmenters.embedding import EmbeddingSegmenter
from segscore.segmenters.hier_bayes import GreedyBayes, HierBayes
from segscore.segmenters.lsa import CWM
from segscore.segmenters.mincut import MinCutSeg
from segscore.segmenters.preprocessing import CHOI_2000, MIT
from segscore.segmenters.texttiling import TextTiling
from segscore.segmenters.utiyama_isahara import UtiyamaIsahara

SEGMENTERS: dict[str, Callable[..., Segmenter]] = {
    "c99": C99,
    "hc99": partial(C99, hierarchical=True),
    "cwm": CWM,
    "hcwm": partial(CWM, hierarchical=True),
    "texttiling": TextTiling,
    "utiyama-isahara": UtiyamaIsahara,
    "bayesseg": BayesSeg,
    "greedy-bayes": GreedyBayes,
    "hier-bayes": HierBayes,
    "mincutseg": MinCutSeg,
    "aps": APS,
    "embedding": EmbeddingSegmenter,
    "none": Nothing,
    "all": Everything,
    "uniform": Uniform,
    "random": Random,
    "bisect": Bisect,
}

_EXAMPLE = "texttiling(w=10,k=6)"
# not possible in a text
_NO_TEXT = ("preprocessing", "progress", "function", "returns", "marks", "encode")
_PLAIN = (str, int, float, tuple, type(None))  # values that a text can give


def segmenter_named(spec: str, encode: Callable[[list[str]], Any] | None = None) -> Segmenter:
    """The segmenter that a text names.

    spec: a name, with parameters in parentheses: `c99`, `texttiling(k=4)`.
    encode: the function from texts to vectors for "embedding", which a text cannot name.

    >>> segmenter_named("texttiling(w=10,cutoff=LC)").w
    10
    """
    name, cells = parse_spec(spec, "segmenter", _EXAMPLE)
    make = SEGMENTERS.get(name) or all_segmenters().get(name)
    if make is None:
        raise unknown_name("segmenter", name, all_segmenters())
    given = {key: value_of(text) for key, text in cells.items()}
    known = parameters(_class(make))
    for key in given:
        if key not in known:
            raise unknown_parameter("segmenter", spec, key, known)
    if make is EmbeddingSegmenter:
        if encode is None:
            raise SegmentationError(
                f"segmenter {spec!r} needs an encoder: expected encoder=MODULE:FUNCTION, "
                "or EmbeddingSegmenter(encode)"
            )
        given["encode"] = encode
    for field in fields(_class(make)):
        if field.default is MISSING and field.name in known and field.name not in given:
            raise SegmentationError(
                f"segmenter {spec!r} needs {field.name}: expected {name}({field.name}=…)"
            )
    return make(**given)


@cache
def all_segmenters() -> dict[str, Callable[..., Segmenter]]:
    """Our segmenters and those of other packages (`segscore.basics.user_functions`), by name."""
    found = load_plugins("segscore.segmenters", SEGMENTERS, _check_plugin)
    return {**SEGMENTERS, **{name: plugin.value for name, plugin in found.items()}}


def _check_plugin(name: str, make: Any) -> None:
    kind = _class(make)
    if not isinstance(kind, type) or not issubclass(kind, Segmenter) or not is_dataclass(kind):
        raise ValueError(f"it is {shown(make)}: expected a dataclass derived from Segmenter")
    if getattr(kind, "name", None) != name:
        raise ValueError(f"its `name` is {getattr(kind, 'name', None)!r}: expected {name!r}")


def _class(make: Callable[..., Segmenter]) -> Any:
    """The dataclass behind an entry of the table."""
    return getattr(make, "func", make)


def parameters(segmenter: Any) -> list[str]:
    """The parameters of a segmenter, or of its class, that a text can give."""
    return [field.name for field in fields(segmenter) if field.name not in _NO_TEXT]


# ---- back to text ----


def with_parameters(spec: str, changes: Mapping[str, Any]) -> str:
    """The text of a segmenter with other parameters.

    >>> with_parameters("texttiling(k=3)", {"w": None, "k": 6})
    'texttiling(k=6,w=auto)'
    """
    name, cells = parse_spec(spec, "segmenter", _EXAMPLE)
    cells |= {key: _text_of(value) for key, value in changes.items()}
    listed = ",".join(f"{key}={value}" for key, value in cells.items())
    return f"{name}({listed})" if listed else name


def written(segmenter: Any) -> str:
    """A segmenter as text: its name, and the parameters that are not its defaults.

    >>> written(TextTiling(w=None, k=3))
    'texttiling(w=auto,k=3)'
    """
    defaults = {field.name: field.default for field in fields(segmenter)}
    values = {name: getattr(segmenter, name) for name in parameters(segmenter)}
    return with_parameters(
        segmenter.name,
        {k: v for k, v in values.items() if v != defaults[k] and isinstance(v, _PLAIN)},
    )


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return "/".join(map(_text_of, value))
    return next((word for word, meaning in WORDS.items() if value is meaning), str(value))


# ---- words as other programs have them ----

# Tokens, stop words and stems of the original programs: C99; BayesSeg and MinCutSeg.
PRESETS = {"choi2000": CHOI_2000, "mit": MIT}


def with_words(
    segmenter: Callable[..., Any],
    stop_words: Path | None,
    stemmer: str | None,
    preset: str | None = None,
) -> Callable[..., Any]:
    """A segmenter with another stop list or stemmer ("none": no stemming), if given.

    `preset` is one of PRESETS; the stop list of both is Choi's, from a file or SEGSCORE_DATA.
    """
    changes: dict[str, Any] = {}
    if preset is not None:
        if preset not in PRESETS:
            raise SegmentationError(f"preset is {shown(preset)}: expected {' or '.join(PRESETS)}")
        changes = {**vars(PRESETS[preset]), "stop_words": "choi"}
    if stop_words is not None:
        changes["stop_words"] = stop_words
    if stemmer is not None:
        changes["stemmer"] = None if stemmer == "none" else stemmer
    if changes and isinstance(segmenter, CWM):
        raise SegmentationError(
            "cwm uses the stop words and the stemmer that its space was trained with: give neither "
            "stop words nor a stemmer"
        )
    if not changes or not hasattr(segmenter, "preprocessing"):
        return segmenter  # it does not use words
    changed: dict[str, Any] = {"preprocessing": replace(segmenter.preprocessing, **changes)}
    if preset is not None:
        _ = changed["preprocessing"].stop_list  # an error before the run if there is no file
    if preset == "choi2000" and isinstance(segmenter, C99):
        changed["single"] = True
    return replace(segmenter, **changed)  # type: ignore[type-var]
