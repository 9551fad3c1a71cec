# mypy: disable-error-code="no-untyped-call"
"""Two commits in one run, and NLTK beside them:

    python -m benchmarks.two_commits OLD/src NEW/src [turns]

Each folder holds a segscore whose kernels are built. A process per folder is asked in turns for
each case; the least CPU time of all turns counts, so that other work on the machine matters little.
"""

import os
import subprocess
import sys
import time

from benchmarks.timing import print_table, times

CASES = {"N=60": (60, 6, 40_000), "N=500": (500, 20, 8_000), "N=3000": (3000, 100, 1_500)}
FIVE = ("pk", "windowdiff", "winpr", "b", "f1")
ASKED = (("pk", "windowdiff"), ("b",), *((name,) for name in FIVE if name != "b"), FIVE)
REPEATS, NLTK_SAMPLE = 6, 12


def answer() -> None:
    """Print the best nanoseconds per document for the case and metrics of each line of stdin."""
    import segscore as ss
    from benchmarks.batches import random_batch, repeated

    batches = {
        name: repeated(random_batch(documents // 10, units, boundaries), 10)
        for name, (units, boundaries, documents) in CASES.items()
    }
    for line in sys.stdin:
        case, *metrics = line.split()
        pairs = batches[case]
        best = float("inf")
        for _ in range(REPEATS):
            start = time.thread_time()
            ss.score(pairs, metrics=metrics, threads=1)
            best = min(best, time.thread_time() - start)
        print(best / len(pairs) * 1e9, flush=True)


class Asked:
    """A process that measures the segscore of one folder."""

    def __init__(self, source: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.two_commits", "--answer"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": source},
        )  # fmt: skip

    def nanoseconds(self, case: str, metrics: tuple[str, ...]) -> float:
        """Nanoseconds per document."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join((case, *metrics)) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def nltk_nanoseconds(case: str) -> float:
    """NLTK's Pk and WindowDiff of one document."""
    from nltk.metrics.segmentation import pk, windowdiff

    import segscore as ss
    from benchmarks.batches import random_batch

    units, boundaries, _ = CASES[case]
    pairs = random_batch(NLTK_SAMPLE, units, boundaries)
    refs = [pairs.reference(i) for i in range(NLTK_SAMPLE)]
    hyps = [pairs.hypothesis(i) for i in range(NLTK_SAMPLE)]
    gaps = [[_gaps(segmentation) for segmentation in side] for side in (refs, hyps)]
    sizes = [ss.Pk().window_size(ref) for ref in refs]
    start = time.thread_time()
    for ref, hyp, k in zip(*gaps, sizes, strict=True):
        pk(ref, hyp, k)
        windowdiff(ref, hyp, k)
    return (time.thread_time() - start) / NLTK_SAMPLE * 1e9


def _gaps(segmentation: object) -> str:
    places = set(segmentation.boundaries.tolist())  # type: ignore[attr-defined]
    return "".join("01"[place in places] for place in range(1, segmentation.n_units))  # type: ignore[attr-defined]


def main(old_source: str, new_source: str, turns: int) -> None:
    """Both in turns; a row per case and set of metrics."""
    sides = [Asked(old_source), Asked(new_source)]
    best = {(case, metrics): [float("inf")] * 2 for case in CASES for metrics in ASKED}
    nltk = dict.fromkeys(CASES, float("inf"))
    for _ in range(turns):
        for (case, metrics), found in best.items():
            for index, side in enumerate(sides):
                found[index] = min(found[index], side.nanoseconds(case, metrics))
        for case in CASES:
            nltk[case] = min(nltk[case], nltk_nanoseconds(case))
    rows = []
    for (case, metrics), (old, new) in best.items():
        peer = times(nltk[case] / new) if metrics == ASKED[0] else ""
        slowest = max(best[case, (name,)][1] for name in FIVE)
        share = f"{new / slowest:.1f}" if metrics == FIVE else ""
        what = "all five" if metrics == FIVE else " + ".join(metrics)
        rows.append([f"{case}, {what}", f"{old:.0f} ns", f"{new:.0f} ns", times(old / new), peer,
                     share])  # fmt: skip
    print_table(
        "Two commits, ss.score, one thread, per document",
        ["case", "before", "after", "before / after", "NLTK / after", "of the slowest alone"],
        rows,
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--answer"]:
        answer()
    else:
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 6)
