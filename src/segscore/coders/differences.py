"""Who lowers agreement, and is a segmenter as good as a person? (Fournier & Inkpen 2012, §3.4)

How far does agreement among people drop when the segmenter joins them? The same question is asked
about each person in turn: how far does agreement among the others drop when that person joins? A
segmenter that lowers agreement no more than people do is, by this measure, as good as a person.

Only documents that the segmenter and at least two people coded are used. Where coder names are
local to a document, nobody can be left out of all documents; instead a random person of each
document is left out, many times, and the mean is shown.

All numbers are values of the same sums, without the rows of those who are left out; random coders
are the same for everyone.


Two rounds of annotation: has agreement changed?

The difference of corrected agreement, round 2 - round 1, with an interval and a test. Both come
from a bootstrap over documents: each document has the sums of both rounds, so that documents in
both rounds are paired; a document of a single round adds nothing to the other round, so that it is
unpaired. The interval is widened, and p made larger, for the smaller number of documents of the two
rounds (`significance.resampling`); it excludes 0 exactly where p < 1 - level. Different people may
code round 2: the difference describes the coders of each round.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of, shown
from segscore.coders import coder_pairs, estimators
from segscore.coders.coder_pairs import Basis, CodedBy, CoderPairs, Null
from segscore.coders.estimators import Coefficient, Estimator, Mask, Sampling, Unfinished
from segscore.corpus import PLAIN, Corpus, Document, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance import drawing, resampling
from segscore.tables import Column, Table, Tabular
from segscore.tables.wording import number_words

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
    ci: resampling.Interval


def joined_by(
    asked: Estimator, joining: Mapping[str, Mask], people: Mask, how: Sampling
) -> Unfinished[tuple[Competitor, ...]]:
    """Agreement among `people` without and with each coder who is joining, given by their codings:
    a tuple of `Competitor`, without their intervals."""
    together = asked.among(people)
    width = together.rows.shape[1]

    def drop(sums: Floats) -> Floats:
        return np.asarray(asked.value(sums[:, :width]) - asked.value(sums[:, width:]))

    def of(own: Mask) -> Estimator:  # `_without_each` says who leaves these sums, too
        rows = np.hstack([asked.among(people & ~own).rows, together.rows])
        return Estimator(asked.pairs, rows, drop)

    drops = list(map(of, joining.values()))
    lowered, joined = [each.whole for each in drops], together.whole

    def finish(*intervals: resampling.Interval) -> tuple[Competitor, ...]:
        return tuple(
            Competitor(name, joined + drop, joined, drop, resampling.credible(ci))
            for name, drop, ci in zip(joining, lowered, intervals, strict=True)
        )

    if len(asked.pairs.documents) >= estimators.FEWEST_DOCUMENTS:
        return drops, finish
    known = []
    for own, without in zip(joining.values(), lowered, strict=True):
        rest = people & ~own
        changed = _without_each(asked, rest, rest) - _without_each(asked, people, rest)
        known.append(
            resampling.jackknife_interval(without, changed, level=how.level, unit="people")
        )
    return [], partial(finish, *known)


def _without_each(asked: Estimator, kept: Mask, of: Mask) -> Floats:
    """The coefficient without each coder `of` some codings in turn; `kept` are those that count."""
    coder = asked.pairs.coder
    return np.array([asked.among(kept & (coder != one)).whole for one in np.unique(coder[of])])


def each_left_out(
    asked: Estimator, people: Mask, how: Sampling
) -> Unfinished[tuple[Competitor, ...]]:
    """Each person among the others, the person who lowers agreement most first; if names are local,
    a random person of each document."""
    pairs = asked.pairs
    if pairs.local and len(pairs.documents) > 1:
        return [], lambda: (_somebody(asked.among(people), people, how),)
    own = {pairs.coders[i]: pairs.coder == i for i in np.unique(pairs.coder[people]).tolist()}
    drops, finish = joined_by(asked, own, people, how)
    return drops, lambda *cis: tuple(sorted(finish(*cis), key=lambda person: -person.drop))


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
        return Competitor(SOMEBODY, np.nan, joined, np.nan, how.none("no two people are left"))
    tail = (1 - how.level) / 2
    low, high = np.quantile(without - joined, [tail, 1 - tail]).tolist()
    mean = float(np.mean(without))
    words = f"range of {_DRAWS} draws of a person per document, seed {how.seed}"
    return Competitor(
        SOMEBODY, mean, joined, mean - joined, resampling.Interval(low, high, how.level, words)
    )


# ---- results ----


@dataclass(frozen=True, repr=False)
class Deviation(Tabular):
    """Agreement without each coder in turn, the coder who lowers it most first; `nobody` names the
    codings of the kind `consensus`, which are left out.

    If a `system` is compared with people, `coders` are the people, `documents` those that the
    system and two people coded, `left_out` the others.
    """

    coefficient: Coefficient
    metric: Metric
    coders: tuple[Competitor, ...]
    provenance: Provenance = PLAIN
    nobody: tuple[str, ...] = ()
    system: Competitor | None = None
    documents: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """How the observed agreement was computed; cite it with the numbers."""
        return estimators.signature_of(self.metric, self.provenance)

    @property
    def n_worse_people(self) -> int:
        """The number of people who lower agreement at least as much as the system."""
        system = self.system
        return sum(person.drop >= system.drop for person in self.coders) if system else 0

    @property
    def reading(self) -> str:
        """What the numbers say of the system, in plain words; "" if there is none."""
        if self.system is None:
            return ""
        drops = [person.drop for person in self.coders if not np.isnan(person.drop)]
        system, number = self.system, number_words
        low, high, _, method = system.ci
        drop = number(system.drop, low, high) + f" ({method})" * bool(np.isnan(low))
        sentence = (
            f"Agreement among people is {number(system.without)}; with {system.name} among them "
            f"it is {number(system.joined)}, a drop of {drop}."
        )
        if not drops:
            return f"{sentence} With two people, none of them can be left out for comparison."
        return (
            f"{sentence} The drop when a person joins the others is {number(min(drops))} to "
            f"{number(max(drops))}, on average {number(float(np.mean(drops)))}; for "
            f"{self.n_worse_people} of {len(drops)} it is as large as the system's or larger."
        )

    def to_table(self) -> Table:
        """A row per coder, after the system."""
        meaning = f"{estimators.SYMBOLS[self.coefficient]} by {self.signature}"
        kind, title, listed = [], "Who deviates", [*self.coders]
        words = [f"{meaning}, without and with the coder; below 0: the coder raises it"]
        if self.system is not None:
            kind, title, listed = ["kind"], "A system among people", [self.system, *listed]
            words = [meaning, self.reading]
        if self.left_out:
            words.append(
                "documents skipped because the system or two people did not code them: "
                f"{len(self.left_out)}"
            )
        rows = [
            {
                **vars(one),
                "coder": one.name,
                "kind": "system" if one is self.system else "person",
                "drop": estimators.with_interval(one.drop, one.ci),
                "interval": one.ci.method,
            }
            for one in listed
        ]
        lowered = Column("drop", digits=3, note="how much the coder lowers agreement")
        shown: list[str | Column] = [
            "coder",
            *kind,
            "without:3 with=joined:3",
            lowered,
            "interval!",
        ]
        made = estimators.methods_note([one.ci.method for one in listed])
        notes = [*words[:1], *made, *words[1:], *coder_pairs.consensus_note(self.nobody)]
        return Table.of(rows, shown, notes, title)


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
) -> Deviation:
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
    whole = coder_pairs.people_of(corpus)
    check_choice(system, "system", whole.coders)
    chosen: list[Any] = []
    left_out = []
    for document in whole.values():
        people = {coder for coder in document if document.kinds.get(coder) != "system"} - {system}
        if system in document and len(people) > 1:
            chosen += [r for r in document.records() if r.coder == system or r.coder in people]
        else:
            left_out.append(document.name)
    if not chosen:
        raise SegmentationError(
            f"no document has {system!r} and two other people: expected at least one"
        )
    both = Corpus.from_rows(chosen, coders=whole.coder_scope, provenance=whole.provenance)
    if coefficient == "kappa" and whole.coder_scope == "local" and len(both) > 1:
        raise SegmentationError(
            "coefficient is 'kappa', which needs coders whose names mean the same in all "
            "documents, and coder names are local: expected 'pi', or one document"
        )
    how = Sampling(level, n_resamples, seed_of(rng))
    found = _deviation(corpus, both, system, metric, coefficient, null, draws, how)
    return replace(found, documents=tuple(both), left_out=tuple(left_out))


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
    whole = coder_pairs.people_of(corpus)
    local = whole.coder_scope == "local"
    n = max(map(len, whole.values()), default=0) if local else len(whole.coders)
    if n < 3:
        where = "one document, because coder names are local" if local else "all"
        raise SegmentationError(
            f"who deviates needs three coders or more in {where}, and there are {n}"
        )
    how = Sampling(level, n_resamples, seed_of(rng))
    return _deviation(corpus, whole, None, metric, coefficient, null, draws, how)


def _deviation(
    corpus: Corpus | Document,
    chosen: Corpus,
    system: str | None,
    metric: str | Metric | None,
    coefficient: Coefficient,
    null: Null,
    draws: int | None,
    how: Sampling,
) -> Deviation:
    """Agreement without each of the chosen people, and with the system, if there is one."""
    check_choice(coefficient, "coefficient", estimators.COEFFICIENTS)
    check_choice(null, "null", coder_pairs.NULLS)
    pairs, observed = CoderPairs(chosen), estimators.similarity(metric)
    if coefficient == "pi":
        asked = estimators.pi_sums(pairs, observed)
    elif coefficient == "kappa":
        coders = pairs.slot if pairs.local else pairs.coder
        asked = estimators.kappa_sums(pairs, observed, coders)
    else:
        n_draws = estimators.draws_for(pairs, observed, draws)
        asked = estimators.chance_sums(pairs, observed, null, n_draws, how.seed)[0]
    people = np.array([name != system for name in pairs.names], np.bool_)
    everyone, joining = np.ones(len(people), np.bool_), {} if system is None else {system: ~people}
    wanted = each_left_out(asked, people, how), joined_by(asked, joining, everyone, how)
    each, joined = estimators.finished(pairs, how, *wanted)
    nobody = coder_pairs.as_corpus(corpus).columns.consensus_coders
    provenance, compared = chosen.provenance, joined[0] if joined else None
    return Deviation(coefficient, observed, each, provenance, nobody, compared)


# ---- two rounds ----

_SYMMETRIC = "expanded symmetric bootstrap"


class RoundAgreement(NamedTuple):
    """Corrected agreement in one round, the agreement of random coders, and the basis of both."""

    name: str
    corrected: float
    ci: resampling.Interval
    chance: float
    basis: Basis
    coders: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class AgreementDifference(Tabular):
    """Corrected agreement in two rounds; `difference` = second - first, with `ci` and `p`.

    `n_common` documents have two coders or more in both rounds, and are paired. `notes` say what to
    know about the numbers.
    """

    first: RoundAgreement
    second: RoundAgreement
    difference: float
    ci: resampling.Interval
    p: float
    n_common: int
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """What the difference means, in plain words."""
        low, high, level, method = self.ci
        start = (
            f"Corrected agreement is {self.first.corrected:.3f} in {self.first.name} and "
            f"{self.second.corrected:.3f} in {self.second.name}"
        )
        if math.isnan(low):
            return f"{start}, a difference of {self.difference:+.3f} ({method})."
        clear = self.p < 1 - level
        rose = "rose" if self.difference > 0 else "fell"
        verdict = f"agreement {rose}" if clear else "these documents show no change"
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        return f"{start}: {verdict}, {self.difference:+.3f} [{low:+.3f}, {high:+.3f}], {p}."

    def to_table(self) -> Table:
        """A row for each round, and a row for the difference."""
        rows: list[dict[str, Any]] = [
            {key.removeprefix("n_"): number for key, number in agreed.basis._asdict().items()}
            | {
                "round": agreed.name,
                "corrected": estimators.with_interval(agreed.corrected, agreed.ci),
                "chance": agreed.chance,
                "interval": agreed.ci.method,
            }
            for agreed in (self.first, self.second)
        ]
        difference = {"round": "difference", "documents": self.n_common, "p": self.p}
        corrected = estimators.with_interval(self.difference, self.ci)
        rows.append({**difference, "corrected": corrected, "interval": self.ci.method})
        both = "of the difference: those with a pair of coders in both rounds"
        shown: list[str | Column] = [
            "round",
            Column("corrected", digits=3, note=f"by {self.signature}"),
            "random_coders=chance:3",
            Column("documents", note=both),
            "coders pairs<1 boundaries<2",
            Column("p", digits=4, note="of no difference, two-sided, by the same bootstrap"),
            "interval!",
        ]
        words = [self.reading, f"interval of the difference: {self.ci.method}", *self.notes]
        return Table.of(rows, shown, words, "Agreement in two rounds")


def compare_rounds(
    first: CodedBy,
    second: CodedBy,
    metric: str | Metric | None = None,
    *,
    names: tuple[str, str] = ("round 1", "round 2"),
    null: Null = "positions",
    draws: int | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> AgreementDifference:
    """Test whether agreement changed between two rounds: the difference of corrected agreement.

    Documents that both rounds have are paired; others count in their own round. The test is the
    same whether or not the same people coded both rounds, but its meaning is not: the result names
    the people who coded only one round.

    first, second: the codings of the two rounds.
    metric, null, draws: as in `segscore.agreement`.
    names: the names of the two rounds.
    level: confidence level of the intervals; n_resamples, rng: number of resamples and random seed
        (or generator) of the bootstrap over documents.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> lengths = [[3, 4, 5], [2, 7, 3], [5, 4, 3], [6, 2, 4], [4, 4, 4], [1, 8, 3]]
    >>> before = {f"d{i}": {"ann": cut(m), "bob": cut(m[::-1])} for i, m in enumerate(lengths)}
    >>> after = {f"d{i}": {"ann": cut(m), "bob": cut(m)} for i, m in enumerate(lengths)}
    >>> found = ss.coders.compare_rounds(ss.Corpus.from_dict(before), ss.Corpus.from_dict(after))
    >>> found.n_common, found.second.corrected, found.difference > 0, found.p < 0.05
    (6, 1.0, True, True)
    """
    check_choice(null, "null", coder_pairs.NULLS)
    if not (isinstance(names, Sequence) and [*map(type, names)] == [str, str]):
        raise SegmentationError(f"names is {shown(names)}: expected the names of two rounds")
    how, measure = Sampling(level, n_resamples, seed_of(rng)), estimators.similarity(metric)
    given = [CoderPairs.of(codings) for codings in (first, second)]
    draws_of = [estimators.draws_for(pairs, measure, draws) for pairs in given]
    sums, rounds = [], []
    for name, pairs, n_draws in zip(names, given, draws_of, strict=True):
        pairs.require_pairs(f"agreement of {name}")
        sums.append(estimators.chance_sums(pairs, measure, null, n_draws, how.seed)[0])
        rounds.append(_round(name, sums[-1], null, how))
    value, width = sums[0].value, sums[0].rows.shape[1]

    def difference(table: Floats) -> Floats:
        return np.asarray(value(table[:, width:]) - value(table[:, :width]))

    # the documents of either round, and the sums of both rounds side by side
    documents = list(dict.fromkeys([*given[0].documents, *given[1].documents]))
    place = {name: row for row, name in enumerate(documents)}
    table = np.zeros((len(documents), 2 * width))
    for start, asked in zip((0, width), sums, strict=True):
        where = [place[name] for name in asked.pairs.documents]
        table[where, start : start + width] = asked.rows
    lots = drawing.Lots.of(documents)
    (drawn,) = resampling.bootstraps(
        [(lots.sums(table), difference)], n_resamples=n_resamples, seed=how.seed
    )
    # the documents that two people coded; others say nothing about agreement
    paired = [{part.documents[i] for i in np.unique(part.pair_document)} for part in given]
    n_documents, n_common = [len(part) for part in paired], len(paired[0] & paired[1])
    fewest = min(*n_documents, len(lots))
    drawn = resampling.Bootstrap(drawn.estimate, drawn.resampled, fewest)
    method = resampling.bootstrap_method(fewest, lots.words, n_resamples, how.seed)
    method = method.replace(resampling.METHOD, _SYMMETRIC)
    method = method.removesuffix(f"; {resampling.COVERAGE}")  # 95 % of 5 cover 95 % in simulations
    if not method.startswith("no interval"):
        alone = sum(n_documents) - 2 * n_common
        pairing = f"{n_common} paired, {alone} not" if alone else "all paired"
        pairing = pairing if n_common else "none paired"
        method = f"for these coders, over documents ({pairing}), by {method}"
    drawn_by = f"null:{null}|draws:{','.join(map(str, dict.fromkeys(draws_of)))}|seed:{how.seed}"
    provenance = given[0].corpus.provenance.joined(
        given[1].corpus.provenance, f"cannot compare {names[0]} and {names[1]}"
    )
    return AgreementDifference(
        rounds[0],
        rounds[1],
        float(drawn.estimate),
        resampling.credible(resampling.Interval(*drawn.interval_of_p(level), level, method)),
        float(drawn.p_value()),
        n_common,
        f"{estimators.signature_of(measure, provenance, 'micro')}|{drawn_by}",
        tuple(_notes(rounds, given, n_documents)),
    )


def _round(name: str, asked: Estimator, null: Null, how: Sampling) -> RoundAgreement:
    pairs = asked.pairs
    every = np.arange(len(pairs.documents))
    if np.isnan(asked.whole):
        why = estimators.why_not_corrected(asked, null, every)
        raise SegmentationError(f"{name} has no corrected agreement: {why}")
    (ci,) = estimators.estimate_intervals([asked], every, how)
    expected = float(asked.expected(asked.total(every))[0])
    return RoundAgreement(name, asked.whole, ci, expected, pairs.basis(every), pairs.coders)


def _notes(
    rounds: list[RoundAgreement], given: list[CoderPairs], n_documents: list[int]
) -> list[str]:
    """Notes on people in only one round, on few documents, and on what was left out."""
    notes = []
    if rounds[0].basis == rounds[1].basis and given[0].corpus == given[1].corpus:
        notes.append("the codings of both rounds are identical: expected those of two rounds")
    before, after = (set(each.coders) for each in rounds)
    if before != after and not any(pairs.local for pairs in given):
        notes.append(
            f"coders in both rounds: {len(before & after)}, in {rounds[0].name} only: "
            f"{len(before - after)}, in {rounds[1].name} only: {len(after - before)}; a "
            "difference may come from different people as well as from different practice"
        )
    pairs = zip(rounds, n_documents, strict=True)
    few = [agreed.name for agreed, n in pairs if n < resampling.TOO_FEW_DOCUMENTS]
    if few:
        number = f"fewer than {resampling.TOO_FEW_DOCUMENTS} documents"
        notes.append(f"{number} with a pair of coders in {' and '.join(few)}")
    return [*notes, *coder_pairs.consensus_note(name for each in given for name in each.nobody)]
