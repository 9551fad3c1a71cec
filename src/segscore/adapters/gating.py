"""A gate for tests: limits that a score must keep, and no loss against a stored baseline.

The pytest fixture `segscore_gate` calls it, and any other test framework can do so, too. A
gate that fails says why, and draws the documents that did worst.

The baseline is a file of segmentations, as `ss.write` writes it, so that a new system is tested
against the old one document by document, and `segscore compare` can read it.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, number, whole_number
from segscore.comparison import Comparison, compare
from segscore.comparison.gates import Limit, Side, check_limit, check_margin, kept, no_worse
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.io import read, write
from segscore.metrics import Average, Metric, boundary_edits
from segscore.metrics import metric as as_metric
from segscore.metrics.edit_views import draw
from segscore.pairing.pairs import Pairs, pairs_of
from segscore.scoring.scoring import score

_OLD, _NEW = "baseline", "new"
_DRAWN_LINES = 4  # of each document


class Verdict(NamedTuple):
    """Whether a gate is passed, the report, and the baseline if it was written."""

    passed: bool
    text: str
    written: Path | None = None


def gate(
    refs: Any,
    hyps: Any = None,
    metric: str | Metric = "b",
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    not_worse_than: str | os.PathLike[str] | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
    allow_small: bool = False,
    average: Average = "micro",
    worst: int = 3,
    update: bool = False,
    update_option: str = "update=True",
) -> Verdict:
    """Check whether hypotheses are good enough.

    Parameters
    ----------
    refs, hyps
        As in `ss.score`: two sequences, mappings, files or corpora.
    metric
        A metric, or its name.
    at_least, at_most
        The limit of the average: `at_least` for similarities, `at_most` for errors.
    not_worse_than
        A file with the segmentations of a baseline. The gate fails if the hypotheses are
        significantly worse (one-sided, at `alpha`); with `margin`, if worse by more than that.
    margin, alpha
        The settings of `not_worse_than`.
    allow_small
        Pass even if there are too few documents to find a difference.
    average
        `micro` or `macro`.
    worst
        The number of documents to draw if the gate fails.
    update, update_option
        Whether to write the baseline instead of comparing with it, and the name of that option in
        messages.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> print(gate([cut([2, 3, 6])], [cut([5, 6])], "windowdiff", at_most=0.1).text)
    windowdiff (micro) is 0.2222, above 0.1
    windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|avg:micro|v:0.1.0
    The worst of 1 document:
    0: 0.2222 (a: reference, b: hypothesis)
    a  ··|···|······
    b  ·· ···|······
         A   M
    1 match, 0 transpositions, 0 substitutions, 1 addition
    """
    chosen_metric = as_metric(metric)
    if not 0 < number(alpha, "alpha", "a number between 0 and 1") < 1:
        raise SegmentationError(f"alpha is {alpha}: expected a number between 0 and 1")
    if margin is not None:
        check_margin(number(margin, "margin", "0 or more"), chosen_metric, f"margin is {margin}")
    if at_least is None and at_most is None and not_worse_than is None:
        raise SegmentationError("there is no limit: expected at_least, at_most or not_worse_than")
    bounds: list[tuple[Any, Side]] = [(at_least, "at least"), (at_most, "at most")]
    limits = [
        Limit(str(metric), number(bound, side.replace(" ", "_"), "a number"), side)
        for bound, side in bounds
        if bound is not None
    ]
    for limit in limits:
        check_limit(limit, chosen_metric)
    pairs = pairs_of(refs, hyps)
    found = score(pairs, metrics=[chosen_metric], on_undefined="nan")[chosen_metric]
    value = found.micro if average == "micro" else found.macro
    for limit in limits:
        check = kept(limit, limit.metric, float(value), average)
        if not check.passed:
            drawn = _drawn(pairs, found.values, chosen_metric.higher_is_better, worst)
            return Verdict(passed=False, text="\n".join([check.why, value.signature, *drawn]))
    summary = f"{metric} ({average}) is {float(value):.4f}"
    if not_worse_than is None:
        return Verdict(passed=True, text=summary)
    path = Path(not_worse_than)
    if update:
        rows = {name: {_OLD: pairs.hypothesis(i)} for i, name in enumerate(pairs.documents)}
        write(Corpus.from_dict(rows), path)
        return Verdict(passed=True, text=f"{summary}; baseline written to {path}", written=path)
    if not path.exists():
        return Verdict(passed=False, text=f"there is no baseline {path}: {update_option} writes it")
    comparison = _compared(pairs, path, chosen_metric, average, update_option)
    check = no_worse(
        comparison, str(chosen_metric), _OLD, _NEW, alpha=alpha, margin=margin,
        allow_small=allow_small,
    )  # fmt: skip
    if check.passed:
        return Verdict(passed=True, text=check.why)
    values = comparison.values(chosen_metric)
    losses = values[_OLD] - values[_NEW]
    better = chosen_metric.higher_is_better
    drawn = _drawn(pairs, values[_NEW], better, worst, losses, values[_OLD])
    hint = f"If that is meant, {update_option} writes a new baseline."
    text = [check.why, comparison.signatures[str(chosen_metric)], *drawn, hint]
    return Verdict(passed=False, text="\n".join(text))


def _compared(
    pairs: Pairs, path: Path, metric: Metric, average: Average, update_option: str
) -> Comparison:
    stored = {}
    for name, document in read(path).items():
        if len(document) != 1:
            raise SegmentationError(
                f"{path}, document {name!r}: {len(document)} codings: expected one, the baseline's"
            )
        stored[name] = next(iter(document.values()))
    names = list(pairs.documents)
    if set(stored) != set(names):
        other = sorted(set(stored) ^ set(names))[0]
        where = "not in the test" if other in stored else f"not in {path}"
        raise SegmentationError(
            f"document {other!r} is {where}: expected the same documents; {update_option} writes "
            "a new baseline"
        )
    several = pairs.groups is not None
    refs: Any = {
        name: pairs.references(row) if several else pairs.reference(row)
        for row, name in enumerate(names)
    }
    new = {name: pairs.hypothesis(row) for row, name in enumerate(names)}
    return compare(
        refs, systems={_OLD: stored, _NEW: new}, metrics=[metric], baselines=(), human=False,
        average=average, on_undefined="nan",
    )  # fmt: skip


def _drawn(
    pairs: Pairs,
    values: Floats,
    higher_is_better: bool,
    worst: int,
    order: Floats | None = None,
    before: Floats | None = None,
) -> list[str]:
    """The documents that did worst (by `order`, or by their values), with their edits."""
    badness = (values if order is None else -order) * (-1 if higher_is_better else 1)
    defined = np.flatnonzero(~np.isnan(badness))
    chosen = defined[np.argsort(-badness[defined], kind="stable")]
    chosen = chosen[: whole_number(worst, "worst", 0)]
    if not len(chosen):
        return []
    count = "1 document" if len(pairs) == 1 else f"{len(pairs)} documents"
    lines = [f"The worst of {count}:"]
    for row in chosen.tolist():
        was = "" if before is None else f", before {before[row]:.4f}"
        sides = "(a: reference, b: hypothesis)"
        lines.append(f"{pairs.documents[row]}: {values[row]:.4f}{was} {sides}")
        refs = pairs.references(row) if pairs.groups is not None else [pairs.reference(row)]
        for ref in refs:
            edits = boundary_edits(ref, pairs.hypothesis(row), substitution="unit")
            lines.append(draw(edits, _DRAWN_LINES))
    return lines
