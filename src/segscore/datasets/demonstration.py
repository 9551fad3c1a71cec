"""The demonstration: what segscore does, on two small sets of real segmentations.

Each section is a heading, a few words and a table. Nothing here knows how it is printed. The page
shows readers of a poem, judges of an article, and simulated systems.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from segscore import simulate
from segscore.coders.clusters import coder_clusters
from segscore.coders.coefficients import agreement
from segscore.coders.competitiveness import human_competitiveness
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.support import consensus, shaded, support
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.conventions import audit
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Labels
from segscore.datasets.catalogue import find
from segscore.datasets.loading import load
from segscore.metrics import METRICS, Hierarchical, Metric, metric
from segscore.pages.annotate_page import annotation_page
from segscore.pages.report_page import report
from segscore.scoring.scoring import score
from segscore.simulate import baselines
from segscore.simulate.sample_codings import KUBLA_KHAN, STARGAZER
from segscore.tables import Column, Table

SEED = 1997
N_SIMULATED = 60
_GUIDELINES = """\
Nine readers cut this poem into parts. What do you think?

- Click between two lines where a new part begins.
- Press *Done*, then *Export*: the file is what `segscore agree` reads.
"""


class DemoSection(NamedTuple):
    """A part of the demonstration."""

    heading: str
    words: str
    table: Table


def sections() -> Iterator[DemoSection]:
    """All sections, in order."""
    yield one_reference()
    yield many_people()
    yield people_among_themselves()
    yield where_people_see_boundaries()
    yield systems_compared()
    yield many_conventions()


def one_reference() -> DemoSection:
    """Fournier's example under every metric that takes one reference."""
    codings = {name: Segmentation.from_masses(masses) for name, masses in KUBLA_KHAN.items()}
    manual = codings.pop("manual")
    rows = []
    for name, measure in _metrics().items():
        values = [float(measure(manual, hyp, on_undefined="nan")) for hyp in codings.values()]
        rows.append([name, "higher" if measure.higher_is_better else "lower", *values])
    shown = [Column(name, digits=3) for name in codings]
    return DemoSection(
        "One text, one reference, four hypotheses",
        "Lines of Kubla Khan, cut by hand into segments of 2, 3 and 6 lines, and by four imagined "
        "programs, each with one kind of error (Fournier 2013, figs. 4-8). Metrics weigh these "
        "errors differently, which is why a report should say which one it used, and how.",
        Table([Column("metric"), Column("better"), *shown], rows),
    )


def _metrics() -> dict[str, Metric]:
    """The metrics that take a single reference, each once, under its first name."""
    found: dict[str, Metric] = {}
    for name in METRICS:
        measure = metric(name)
        ranked = isinstance(measure, Hierarchical)  # there are no ranks in these segmentations
        if not (measure.many_references or ranked or measure in found.values()):
            found[name] = measure
    return found


def many_people() -> DemoSection:
    """Seven people and some baselines, each against (the other) people."""
    people = _stargazers()["Stargazers"]
    n_units = people.n_units
    typical = round(sum(person.n_segments for person in people.values()) / len(people))
    systems = {
        **{f"person {name}": person for name, person in people.items()},
        f"uniform, {typical} segments": baselines.uniform(n_units, n_segments=typical),
        f"random, {typical} segments": baselines.random(n_units, n_segments=typical, seed=SEED),
        "no boundary": baselines.none(n_units),
        "all boundaries": baselines.all(n_units),
    }
    wanted = ["pk", "windowdiff", "winpr", "f1(tolerance=1)", "b"]
    rows = []
    for name, hyp in systems.items():
        refs = [ref for ref in people.values() if ref is not hyp]
        result = score(refs, [hyp] * len(refs), wanted, on_undefined="nan")
        rows.append([name, hyp.n_segments, *(result[key].macro.value for key in wanted)])
    columns = [
        Column(
            key,
            digits=3,
            better="higher" if metric(key).higher_is_better else "lower",
            note=metric(key).signature("macro"),
        )
        for key in wanted
    ]
    return DemoSection(
        "One text, seven people",
        "The 21 paragraphs of an article, cut into topics by seven people (Hearst 1997). Each "
        "person is scored against the six others, each baseline against all seven, and the mean "
        "is shown. People disagree, so no score should be read without theirs beside it; and "
        "a generous tolerance gives segments of equal length a high score.",
        Table([Column("segmentation"), Column("segments"), *columns], rows),
    )


def people_among_themselves() -> DemoSection:
    """How well the seven people agree, how well chance would, and who segments like whom."""
    corpus = _stargazers()
    by_b, by_s = agreement(corpus), agreement(corpus, "s")
    low, high = by_b.corrected_ci[:2]
    clusters = coder_clusters(corpus, draws=0)
    rows = [[*line, *_habits(corpus, line[0])] for line in clusters.dendrogram(30)]
    columns = [
        Column("person"),
        Column("who segments like whom (distance 0 … 1)", key="tree"),
        Column("boundaries"),
        Column("drop in corrected agreement because of them", key="drop", digits=3),
    ]
    return DemoSection(
        "Seven people among themselves",
        f"By B, the seven reach {by_b.observed:.2f}, and would reach {by_b.chance:.2f} if each put "
        "as many boundaries at random positions. From there to complete agreement they got "
        f"{by_b.corrected:.2f} of the way [{low:.2f}, {high:.2f}] ({by_b.corrected_ci.method}), "
        f"by S {by_s.corrected:.2f}, by Fleiss's κ, which knows no near misses, "
        f"{float(fleiss_kappa(corpus)):.2f}: in all three 0 is chance. Papers print π*, here "
        f"{by_b.pi:.2f} by B and {by_s.pi:.2f} by S, where random coders get more than 0, by S far "
        "more: it compares only with its own kind.",
        Table(columns, rows, [f"distance: 1 - b, {clusters.method} linkage; below 0: a rise"]),
    )


def _stargazers() -> Corpus:
    people = {name: Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    return Corpus.from_dict({"Stargazers": people})


def _habits(corpus: Corpus, person: str) -> tuple[int, float]:
    """How many boundaries a person places, and how much agreement drops when they join."""
    tried = human_competitiveness(corpus, person)
    return len(corpus["Stargazers"][person].boundaries), tried.system.drop


def where_people_see_boundaries() -> DemoSection:
    """Each person's segmentation, the share of people, and what a majority sees."""
    document = _stargazers()["Stargazers"]
    lines = {
        f"person {name}": support([coding]).per_position() for name, coding in document.items()
    }
    lines["share of people"] = support(document).per_position()
    agreed = consensus(document, "majority")
    near = consensus(document, "majority", within=1)
    lines["majority"] = support([agreed]).per_position()
    lines["majority, one off"] = support([near]).per_position()
    rows = [[name, f"│{shaded(shares, 60)}│"] for name, shares in lines.items()]
    return DemoSection(
        "Where people see boundaries",
        "Between paragraphs 1 and 21: where each person cuts the article, the share of people who "
        "cut there (░ up to a quarter, ▒ half, ▓ three quarters, █ more), and the boundaries that "
        f"more than half of them see ({agreed.n_segments - 1}; {near.n_segments - 1} if boundaries "
        "one paragraph apart count as the same).",
        Table([Column("who"), Column("where")], rows),
    )


def systems_compared() -> DemoSection:
    """Three simulated systems on forty simulated documents, and what the documents can show."""
    return DemoSection(
        "Three systems, forty documents",
        "Simulated systems that err in one way each: boundaries one unit off (six in ten), missed "
        "or invented (four in ten). Systems that share a letter do not differ significantly; "
        "baselines give the scale. Pk hardly minds what is invented, WindowDiff does, B halves "
        "what is one off: which of them one chooses by decides which system is best.",
        _simulated().to_table(),
    )


def _simulated() -> Comparison:
    drawn = simulate.references(simulate.UniformSizes(5, 15), 8, n=40, seed=SEED)
    refs = {str(number): reference for number, reference in enumerate(drawn, 1)}
    return compare(refs, systems=_systems(refs), n_resamples=2000)


def _systems(refs: Mapping[str, Segmentation]) -> dict[str, dict[str, Segmentation]]:
    """Three systems, each with a single kind of error, by name and document."""
    kinds = {
        "cuts one off": simulate.Errors(near_misses=0.6),
        "misses": simulate.Errors(misses=0.4),
        "invents": simulate.Errors(false_positives=0.4),
    }
    found = {}
    for name, errors in kinds.items():
        coded = simulate.coders(list(refs.values()), errors, 1, seed=SEED)
        found[name] = dict(zip(refs, (document["1"] for document in coded.values()), strict=True))
    return found


def many_conventions() -> DemoSection:
    """The scores of a pair of segmentations under every convention."""
    ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    return DemoSection(
        "One pair, many numbers",
        "Segments of 6, 3, 4 against 4, 4, 5 units, from a user who asked NLTK why its Pk is not "
        "the published one. Each line is an implementation in use. A colleague printed 0.3636?",
        audit(ref, hyp, expect=0.3636).to_table(),
    )


# ---- the page ----


def write_page(path: Path) -> Path:
    """Write the page that shows the documents one by one."""
    return report(demonstrated(), path, title="segscore: a demonstration", command="segscore demo")


def write_annotation_page(path: Path) -> Path:
    """Write a page in which readers can mark the poem themselves."""
    return annotation_page(
        {"Kubla Khan": _poem()}, path, title="Where does a new part of the poem begin?",
        guidelines=_GUIDELINES,
    )  # fmt: skip


def _poem() -> list[str]:
    """The lines of Kubla Khan, by Samuel Taylor Coleridge, 1816."""
    return (find("kubla_khan") / "poem.txt").read_text("utf-8").splitlines()


def demonstrated() -> Comparison:
    """Three simulated systems on a poem, an article and simulated documents."""
    corpus = _page_corpus()
    agreed = {name: consensus(document) for name, document in corpus.items()}
    return compare(corpus, systems=_systems(agreed), n_resamples=2000)


def _page_corpus() -> Corpus:
    """Two documents that people coded, and some simulated documents; each coder has a name of their
    own."""
    codings: dict[str, dict[str, Segmentation]] = {}
    labels: dict[str, dict[str, Labels]] = {}
    for title, file, role in (
        ("Kubla Khan (poem, 54 lines)", "kubla_khan", "reader"),
        ("Stargazers (article, 21 paragraphs)", "stargazer", "judge"),
    ):
        (document,) = load(file).values()
        codings[title] = {f"{role} {coder}": coding for coder, coding in document.items()}
        labels[title] = {f"{role} {coder}": label for coder, label in document.labels.items()}
    poem = next(iter(codings))
    lines = _poem()
    references = simulate.references(simulate.UniformSizes(5, 15), 8, n=N_SIMULATED, seed=SEED)
    for number, reference in enumerate(references, 1):
        codings[f"simulated {number:02}"] = {"simulated": reference}
    groups = {name: "simulated" if name.startswith("simulated") else "real" for name in codings}
    return Corpus.from_dict(codings, units={poem: lines}, labels=labels, groups=groups)
