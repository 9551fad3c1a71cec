"""Is a segmenter as good as a person? (Fournier & Inkpen 2012, §3.4)

How far does agreement among people drop when the segmenter joins them? The same question is asked
about each person in turn: how far does agreement among the others drop when that person joins? A
segmenter that lowers agreement no more than people do is, by this measure, as good as a person.

Only documents that the segmenter and at least two people coded are used. Where coder names are
local to a document, nobody can be left out of all documents; instead a random person of each
document is left out, many times, and the mean is shown.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Seed, seed_of, shown
from segscore.coders.agreement_choices import SYMBOLS, Coefficient
from segscore.coders.coder_pairs import as_corpus, consensus_note, people_of
from segscore.coders.leaving_out import Competitor, LeavingOut
from segscore.coders.random_codings import Null
from segscore.coders.sums import Sampling, methods_note
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.tables import Column, Table, Tabular

_COLUMNS = (
    Column("without", digits=3),
    Column("with", key="joined", digits=3),
    Column("drop", digits=3, note="how much the coder lowers agreement"),
    Column("interval", audience="machines"),
)


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
        """How the observed agreement was computed; cite it with the numbers."""
        return self.metric.signature(provenance=self.provenance)

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
        people = sorted(self.people, key=lambda person: -person.drop)
        rows = [self.system.row("system"), *(person.row() for person in people)]
        words = [f"{SYMBOLS[self.coefficient]} by {self.signature}", *methods_note(rows)]
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
    sampling = Sampling(level, n_resamples, seed_of(rng))
    found = LeavingOut.of(both, metric, coefficient, null, draws, sampling)
    own = found.codings_by([system])
    return Competitiveness(
        coefficient,
        found.metric,
        found.joining({system: own}, np.ones(len(own), np.bool_))[0],
        found.each(~own),
        tuple(both),
        left_out,
        whole.provenance,
        as_corpus(corpus).columns.consensus_coders,
    )


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
        return self.metric.signature(provenance=self.provenance)

    def to_table(self) -> Table:
        """A row per coder; the coder who deviates most is listed first."""
        rows = [coder.row() for coder in self.coders]
        meaning = f"{SYMBOLS[self.coefficient]} by {self.signature}, without and with the coder"
        words = [f"{meaning}; below 0: the coder raises it", *methods_note(rows)]
        words += consensus_note(self.nobody)
        return Table([Column("coder"), *_COLUMNS], rows, words, "Who deviates")


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
    sampling = Sampling(level, n_resamples, seed_of(rng))
    found = LeavingOut.of(whole, metric, coefficient, null, draws, sampling)
    people = found.each(np.ones(len(found.pairs.coder), np.bool_))
    ordered = tuple(sorted(people, key=lambda person: -person.drop))
    nobody = as_corpus(corpus).columns.consensus_coders
    return Deviation(coefficient, found.metric, ordered, whole.provenance, nobody)


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
