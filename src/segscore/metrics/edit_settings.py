"""The settings of boundary edit distance, which its listing, S and B share; and the cost of edits.

The papers give different costs for a transposition over a distance of d positions, where
1 <= d <= n_t - 1. The cost models (docs/definitions.md §4.1), and where they were used:

- `unit`: 1 (Fournier 2013, eq. 2);
- `halving`: 2 - 2^(1-d), i.e. 1, 1.5, 1.75 … (Fournier & Inkpen 2012, eq. 3 with b = 2;
  their default for n_t > 2);
- `span`: d / n_t (the figures and tables of Fournier 2013);
- `span-1`: d / (n_t - 1) (Fournier 2013, eq. 5 as printed);
- any function of d.

A transposition then costs w_trp · c(d) + w_t.

The types of boundaries, as the edit kernels take them.

Types are str or int. `types=(…)` declares them in the order of their scale. Undeclared, the types
of a document are those that occur in it: integers are their own scale, names have none, and are
compared with `substitution="unit"` only (docs/definitions.md §4.1). Typed boundaries cannot be
compared with untyped ones; a side without boundaries fits both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import LARGEST, Floats, Int64Array, check_choice, shown, whole_number
from segscore.coding.segmentation import BoundaryType, Segmentation, type_order
from segscore.corpus.lists import Lists
from segscore.errors import SegmentationError
from segscore.metrics.base import ADDED_LATER, check_weight, plain_numbers, refuse_segmentations
from segscore.pairing.pairs import Pairs

# An ascending list of codes per boundary for each side, the names that the codes are indices of (in
# the order of the scale; None: without type), and the values of the names, ascending.
TypeColumns = tuple[Lists, Lists, tuple[BoundaryType | None, ...], Int64Array]


def check_types(types: Any) -> tuple[BoundaryType, ...] | None:
    """The declared types as a tuple; raise if they are not a list of distinct str or int."""
    if types is None:
        return None
    if isinstance(types, str | bytes) or not isinstance(types, Sequence) or not types:
        raise SegmentationError(
            f"types is {shown(types)}: expected a tuple of str or int, in the order of their scale"
        )
    for index, name in enumerate(types):
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise SegmentationError(f"types[{index}] is {shown(name)}: expected a str or an int")
        if name in types[:index]:
            raise SegmentationError(f"types[{index}] is {shown(name)}, which is listed twice")
    return tuple(types)


def type_columns(
    pairs: Pairs, declared: tuple[BoundaryType, ...] | None, substitution: str
) -> TypeColumns:
    """The types of all boundaries of a batch; raise if they cannot be compared."""
    _check_all_or_none(pairs, declared)
    names: tuple[BoundaryType | None, ...]
    if declared is None:
        names = (*sorted(set(pairs.type_names), key=type_order), None)
        values = _values(names)
    else:
        names = declared
        values = np.arange(len(names))
    code = {name: index for index, name in enumerate(names)}
    codes = np.array([code.get(name, -1) for name in pairs.type_names], np.int64)
    sides = [
        _coded(pairs, side, codes, len(names) - 1 if declared is None else -1)
        for side in ("ref", "hyp")
    ]
    if declared is None and substitution == "ordinal":
        _check_ordinal(pairs, sides, names)
    return sides[0], sides[1], names, values


def columns_of_pair(
    ref: Segmentation,
    hyp: Segmentation,
    declared: tuple[BoundaryType, ...] | None,
    substitution: str,
) -> TypeColumns:
    """The `type_columns` of a pair; fast in the usual case, otherwise as a batch of one."""
    names = _plain_names(ref, hyp, declared, substitution)
    if names is None:
        return type_columns(Pairs.of_one(ref, hyp), declared, substitution)
    code = {name: index for index, name in enumerate(names)}
    sides = [_coded_types(coding, code) for coding in (ref, hyp)]
    values = _values(names) if declared is None else np.arange(len(names))
    return sides[0], sides[1], names, values


def _plain_names(
    ref: Segmentation,
    hyp: Segmentation,
    declared: tuple[BoundaryType, ...] | None,
    substitution: str,
) -> tuple[Any, ...] | None:
    """The types of a pair in the order of their scale; None if something must be checked."""
    if ref.types is None and hyp.types is None and declared is None:
        return (None,)
    if ref.types is None or hyp.types is None:
        return None
    found = frozenset().union(*ref.types, *hyp.types)
    if declared is not None:
        return declared if found <= set(declared) else None
    if all(isinstance(name, int) for name in found):
        return tuple(sorted(found)) or (None,)
    if substitution == "unit":
        return tuple(sorted(found, key=type_order))
    return None


def _coded_types(coding: Segmentation, code: Mapping[Any, int]) -> Lists:
    """One ascending list of codes per boundary."""
    if coding.types is None:
        n_boundaries = coding.n_segments - 1
        return Lists(np.arange(n_boundaries + 1), np.zeros(n_boundaries, np.int64))
    lists = [sorted([code[name] for name in kinds]) for kinds in coding.types]
    starts = np.cumsum([0, *map(len, lists)])
    return Lists(starts, np.array([entry for entries in lists for entry in entries], np.int64))


def _values(names: Sequence[Any]) -> Int64Array:
    """The values of types: integers are their own values; names, then None, follow in order."""
    values = [name for name in names if isinstance(name, int)]
    for value in values:
        if abs(value) > LARGEST:
            raise SegmentationError(f"type {value}: expected integers of at most 2**53")
    after = max(values, default=-1) + 1
    return np.array([*values, *range(after, after + len(names) - len(values))], np.int64)


def _check_all_or_none(pairs: Pairs, declared: tuple[BoundaryType, ...] | None) -> None:
    """Raise if only some boundaries have a type, or if types are declared and a boundary has
    none."""
    if all(types is not None and _one_each(types) for types in (pairs.ref_types, pairs.hyp_types)):
        return
    ref_typed, ref_untyped = _typed_and_untyped(pairs.ref_types, pairs.ref_offsets)
    hyp_typed, hyp_untyped = _typed_and_untyped(pairs.hyp_types, pairs.hyp_offsets)
    untyped = ref_untyped + hyp_untyped
    typed = ref_typed + hyp_typed
    bad = np.flatnonzero((untyped > 0) & ((typed > 0) if declared is None else True))
    if bad.size:
        row = int(bad[0])
        side = "reference" if ref_untyped[row] else "hypothesis"
        compared = "the other has types" if declared is None else f"types={declared} is given"
        raise SegmentationError(
            f"{pairs.name(row)}: the {side} has boundaries without a type, but {compared}: "
            "expected types on both sides or on neither"
        )


def _typed_and_untyped(types: Lists | None, offsets: Int64Array) -> tuple[Any, Any]:
    """The numbers of boundaries with and without a type, per document."""
    boundaries = np.diff(offsets)
    if types is None:
        return np.zeros_like(boundaries), boundaries
    typed = np.concatenate(([0], np.cumsum(np.diff(types.offsets) > 0)))[offsets]
    return np.diff(typed), boundaries - np.diff(typed)


def _coded(pairs: Pairs, side: str, codes: Int64Array, untyped: int) -> Lists:
    """The lists of one side, recoded, ascending, with one entry for a boundary without type."""
    types: Lists | None = getattr(pairs, f"{side}_types")
    n_boundaries = len(getattr(pairs, f"{side}_positions"))
    if types is None:
        return Lists(np.arange(n_boundaries + 1), np.full(n_boundaries, untyped))
    same = np.array_equal(codes, np.arange(len(codes)))
    values = types.values if same else codes[types.values]
    if codes.size and codes.min() < 0 and values.size and values.min() < 0:
        at = int(np.argmin(values))
        boundary = int(np.searchsorted(types.offsets, at, side="right")) - 1
        raise SegmentationError(
            f"{_document(pairs, side, boundary)}: type {shown(pairs.type_names[types.values[at]])} "
            "is not one of the given types: add it to types=…"
        )
    if _one_each(types):
        return Lists(types.offsets, values)
    counts = np.diff(types.offsets)
    without = counts == 0
    values = np.insert(values, types.offsets[:-1][without], untyped)
    offsets = np.concatenate(([0], np.cumsum(np.maximum(counts, 1))))
    return _ascending(pairs, side, Lists(offsets, values))


def _one_each(types: Lists) -> bool:
    """Whether every boundary has exactly one type."""
    return len(types.values) == len(types.offsets) - 1 and bool(
        (types.offsets[1:] != types.offsets[:-1]).all()
    )


def _ascending(pairs: Pairs, side: str, lists: Lists) -> Lists:
    """Sort each list; raise if a boundary has a type twice."""
    boundary = np.repeat(np.arange(len(lists.offsets) - 1), np.diff(lists.offsets))
    values = lists.values[np.lexsort((lists.values, boundary))]
    twice = np.flatnonzero((boundary[1:] == boundary[:-1]) & (values[1:] == values[:-1]))
    if twice.size:
        raise SegmentationError(
            f"{_document(pairs, side, int(boundary[twice[0]]))}: a boundary has the same type "
            "twice: expected each once"
        )
    return Lists(lists.offsets, values)


def _document(pairs: Pairs, side: str, boundary: int) -> str:
    offsets = getattr(pairs, f"{side}_offsets")
    return pairs.name(int(np.searchsorted(offsets, boundary, side="right")) - 1)


def _check_ordinal(
    pairs: Pairs, sides: Sequence[Lists], names: tuple[BoundaryType | None, ...]
) -> None:
    """Raise if a document has two different names whose order is not declared."""
    first_name = sum(isinstance(name, int) for name in names)
    if first_name == len(names) - 1:  # integers only, and None
        return
    least = np.full(len(pairs), len(names))
    greatest = np.full(len(pairs), -1)
    for lists, offsets in zip(sides, (pairs.ref_offsets, pairs.hyp_offsets), strict=True):
        document: NDArray[np.int64] = np.repeat(
            np.arange(len(pairs)), np.diff(lists.offsets[offsets])
        )
        np.minimum.at(least, document, lists.values)
        np.maximum.at(greatest, document, lists.values)
    bad = np.flatnonzero((least < greatest) & (greatest >= first_name))
    if bad.size:
        row = int(bad[0])
        found = [shown(names[code]) for code in (least[row], greatest[row])]
        raise SegmentationError(
            f"{pairs.name(row)}: types {' and '.join(found)} have no order: give types=… in "
            "the order of their scale, or use substitution='unit'"
        )


CostModel = Literal["unit", "halving", "span", "span-1"] | Callable[[int], float]

COSTS = ("unit", "halving", "span", "span-1")
_TABLE = 1024  # distances that are looked up; beyond it every named model is a straight line
_ASKED = 1_000_000  # distances for which a function is called


# A table of the price of each distance from 0 on, and beyond it base and slope: base + slope · d.
Prices = tuple[Floats, float, float]


@lru_cache(maxsize=256)
def _named_prices(cost: str, n_t: int, w_trp: float, w_t: float) -> Prices:
    distances = np.arange(max(2, min(n_t, _TABLE)), dtype=np.float64)
    costs, base, slope = {
        "unit": (np.ones_like(distances), 1.0, 0.0),
        "halving": (2 - 2.0 ** (1 - distances), 2.0, 0.0),  # from d = 54 on exactly, in doubles
        "span": (distances / n_t, 0.0, 1 / n_t),
        "span-1": (distances / max(1, n_t - 1), 0.0, 1 / max(1, n_t - 1)),
    }[cost]
    table: Floats = w_trp * costs + w_t
    table.flags.writeable = False  # the next call gets the same
    return table, w_trp * base + w_t, w_trp * slope


def _asked(cost: Callable[[int], float], distance: int) -> float:
    """The price that the user's function returns for a distance."""
    answer = cost(distance)
    if isinstance(answer, np.number):
        answer = answer.item()
    check_weight(answer, f"cost({distance})")
    return float(answer)


Method = Literal["optimal", "greedy"]
Substitution = Literal["ordinal", "unit"]
SubstitutionCredit = Literal["weight", "one"]
SUBSTITUTION_CREDITS = get_args(SubstitutionCredit)

UNTYPED = "boundary"  # what the confusion matrix calls boundaries without a type


@dataclass(frozen=True)
class EditSettings:
    """How edits are chosen, and what they cost.

    The papers' symbols: w_sub of Fournier & Inkpen (2012) weighs full misses, which they call
    substitutions of a boundary for none: here it is w_ad. Their w_trp is our w_trp. w_t and w_s of
    Fournier (2013), eq. 5 and 6, are our w_t and w_s. Our w_sub, a factor for substitutions of one
    type for another, is in neither paper.

    Parameters
    ----------
    n_t: a transposition (near miss) spans fewer positions than this; 1 allows none.
    cost: what a transposition over d positions costs: "unit" 1, "halving" 2 - 2^(1-d), "span"
        d / n_t, "span-1" d / (n_t - 1), or a function of d.
    method: "optimal" finds the fewest edits; "greedy" takes the same edits as segeval.
    w_trp, w_t: a transposition costs w_trp · cost + w_t.
    w_sub, w_s: a substitution (same position, other type) costs w_sub · c + w_s, where c depends on
        `substitution`.
    substitution: "ordinal": c = |a - b| / (max - min) on the scale of types; "unit": c = 1.
    types: all boundary types in the order of their scale; as text, "1/2/". None: the types that
        occur in the pair.
    w_ad: cost of an addition or deletion (a full miss).
    """

    n_t: int = 2
    cost: CostModel = "unit"
    method: Method = "optimal"
    w_trp: float = 1
    w_t: float = 0
    w_sub: float = 1
    w_s: float = 0
    substitution: Substitution = "ordinal"
    types: tuple[BoundaryType, ...] | None = None
    w_ad: float = field(default=1, metadata=ADDED_LATER)

    def __post_init__(self) -> None:
        refuse_segmentations(self)
        object.__setattr__(self, "n_t", whole_number(self.n_t, "n_t", 1))
        object.__setattr__(self, "types", check_types(self.types))
        plain_numbers(self)
        if not callable(self.cost) and (not isinstance(self.cost, str) or self.cost not in COSTS):
            raise SegmentationError(
                f"cost is {shown(self.cost)}: expected one of {', '.join(COSTS)}, or a function of "
                "the distance"
            )
        check_choice(self.method, "method", get_args(Method))
        check_choice(self.substitution, "substitution", get_args(Substitution))
        for weight in ("w_trp", "w_t", "w_sub", "w_s", "w_ad"):
            check_weight(getattr(self, weight), weight)

    def prices(self, longest: int) -> Prices:
        """The prices of transpositions in documents of up to `longest` units."""
        cost, n_t = self.cost, self.n_t
        if not callable(cost):
            return _named_prices(cost, n_t, self.w_trp, self.w_t)
        if min(n_t, longest) > _ASKED:
            raise SegmentationError(
                f"n_t is {n_t} and a document has {longest} units, but cost is a function that is "
                f"called for each distance: expected n_t or units of at most {_ASKED}"
            )
        # called each time, because its results may change
        costs = [0.0] + [_asked(cost, d) for d in range(1, max(2, min(n_t, longest)))]
        return self.w_trp * np.array(costs) + self.w_t, 0.0, 0.0

    def typed_options(self, prices: Prices) -> tuple[Any, ...]:
        """The settings as the kernels for typed boundaries take them."""
        _, base, slope = prices
        return (
            self.n_t,
            self.method == "greedy",
            self.substitution == "unit",
            self.types is not None,
            self.w_sub,
            self.w_s,
            getattr(self, "substitution_credit", "weight") == "one",  # in the confusion matrix
            base,
            slope,
            self.w_ad,
        )


def too_large(document: str, n_t: int) -> SegmentationError:
    """The error for distances that cannot be compared exactly."""
    return SegmentationError(
        f"{document}: with n_t={n_t} the edits cannot be compared exactly in 64 bits: expected a "
        "smaller n_t, or types that lie closer together"
    )
