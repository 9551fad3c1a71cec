"""The demonstration: what segscore does, on two small sets of real segmentations.

Each section is a heading, a few words and a table. Nothing here knows how it is printed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from segscore import simulate
from segscore.coders.clusters import coder_clusters
from segscore.coders.coefficients import agreement
from segscore.coders.competitiveness import human_competitiveness
from segscore.coders.consensus_coding import consensus
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.support import shaded, support
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.conventions import audit
from segscore.corpus.corpus import Corpus
from segscore.metrics import METRICS, Hierarchical, Metric, metric
from segscore.scoring.scoring import score
from segscore.simulate import baselines
from segscore.simulate.sample_codings import KUBLA_KHAN, STARGAZER
from segscore.tables import Column, Table

SEED = 1997


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
    for name, one in _metrics().items():
        values = [float(one(manual, hyp, on_undefined="nan")) for hyp in codings.values()]
        rows.append([name, "higher" if one.higher_is_better else "lower", *values])
    shown = [Column(name, digits=3) for name in codings]
    return DemoSection(
        "One text, one reference, four hypotheses",
        "Lines of Kubla Khan, cut by hand into segments of 2, 3 and 6 lines, and by four imagined "
        "programs, each with one kind of error (Fournier 2013, figs. 4-8). Metrics weigh these "
        "errors differently, which is why a report should say which one it used, and how.",
        Table([Column("metric"), Column("better"), *shown], rows),
    )


def _metrics() -> dict[str, Metric]:
    """Each metric for one reference once, under its first name."""
    found: dict[str, Metric] = {}
    for name in METRICS:
        one = metric(name)
        ranked = isinstance(one, Hierarchical)  # there are no ranks in these segmentations
        if not (one.many_references or ranked or one in found.values()):
            found[name] = one
    return found


def many_people() -> DemoSection:
    """Seven people and some baselines, each against (the other) people."""
    people = {name: Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    n_units = next(iter(people.values())).n_units
    typical = round(sum(one.n_segments for one in people.values()) / len(people))
    systems = {
        **{f"person {name}": one for name, one in people.items()},
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
    """How far the seven people agree, how far chance would, and who segments like whom."""
    corpus = _stargazers()
    by_b, by_s = agreement(corpus), agreement(corpus, "s")
    low, high = by_b.corrected_ci[:2]
    clusters = coder_clusters(corpus)
    rows = [[*line, *_habits(corpus, line[0])] for line in clusters.dendrogram(30)]
    columns = [
        Column("person"),
        Column("who segments like whom (distance 0 … 1)", key="tree"),
        Column("boundaries"),
        Column("drop in π* when this person joins", key="drop", digits=3),
    ]
    return DemoSection(
        "Seven people among themselves",
        f"By B, the seven reach {by_b.observed:.2f}, and would reach {by_b.chance:.2f} if each put "
        "as many boundaries at random places. From there to complete agreement they got "
        f"{by_b.corrected:.2f} of the way [{low:.2f}, {high:.2f}] ({by_b.corrected_ci.method}), "
        f"by S {by_s.corrected:.2f}, by Fleiss's κ, which knows no near misses, "
        f"{float(fleiss_kappa(corpus)):.2f}: in all three 0 is chance. Papers print π*, here "
        f"{by_b.pi:.2f} by B and {by_s.pi:.2f} by S, where random coders get more than 0, by S far "
        "more: it compares only with its own kind.",
        Table(columns, rows, [f"distance: 1 - b, {clusters.method} linkage; below 0: π* rises"]),
    )


def _stargazers() -> Corpus:
    people = {name: Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    return Corpus.from_dict({"Stargazers": people})


def _habits(corpus: Corpus, person: str) -> tuple[int, float]:
    """How many boundaries a person places, and how far agreement drops when they join."""
    tried = human_competitiveness(corpus, person)
    return len(corpus["Stargazers"][person].boundaries), tried.system.drop


def where_people_see_boundaries() -> DemoSection:
    """Each person's segmentation, the share of people, and what a majority sees."""
    document = _stargazers()["Stargazers"]
    lines = {f"person {name}": support([one]).per_position() for name, one in document.items()}
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
    """Three simulated systems on forty simulated documents, with what the documents can carry."""
    return DemoSection(
        "Three systems, forty documents",
        "Simulated systems that err in one way each: boundaries one unit off (six in ten), missed "
        "or invented (four in ten). Systems that share a letter do not differ significantly; "
        "baselines give the scale. Pk hardly minds what is invented, WindowDiff does, B halves "
        "what is one off: which of them one chooses by decides which system is best.",
        _simulated().to_table(),
    )


def _simulated() -> Comparison:
    refs = simulate.references(simulate.UniformSizes(5, 15), 8, n=40, seed=SEED)
    errors = {
        "cuts one off": simulate.Errors(near_misses=0.6),
        "misses": simulate.Errors(misses=0.4),
        "invents": simulate.Errors(false_positives=0.4),
    }
    documents = [str(number) for number in range(1, len(refs) + 1)]
    systems = {
        name: {
            document: coders["1"]
            for document, coders in simulate.coders(refs, kind, 1, seed=SEED).items()
        }
        for name, kind in errors.items()
    }
    return compare(dict(zip(documents, refs, strict=True)), systems=systems, n_resamples=2000)


def many_conventions() -> DemoSection:
    """One pair under every convention."""
    ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    return DemoSection(
        "One pair, many numbers",
        "Segments of 6, 3, 4 against 4, 4, 5 units, from a user who asked NLTK why its Pk is not "
        "the published one. Each line is an implementation in use. A colleague printed 0.3636?",
        audit(ref, hyp, expect=0.3636).to_table(),
    )


COMMANDS = """\
Now with your own files (segscore convert lists the formats):

  segscore score reference.jsonl system.jsonl
  segscore score codings.json --reference ann -m windowdiff -m "f1(tolerance=2)"
  segscore audit reference.jsonl system.jsonl --expect 0.2222
  segscore compare reference.jsonl system.jsonl
  segscore report reference.jsonl system.jsonl -o report.html
  segscore agree codings.json
  segscore consensus codings.json -o reference.jsonl
  segscore segment chapter.txt --method bayesseg
  segscore benchmark corpus.jsonl --methods "c99 texttiling bayesseg"
  segscore simulate --help
  segscore convert codings.json codings.jsonl
  segscore reproduce
"""
