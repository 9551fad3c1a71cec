"""Runs programs on cases.jsonl and prints who agrees where: `python conformance/run.py`.

Each program has a function that gives its value for a case, None for none, or raises
`UnsupportedError`. A program counts where it is installed. To add one, write such a function and
name it in PROGRAMS.
"""

import json
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases.jsonl")
TOLERANCE = 1e-9  # expected values are exact; programs compute with doubles

Case = dict[str, Any]


class UnsupportedError(Exception):
    """The program has no such metric, or not with these parameters."""


def cases() -> list[Case]:
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def masses(boundaries: list[int], n: int) -> list[int]:
    return [b - a for a, b in zip([0, *boundaries], [*boundaries, n], strict=True)]


def gaps(boundaries: list[int], n: int) -> str:
    return "".join("1" if place in boundaries else "0" for place in range(1, n))


# ---- programs ----


def segscore(case: Case) -> float | None:
    import segscore as ss

    def coding(side: str, boundaries: list[int]) -> ss.Segmentation:
        if f"{side}_levels" in case:
            return ss.Levels([
                ss.Segmentation.from_boundaries(places, case["n_units"], segment_labels=names)
                for places, names in case[f"{side}_levels"]
            ])  # fmt: skip
        return ss.Segmentation.from_boundaries(
            boundaries, case["n_units"], ranks=case.get(f"{side}_ranks"),
            segment_labels=case.get(f"{side}_labels"),
        )  # fmt: skip

    hyp = coding("hypothesis", case["hypothesis"])
    if "convention" in case:
        audit = ss.audit([coding("reference", case["reference"])], [hyp])
        rows = audit.to_dicts()
        return next(
            row["value"]
            for row in rows
            if (row["convention"], row["measure"]) == (case["convention"], case["measure"])
        )
    refs = [coding("reference", each) for each in case.get("references", [case["reference"]])]
    return float(
        ss.metric(case["metric"])(
            refs if "references" in case else refs[0], hyp, on_undefined="nan"
        )
    )


def nltk(case: Case) -> float | None:
    from nltk.metrics import segmentation

    ref, hyp = (gaps(case[side], case["n_units"]) for side in ("reference", "hypothesis"))
    match case.get("metric"):
        case "pk":
            return float(segmentation.pk(ref, hyp))
        case "windowdiff(k=3)" | "pk(k=3)" as spec:
            function = segmentation.windowdiff if spec[0] == "w" else segmentation.pk
            return float(function(ref, hyp, 3))
        case "ghd":
            return float(segmentation.ghd(ref, hyp, 2.0, 2.0, 1.0))
    raise UnsupportedError


def segeval(case: Case) -> float | None:
    import segeval as program

    if "convention" in case and case["convention"] != "segeval":
        raise UnsupportedError
    ref, hyp = (tuple(masses(case[side], case["n_units"])) for side in ("reference", "hypothesis"))
    functions: dict[str, Callable[[], Any]] = {
        "pk": lambda: program.pk(hyp, ref),
        "windowdiff": lambda: program.window_diff(hyp, ref),
        "windowdiff(edges=pad)": lambda: program.window_diff(
            hyp, ref, lamprier_et_al_2007_fix=True
        ),
        **{f"b{spec}": lambda n=n: program.boundary_similarity(hyp, ref, n_t=n)
           for n, spec in ((1, "(n_t=1)"), (2, ""), (3, "(n_t=3)"), (5, "(n_t=5)"))},
        "b(method=greedy)": lambda: program.boundary_similarity(hyp, ref, n_t=2),
        **{f"s{spec}": lambda n=n: program.segmentation_similarity(hyp, ref, n_t=n)
           for n, spec in ((1, "(n_t=1)"), (2, ""), (3, "(n_t=3)"), (5, "(n_t=5)"))},
    }  # fmt: skip
    name = case.get("metric") or case["measure"]
    if name not in functions or any(
        key.endswith(("labels", "ranks", "references")) for key in case
    ):
        raise UnsupportedError
    return float(functions[name]())


def chunkseg(case: Case) -> float | None:
    import chunkseg as program

    keys = {"pk": "pk", "windowdiff": "window_diff", "b": "boundary_similarity", "f1": "f1"}
    key = keys.get(case.get("metric", "")) or {
        "f1.precision": "precision",
        "f1.recall": "recall",
    }.get(case.get("metric", ""))
    if key is None:
        raise UnsupportedError
    # a unit is one of its chunks of six seconds
    ref, hyp = ([6.0 * place for place in case[side]] for side in ("reference", "hypothesis"))
    found = program.evaluate(hyp, ref, 6.0 * case["n_units"])
    if key == "f1":
        precision, recall = found["precision"], found["recall"]
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(found[key])


def mir_eval(case: Case) -> float | None:
    import mir_eval as program
    import numpy as np

    def intervals(side: str) -> Any:
        return np.array(list(pairwise([0, *case[side], case["n_units"]])), float)

    ref, hyp = intervals("reference"), intervals("hypothesis")
    names = {"f": 2, "precision": 0, "recall": 1}
    spec, _, part = case.get("metric", "").partition(".")
    if spec in ("f1(tolerance=1)", "f1(tolerance=2)", "f1(tolerance=1,ends=both)"):
        rates = program.segment.detection(ref, hyp, window=int(spec[13]), trim="both" not in spec)
        return float(rates[names[part or "f"]])
    if spec == "deviation" and not part:
        both = program.segment.deviation(ref, hyp, trim=True)
        return float(sum(both) / 2)
    labels = case.get("reference_labels"), case.get("hypothesis_labels")
    if spec in ("pairwise-f", "nce", "v-measure") and labels[0]:
        function = {"pairwise-f": program.segment.pairwise, "nce": program.segment.nce,
                    "v-measure": program.segment.vmeasure}[spec]  # fmt: skip
        more = {"frame_size": 1.0}
        return float(function(ref, labels[0], hyp, labels[1], **more)[2])
    raise UnsupportedError


PROGRAMS = {each.__name__: each for each in (segscore, nltk, segeval, chunkseg, mir_eval)}


# ---- the table ----


def outcome(program: Callable[[Case], float | None], case: Case) -> str:
    """`agrees`, `differs`, `fails` (it raises), or `-` (it has no such metric)."""
    try:
        found = program(case)
    except UnsupportedError:
        return "-"
    except ImportError:  # a program that is not installed agrees with nobody
        raise
    except Exception:  # of any program
        return "agrees" if case["value"] is None else "fails"
    undefined = found is None or math.isnan(found)
    if undefined or case["value"] is None:
        return "agrees" if undefined and case["value"] is None else "differs"
    expected = float(Fraction(case["value"]))
    return "agrees" if math.isclose(found, expected, rel_tol=0, abs_tol=TOLERANCE) else "differs"


def results(programs: dict[str, Any], chosen: list[Case]) -> dict[str, dict[str, Counter[str]]]:
    """For each metric or convention and each program, how often it agrees."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for case in chosen:
        name = case.get("metric") or f"{case['convention']}: {case['measure']}"
        row = found.setdefault(name, {program: Counter() for program in programs})
        for program, function in programs.items():
            row[program][outcome(function, case)] += 1
    return found


def installed() -> dict[str, Any]:
    found = {}
    for name, function in PROGRAMS.items():
        try:
            __import__(name)
        except ImportError:
            continue
        found[name] = function
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    programs = installed()
    table = results(programs, cases())
    print("| metric | cases |", " | ".join(programs), "|")  # noqa: T201
    print("|---|--:|" + "--:|" * len(programs))  # noqa: T201
    for name, row in table.items():
        total = row["segscore"].total()
        cells = [
            "–"
            if counts["-"] == total
            else f"{100 * counts['agrees'] / (total - counts['-']):.0f} %"
            for counts in row.values()
        ]
        print(f"| `{name}` | {total} |", " | ".join(cells), "|")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
