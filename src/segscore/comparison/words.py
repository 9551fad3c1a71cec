"""Plain words about a comparison: which test fits, what it shows, and what it cannot show.

Numbers behind the words: swapping n documents can reach no p below 2/2ⁿ (all swapped or none);
`significance.resampling` says how well bootstrap intervals hold with few documents; the bootstrap
test at 5 % errs in 3 to 5 % of null cases with 5, 10, 20 and 50 documents (families of
pairs: in 0 to 5 %); where it draws runs, too, in 14 % with 2 runs per system, 8 % with 3, 6 % with
5, 5 % with 10. `power` computes which difference the documents could detect.

No sentence claims more than the tests allow: the best value alone is no claim, and with one
document nothing is tested. Equal claims about several metrics share a sentence.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from segscore.comparison.estimates import Test, smallest_p
from segscore.pairing.rules import missing_notes
from segscore.scoring.result_tables import ratio_notes
from segscore.significance.resampling import FEW_DOCUMENTS, SAME, TOO_FEW_DOCUMENTS
from segscore.tables.wording import join_names, join_words, number_words, short_name

if TYPE_CHECKING:
    from segscore.comparison.comparison_result import Comparison
    from segscore.comparison.estimates import PairTest

FEW_RUNS = 5
_COVERAGE = {  # of few documents, and of too few, in the simulations of `significance.resampling`
    False: "95 % intervals are a little too narrow (in simulations they covered the true value "
    "90–92 % of the time with 5 documents, 93–95 % with 10 or more)",
    True: "95 % intervals are too narrow (in simulations they covered the true value about 87 % of "
    "the time with 4 documents, 75 % with 3 and 50 % with 2)",
}
_MANY = 10**6  # documents or resamples: as many as one may want


def recommended(n_documents: int, n_systems: int, most_runs: int) -> tuple[Test, str]:
    """The test that fits the data, and the reason for it.

    >>> recommended(n_documents=12, n_systems=3, most_runs=1)[0]
    'randomisation'
    """
    if most_runs > 1:
        return (
            "bootstrap",
            "Paired bootstrap: systems have several runs, and this test resamples both documents "
            "and runs, so that a lucky run does not pass for a better system.",
        )
    why = (
        "Approximate randomisation: all systems have the same documents, and this test works on "
        "the average that the table shows and assumes nothing about the distribution of scores"
    )
    if n_documents < FEW_DOCUMENTS:
        why += "; with few documents it stays exact where a t-test or a bootstrap is approximate"
    if n_systems > 5:
        why += (
            f". With {n_systems} systems there are {n_systems * (n_systems - 1) // 2} pairs: "
            "test='friedman' first tests whether there is any difference, and loses less power to "
            "the correction"
        )
    return "randomisation", why + "."


def warnings(found: "Comparison") -> list[str]:
    """What these documents cannot show, a sentence each."""
    settings, terms = found.settings, found.terms
    messages, document, drawn = limits(found), terms["document"], terms["more"]
    by_values = settings.test in ("t", "friedman", "kruskal")
    if settings.average == "micro" and by_values and not found.scores:
        messages.append(
            f"The {settings.test} test compares the values of documents, each weighing the same; "
            "the table prints micro-averages, where long documents weigh more."
        )
    for metric in found.metrics:
        entries = [found[name, metric] for name in found.systems]
        undefined = [f"{each.system} {each.n_undefined}" for each in entries if each.n_undefined]
        if undefined:
            messages.append(
                f"{metric}: undefined for some of {found.n_documents} {document}s "
                f"({', '.join(undefined)}); averages leave them out, and tests on {document} "
                f"values leave them out for all {terms['system']}s."
            )
        ranked = sorted((each.rank, i) for i, each in enumerate(entries) if each.rank is not None)
        if len(ranked) < 2 or found.n_drawn < 2:
            continue
        first, second = (found.systems[i] for _, i in ranked[:2])
        pair = found.pair(metric, first, second)
        gap = abs(pair.difference)
        if gap > SAME and found.can_differ and not pair.significant:  # else `limits` says why
            detected = f"a difference of {pair.detectable:.3g} with 80 % power"
            could = f"these {drawn} could detect {detected}"
            if isnan(pair.detectable):
                could = f"there are too few {drawn} to detect any difference"
            messages.append(
                f"{metric}: {first} and {second} differ by {gap:.4f}; {could}. This does not show "
                "that one is better, nor that they are equal."
            )
    for system, failures in found.failures.items():
        notes = [note for some in missing_notes((), failures) for note in some]
        messages += [f"{system}: {note}" for note in notes]
    messages += ratio_notes({name: found.ratios[name] for name in found.systems if found.ratios})
    messages += found.said
    return messages + missing_notes(found.skipped, None)[0] if found.skipped else messages


def limits(found: "Comparison") -> list[str]:
    """What a sample of this size cannot show, a sentence each."""
    settings, n_drawn = found.settings, found.n_drawn
    compared, more = f"{found.terms['system']}s", found.terms["more"]
    many = counted(n_drawn, found.drawn)
    if n_drawn < 2:
        what = many.removeprefix("1 ")
        return [
            f"There is one {what}: nothing can be tested and there are no intervals. The values "
            f"describe this {what} and no other."
        ]
    test, alpha, family = settings.test, settings.alpha, found.family
    notes: list[str] = []
    least = smallest_p(test, n_drawn, settings.n_resamples)
    if family and least * family > alpha:
        pairs = "1 pair" if family == 1 else f"{family} pairs"
        given, ways = [many] if family == 1 else [many, f"{pairs} of {compared}"], []
        if smallest_p(test, _MANY, settings.n_resamples) * family <= alpha:
            ways.append(f"take more {more}")
        if smallest_p(test, n_drawn, _MANY) * family <= alpha:
            given.insert(1, f"{settings.n_resamples} resamples")
            ways.append("take more resamples (n_resamples=)")
        if family > 1 and least <= alpha:
            ways.append(f"compare fewer {compared}")
        remedy = " or ".join(ways) or f"take more {more} and more resamples"
        corrected = "two-sided" if family == 1 else "two-sided, after correction"
        notes.append(
            f"With {join_words(given)} no difference can reach p ≤ {alpha:g}, however large: the "
            f"smallest possible p is {min(1.0, least * family):.3g} ({corrected}). "
            f"{remedy[0].upper()}{remedy[1:]}."
        )
    if n_drawn < FEW_DOCUMENTS:
        notes.append(f"With {many}, {_COVERAGE[n_drawn < TOO_FEW_DOCUMENTS]}.")
    runs = {name: found[name, found.metrics[0]].n_runs for name in found.systems}
    several = {name: n for name, n in runs.items() if n > 1}
    few = [f"{name} ({n})" for name, n in several.items() if n < FEW_RUNS]
    if few:
        notes.append(
            f"Few runs: {', '.join(few)}. The spread between runs is not well known from fewer "
            f"than {FEW_RUNS}, and p comes out too small."
        )
    if several and test != "bootstrap":
        notes.append(
            f"The {test} test averages over the runs of a system: it holds for these runs, not for "
            "new runs. test='bootstrap' resamples runs, too."
        )
    if 0 < len(several) < len(runs):
        single = [name for name in runs if name not in several]
        notes.append(f"One run only: {', '.join(single)}. How much runs vary is unknown.")
    return notes


def counted(n_drawn: int, drawn: str) -> str:
    """What is resampled, with its number, in words; `drawn` may already have the number.

    >>> counted(12, "documents"), counted(1, "1 clusters of documents")
    ('12 documents', '1 cluster of documents')
    """
    words = drawn if drawn[0].isdigit() else f"{n_drawn} {drawn}"
    return words if n_drawn != 1 else re.sub(r"s\b", "", words, count=1)


# ---- what a comparison shows ----


def verdict(found: "Comparison") -> list[str]:
    """The conclusion: which system is significantly better, in which metrics and by how much, or
    that none can be called better; a sentence for all metrics that show the same. The table begins
    with it."""
    claims = [(_claim(found, metric)[:4], metric) for metric in found.metrics]
    alike = groupby(claims, key=lambda both: both[0])
    sentences = [best_system(found, [metric for _, metric in both]) for _, both in alike]
    if len(found.systems) < 3 or all(isnan(pair.p) for pair in found.pairs):
        return sentences
    counts = []
    for metric in found.metrics:  # how many of all pairs differ, not only of those with the best
        tested = [pair.significant for pair in found.pairs if pair.metric == metric]
        counts.append((sum(tested), len(tested), metric))
    clauses = []
    for (n, of), group in groupby(counts, key=lambda count: count[:2]):
        pairs = (
            f"{n} of {of} pairs of {found.terms['system']}s differ"
            if n != 1
            else f"1 of {of} pairs differs"
        )
        clauses.append(f"{pairs} significantly in {join_words([count[2] for count in group])}")
    return [*sentences, "; ".join(clauses) + "."]


def _claim(
    found: "Comparison", metric: str
) -> "tuple[str, list[str], list[str], bool, list[PairTest]]":
    """The best system, those that it beats, those that may be as good, whether anything was tested,
    and its tests against those that it beats."""
    entries = [found[name, metric] for name in found.systems]
    ranked = [entry for entry in entries if entry.rank is not None]
    if not ranked:
        return "", [], [], False, []
    best = min(ranked, key=lambda entry: entry.rank or 0).system
    tests = [pair for pair in found.pairs if pair.metric == metric and best in (pair.a, pair.b)]
    beaten, even = (
        [pair.b if pair.a == best else pair.a for pair in tests if pair.significant == is_]
        for is_ in (True, False)
    )
    tested = any(entry.letters is not None for entry in entries)
    return best, beaten, even, tested, [pair for pair in tests if pair.significant]


def best_system(found: "Comparison", metrics: Sequence[str]) -> str:
    """What the comparison shows under metrics that show the same."""
    listed, system = join_words(list(metrics)), found.terms["system"]
    name, beaten, even, tested, _ = _claim(found, metrics[0])
    if not name:
        return f"No {system} has a value in {listed}."
    best, values, gaps = short_name(name), [], []
    for metric in metrics:
        entry = found[name, metric]
        values.append(f"{number_words(entry.value, entry.low, entry.high)} in {metric}")
        if beaten:
            gaps.append(f"{metric} ({_least_gap(_claim(found, metric)[-1])})")
    reached = join_words(values)
    if len(found.systems) == 1:
        return f"{best} reaches {reached}. With one {system} there is nothing to test."
    if not tested:
        untested = "nothing could be tested, so this says nothing about other documents"
        return f"{best} has the best value, {reached}; {untested}."
    others = join_names(even) if even else ""
    if not beaten:
        do = "does" if len(even) == 1 else "do"
        return (
            f"No {system} can be called better in {listed}: {best} has the best value, but "
            f"{others} {do} not differ from it significantly."
        )
    rest = f"; it does not differ significantly from {others}" if others else ""
    won = f"{join_names(beaten)} in {join_words(gaps)}"
    return f"{best} is significantly better than {won}{rest}."


def _least_gap(beaten: "Sequence[PairTest]") -> str:
    """By how much the best system is better; the smallest difference if it beats several."""
    pair = min(beaten, key=lambda pair: abs(pair.difference))
    towards = 1 if pair.difference > 0 else -1
    gap = number_words(
        towards * pair.difference, *sorted((towards * pair.low, towards * pair.high))
    )
    return f"by at least {gap}" if len(beaten) > 1 else f"by {gap}"
