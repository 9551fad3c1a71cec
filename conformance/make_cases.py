"""Writes cases.jsonl: pairs of segmentations with the values that definitions give, exactly.

Each value comes from a literal oracle of `tests/oracles` (sets, loops, fractions), never from the
compiled code of the package. `python conformance/make_cases.py` writes the file anew; the seed
makes it the same each time.
"""

import json
import math
import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests"))

import segscore as ss  # noqa: E402  its segmentations, for levels; no metric of it
from oracles import edits, hierarchy, labelled, level_measures, matching, overlap  # noqa: E402
from oracles import script_conventions as scripts  # noqa: E402
from oracles import window as windows  # noqa: E402

Value = Fraction | float | None
Sides = tuple[set[int], set[int], int]  # the boundaries of both sides, and the units

EDGES = ("drop", "pad", "wrap", "wrap-seam")
ROUNDINGS = ("half-even", "half-up", "floor", "ceil")


def ratio(above: float, below: float) -> Fraction | None:
    return Fraction(above) / Fraction(below) if below else None


def f_of(precision: Fraction | None, recall: Fraction | None) -> Fraction | None:
    """The harmonic mean; without one of the rates 0, without both nothing."""
    if precision is None and recall is None:
        return None
    p, r = precision or Fraction(0), recall or Fraction(0)
    return 2 * p * r / (p + r) if p + r else Fraction(0)


# ---- windows ----


def window_cases() -> Iterator[tuple[str, Callable[[Sides], Value]]]:
    for edges in EDGES:
        for rounding in ROUNDINGS if edges == "drop" else ROUNDINGS[:1]:
            for fixed in (None, 3):
                if fixed and rounding != "half-even":
                    continue
                given = [f"k={fixed}"] * bool(fixed)
                given += [f"rounding={rounding}"] * (rounding != "half-even")
                given += [f"edges={edges}"] * (edges != "drop")
                spec = f"({','.join(given)})" if given else ""
                yield f"pk{spec}", lambda s, e=edges, r=rounding, k=fixed: pk(s, e, r, k)
                yield (
                    f"windowdiff{spec}",
                    lambda s, e=edges, r=rounding, k=fixed: window_diff(s, e, r, k),
                )
    yield "pk-prime", lambda s: pk(s, "drop", "half-even", None, fp=2)
    yield "windowdiff(weighted=yes)", lambda s: window_diff(s, "drop", "half-even", None, True)
    for part in ("f", "precision", "recall"):
        yield "winpr" + f".{part}" * (part != "f"), lambda s, p=part: winpr(s, p)
    yield "cseg", cseg


def size(sides: Sides, rounding: str, offset: int = 0) -> int:
    ref, _, n = sides
    return windows.window_size(n, len(ref) + 1, rounding, 1, offset)


def pk(sides: Sides, edges: str, rounding: str, k: int | None, fp: int = 1) -> Value:
    missed, extra, total = windows.pk(*sides, k or size(sides, rounding), edges)
    return ratio(missed + fp * extra, total)


def window_diff(
    sides: Sides, edges: str, rounding: str, k: int | None, weighted: bool = False
) -> Value:
    errors, total, _ = windows.window_diff(*sides, k or size(sides, rounding), edges, weighted)
    return ratio(errors, total)


def winpr(sides: Sides, part: str) -> Value:
    tp, fp, fn, _ = windows.winpr(*sides, size(sides, "half-even", 1))
    rates = {"precision": (tp, tp + fp), "recall": (tp, tp + fn), "f": (2 * tp, 2 * tp + fp + fn)}
    return ratio(*rates[part])


def cseg(sides: Sides) -> Value:
    """c_miss · P_miss · p_seg + c_fa · P_fa · (1 − p_seg) with 1, 0.3, 0.3 (Doddington 1998)."""
    seen = windows.counts(*sides, size(sides, "half-even"), "drop")
    with_any = sum(r > 0 for r, _ in seen)
    p_miss = ratio(sum(r > 0 and h == 0 for r, h in seen), with_any)
    p_fa = ratio(sum(r == 0 and h > 0 for r, h in seen), len(seen) - with_any)
    if p_miss is None or p_fa is None:
        return None
    share = Fraction(3, 10)
    return p_miss * share + share * p_fa * (1 - share)


# ---- boundaries ----


def boundary_cases() -> Iterator[tuple[str, Callable[[Sides], Value]]]:
    for tolerance in (0, 1, 2):
        spec = f"f1(tolerance={tolerance})" if tolerance else "f1"
        yield spec, lambda s, t=tolerance: f1(s, t)
        yield f"{spec}.precision", lambda s, t=tolerance: f1(s, t, part="precision")
        yield f"{spec}.recall", lambda s, t=tolerance: f1(s, t, part="recall")
    for ends in ("start", "end", "both"):
        yield f"f1(tolerance=1,ends={ends})", lambda s, e=ends: f1(s, 1, e)
    yield "f1(tolerance=2,strict=yes)", lambda s: f1(s, 1)
    yield "f1(tolerance=1,matching=many)", lambda s: near(s, 1)
    yield "f1(tolerance=10%)", lambda s: f1(s, s[2] // 10)
    for n_t in (1, 2, 3, 5):
        spec = f"(n_t={n_t})" if n_t != 2 else ""
        yield f"b{spec}", lambda s, t=n_t: boundary_similarity(s, t)
        yield f"s{spec}", lambda s, t=n_t: segmentation_similarity(s, t)
    yield "b(method=greedy)", lambda s: boundary_similarity(s, 2, greedy=True)
    yield "ghd", lambda s: Fraction(overlap.ghd(s[0], s[1], 2, 2, 1))
    yield "deviation", deviation
    yield "hausdorff", hausdorff
    yield "count-mae", lambda s: Fraction(abs(len(s[0]) - len(s[1])))


def f1(sides: Sides, reach: int, ends: str = "none", part: str = "f") -> Value:
    ref, hyp, n = sides
    if n < 2:
        return None
    ref, hyp = ref | matching.ends_of(n, ends), hyp | matching.ends_of(n, ends)
    tp = matching.matched(ref, hyp, reach)
    rates = {"precision": (tp, len(hyp)), "recall": (tp, len(ref)),
             "f": (2 * tp, len(ref) + len(hyp))}  # fmt: skip
    if not ref and not hyp:
        return None
    return ratio(*rates[part])


def near(sides: Sides, reach: int) -> Value:
    ref, hyp, _ = sides
    of_hyp, of_ref = matching.within(ref, hyp, reach)
    return f_of(ratio(of_hyp, len(hyp)), ratio(of_ref, len(ref)))


def points(places: set[int]) -> frozenset[tuple[int, int]]:
    return frozenset((place, 1) for place in places)


def boundary_similarity(sides: Sides, n_t: int, greedy: bool = False) -> Value:
    ref, hyp = points(sides[0]), points(sides[1])
    pairs = (edits.greedy if greedy else edits.optimal)(ref, hyp, n_t)
    prices: Any = {d: Fraction(d, n_t) for d in range(1, max(2, n_t))}
    one: Any = Fraction(1)
    return Fraction(edits.boundary_similarity(ref, hyp, pairs, prices, None, one))


def segmentation_similarity(sides: Sides, n_t: int) -> Value:
    ref, hyp = points(sides[0]), points(sides[1])
    pairs = edits.optimal(ref, hyp, n_t)
    changes = len(ref ^ hyp) - 2 * len(pairs) + len(pairs)
    return 1 - Fraction(changes, sides[2] - 1)


def deviation(sides: Sides) -> Value:
    if not sides[0] or not sides[1]:
        return None
    return sum(map(Fraction, overlap.deviation(sides[0], sides[1])), Fraction(0)) / 2


def hausdorff(sides: Sides) -> Value:
    ref, hyp, _ = sides
    if not ref or not hyp:
        return None
    return Fraction(max(*overlap.nearest(ref, hyp), *overlap.nearest(hyp, ref), 0))


# ---- segments ----


def segment_cases() -> Iterator[tuple[str, Callable[[Sides], Value]]]:
    yield "purity-coverage.purity", lambda s: overlap.purity(*s)
    yield "purity-coverage.coverage", lambda s: overlap.purity(s[1], s[0], s[2])
    yield "purity-coverage", lambda s: f_of(overlap.purity(*s), overlap.purity(s[1], s[0], s[2]))
    yield "covering", lambda s: overlap.covering(*s)
    yield "a", lambda s: ratio(*overlap.alignment(*s))
    yield "r-fn", lambda s: overlap.misplaced(*s)[0]
    yield "r-fp", lambda s: overlap.misplaced(s[1], s[0], s[2])[0]
    yield "rand", rand
    yield "ari", lambda s: rand(s, adjusted=True)
    yield "pd", lambda s: overlap.pd(*s, Fraction(s[2], len(s[0]) + 1))
    for iou in ("0.5", "0.75"):
        for how in ("optimal", "argmax", "any", "soda"):
            given = [f"iou={iou}"] * (iou != "0.5") + [f"matching={how}"] * (how != "optimal")
            spec = f"segment-f1({','.join(given)})" if given else "segment-f1"
            if how != "soda" or iou == "0.5":
                yield spec, lambda s, i=iou, h=how: segment_f1(s, Fraction(i), h)


def rand(sides: Sides, adjusted: bool = False) -> Value:
    together, ref_only, hyp_only, total = overlap.pairs_of_units(*sides)
    if not adjusted:
        return 1 - ratio(ref_only + hyp_only, total)  # type: ignore[operator]
    in_ref, in_hyp = together + ref_only, together + hyp_only
    expected, most = Fraction(in_ref * in_hyp, total), Fraction(in_ref + in_hyp, 2)
    return (together - expected) / (most - expected) if most != expected else Fraction(1)


def parts(places: set[int], n: int, labels: list[str] | None = None) -> list[labelled.Part]:
    masses = [b - a for a, b in zip([0, *sorted(places)], [*sorted(places), n], strict=True)]
    return labelled.parts(masses, labels or [None] * len(masses))


def segment_f1(sides: Sides, iou: Fraction, how: str) -> Value:
    refs, hyps = parts(sides[0], sides[2]), parts(sides[1], sides[2])
    if how == "soda":
        return 2 * labelled.soda(refs, hyps, False) / (len(refs) + len(hyps))
    if how == "any":
        found = [labelled.found_by_any(*two, False, iou, False)
                 for two in ((hyps, refs), (refs, hyps))]  # fmt: skip
        return f_of(ratio(found[0], len(hyps)), ratio(found[1], len(refs)))
    count = {"optimal": labelled.optimal, "argmax": labelled.argmax}[how]
    return ratio(2 * count(refs, hyps, False, iou, False), len(refs) + len(hyps))


# ---- labels, levels, several references: one function each makes the case and its value ----


def label_case(rng: random.Random, sides: Sides) -> Iterator[tuple[str, dict[str, Any], Value]]:
    ref, hyp, n = sides
    names = [[rng.choice("abc") for _ in range(len(side) + 1)] for side in (ref, hyp)]
    masses = [[len(part) for part in overlap.segments(side, n)] for side in (ref, hyp)]
    units = [labelled.spelled(*both) for both in zip(masses, names, strict=True)]
    about = {"reference_labels": names[0], "hypothesis_labels": names[1]}
    refs, hyps = parts(ref, n, names[0]), parts(hyp, n, names[1])
    yield (
        "segment-f1",
        about,
        ratio(2 * labelled.optimal(refs, hyps, True, Fraction(1, 2), False), len(refs) + len(hyps)),
    )
    both, ours, theirs = (labelled.same_pairs(*each) for each in (units, units[:1], units[1:]))
    yield "pairwise-f", about, f_of(ratio(both, theirs), ratio(both, ours))
    yield "mof", about, Fraction(labelled.accuracy(*units), n)
    yield "mapped-mof", about, Fraction(labelled.mapped(*units), n)
    most = max(map(len, names))
    yield "label-edit", about, 1 - Fraction(labelled.levenshtein(*names), most)
    for name in ("nce", "v-measure"):
        over, under = labelled.over_under(*units, name == "v-measure")
        yield name, about, 2 * over * under / (over + under) if over + under else 0.0


def rank_case(rng: random.Random, sides: Sides) -> Iterator[tuple[str, dict[str, Any], Value]]:
    ref, hyp, n = sides
    if not ref:
        return
    ranks = [{p: rng.randint(1, 3) for p in sorted(side)} for side in (ref, hyp)]
    about = {
        "reference_ranks": list(ranks[0].values()),
        "hypothesis_ranks": list(ranks[1].values()),
    }
    for name, kind in (("e-pk", "pk"), ("e-wd", "windowdiff")):
        measure = hierarchy.Measure(
            kind, "wrap", lambda segments: windows.window_size(n, segments, "half-even")
        )
        try:
            found = hierarchy.levels(n, *ranks, None, measure)
        except ZeroDivisionError:  # a level without a window
            yield name, about, None
            continue
        yield name, about, hierarchy.total(found)


def level_case(rng: random.Random, sides: Sides) -> Iterator[tuple[str, dict[str, Any], Value]]:
    *_, n = sides
    made = []
    for _ in range(2):
        finest = sorted(rng.sample(range(1, n), rng.randint(1, min(4, n - 1))))
        coarsest = sorted(rng.sample(finest, rng.randint(0, len(finest) - 1)))
        made.append([
            (places, [rng.choice("abc") for _ in range(len(places) + 1)])
            for places in (coarsest, finest)
        ])  # fmt: skip
    about = {f"{side}_levels": [[places, names] for places, names in levels]
             for side, levels in zip(("reference", "hypothesis"), made, strict=True)}  # fmt: skip
    sides_ = [ss.Levels([ss.Segmentation.from_boundaries(places, n, segment_labels=names)
                         for places, names in levels]) for levels in made]  # fmt: skip
    for name, what in (("l-measure", "labels"), ("t-measure", "segments")):
        ref, hyp = (level_measures.meet(levels, what) for levels in sides_)
        precision, recall = level_measures.recall(n, hyp, ref), level_measures.recall(n, ref, hyp)
        rates = [None if math.isnan(rate) else Fraction(rate) for rate in (precision, recall)]
        value = f_of(*rates)
        yield name, about, None if value is None else float(value)


def reference_case(rng: random.Random, sides: Sides) -> Iterator[tuple[str, dict[str, Any], Value]]:
    ref, hyp, n = sides
    others = [ref, *(set(rng.sample(range(1, n), rng.randint(0, min(4, n - 1)))) for _ in range(2))]
    about = {"references": [sorted(other) for other in others]}
    k = windows.window_size(3 * n, sum(len(other) + 1 for other in others), "half-even")
    errors, best, worst, _, _ = windows.multiple_window_diff(others, hyp, n, k, "drop")
    yield "multwindowdiff", about, ratio(errors - best, worst - best)
    union = set().union(*others)
    recalls = [Fraction(matching.matched(o, hyp, 1), len(o)) for o in others if o]
    precision = ratio(matching.matched(union, hyp, 1), len(hyp))
    recall = sum(recalls) / len(recalls) if recalls else None
    yield "multf1(tolerance=1)", about, f_of(precision, recall)
    each = [f1((other, hyp, n), 1) for other in others]
    yield (
        "multf1(tolerance=1,rule=best)",
        about,
        (
            None if None in each else max(each)  # type: ignore[type-var]
        ),
    )


# ---- conventions of other programs ----


def convention_cases() -> Iterator[tuple[str, str, Callable[[Sides], Value]]]:
    def of(function: Callable[..., float], *more: Any) -> Callable[[Sides], Value]:
        return lambda s: function(sorted(s[0]), sorted(s[1]), s[2], *more)

    for counted, measure in ((False, "pk"), (True, "windowdiff")):
        yield "paper", measure, of(scripts.paper, counted)
        yield "segeval", measure, of(scripts.by_segeval_rule, counted)
        yield "superdialseg", measure, of(scripts.superdialseg, counted)
        yield "mug", measure, of(scripts.without_last_unit, counted)
        yield "floored", measure, of(floored, counted)
        for name, ends in (("segeval-labels", {"last": 0}), ("segeval-labels-last-1", {"last": 1})):
            yield (
                name,
                measure,
                of(on_labels, ends, lambda r, h, c=counted: scripts.as_gaps(r, h, c)),
            )
    for name, ends in (("superdialseg", {"last": 0}), ("neural-texttiling", {"last": 1})):
        yield name, "macro-f1", of(on_labels, ends, scripts.macro_f1)
    yield "labels-last-1", "f1", of(on_labels, {"last": 1}, lambda r, h: scripts.f1(r, h, "1"))
    yield "superdialseg", "f1", of(on_labels, {"last": 0}, lambda r, h: scripts.f1(r, h, "1"))
    yield "superdialseg", "total", of(total)


def floored(ref: list[int], hyp: list[int], n: int, counted: bool) -> float:
    return scripts.windows(ref, hyp, n, n // (2 * len(ref) + 2), counted)


def on_labels(
    ref: list[int], hyp: list[int], n: int, ends: dict[str, int], score: Callable[..., float]
) -> float:
    """A label per unit, whose last (or first) is as the program has it."""
    return score(*(scripts.labels(side, n, **ends) for side in (ref, hyp)))


def total(ref: list[int], hyp: list[int], n: int) -> float:
    f1_ = on_labels(ref, hyp, n, {"last": 0}, lambda r, h: scripts.f1(r, h, "1"))
    pk_, wd = (scripts.superdialseg(ref, hyp, n, counted) for counted in (False, True))
    return f1_ / 2 + (1 - pk_) / 4 + (1 - wd) / 4


# ---- the file ----


def exact(value: Value) -> str | None:
    """A fraction as text; of a number that was computed with doubles, the fraction of small terms
    that is equal to it, if there is one (there is none for entropies)."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if not isinstance(value, float):
        return str(Fraction(value))
    near_by = Fraction(value).limit_denominator(10**6)
    return str(near_by) if abs(float(near_by) - value) < 1e-15 else f"{value:.15g}"


def random_sides(rng: random.Random, largest: int = 30) -> Sides:
    """A reference, and a hypothesis that finds, moves, misses and adds boundaries."""
    n = rng.randint(2, largest)
    ref = set(rng.sample(range(1, n), min(n - 1, rng.randint(0, 5))))
    hyp = {p + rng.choice((-1, 0, 0, 1)) for p in ref if rng.random() < 0.75}
    hyp |= {p for p in range(1, n) if rng.random() < 0.05}
    return ref, {p for p in hyp if 0 < p < n}, n


def cases(seed: int = 2026) -> Iterator[dict[str, Any]]:
    rng = random.Random(seed)
    linear = [*window_cases(), *boundary_cases(), *segment_cases()]
    for spec, value in linear:
        for _ in range(24):
            sides = random_sides(rng)
            yield case({"metric": spec}, sides, value(sides))
    for make in (label_case, rank_case, level_case, reference_case):
        for _ in range(24):
            sides = random_sides(rng, 16)
            for spec, about, value in make(rng, sides):
                yield case({"metric": spec}, sides, value, about)
    for convention, measure, value in convention_cases():
        for _ in range(24):
            sides = random_sides(rng)
            while not sides[0] or sides[2] < 10:
                sides = random_sides(rng)
            yield case({"convention": convention, "measure": measure}, sides, value(sides))


def case(
    what: dict[str, Any], sides: Sides, value: Value, about: dict[str, Any] | None = None
) -> dict[str, Any]:
    ref, hyp, n = sides
    both = {"reference": sorted(ref), "hypothesis": sorted(hyp)}
    return {**what, "n_units": n, **both, **(about or {}), "value": exact(value)}


def main() -> None:
    lines = [json.dumps({"id": i, **each}) for i, each in enumerate(cases())]
    (HERE / "cases.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
