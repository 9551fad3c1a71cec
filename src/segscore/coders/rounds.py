"""Two rounds of annotation: has agreement changed?

The difference of corrected agreement, round 2 - round 1, with an interval and a test. Both come
from a bootstrap over documents: each document has the sums of both rounds, so that documents in
both rounds are paired; a document of a single round adds nothing to the other round, so that it is
unpaired. The interval is widened, and p made larger, for the smaller number of documents of the two
rounds (`significance.resampling`); it excludes 0 exactly where p < 1 - level. Different people may
code round 2: the difference describes the coders of each round.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of, shown
from segscore.coders.coder_pairs import Basis, CodedBy, CoderPairs, consensus_note
from segscore.coders.random_codings import NULLS, Null
from segscore.coders.sums import (
    Chance,
    Estimator,
    Sampling,
    chance_sums,
    draws_for,
    intervals,
    signature_of,
    similarity,
    with_interval,
)
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.drawing import Lots
from segscore.significance.resampling import (
    COVERAGE,
    METHOD,
    TOO_FEW_DOCUMENTS,
    Bootstrap,
    Interval,
    bootstrap_method,
    bootstraps,
    credible,
)
from segscore.tables import Column, Table, Tabular, columns

_SYMMETRIC = "expanded symmetric bootstrap"


class RoundAgreement(NamedTuple):
    """Corrected agreement in one round, the agreement of random coders, and the basis of both."""

    name: str
    corrected: float
    ci: Interval
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
    ci: Interval
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
            {
                "round": agreed.name,
                "corrected": with_interval(agreed.corrected, agreed.ci),
                "chance": agreed.chance,
                "documents": agreed.basis.n_documents,
                "coders": agreed.basis.n_coders,
                "pairs": agreed.basis.n_pairs,
                "boundaries": agreed.basis.n_boundaries,
                "interval": agreed.ci.method,
            }
            for agreed in (self.first, self.second)
        ]
        rows.append({
            "round": "difference",
            "corrected": with_interval(self.difference, self.ci),
            "documents": self.n_common,
            "p": self.p,
            "interval": self.ci.method,
        })  # fmt: skip
        both = "of the difference: those with a pair of coders in both rounds"
        shown = [
            *columns("round"),
            Column("corrected", digits=3, note=f"by {self.signature}"),
            *columns("random_coders=chance", digits=3),
            *columns("documents", note=both),
            *columns("coders"),
            *columns("pairs", drop_order=1),
            *columns("boundaries", drop_order=2),
            Column("p", digits=4, note="of no difference, two-sided, by the same bootstrap"),
            *columns("interval", audience="machines"),
        ]
        words = [self.reading, f"interval of the difference: {self.ci.method}", *self.notes]
        return Table(shown, rows, words, "Agreement in two rounds")


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
    check_choice(null, "null", NULLS)
    names = _checked_names(names)
    how, measure = Sampling(level, n_resamples, seed_of(rng)), similarity(metric)
    given = [CoderPairs.of(codings) for codings in (first, second)]
    draws_of = [draws_for(pairs, measure, draws) for pairs in given]
    sums = []
    for name, pairs, n_draws in zip(names, given, draws_of, strict=True):
        pairs.require_pairs(f"agreement of {name}")
        if not n_draws:
            raise SegmentationError(
                "draws is 0, without which there is no corrected agreement: expected 2 or more"
            )
        sums.append(chance_sums(pairs, measure, null, n_draws, how.seed))
    rounds = [_round(name, chance, how) for name, chance in zip(names, sums, strict=True)]
    value, width = sums[0].corrected.value, sums[0].corrected.rows.shape[1]

    def difference(table: Floats) -> Floats:
        return np.asarray(value(table[:, width:]) - value(table[:, :width]))

    lots, rows = _together(*(chance.corrected for chance in sums))
    (drawn,) = bootstraps([(rows, difference)], n_resamples=n_resamples, seed=how.seed)
    # the documents that two people coded; others say nothing about agreement
    paired = [{part.documents[i] for i in np.unique(part.pair_document)} for part in given]
    n_documents, n_common = [len(documents) for documents in paired], len(paired[0] & paired[1])
    fewest = min(*n_documents, len(lots))
    drawn = Bootstrap(drawn.estimate, drawn.resampled, fewest)
    method = bootstrap_method(fewest, lots.words, n_resamples, how.seed)
    method = method.replace(METHOD, _SYMMETRIC)
    method = method.removesuffix(f"; {COVERAGE}")  # 95 % of 5 cover 95 % in simulations
    ci = Interval(*drawn.interval_of_p(level), level, _about(n_documents, n_common, method))
    drawing = f"null:{null}|draws:{','.join(map(str, dict.fromkeys(draws_of)))}|seed:{how.seed}"
    provenance = given[0].corpus.provenance.joined(
        given[1].corpus.provenance, f"cannot compare {names[0]} and {names[1]}"
    )
    return AgreementDifference(
        rounds[0],
        rounds[1],
        float(drawn.estimate),
        credible(ci),
        float(drawn.p_value()),
        n_common,
        f"{signature_of(measure, provenance, 'micro')}|{drawing}",
        tuple(_notes(rounds, given, n_documents)),
    )


def _checked_names(names: Any) -> tuple[str, str]:
    match names:
        case (str(first), str(second)):
            return first, second
    raise SegmentationError(f"names is {shown(names)}: expected the names of the two rounds")


def _round(name: str, chance: Chance, how: Sampling) -> RoundAgreement:
    asked, pairs = chance.corrected, chance.corrected.pairs
    every = np.arange(len(pairs.documents))
    total = asked.total(every)
    expected = float(asked.expected(total)[0])
    if np.isnan(asked.whole):
        raise SegmentationError(f"{name} has no corrected agreement: {chance.why_none(every)}")
    (ci,) = intervals([asked], every, how)
    return RoundAgreement(name, asked.whole, ci, expected, pairs.basis(every), pairs.coders)


def _together(first: Estimator, second: Estimator) -> tuple[Lots, Floats]:
    """What is drawn of the documents of either round, and its rows: the sums of both side by
    side."""
    names = list(dict.fromkeys([*first.pairs.documents, *second.pairs.documents]))
    place = {name: row for row, name in enumerate(names)}
    both = []
    for asked in (first, second):
        rows = np.zeros((len(place), asked.rows.shape[1]))
        rows[[place[name] for name in asked.pairs.documents]] = asked.rows
        both.append(rows)
    lots = Lots.of(names)
    return lots, lots.sums(np.hstack(both))


def _about(n_documents: list[int], n_common: int, method: str) -> str:
    n_first, n_second = n_documents
    if method.startswith("no interval"):
        return method
    if n_common == n_first == n_second:
        paired = "all paired"
    elif n_common:
        paired = f"{n_common} paired, {n_first + n_second - 2 * n_common} not"
    else:
        paired = "none paired"
    return f"for these coders, over documents ({paired}), by {method}"


def _notes(
    rounds: list[RoundAgreement], given: list[CoderPairs], n_documents: list[int]
) -> list[str]:
    """Notes on people in only one round, on few documents, and on what was left out."""
    notes = []
    if rounds[0].basis == rounds[1].basis and given[0].corpus == given[1].corpus:
        notes.append("the codings of both rounds are identical: expected those of two rounds")
    if not any(pairs.local for pairs in given):
        before, after = (set(each.coders) for each in rounds)
        if before != after:
            notes.append(
                f"coders in both rounds: {len(before & after)}, in {rounds[0].name} only: "
                f"{len(before - after)}, in {rounds[1].name} only: {len(after - before)}; a "
                "difference may come from different people as well as from different practice"
            )
    few = [
        agreed.name for agreed, n in zip(rounds, n_documents, strict=True) if n < TOO_FEW_DOCUMENTS
    ]
    if few:
        where = " and ".join(few)
        notes.append(f"fewer than {TOO_FEW_DOCUMENTS} documents with a pair of coders in {where}")
    nobody = [name for pairs in given for name in pairs.nobody]
    return [*notes, *consensus_note(nobody)]
