"""A gate for continuous integration: limits that a score must keep, and a new system no worse.

Each limit is a check. A check that fails is one line on stderr that says why, and the command ends
with exit code 1; the result is printed all the same. What cannot be decided fails: a value that is
undefined, or a test on so few documents that it could never find the new system worse.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from xml.sax.saxutils import quoteattr

import typer

from segscore.cli.output import remark
from segscore.errors import SegmentationError, visible

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.scores import Average, Result

FailUnderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        metavar="METRIC=NUMBER",
        help="Exit with 1 if the average is below the number. May be repeated.",
    ),
]
FailOverOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-over",
        metavar="METRIC=NUMBER",
        help="Exit with 1 if the average is above the number. May be repeated.",
    ),
]
FailIfWorseOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if-worse",
        metavar="METRIC",
        help="Exit with 1 if a system is worse than the first one: significantly (one-sided), or "
        "by more than --margin. May be repeated.",
    ),
]
MarginOption = Annotated[
    float | None,
    typer.Option("--margin", help="With --fail-if-worse: how much worse is too much."),
]
AlphaOption = Annotated[
    float, typer.Option("--alpha", help="With --fail-if-worse: level of significance.")
]
AllowSmallOption = Annotated[
    bool,
    typer.Option(
        "--allow-small",
        help="With --fail-if-worse: pass even if there are too few documents to find a difference.",
    ),
]
JunitOption = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Write the checks to this file as JUnit XML."),
]
GithubOption = Annotated[
    bool, typer.Option("--github", help="Print failed checks as annotations for GitHub Actions.")
]


class Check(NamedTuple):
    """One limit: what it is about, whether it is kept, and why."""

    name: str
    passed: bool
    why: str


class Limit(NamedTuple):
    """A limit on a metric's average."""

    metric: str
    number: float
    side: Literal["under", "over"]


def limits(under: Iterable[str], over: Iterable[str]) -> list[Limit]:
    """What --fail-under and --fail-over say; a limit on the wrong side would pass bad scores."""
    found = [
        *(Limit(name, one, "under") for name, one in numbers(under, "--fail-under").items()),
        *(Limit(name, one, "over") for name, one in numbers(over, "--fail-over").items()),
    ]
    for limit in found:
        _check_side(limit)
    return found


def _check_side(limit: Limit) -> None:
    from segscore.metrics import metric
    from segscore.metrics.parts import ScorePart

    one = metric(limit.metric)
    if isinstance(one, ScorePart) or one.higher_is_better == (limit.side == "under"):
        return  # a part may be good either way
    better, right = ("higher", "under") if one.higher_is_better else ("lower", "over")
    raise SegmentationError(
        f"--fail-{limit.side} is {limit.metric}={limit.number:g}, but {better} values of "
        f"{one.name} are better: use --fail-{right} {limit.metric}={limit.number:g}"
    )


def numbers(texts: Iterable[str], option: str) -> dict[str, float]:
    """What an option of the form METRIC=NUMBER says, by metric."""
    found: dict[str, float] = {}
    for text in texts:
        metric, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not metric.strip() or not math.isfinite(value):
            raise SegmentationError(
                f"{option} is {text!r}: expected a metric and a number, as in b=0.45"
            )
        found[metric.strip()] = value
    return found


def with_more(metrics: Sequence[str], more: Iterable[str]) -> list[str]:
    """The metrics, and those that only another option names."""
    from segscore.metrics import metric

    known = [metric(name) for name in metrics]
    found = list(metrics)
    for name in more:
        one = metric(name)
        if one not in known:
            known.append(one)
            found.append(name)
    return found


def checked_limits(
    wanted: Sequence[Limit], results: "Mapping[str, Result]", average: "Average"
) -> list[Check]:
    """Each limit, for each system."""
    from segscore.metrics import metric

    checks = []
    for limit in wanted:
        for system, result in results.items():
            scores = next(one for one in result.values() if one.metric == metric(limit.metric))
            value = float(scores.micro if average == "micro" else scores.macro)
            checks.append(_kept(limit, system, value, average))
    return checks


def _kept(limit: Limit, system: str, value: float, average: str) -> Check:
    name = f"{system}: {limit.metric}"
    if math.isnan(value):
        return Check(name, passed=False, why=f"{name} ({average}) is undefined")
    bad = value < limit.number if limit.side == "under" else value > limit.number
    words = {"under": ("below", "not below"), "over": ("above", "not above")}[limit.side]
    said = words[0] if bad else words[1]
    return Check(name, not bad, f"{name} ({average}) is {value:.4f}, {said} {limit.number:g}")


def checked_systems(
    comparison: "Comparison",
    metrics: Sequence[str],
    margin: float | None,
    alpha: float,
    allow_small: bool,
) -> list[Check]:
    """Each system but the first against the first, under each metric."""
    if not 0 < alpha < 1:
        raise SegmentationError(f"--alpha is {alpha}: expected a number between 0 and 1")
    if margin is not None and not margin >= 0:
        raise SegmentationError(f"--margin is {margin}: expected 0 or more")
    old, *others = comparison.systems
    if not others:
        raise SegmentationError("--fail-if-worse compares with the first system: give two or more")
    from segscore.metrics import metric as as_metric

    asked = {as_metric(name) for name in metrics}
    return [
        _no_worse(comparison, name, old, new, margin, alpha, allow_small)
        for name in comparison.metrics
        if comparison.metric(name) in asked
        for new in others
    ]


def _no_worse(
    comparison: "Comparison",
    metric: str,
    old: str,
    new: str,
    margin: float | None,
    alpha: float,
    allow_small: bool,
) -> Check:
    """Whether one system is no worse than another."""
    found = comparison.worse(old, new, metric)
    name = f"{new}: {metric}"
    said = f"{name} is {found.new:.4f}, {old} has {found.old:.4f}"
    if math.isnan(found.loss):
        return Check(name, passed=False, why=f"{name} or that of {old} is undefined")
    if margin is not None and found.loss > margin:
        return Check(name, passed=False, why=f"{said}: worse by {found.loss:.4f}, over {margin:g}")
    if found.p <= alpha and found.loss > 0:
        why = f"{said}: significantly worse (p = {found.p:.4g}, one-sided, α = {alpha:g})"
        return Check(name, passed=False, why=why)
    if not found.smallest_p <= alpha and not allow_small:
        n = len(comparison.documents)
        count = "1 document" if n == 1 else f"{n} documents"
        return Check(
            name,
            passed=False,
            why=f"{said}: {count} cannot show a difference at α = {alpha:g} (the smallest possible "
            f"p is {found.smallest_p:.2g}); --allow-small passes it",
        )
    return Check(name, passed=True, why=f"{said}: not significantly worse (p = {found.p:.4g})")


def conclude(checks: Sequence[Check], junit: Path | None, github: bool) -> None:
    """Say what failed, write the files that were asked for, and exit with 1 if anything did."""
    if junit is not None:
        from segscore.io import replacing

        with replacing(junit) as file:
            file.write(junit_text(checks))
    failed = [check for check in checks if not check.passed]
    for check in failed:
        if github:
            remark(f"::error title=segscore::{_escaped(check.why)}")
        else:
            remark(f"segscore: {check.why}")
    if failed:
        raise typer.Exit(1)


def _escaped(text: str) -> str:
    """As GitHub's workflow commands want their data."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def junit_text(checks: Sequence[Check]) -> str:
    """The checks as a JUnit test suite."""
    n_failed = sum(not check.passed for check in checks)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites><testsuite name="segscore" tests="{len(checks)}" failures="{n_failed}" '
        'errors="0">',
    ]
    for check in checks:
        case = f'<testcase classname="segscore" name={quoteattr(visible(check.name))}'
        if check.passed:
            lines.append(f"{case}/>")
        else:
            lines.append(f"{case}><failure message={quoteattr(visible(check.why))}/></testcase>")
    return "\n".join([*lines, "</testsuite></testsuites>", ""])
