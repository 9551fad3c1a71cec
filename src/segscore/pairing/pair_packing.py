"""Segmentations as columns of `Pairs`: their boundaries, types, ranks, candidates and labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array, shown
from segscore.coding.levels import has_levels, level_columns, level_labels
from segscore.coding.segmentation import BoundaryType, Segmentation, type_order
from segscore.corpus.lists import starts_of
from segscore.errors import SegmentationError


def called_row(row: int, documents: Sequence[str] | None) -> str:
    return f"document {row}" if documents is None else f"document {documents[row]!r}"


def references_of_row(ref: Any, row: int, documents: Sequence[str] | None) -> list[Segmentation]:
    several = [ref] if isinstance(ref, Segmentation) else ref
    if not isinstance(several, list | tuple) or not all(
        isinstance(one, Segmentation) for one in several
    ):
        raise SegmentationError(
            f"{called_row(row, documents)}: reference is {shown(ref)}: "
            "expected a Segmentation, or a list of them"
        )
    if not several:
        raise SegmentationError(
            f"{called_row(row, documents)} has no reference: expected one or more"
        )
    return list(several)


def check_same_units(refs: list[Any], hyps: list[Any], documents: Sequence[str] | None) -> None:
    for row, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        if not isinstance(hyp, Segmentation):
            raise SegmentationError(
                f"{called_row(row, documents)}: hypothesis is {shown(hyp)}: expected a Segmentation"
            )
        for one in (ref,) if isinstance(ref, Segmentation) else ref:
            if one.n_units != hyp.n_units:
                raise SegmentationError(
                    f"{called_row(row, documents)}: the reference has {one.n_units} units, the "
                    f"hypothesis {hyp.n_units}: expected the same number; segscore.align brings a "
                    "hypothesis with other words onto the units of its reference"
                )


def all_type_names(*sides: list[Segmentation]) -> tuple[BoundaryType, ...]:
    names = {
        name for side in sides for one in side if one.types for kinds in one.types for name in kinds
    }
    return tuple(sorted(names, key=type_order))


def type_lists(side: list[Segmentation], code: dict[BoundaryType, int]) -> tuple[Any, Any] | None:
    if not code:
        return None
    lists = [
        sorted(code[name] for name in kinds)
        for one in side
        for kinds in (one.types or [()] * (one.n_segments - 1))
    ]
    values = [value for entries in lists for value in entries]
    return starts_of([len(entries) for entries in lists]), np.array(values, np.int64)


def all_ranks(side: list[Segmentation]) -> Int64Array | None:
    if all(one.ranks is None for one in side):
        return None
    columns = [
        np.ones(one.n_segments - 1, np.int64) if one.ranks is None else one.ranks for one in side
    ]
    return np.concatenate(columns)


def all_candidates(side: list[Segmentation]) -> tuple[Any, Any] | None:
    if all(one.candidates is None for one in side):
        return None
    none = np.empty(0, np.int64)
    columns = [none if one.candidates is None else one.candidates for one in side]
    return starts_of([len(column) for column in columns]), np.concatenate(columns)


def all_label_names(*sides: list[Segmentation]) -> tuple[str, ...]:
    names: set[str] = set()
    for side in sides:
        for one in side:
            for label in one.segment_labels or ():
                if isinstance(label, str):
                    names.add(label)
                elif label is not None:
                    names |= label
        names |= level_labels(side)
    return tuple(sorted(names))


def label_lists(side: list[Segmentation], code: dict[str, int]) -> tuple[Any, Any] | None:
    """A list of codes per segment; None if nobody on this side has labels."""
    if all(one.segment_labels is None for one in side):
        return None
    lengths: list[int] = []
    values: list[int] = []
    for one in side:
        for label in one.segment_labels or (None,) * one.n_segments:
            before = len(values)
            if isinstance(label, str):
                values.append(code[label])
            elif label is not None:
                values += sorted(code[name] for name in label)
            lengths.append(len(values) - before)
    return starts_of(lengths), np.array(values, np.int64)


def both_sides(refs: list[Segmentation], hyps: list[Segmentation]) -> dict[str, Any]:
    """References and hypotheses as columns of `Pairs`, by the names of its parameters."""
    sides = {"ref": refs, "hyp": hyps}
    columns: dict[str, Any] = {"n_units": np.array([one.n_units for one in hyps], np.int64)}
    for side, codings in sides.items():
        packed = [one.packed for one in codings]
        columns[f"{side}_offsets"] = starts_of([len(one) // 8 for one in packed])
        columns[f"{side}_positions"] = np.frombuffer(b"".join(packed), np.int64)
    if all(one.is_plain for one in refs) and all(one.is_plain for one in hyps):
        return columns
    types, labels = all_type_names(refs, hyps), all_label_names(refs, hyps)
    columns |= {"type_names": types, "label_names": labels}
    type_code = {name: index for index, name in enumerate(types)}
    label_code = {name: index for index, name in enumerate(labels)}
    for side, codings in sides.items():
        columns |= {
            f"{side}_types": type_lists(codings, type_code),
            f"{side}_ranks": all_ranks(codings),
            f"{side}_candidates": all_candidates(codings),
            f"{side}_labels": label_lists(codings, label_code),
            f"{side}_levels": level_columns(codings, label_code) if has_levels(codings) else None,
        }
    return columns
