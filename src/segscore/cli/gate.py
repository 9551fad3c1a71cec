"""A gate for continuous integration: `segscore.comparison.gates` on the command line.

Each limit is a check, and for each check a line on stderr says what was found. If a check fails,
the command ends with exit code 1; the result is still printed. A check that cannot be decided
fails: an undefined value, or a test on so few documents that it could never find the new system
worse.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from segscore.cli.commands import STATISTICS, option
from segscore.cli.output import remark
from segscore.errors import SegmentationError
from segscore.metrics import Metric, metric

if TYPE_CHECKING:
    from segscore.comparison.gates import Check, Limit

GITHUB = option("--github", STATISTICS, "Report failed checks to GitHub.")
_MOST_PASSED = 10  # checks that are reported one by one


@dataclass(kw_only=True)
class LimitOptions:
    """Limits that averages must keep."""

    under: list[str] | None = option(
        "--fail-under", STATISTICS, "Exit with code 1 if lower.", "METRIC=NUMBER"
    )
    over: list[str] | None = option(
        "--fail-over", STATISTICS, "Exit with code 1 if higher.", "METRIC=NUMBER"
    )
    github: bool = GITHUB

    def limits(self, find: Callable[[str], Metric] = metric) -> "list[Limit]":
        """The limits in the options; a limit on the wrong side, which would pass bad scores, is
        refused. `find` returns the metric, or the measure, with a name."""
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

    def hold(
        self,
        limits: "list[Limit]",
        systems: Iterable[str],
        value: Callable[[str, str], float],
        average: str,
    ) -> None:
        """Check the value of each system under each limit's metric."""
        from segscore.comparison.gates import kept

        listed = list(systems)
        conclude(
            [
                kept(limit, f"{system}: {limit.metric}", value(system, limit.metric), average)
                for limit in limits
                for system in listed
            ],
            self.github,
        )


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
    found = {metric(name): name for name in reversed(metrics)}
    return [*metrics, *(name for name in dict.fromkeys(more) if metric(name) not in found)]


def conclude(checks: "Sequence[Check]", github: bool) -> None:
    """Report what failed and what passed (only the number if that is many, as for groups), and exit
    with 1 if anything failed."""
    failed = [check for check in checks if not check.passed]
    passed = [check.why for check in checks if check.passed]
    for check in failed:
        why = check.why
        if github:  # escaped for its workflow commands
            why = why.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        remark(f"{'::error title=segscore::' if github else 'segscore: '}{why}", one_line=True)
    if len(passed) > _MOST_PASSED:
        remark(f"gate: {len(passed)} checks passed", one_line=True)
    else:
        for why in passed:
            remark(f"gate: {why}: passed", one_line=True)
    if failed:
        raise typer.Exit(1)
