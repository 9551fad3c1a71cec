"""A gate for continuous integration: `segscore.comparison.gates` on the command line.

Each limit is a check, and for each check a line on stderr says what was found. If a check fails,
the command ends with exit code 1; the result is still printed. A check that cannot be decided
fails: an undefined value, or a test on so few documents that it could never find the new system
worse.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segscore.basics.cached import cached_property
from segscore.cli.option_groups import OptionGroup, Section, option
from segscore.cli.output import remark
from segscore.errors import SegmentationError
from segscore.metrics import Metric, metric

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.comparison.gates import Check, Limit
    from segscore.metrics.statistics import Average
    from segscore.scoring.results import Result

GithubOption = Annotated[
    bool, option("--github", Section.STATISTICS, "Report failed checks to GitHub.")
]


_MOST_PASSED = 10  # checks that are reported one by one


@dataclass(frozen=True, kw_only=True)
class LimitOptions(OptionGroup):
    """Limits that averages must keep."""

    under: Annotated[
        list[str] | None,
        option("--fail-under", Section.STATISTICS, "Exit with 1 if below it.", "METRIC=NUMBER"),
    ] = None
    over: Annotated[
        list[str] | None,
        option("--fail-over", Section.STATISTICS, "Exit with 1 if above it.", "METRIC=NUMBER"),
    ] = None
    github: GithubOption = False

    def limits(self, find: Callable[[str], Metric] = metric) -> "list[Limit]":
        """The limits in the options; a limit on the wrong side, which would pass bad scores, is
        refused.

        find: returns the metric, or the measure, with a name.
        """
        if not self.under and not self.over:
            return []
        from segscore.comparison.gates import Limit, check_limit

        under = numbers(self.under or (), "--fail-under")
        over = numbers(self.over or (), "--fail-over")
        found = [
            *(Limit(name, number, "at least") for name, number in under),
            *(Limit(name, number, "at most") for name, number in over),
        ]
        for limit in found:
            check_limit(limit, find(limit.metric))
        return found

    def conclude(
        self, limits: "list[Limit]", results: "Mapping[str, Result[Any]]", average: "Average"
    ) -> None:
        """Check each system against each limit, if there are limits."""

        def value(system: str, name: str) -> float:
            scores = next(
                scores for scores in results[system].values() if scores.metric == metric(name)
            )
            return float(scores.micro if average == "micro" else scores.macro)

        self.hold(limits, list(results), value, average)

    def hold(
        self,
        limits: "list[Limit]",
        systems: Sequence[str],
        value: Callable[[str, str], float],
        average: str,
    ) -> None:
        """Check the value of each system under each limit's metric, if there are limits."""
        if not limits:
            return
        from segscore.comparison.gates import kept

        checks = [
            kept(limit, f"{system}: {limit.metric}", value(system, limit.metric), average)
            for limit in limits
            for system in systems
        ]
        _conclude(checks, self.github)


@dataclass(frozen=True, kw_only=True)
class WorseOptions(OptionGroup):
    """How much worse than the first system the others may be."""

    worse: Annotated[
        list[str] | None,
        option(
            "--fail-if-worse",
            Section.STATISTICS,
            "Exit with code 1 if one is significantly worse than the first; b=0.02: by more.",
            "METRIC",
        ),
    ] = None
    github: GithubOption = False

    @cached_property
    def margins(self) -> list[tuple[str, float | None]]:
        """Each metric, and how much worse than the first is too much; None: significantly."""
        from segscore.comparison.gates import check_margin

        found: list[tuple[str, float | None]] = []
        for text in self.worse or ():
            if "=" not in text[text.rfind(")") + 1 :]:  # in brackets it is a parameter
                found.append((text, None))
                continue
            ((name, margin),) = numbers([text], "--fail-if-worse")
            check_margin(margin, metric(name), f"--fail-if-worse is {text}")
            found.append((name, margin))
        return found

    def conclude(self, comparison: "Comparison") -> None:
        """Compare each other system with the first, under each named metric."""
        if not self.worse:
            return
        from segscore.comparison.gates import no_worse

        old, *others = comparison.systems
        if not others:
            raise SegmentationError(
                "--fail-if-worse compares with the first system: give two or more"
            )
        alpha = round(1 - comparison.settings.level, 12)
        named = {comparison.metric(name): name for name in comparison.metrics}
        checks = [
            no_worse(comparison, named[metric(asked)], old, new, alpha=alpha, margin=margin)
            for asked, margin in self.margins
            for new in others
        ]
        _conclude(checks, self.github)


def numbers(texts: Iterable[str], option: str) -> list[tuple[str, float]]:
    """The metrics and numbers of an option of the form METRIC=NUMBER."""
    found: list[tuple[str, float]] = []
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not name.strip() or not math.isfinite(value):
            raise SegmentationError(
                f"{option} is {text!r}: expected a metric and a number, as in b=0.45"
            )
        found.append((name.strip(), value))
    return found


def with_more(metrics: Sequence[str], more: Iterable[str]) -> list[str]:
    """The metrics, plus those that only another option names."""
    known = [metric(name) for name in metrics]
    found = list(metrics)
    for name in more:
        wanted = metric(name)
        if wanted not in known:
            known.append(wanted)
            found.append(name)
    return found


def _conclude(checks: "Sequence[Check]", github: bool) -> None:
    """Report what failed and what passed, and exit with 1 if anything failed."""
    failed = [check for check in checks if not check.passed]
    for check in failed:
        start = "::error title=segscore::" if github else "segscore: "
        remark(start + (_escaped(check.why) if github else check.why), one_line=True)
    _tell_passed([check for check in checks if check.passed])
    if failed:
        raise typer.Exit(1)


def _tell_passed(passed: "Sequence[Check]") -> None:
    """A line for each check that passed; only their number if there are many, as for groups."""
    if len(passed) > _MOST_PASSED:
        remark(f"gate: {len(passed)} checks passed", one_line=True)
        return
    for check in passed:
        remark(f"gate: {check.why}: passed", one_line=True)


def _escaped(text: str) -> str:
    """A text, escaped for GitHub's workflow commands."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
