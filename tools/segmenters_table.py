"""Writes the tables of errors in docs/segmenters.md: `make segmenters-table`.

Errors are means over documents: on Choi's texts Pk in words, per cent; on the lectures WindowDiff
in sentences. What was chosen by measurement (the stopping rule, its c, smoothing) was chosen on
sets 1 and 2 and on the three lectures `.dev`; set 3 and the lectures `.ref` had no part in it.

The LSA space for sets 1 and 2 is trained on the segments of set 3, the other one on those of sets 1
and 2. All sets draw on the same articles, so that LSA has an advantage here that it has nowhere
else.

The table of embeddings is written if VECTORS is a folder with `texts.json`, a list of units, and
`vectors.npy`, their vectors by an encoder: make segmenters-table VECTORS=folder.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import segscore as ss
from segscore.segmenters import CWM, EmbeddingSegmenter, LSASpace, segmenter
from segscore.segmenters.embedding import EncodedOnce

PAGE = Path(__file__).parent.parent / "docs" / "segmenters.md"
DATA = Path(os.environ.get("SEGSCORE_DATA", PAGE.parent.parent.parent / "shared" / "data"))
SUBSETS = ("3-11", "3-5", "6-8", "9-11")
GROUPS = (*SUBSETS, "set 3", "dev", "lectures")
HEAD = "| | " + " | ".join((*SUBSETS, "set 3", "lectures .dev", "lectures .ref")) + " |"
LEXICAL = (
    "c99", "c99(stop=excess)", "texttiling", "texttiling(valleys=yes)", "utiyama-isahara",
    "bayesseg", "greedy-bayes", "mincutseg", "aps", "none", "uniform", "random",
)  # fmt: skip
Documents = list[tuple[list[str], ss.Segmentation]]
Method = Callable[..., ss.Segmentation]


def documents(group: str) -> Documents:
    """Units and reference of each document of a group."""
    if group in SUBSETS:
        paths = [DATA / "choi" / part / group for part in "12"]
    elif group == "set 3":
        paths = [DATA / "choi" / "3" / "3-11"]
    else:
        suffix = {"dev": "*.dev", "lectures": "*.ref"}[group]
        paths = sorted((DATA / "lectures_ai" / "manual").glob(suffix))
    found = [document for path in paths for document in ss.read(path, format="choi").values()]
    return [(list(document.units or ()), document["reference"]) for document in found]


def error(group: str, units: list[str], reference: ss.Segmentation, found: Any) -> float:
    """What the tables show for one document."""
    if group in ("dev", "lectures"):
        return float(ss.WindowDiff()(reference, found))
    lengths = [max(len(unit.split()), 1) for unit in units]
    return 100 * float(ss.Pk()(reference.expand(lengths), found.expand(lengths)))


def cell(group: str, texts: Documents, method: Method, known: bool) -> str:
    """The mean error of a method on a group."""
    errors = [
        error(group, units, reference, method(units, reference.n_segments if known else None))
        for units, reference in texts
    ]
    mean = float(np.mean(errors))
    return f"{mean:.3f}".removeprefix("0") if group in ("dev", "lectures") else f"{mean:.1f}"


def row(
    name: str, corpora: dict[str, Documents], make: Callable[[str], Method], known: bool
) -> str:
    """A row of a table; `make` gives the method for a group."""
    cells = [cell(group, corpora[group], make(group), known) for group in GROUPS]
    print(name, "known" if known else "found", *cells, flush=True)
    return f"| {name} | {' | '.join(cells)} |"


def lexical(corpora: dict[str, Documents]) -> Iterable[str]:
    """Methods that count words, and baselines."""
    for known, title in ((True, "number of segments known"), (False, "found by the method")):
        yield from ("", f"**{title}**", "", HEAD, "|---" * (len(GROUPS) + 1) + "|")
        for name in LEXICAL:
            method: Any = segmenter(name)
            if (name == "none" or "stop" in name) if known else method.needs_n_segments:
                continue  # the same either way, or not possible
            yield row(f"`{name}`", corpora, lambda _, method=method: method, known)


def spaces(corpora: dict[str, Documents]) -> dict[str, LSASpace]:
    """The space for each group."""
    of_set_3 = _trained(corpora["set 3"])
    of_others = _trained([document for subset in SUBSETS for document in corpora[subset]])
    return {group: of_set_3 if group in SUBSETS else of_others for group in GROUPS}


def _trained(texts: Documents) -> LSASpace:
    contexts = {
        " ".join(units[start:end])
        for units, reference in texts
        for start, end in pairwise([0, *reference.boundaries.tolist(), reference.n_units])
    }
    return LSASpace.train(sorted(contexts), dimensions=100)


def dense(
    corpora: dict[str, Documents], encoders: dict[str, Callable[..., Any]], label: str
) -> Iterable[str]:
    """Methods that cut by vectors, as they were before and as they are."""
    before: dict[str, Any] = {"c": 1.2, "stop": "start", "smoothing": True}
    for known, title in ((True, "number of segments known"), (False, "found by the method")):
        yield from ("", f"**{label}, {title}**", "", HEAD, "|---" * (len(GROUPS) + 1) + "|")
        if label == "LSA":
            for name, options in (("before", {"c": 1.2, "stop": "start"}), ("now", {})):
                if not known or name == "now":
                    made = partial(_cwm, encoders, options)
                    yield row(f"`cwm`{'' if known else ', ' + name}", corpora, made, known)
        for way in ("dp", "c99", "tiling"):
            both = not known or way == "tiling"
            for name, options in (("before", before), ("now", {})):
                if both or name == "now":
                    made = partial(_embedding, encoders, way, options)
                    yield row(f"`{way}`{', ' + name if both else ''}", corpora, made, known)


def _cwm(encoders: dict[str, Any], options: dict[str, Any], group: str) -> Method:
    return CWM(encoders[group], **options)


def _embedding(encoders: dict[str, Any], way: Any, options: dict[str, Any], group: str) -> Method:
    return EmbeddingSegmenter(encoders[group], way, **options)


def stored(folder: Path) -> Callable[[list[str]], Any]:
    """The vectors of a folder, by text."""
    texts = json.loads((folder / "texts.json").read_text("utf-8"))
    vectors = np.load(folder / "vectors.npy", allow_pickle=False)
    at = {text: index for index, text in enumerate(texts)}
    return lambda units: vectors[[at[unit] for unit in units]]


def replace_part(name: str, lines: Iterable[str]) -> None:
    """Put lines between the marks of this name."""
    text = PAGE.read_text("utf-8")
    start, end = f"<!-- {name}: written by make segmenters-table -->", f"<!-- end of {name} -->"
    if start not in text or end not in text:
        sys.exit(f"{PAGE.name} has no marks of {name}")
    head, rest = text.split(start)
    PAGE.write_text(head + start + "\n".join(["", *lines, "", end]) + rest.split(end)[1], "utf-8")


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a folder with texts.json and vectors.npy")
    parser.add_argument("--only", choices=["lexical", "lsa", "encoder"], help="one table")
    chosen = parser.parse_args()
    corpora = {group: documents(group) for group in GROUPS}
    if chosen.only in (None, "lexical"):
        replace_part("words", lexical(corpora))
    if chosen.only in (None, "lsa"):
        by_group = {group: EncodedOnce(space.encode) for group, space in spaces(corpora).items()}
        replace_part("LSA", dense(corpora, by_group, "LSA"))
    if chosen.vectors is not None and chosen.only in (None, "encoder"):
        encode = EncodedOnce(stored(chosen.vectors))
        replace_part("encoder", dense(corpora, dict.fromkeys(GROUPS, encode), "MiniLM"))


if __name__ == "__main__":
    main()
