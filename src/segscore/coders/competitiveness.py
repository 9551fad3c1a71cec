"""Is a segmenter as good as a person? (Fournier & Inkpen 2012, §3.4)

Agreement among people, and agreement when the segmenter joins them: how far does it drop? The same
is asked of each person in turn: agreement among the others, and agreement when that person joins.
A segmenter that lowers agreement no more than people do is, by this measure, one of them.

Only documents that the segmenter coded, and two people at least, take part. Where coder names are
local to a document nobody can be left out of all documents; instead one person of each document,
drawn at random, is, many times, and the mean is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.coders.agreement_sums import AgreementRows
from segscore.coders.coder_pairs import CoderPairs, as_corpus, people_of
from segscore.coders.coefficients import Coefficient, similarity
from segscore.coders.nobody import consensus_note
from segscore.coders.sums import (
    FEWEST_DOCUMENTS,
    Estimator,
    Sampling,
    methods_note,
    sum_by,
    with_interval,
)
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.resampling import (
    Interval,
    bootstrap_interval,
    credible,
    jackknife_interval,
)
from segscore.tables import Column, Table, Tabular

SOMEBODY = "a person of each document"
_DRAWS = 1000
_SYMBOLS = {"pi": "π*", "kappa": "κ*"}
_COLUMNS = (
    Column("without", digits=3),
    Column("with", key="joined", digits=3),
    Column("drop", digits=3),
    Column("interval", audience="machines"),
)


@dataclass(frozen=True)
class Competitor:
    """Agreement `without` and with (`joined`) one coder among the people; `drop` = the difference.

    A negative drop: agreement rises when this coder joins.
    """

    name: str
    without: float
    joined: float
    drop: float
    ci: Interval

    def row(self, kind: str = "person") -> dict[str, Any]:
        """The cells of a table."""
        return {
            "coder": self.name,
            "kind": kind,
            "without": self.without,
            "joined": self.joined,
            "drop": with_interval(self.drop, self.ci),
            "interval": self.ci.method,
        }


@dataclass(frozen=True, repr=False)
class Competitiveness(Tabular):
    """A system among people, and each person among the other people."""

    coefficient: Coefficient
    metric: Metric
    system: Competitor
    people: tuple[Competitor, ...]
    documents: tuple[str, ...]
    left_out: tuple[str, ...]
    provenance: Provenance = PLAIN
    nobody: tuple[str, ...] = ()  # left out: names of the kind `consensus`

    @property
    def signature(self) -> str:
        """What the observed agreement is, to be cited with the numbers."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def n_worse_people(self) -> int:
        """People who lower agreement as much as the system, or more."""
        return sum(one.drop >= self.system.drop for one in self.people)

    @property
    def reading(self) -> str:
        """In plain words."""
        drops = [one.drop for one in self.people]
        low, high, _, method = self.system.ci
        ends = f"({method})" if np.isnan(low) else f"[{low:.3f}, {high:.3f}]"
        return (
            f"Agreement among people is {self.system.without:.3f}; with {self.system.name} among "
            f"them it is {self.system.joined:.3f}, a drop of {self.system.drop:.3f} {ends}. "
            f"The drop when a person joins the others is {min(drops):.3f} to {max(drops):.3f}, on "
            f"average {np.mean(drops):.3f}; for {self.n_worse_people} of {len(drops)} it is as "
            "large as the system's or larger."
        )

    def to_table(self) -> Table:
        """A row for the system, then people by how far they lower agreement."""
        people = sorted(self.people, key=lambda one: -one.drop)
        rows = [self.system.row("system"), *(one.row() for one in people)]
        words = [f"{_SYMBOLS[self.coefficient]} by {self.signature}", *methods_note(rows)]
        words += [self.reading, *consensus_note(self.nobody)]
        if self.left_out:
            words.append(
                "documents skipped because the system or two people did not code them: "
                f"{len(self.left_out)}"
            )
        columns = [Column("coder"), Column("kind"), *_COLUMNS]
        return Table(columns, rows, words, "A system among people")


def human_competitiveness(
    corpus: Corpus | Document,
    system: str,
    metric: str | Metric | None = None,
    *,
    coefficient: Coefficient = "pi",
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Competitiveness:
    """Agreement among people with and without a system, and with and without each person.

    `system` names the coder to try; coders known to be other systems are left aside.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> coders = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> coders["all"] = ss.baselines.all(21)
    >>> found = ss.human_competitiveness(ss.Corpus.from_dict({"Stargazers": coders}), "all")
    >>> round(found.system.without, 3), round(found.system.joined, 3), found.n_worse_people
    (0.464, 0.327, 0)
    """
    if coefficient not in ("pi", "kappa"):
        raise SegmentationError(f"coefficient is {shown(coefficient)}: expected 'pi' or 'kappa'")
    how = Sampling(level, n_resamples, seed)
    whole = people_of(corpus)
    both, people, left_out = _split(whole, system)
    if coefficient == "kappa" and whole.coder_scope == "local" and len(people) > 1:
        raise SegmentationError(
            "coefficient is 'kappa', which needs coders whose names mean the same in all "
            "documents, and coder names are local: expected 'pi', or one document"
        )
    found, with_system = _estimated(both, metric, coefficient)
    agreed, without = _estimated(people, metric, coefficient)
    return Competitiveness(
        coefficient,
        found.metric,
        _system(system, without, with_system, how),
        _people(agreed, without, how),
        tuple(people),
        left_out,
        whole.provenance,
        as_corpus(corpus).columns.consensus_coders,
    )


@dataclass(frozen=True, repr=False)
class Deviation(Tabular):
    """Agreement without each coder in turn: whose absence raises it deviates from the others."""

    coefficient: Coefficient
    metric: Metric
    coders: tuple[Competitor, ...]
    provenance: Provenance = PLAIN
    nobody: tuple[str, ...] = ()  # left out: names of the kind `consensus`

    @property
    def signature(self) -> str:
        """What the observed agreement is, to be cited with the numbers."""
        return self.metric.signature(provenance=self.provenance)

    def to_table(self) -> Table:
        """A row per coder, who deviates most first."""
        rows = [one.row() for one in self.coders]
        how = f"{_SYMBOLS[self.coefficient]} by {self.signature}, without and with the coder"
        words = [f"{how}; below 0: agreement rises when they join", *methods_note(rows)]
        words += consensus_note(self.nobody)
        return Table([Column("coder"), *_COLUMNS], rows, words, "Who deviates")


def who_deviates(
    corpus: Corpus | Document,
    metric: str | Metric | None = None,
    *,
    coefficient: Coefficient = "pi",
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Deviation:
    """Agreement among coders with and without each of them, from who lowers it most.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> coders = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> found = who_deviates(ss.Corpus.from_dict({"Stargazers": coders}))
    >>> [(one.name, round(one.drop, 3)) for one in found.coders[:2]]
    [('4', 0.047), ('2', 0.031)]
    """
    if coefficient not in ("pi", "kappa"):
        raise SegmentationError(f"coefficient is {shown(coefficient)}: expected 'pi' or 'kappa'")
    whole = people_of(corpus)
    if len(whole.coders) < 3:
        raise SegmentationError(
            f"who deviates is asked of three coders or more, and there are {len(whole.coders)}"
        )
    if whole.coder_scope == "local" and max(map(len, whole.values())) < 3:
        raise SegmentationError(
            "who deviates is asked of three coders or more of a document, and no document has "
            "three; coder names are local to each document"
        )
    agreed, estimator = _estimated(whole, metric, coefficient)
    people = _people(agreed, estimator, Sampling(level, n_resamples, seed))
    ordered = tuple(sorted(people, key=lambda one: -one.drop))
    nobody = as_corpus(corpus).columns.consensus_coders
    return Deviation(coefficient, agreed.metric, ordered, whole.provenance, nobody)


def _split(corpus: Corpus, system: str) -> tuple[Corpus, Corpus, tuple[str, ...]]:
    """The documents that take part, with and without the system; and those that do not."""
    if system not in corpus.coders:
        raise SegmentationError(
            f"system is {shown(system)}: expected one of the coders, "
            + ", ".join(map(repr, corpus.coders[:8]))
        )
    chosen: list[Any] = []
    left_out = []
    for document in corpus.values():
        people = [
            coder for coder in document
            if coder != system and document.kinds.get(coder) != "system"
        ]  # fmt: skip
        if system in document and len(people) > 1:
            chosen += [r for r in document.records() if r.coder == system or r.coder in people]
        else:
            left_out.append(document.name)
    if not chosen:
        raise SegmentationError(
            f"no document has {system!r} and two other people: expected at least one"
        )
    people_only = [record for record in chosen if record.coder != system]
    both, alone = (
        Corpus.from_rows(rows, coders=corpus.coder_scope, provenance=corpus.provenance)
        for rows in (chosen, people_only)
    )
    return both, alone, tuple(left_out)


def _estimated(
    corpus: Corpus, metric: str | Metric | None, coefficient: Coefficient
) -> tuple[AgreementRows, Estimator]:
    """The sums of one set of coders, and the coefficient as a value of them."""
    agreed = AgreementRows.of(CoderPairs(corpus), similarity(metric))
    if coefficient == "pi":
        return agreed.apart, agreed.estimated_pi
    return agreed, agreed.estimated_kappa


def _competitor(
    name: str, without: Estimator, rows: Floats, joined: Estimator,
    left_out: Callable[[], Floats], how: Sampling,
) -> Competitor:  # fmt: skip
    """From rows of documents without the coder, and those of everyone; `left_out` gives drops with
    each other one left out."""
    width = rows.shape[1]

    def drop(sums: Floats) -> Floats:
        return np.asarray(without.value(sums[:, :width]) - joined.value(sums[:, width:]))

    stacked = np.hstack([rows, joined.tally.rows])
    total = stacked.sum(axis=0, keepdims=True)
    estimate = float(drop(total)[0])
    if len(stacked) < FEWEST_DOCUMENTS:
        interval = jackknife_interval(estimate, left_out(), level=how.level, unit="people")
    else:
        interval = bootstrap_interval(
            stacked, drop, level=how.level, n_resamples=how.n_resamples, seed=how.seed
        )
    before = float(without.value(total[:, :width])[0])
    return Competitor(name, before, before - estimate, estimate, credible(interval))


def _system(name: str, without: Estimator, joined: Estimator, how: Sampling) -> Competitor:
    def left_out() -> Floats:
        documents = np.arange(len(without.tally.rows))
        fewer = without.value(without.tally.without_each_coder(documents))
        everyone = joined.tally.without_each_coder(documents)
        place = {coder: i for i, coder in enumerate(joined.tally.pairs.coders)}
        people = [place[coder] for coder in without.tally.pairs.coders]
        return np.asarray(fewer - joined.value(everyone[people]))

    return _competitor(name, without, without.tally.rows, joined, left_out, how)


def _people(agreed: AgreementRows, estimator: Estimator, how: Sampling) -> tuple[Competitor, ...]:
    tally, pairs = estimator.tally, estimator.tally.pairs
    if pairs.local and len(pairs.documents) > 1:
        return (_somebody(estimator, how),)
    everyone = set(range(len(pairs.coders)))

    def among(coders: set[int]) -> float:
        return float(estimator.value(agreed.among(coders))[0])

    listed = []
    for index, name in enumerate(pairs.coders):
        own = pairs.coder == index
        gone = sum_by(pairs.document[own], tally.changes[own], len(tally.rows))

        def left_out(index: int = index) -> Floats:
            others = sorted(everyone - {index})
            return np.array([
                among(everyone - {index, other}) - among(everyone - {other}) for other in others
            ])  # fmt: skip

        listed.append(_competitor(name, estimator, tally.rows + gone, estimator, left_out, how))
    return tuple(listed)


def _somebody(estimator: Estimator, how: Sampling) -> Competitor:
    """One person of each document left out, drawn many times: the mean, and the spread of draws."""
    tally = estimator.tally
    rng = np.random.default_rng(how.seed)
    sizes = np.bincount(tally.pairs.document)
    first = np.cumsum(sizes) - sizes
    drawn = first + rng.integers(0, sizes, (_DRAWS, len(sizes)))
    everyone = tally.rows.sum(axis=0)
    without = estimator.value(everyone + tally.changes[drawn].sum(axis=1))
    joined = float(estimator.value(everyone[np.newaxis])[0])
    without = without[~np.isnan(without)]
    if not len(without):
        none = Interval(np.nan, np.nan, how.level, "no interval: no two people are left")
        return Competitor(SOMEBODY, np.nan, joined, np.nan, none)
    tail = (1 - how.level) / 2
    low, high = np.quantile(without - joined, [tail, 1 - tail])
    mean = float(np.mean(without))
    words = f"range of {_DRAWS} draws of a person per document, seed {how.seed}"
    return Competitor(
        SOMEBODY, mean, joined, mean - joined, Interval(float(low), float(high), how.level, words)
    )
