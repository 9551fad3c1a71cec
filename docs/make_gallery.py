"""Makes docs/gallery.md and its pictures: `make gallery`.

Each entry is code as a reader would write it. It is run, and what it leaves in `ax` is saved. Data
that is not part of the package (The Moonstone, Choi's documents) is read from the folder of data;
without it the pictures that are there stay, and the script says so.
"""

import sys
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import segscore as ss
from segscore.datasets.catalogue import DATASETS, place_of

DOCS = Path(__file__).resolve().parent
DPI = 100

HEAD = """\
# Pictures
"""

ABOUT = """\
Made by `make gallery`: the code is shown as it was run. All functions return matplotlib `Axes`,
take `ax=` to draw into a figure of your own, need no display and leave matplotlib's global settings
alone. They come with `pip install 'segscore[plot]'`.

```python
import segscore as ss

ax.figure.savefig("figure.pdf")  # as ever
ss.plot.save(ax, "figure.pgf")  # for LaTeX, every name escaped; or .pdf, .svg, .png
left, right = ss.plot.panels(2, height=3)  # axes for several pictures in one figure
```

In a notebook the last line of a cell shows its picture. `comparison.plot()`, `agreement.plot()`,
`support.plot()` and `document.plot()` draw what fits. On a terminal `segscore plot KIND … -o FILE`
draws all of them, and `make reproduce ARGS="--figures DIR"` in a clone figures of papers.

The data: an article of 21 paragraphs cut by seven people (Hearst 1997), Kubla Khan cut and labelled
by nine people (Fournier 2013) and two more segmentations of its beginning, all part of segscore;
twenty chapters of The Moonstone cut by four to six people each (Kazantseva & Szpakowicz 2012), nine
of them into levels, too, and 400 documents made of excerpts (Choi 2000), which `segscore data
fetch` fetches. `systems` are three simulated systems that err from the references of `choi` in
different ways.

```python
stargazer = ss.datasets.load("stargazer")["stargazer"]
(poem,) = ss.datasets.load("kubla_khan").values()
cut = ss.Segmentation.from_masses
manual, program = cut([2, 3, 6]), cut([1, 1, 3, 1, 5])
moonstone = ss.datasets.load("moonstone")
```
"""


class Entry(NamedTuple):
    """A picture: its name, what it shows, the code, the command, and the data it needs."""

    name: str
    words: str
    code: str
    command: str = ""
    needs: tuple[str, ...] = ()


ENTRIES = [
    Entry(
        "boundaries",
        "Everyone's boundaries in one document, and what most coders mark.",
        "ax = ss.plot.boundaries(stargazer)  # or stargazer.plot()",
        "segscore plot boundaries codings.json -o boundaries.pdf",
    ),
    Entry(
        "support",
        "The share of coders per position, a row per document. Hatched: beyond the end.",
        "ax = ss.plot.support(moonstone)",
        "segscore plot support codings.json -o support.pdf",
        ("moonstone",),
    ),
    Entry(
        "edits",
        "What became of each boundary.",
        'ax = ss.plot.edits(manual, program, names=("manual", "program"))',
        "segscore plot edits codings.json --reference ann --hypothesis bob -o edits.pdf",
    ),
    Entry(
        "edits-types",
        "Edits where boundaries have types.",
        """\
        ref = ss.Segmentation.from_boundaries([3, 8, 12], 16, types=["line", "stanza", "line"])
        types = ["line", "line", "line", "stanza"]
        hyp = ss.Segmentation.from_boundaries([4, 8, 12, 14], 16, types=types)
        ax = ss.plot.edits(ss.boundary_edits(ref, hyp, types=("line", "stanza")))""",
    ),
    Entry(
        "windows",
        "Which windows WindowDiff penalises, and why; beside them the boundaries inside, of the "
        "reference and of the hypothesis.",
        "ax = ss.plot.windows(manual, program)",
        "segscore plot windows codings.json --reference ann --hypothesis bob -m windowdiff"
        " -o windows.pdf",
    ),
    Entry(
        "windows-many",
        "More than 40 windows share a row; `print(ss.metrics.windows(ref, hyp))` lists them.",
        """\
        chapter = moonstone["11"]
        ax = ss.plot.windows(chapter["an1"], chapter["an2"], "pk")""",
        needs=("moonstone",),
    ),
    Entry(
        "intervals",
        "Systems with confidence intervals; systems that share a letter do not differ "
        "significantly. Baselines are hollow.",
        """\
        comparison = ss.compare(choi, systems=systems, metrics=["windowdiff", "b"])
        ax = ss.plot.intervals(comparison, "b")  # or comparison.plot("b")""",
        "segscore plot intervals reference.jsonl system.jsonl -m b -o intervals.pdf",
        ("choi",),
    ),
    Entry(
        "agreement",
        "Corrected agreement among coders: of each document (hollow), of each group and of the "
        "whole. Values based on too few coders have no interval.",
        "ax = ss.plot.intervals(ss.agreement(moonstone))  # or ss.agreement(moonstone).plot()",
        "segscore plot intervals codings.json -o agreement.pdf",
        ("moonstone",),
    ),
    Entry(
        "distribution",
        "Box plots over documents.",
        'ax = ss.plot.distribution(comparison, "windowdiff")',
        "segscore plot distribution reference.jsonl system.jsonl -m windowdiff -o distribution.pdf",
        ("choi",),
    ),
    Entry(
        "precision-recall",
        "Precision against recall, with curves on which F is the same.",
        'ax = ss.plot.precision_recall(comparison, "b")',
        "segscore plot precision-recall reference.jsonl system.jsonl -m b -o pr.pdf",
        ("choi",),
    ),
    Entry(
        "habits",
        "How densely coders place boundaries; the number counts them. The band is the usual "
        "range, compared with the others.",
        "ax = ss.plot.habits(poem)",
        "segscore plot habits codings.json -o habits.pdf",
    ),
    Entry(
        "clusters",
        "Who segments like whom.",
        "ax = ss.plot.clusters(poem)",
        "segscore plot clusters codings.json -o clusters.pdf",
    ),
    Entry(
        "matrix",
        "Coder against coder.",
        "ax = ss.plot.matrix(stargazer)",
        "segscore plot matrix codings.json -m b -o matrix.pdf",
    ),
    Entry(
        "per-unit",
        "A curve over units: here how well nine people agree on the labels of each line.",
        "ax = ss.plot.per_unit(ss.coders.label_similarity(poem))",
        "segscore plot per-unit codings.json -o per-unit.pdf",
    ),
    Entry(
        "per-position",
        "Support at each position: the share of coders with a boundary within one position.",
        "ax = ss.plot.per_unit(ss.coders.support(stargazer, within=1))  # or ….plot()",
    ),
    Entry(
        "levels",
        "A hierarchical segmentation as nested bars.",
        """\
        tree = ss.ranked.from_nested_masses([[2, 3], [4, [1, 2]], 6])
        ax = ss.plot.levels({"tree": tree, "flat": ss.ranked.at_level(tree, 1)})""",
        "segscore plot levels codings.jsonl -o levels.pdf",
    ),
    Entry(
        "levels-moonstone",
        "Hierarchical segmentations by six people, two or three levels each.",
        'ax = ss.plot.levels(ss.datasets.load("moonstone_hierarchical")["ch1"])',
        needs=("moonstone_hierarchical",),
    ),
    Entry(
        "lengths",
        "How long segments are, over the mean segment of their coding.",
        'ax = ss.plot.lengths({"The Moonstone": moonstone, "Choi 3-11": choi.values()})',
        "segscore plot lengths codings.json other.json -o lengths.pdf",
        ("moonstone", "choi"),
    ),
    Entry(
        "curve",
        "A simulation: metrics against the probability of false positives.",
        """\
        x = [0, 0.1, 0.2, 0.3, 0.4, 0.5]
        refs = ss.simulate.references(ss.simulate.UniformSizes(20, 30), 1000, n=1, rng=1)
        errors = [ss.simulate.Errors(false_positives=p) for p in x]
        drawn = [ss.simulate.hypotheses(refs, one, n=20, rng=2) for one in errors]
        made = [ss.score(pairs, metrics=["pk", "windowdiff"]) for pairs in drawn]
        y = {name: [float(one[name].micro) for one in made] for name in ("pk", "windowdiff")}
        ax = ss.plot.curve(x, y, xlabel="P(false positive)", ylabel="error")""",
        "segscore plot curve table.csv -o curve.pdf",
    ),
    Entry(
        "thresholds",
        "A system that scores boundaries: metrics at every threshold, with 95 % intervals, and the "
        "threshold that gives as many boundaries as the references have.",
        """\
        import numpy as np

        rng = np.random.default_rng(1)
        refs = [ss.Segmentation.from_masses(rng.integers(3, 12, 6)) for _ in range(40)]
        places = [np.isin(np.arange(1, ref.n_units), ref.boundaries) for ref in refs]
        scores = [right + rng.normal(0, 0.4, len(right)) for right in places]
        thresholds = ss.curve(refs, scores, ["f1", "b", "pk", "windowdiff"])
        ax = ss.plot.curve(thresholds)  # or thresholds.plot()""",
        "segscore plot curve reference.jsonl scores.csv -o thresholds.pdf",
    ),
    Entry(
        "sweep",
        "One metric at several values of a parameter, with 95 % intervals; in grey, counted on the "
        "right, what became of the boundaries.",
        """\
        refs = ss.simulate.references(ss.simulate.UniformSizes(5, 15), 100, n=40, rng=1)
        errors = ss.simulate.Errors(misses=0.2, near_misses=0.4, false_positives=0.2)
        hyps = ss.simulate.hypotheses(refs, errors, n=1, rng=2)
        ax = ss.plot.sweep(ss.curves.sweep(hyps, metric="b", n_t=range(1, 11)))  # or ….plot()""",
        "segscore plot sweep reference.jsonl system.jsonl -m b --vary n_t=1:10 -o sweep.pdf",
    ),
]


def place(name: str) -> Path | None:
    """The folder of a corpus, if it is on this machine."""
    return place_of(DATASETS[name])


def names() -> dict[str, Any]:
    """The names that the code of the entries uses, as far as their data is there."""
    cut = ss.Segmentation.from_masses
    (poem,) = ss.datasets.load("kubla_khan").values()
    found: dict[str, Any] = {
        "ss": ss,
        "stargazer": ss.datasets.load("stargazer")["stargazer"],
        "poem": poem,
        "manual": cut([2, 3, 6]),
        "program": cut([1, 1, 3, 1, 5]),
    }
    if place("moonstone"):
        found["moonstone"] = ss.datasets.load("moonstone")
    if (folder := place("choi")) is not None:
        documents = [
            one for part in sorted(folder.glob("*/3-11")) for one in ss.read(part, "choi").values()
        ]
        refs = [
            one["reference"].expand([len(line.split()) for line in one.units or ()])
            for one in documents
        ]
        found["choi"] = {f"d{i}": ref for i, ref in enumerate(refs)}
        found["systems"] = _systems(found["choi"])
    return found


def _systems(refs: dict[str, ss.Segmentation]) -> dict[str, Any]:
    """Three simulated systems that each err in another way."""
    from segscore.simulate import Errors, hypotheses

    kinds = {
        "misses a third": Errors(misses=0.33),
        "near misses": Errors(near_misses=0.6),
        "adds some": Errors(misses=0.1, false_positives=0.4),
    }
    listed = list(refs.values())
    made = {name: hypotheses(listed, errors, 1, rng=3) for name, errors in kinds.items()}
    return {
        name: {key: pairs.hypothesis(i) for i, key in enumerate(refs)}
        for name, pairs in made.items()
    }


def thumbnails() -> str:
    """All pictures at a glance; each leads to its code."""
    cards = [
        f":::{{grid-item-card}} {entry.name}\n:link: '#{entry.name}'\n:link-type: url\n"
        f":img-top: gallery/{entry.name}.png\n:img-alt: {first_sentence(entry.words)}\n:::\n"
        for entry in ENTRIES
    ]
    return "\n".join(
        ["::::{grid} 2 3 4 4\n:gutter: 2\n:class-container: thumbnails\n", *cards, "::::\n"]
    )


def first_sentence(words: str) -> str:
    """What a picture shows, in one line."""
    return words.partition(". ")[0].rstrip(".").replace("`", "")


def page() -> str:
    """The page: code and picture of every entry."""
    parts = [HEAD, thumbnails(), ABOUT]
    for entry in ENTRIES:
        parts.append(
            f"## {entry.name}\n\n{entry.words}\n\n```python\n{dedent(entry.code)}\n```\n\n"
            + (f"```\n{entry.command}\n```\n\n" if entry.command else "")
            + f"![{entry.name}](gallery/{entry.name}.png)\n"
        )
    return "\n".join(parts)


def main() -> int:
    """Draw everything that can be drawn, and write the page."""
    known = names()
    folder = DOCS / "gallery"
    folder.mkdir(exist_ok=True)
    for entry in ENTRIES:
        missing = [name for name in entry.needs if not place(name)]
        if missing:
            sys.stderr.write(f"{entry.name}: as it was; there is no {', '.join(missing)}\n")
            continue
        exec(dedent(entry.code), known)  # noqa: S102  # the code of this very file
        ss.plot.save(known["ax"], folder / f"{entry.name}.png", dpi=DPI)
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
