"""What became slower from one commit to the next: `make bench-compare`, or

    python -m benchmarks.compare [OLD [NEW]]

OLD and NEW are commits in benchmarks/history.jsonl; by default the last one that was measured on
this machine, and the one before it. A time is slower if it grew by more than noise: by more than a
tenth, and by more than runs of the same commit differ among themselves. Of several runs of one
commit the best time counts, so repeated runs make the answer sharper. Times are divided by the
run's yardstick, which tells how fast the machine was. The exit code is 1 if anything became slower.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.history import Run, machine, of_machine, runs, times_of
from benchmarks.timing import print_table

LEAST = 0.10  # growth that is always taken for noise


class Change(NamedTuple):
    """One time, measured at two commits; in yardsticks."""

    name: str
    old: float
    new: float
    noise: float  # share

    @property
    def growth(self) -> float:
        """Positive: slower."""
        return self.new / self.old - 1


def _best_and_spread(these: Sequence[Run]) -> dict[str, tuple[float, float]]:
    """By name: the best time in yardsticks, and how far the worst was from it."""
    found: dict[str, list[float]] = {}
    for run in these:
        for name, seconds in times_of(run).items():
            found.setdefault(name, []).append(seconds / run["yardstick"])
    return {name: (min(each), max(each) / min(each) - 1) for name, each in found.items()}


def changes(old: Sequence[Run], new: Sequence[Run]) -> list[Change]:
    """Every time that both have, the one that grew most first."""
    before, after = _best_and_spread(old), _best_and_spread(new)
    found = [
        Change(name, before[name][0], best, max(LEAST, before[name][1], spread))
        for name, (best, spread) in after.items()
        if name in before
    ]
    return sorted(found, key=lambda change: -change.growth)


def _chosen(all_runs: Sequence[Run], wanted: Sequence[str]) -> tuple[list[Run], list[Run]]:
    commits = list(dict.fromkeys(run["commit"] for run in all_runs))
    for name in wanted:
        if name not in commits:
            sys.exit(f"no run of {name!r} on this machine: expected one of {', '.join(commits)}")
    if len(wanted) < 2:
        new = commits[-1] if commits else ""
        before = [commit for commit in commits if commit != new]
        if not before:
            sys.exit("two commits are needed: run `make bench` at each of them on this machine")
        wanted = [wanted[0] if wanted else before[-1], new]
    by_commit = [[run for run in all_runs if run["commit"] == commit] for commit in wanted]
    return by_commit[0], by_commit[1]


def main(wanted: list[str]) -> int:
    """Print what became slower and faster; 1 if anything became slower."""
    old, new = _chosen(of_machine(runs(), machine()), wanted[:2])
    found = changes(old, new)
    print(f"{old[0]['commit']} ({len(old)} runs) and {new[0]['commit']} ({len(new)} runs): "
          f"{len(found)} times in both")  # fmt: skip
    slower = [change for change in found if change.growth > change.noise]
    faster = [change for change in reversed(found) if 1 / (1 + change.growth) - 1 > change.noise]
    for title, chosen in (("Slower by more than noise", slower), ("Faster", faster)):
        if chosen:
            rows = [
                [change.name, f"{change.new / change.old:.2f}×", f"{change.noise:.0%}"]
                for change in chosen
            ]
            print_table(title, ["what", "new / old", "noise"], rows)
    if not slower:
        print("\nNothing became slower by more than noise.")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
