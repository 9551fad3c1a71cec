"""Who lowers agreement, and is a segmenter as good as a person? (Fournier & Inkpen 2012, §3.4)

How far does agreement among people drop when the segmenter joins them? The same question is asked
about each person in turn: how far does agreement among the others drop when that person joins? A
segmenter that lowers agreement no more than people do is, by this measure, as good as a person.

Only documents that the segmenter and at least two people coded are used. Where coder names are
local to a document, nobody can be left out of all documents; instead a random person of each
document is left out, many times, and the mean is shown.

All numbers are values of the same sums, without the rows of those who are left out; random coders
are the same for everyone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of, shown
from segscore.coders.coder_pairs import CoderPairs, as_corpus, consensus_note, people_of
from segscore.coders.random_codings import NULLS, Null
from segscore.coders.sums import (
    COEFFICIENTS,
    FEWEST_DOCUMENTS,
    SYMBOLS,
    Coefficient,
    Estimator,
    Mask,
    Sampling,
    chance_sums,
    draws_for,
    intervals,
    kappa_sums,
    methods_note,
    pi_sums,
    signature_of,
    similarity,
    with_interval,
)
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.resampling import Interval, credible, jackknife_interval
from segscore.tables import Column, Table, Tabular
from segscore.tables.view import columns

SOMEBODY = "a person of each document"
_DRAWS = 1000


# ---- sums without a coder ----


@dataclass(frozen=True)
class Competitor:
    """Agreement among people `without` a coder and with that coder (`joined`).

    `drop` = without - joined: how much the coder lowers agreement. Below 0, the coder raises it.
    """

    name: str
    without: float
    joined: float
    drop: float
    ci: Interval


def _coefficient(
    corpus: Corpus, metric: str | Metric | None, coefficient: Coefficient, null: Null,
    draws: int | None, how: Sampling,
) -> tuple[Metric, Estimator]:  # fmt: skip
    """The metric, and the coefficient from which any codings can be left out."""
    check_choice(coefficient, "coefficient", COEFFICIENTS)
    check_choice(null, "null", NULLS)
    pairs, observed = CoderPairs(corpus), similarity(metric)
    if coefficient == "pi":
        return observed, pi_sums(pairs, observed)
    if coefficient == "kappa":
        return observed, kappa_sums(pairs, observed, pairs.slot if pairs.local else pairs.coder)
    n_draws = draws_for(pairs, observed, draws)
    if not n_draws:
        raise SegmentationError(
            "draws is 0, without which there is no corrected agreement: expected 2 or more, or "
            "coefficient='pi'"
        )
    return observed, chance_sums(pairs, observed, null, n_draws, how.seed).corrected


def drops(asked: Estimator, joining: Mapping[str, Mask], people: Mask) -> list[Estimator]:
    """How much each coder who is joining, given by their codings, lowers agreement among
    `people`."""
    after = asked.among(people).rows
    width = after.shape[1]

    def drop(sums: Floats) -> Floats:
        return np.asarray(asked.value(sums[:, :width]) - asked.value(sums[:, width:]))

    def of(own: Mask) -> Estimator:  # `_without_each` says who leaves these sums, too
        rows = np.hstack([asked.among(people & ~own).rows, after])
        return Estimator(asked.pairs, rows, drop, _no_chance, lambda: np.empty(0))

    return list(map(of, joining.values()))


def _no_chance(sums: Floats) -> Floats:
    return np.zeros(len(sums))  # of a difference


def joined_by(
    asked: Estimator,
    joining: Mapping[str, Mask],
    people: Mask,
    how: Sampling,
    known: Sequence[Interval] | None = None,
) -> tuple[Competitor, ...]:
    """Agreement among `people` without and with each coder who is joining; documents are drawn once
    for all of them, or the intervals of the `drops` are already known."""
    dropping = drops(asked, joining, people)
    every = np.arange(len(asked.pairs.documents))
    lowered = [each.whole for each in dropping]
    if len(every) < FEWEST_DOCUMENTS:
        rests = [people & ~own for own in joining.values()]
        known = [
            jackknife_interval(
                drop, _without_each(asked, rest, rest) - _without_each(asked, people, rest),
                level=how.level, unit="people",
            )
            for drop, rest in zip(lowered, rests, strict=True)
        ]  # fmt: skip
    elif known is None:
        known = intervals(dropping, every, how)
    joined = asked.among(people).whole
    return tuple(
        Competitor(name, joined + drop, joined, drop, credible(ci))
        for name, drop, ci in zip(joining, lowered, known, strict=True)
    )


def _without_each(asked: Estimator, kept: Mask, of: Mask) -> Floats:
    """The coefficient without each coder `of` some codings in turn; `kept` are those that count."""
    coder = asked.pairs.coder
    return np.array([asked.among(kept & (coder != one)).whole for one in np.unique(coder[of])])


def codings_of_each(pairs: CoderPairs, people: Mask) -> dict[str, Mask]:
    """The codings of each of these people."""
    numbers = np.unique(pairs.coder[people]).tolist()
    return {pairs.coders[number]: pairs.coder == number for number in numbers}


def each_left_out(asked: Estimator, people: Mask, how: Sampling) -> tuple[Competitor, ...]:
    """Each person among the others; if names are local, a random person of each document."""
    pairs = asked.pairs
    if pairs.local and len(pairs.documents) > 1:
        return (_somebody(asked.among(people), people, how),)
    return joined_by(asked, codings_of_each(pairs, people), people, how)


def _somebody(asked: Estimator, people: Mask, how: Sampling) -> Competitor:
    """A random person of each document left out, many times: the mean, and the spread."""
    rng = np.random.default_rng(how.seed)
    order = asked.pairs.coding_order
    listed = order[people[order]]
    owner = asked.pairs.document[listed]
    sizes = np.diff(np.flatnonzero(np.diff(owner, prepend=-1, append=-1)))
    drawn = listed[np.cumsum(sizes) - sizes + rng.integers(0, sizes, (_DRAWS, len(sizes)))]
    everyone, joined = asked.rows.sum(axis=0), asked.whole
    without = asked.value(everyone + asked.changes[drawn].sum(axis=1))
    without = without[~np.isnan(without)]
    if not len(without):
        none = how.none("no two people are left")
        return Competitor(SOMEBODY, np.nan, joined, np.nan, none)
    tail = (1 - how.level) / 2
    low, high = np.quantile(without - joined, [tail, 1 - tail]).tolist()
    mean = float(np.mean(without))
    words = f"range of {_DRAWS} draws of a person per document, seed {how.seed}"
    return Competitor(SOMEBODY, mean, joined, mean - joined, Interval(low, high, how.level, words))


def _lowering_first(people: Iterable[Competitor]) -> tuple[Competitor, ...]:
    return tuple(sorted(people, key=lambda person: -person.drop))


# ---- results ----


@dataclass(frozen=True, repr=False)
class Deviation(Tabular):
    """Agreement without each coder in turn; a coder whose absence raises it deviates from the
    others."""

    coefficient: Coefficient
    metric: Metric
    coders: tuple[Competitor, ...]
    provenance: Provenance = PLAIN
    nobody: tuple[str, ...] = ()  # left out: names of the kind `consensus`

    @property
    def signature(self) -> str:
        """How the observed agreement was computed; cite it with the numbers."""
        return signature_of(self.metric, self.provenance)

    def to_table(self) -> Table:
        """A row per coder; the coder who deviates most is listed first."""
        meaning = f"{SYMBOLS[self.coefficient]} by {self.signature}, without and with the coder"
        words = [f"{meaning}; below 0: the coder raises it"]
        return self._table(dict.fromkeys(self.coders, "person"), words, "Who deviates")

    def _table(self, kinds: Mapping[Competitor, str], words: list[str], title: str) -> Table:
        rows = [
            {
                **vars(one),
                "coder": one.name,
                "kind": kind,
                "drop": with_interval(one.drop, one.ci),
                "interval": one.ci.method,
            }
            for one, kind in kinds.items()
        ]
        shown = [
            *columns("coder"),
            *(columns("kind") if len(set(kinds.values())) > 1 else []),
            *columns("without with=joined", digits=3),
            Column("drop", digits=3, note="how much the coder lowers agreement"),
            *columns("interval", audience="machines"),
        ]
        made = methods_note([one.ci.method for one in kinds])
        notes = [*words[:1], *made, *words[1:], *consensus_note(self.nobody)]
        return Table(shown, rows, notes, title)


@dataclass(frozen=True, repr=False, kw_only=True)
class Competitiveness(Deviation):
    """A `system` among people, and each person among the other people."""

    system: Competitor
    documents: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def people(self) -> tuple[Competitor, ...]:
        """Each person among the other people."""
        return self.coders

    @property
    def n_worse_people(self) -> int:
        """The number of people who lower agreement at least as much as the system."""
        return sum(person.drop >= self.system.drop for person in self.people)

    @property
    def reading(self) -> str:
        """What the numbers say, in plain words."""
        drops = [person.drop for person in self.people if not np.isnan(person.drop)]
        low, high, _, method = self.system.ci
        ends = f"({method})" if np.isnan(low) else f"[{low:.3f}, {high:.3f}]"
        sentence = (
            f"Agreement among people is {self.system.without:.3f}; with {self.system.name} among "
            f"them it is {self.system.joined:.3f}, a drop of {self.system.drop:.3f} {ends}."
        )
        if not drops:
            return f"{sentence} With two people, none of them can be left out for comparison."
        return (
            f"{sentence} The drop when a person joins the others is {min(drops):.3f} to "
            f"{max(drops):.3f}, on average {np.mean(drops):.3f}; for {self.n_worse_people} of "
            f"{len(drops)} it is as large as the system's or larger."
        )

    def to_table(self) -> Table:
        """A row for the system, then people, starting with the person who lowers agreement most."""
        people = dict.fromkeys(_lowering_first(self.people), "person")
        words = [f"{SYMBOLS[self.coefficient]} by {self.signature}", self.reading]
        if self.left_out:
            words.append(
                "documents skipped because the system or two people did not code them: "
                f"{len(self.left_out)}"
            )
        return self._table({self.system: "system"} | people, words, "A system among people")


def human_competitiveness(
    corpus: Corpus | Document,
    system: str,
    metric: str | Metric | None = None,
    *,
    coefficient: Coefficient = "corrected",
    null: Null = "positions",
    draws: int | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> Competitiveness:
    """Compare agreement among people with and without a system, and with and without each person.

    `system` names the coder to compare with people; coders known to be other systems are left out.

    coefficient: "corrected" for chance, or as papers print it: "pi" or "kappa".
    null, draws: settings of corrected agreement, as in `segscore.agreement`.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> coders = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> coders["all"] = ss.baselines.all(21)
    >>> found = ss.coders.human_competitiveness(ss.Corpus.from_dict({"Stargazers": coders}), "all")
    >>> round(found.system.without, 3), round(found.system.joined, 3), found.n_worse_people
    (0.3, 0.173, 0)
    """
    whole = people_of(corpus)
    both, left_out = _split(whole, system)
    if coefficient == "kappa" and whole.coder_scope == "local" and len(both) > 1:
        raise SegmentationError(
            "coefficient is 'kappa', which needs coders whose names mean the same in all "
            "documents, and coder names are local: expected 'pi', or one document"
        )
    how = Sampling(level, n_resamples, seed_of(rng))
    found, asked = _coefficient(both, metric, coefficient, null, draws, how)
    own = np.array([name == system for name in asked.pairs.names], np.bool_)
    return Competitiveness(
        coefficient, found, each_left_out(asked, ~own, how), whole.provenance,
        as_corpus(corpus).columns.consensus_coders,
        system=joined_by(asked, {system: own}, np.ones(len(own), np.bool_), how)[0],
        documents=tuple(both), left_out=left_out,
    )  # fmt: skip


def who_deviates(
    corpus: Corpus | Document,
    metric: str | Metric | None = None,
    *,
    coefficient: Coefficient = "corrected",
    null: Null = "positions",
    draws: int | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> Deviation:
    """Compare agreement with and without each coder; the coder who lowers it most is listed first.

    The drop says how much this coder lowers agreement; below 0, the coder raises it.

    coefficient: "corrected" for chance, or as papers print it: "pi" or "kappa".
    null, draws: settings of corrected agreement, as in `segscore.agreement`.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> coders = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> found = who_deviates(ss.Corpus.from_dict({"Stargazers": coders}))
    >>> [(coder.name, round(coder.drop, 3)) for coder in found.coders[:2]]
    [('4', 0.067), ('2', 0.034)]
    """
    whole = people_of(corpus)
    if len(whole.coders) < 3:
        raise SegmentationError(
            f"who deviates needs three coders or more, and there are {len(whole.coders)}"
        )
    if whole.coder_scope == "local" and max(map(len, whole.values())) < 3:
        raise SegmentationError(
            "who deviates needs three coders or more of a document, and no document has "
            "three; coder names are local to each document"
        )
    how = Sampling(level, n_resamples, seed_of(rng))
    found, asked = _coefficient(whole, metric, coefficient, null, draws, how)
    people = each_left_out(asked, np.ones(len(asked.pairs.coder), np.bool_), how)
    nobody = as_corpus(corpus).columns.consensus_coders
    return Deviation(coefficient, found, _lowering_first(people), whole.provenance, nobody)


def _split(corpus: Corpus, system: str) -> tuple[Corpus, tuple[str, ...]]:
    """The documents that are used, without other systems; and the documents that are not used."""
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
    both = Corpus.from_rows(chosen, coders=corpus.coder_scope, provenance=corpus.provenance)
    return both, tuple(left_out)
