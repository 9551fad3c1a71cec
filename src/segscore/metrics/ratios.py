"""Divisions that several metrics share, and the checks of their weights."""

from dataclasses import fields
from typing import Any

import numpy as np

from segscore._kernels import ratios
from segscore.basics.arguments import LARGEST_FLOAT, Floats, shown
from segscore.errors import SegmentationError


def ratio(above: Any, below: Any) -> Floats:
    """Divide; NaN if the divisor is 0."""
    both = type(above) is type(below) is np.ndarray and above.dtype == below.dtype == np.float64
    if both and above.ndim == 1 and above.shape == below.shape:
        quotients = np.empty(len(below))
        ratios.quotients(above, below, quotients)
        return quotients
    below = np.asarray(below, np.float64)
    out = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def precision_recall_f(tp: Any, fp: Any, fn: Any, beta: float = 1) -> tuple[Floats, Floats, Floats]:
    """Precision = TP/(TP+FP), recall = TP/(TP+FN), and F_β = (1+β²)TP / ((1+β²)TP + β²FN + FP).

    Precision is NaN without hypothesis boundaries, recall without reference boundaries, F only
    without either.
    """
    return ratio(tp, tp + fp), ratio(tp, tp + fn), f_measure(tp, fp, fn, beta)


def f_measure(tp: Any, fp: Any, fn: Any, beta: float = 1) -> Floats:
    """F_β alone."""
    weight = float(beta) * float(beta)  # older NumPy makes objects of large whole numbers
    arrays = all(type(each) is np.ndarray and each.dtype == np.float64 for each in (tp, fp, fn))
    if arrays and tp.ndim == 1 and tp.shape == fp.shape == fn.shape:
        values = np.empty(len(tp))
        ratios.f_measures(tp, fp, fn, weight, values)
        return values
    found = (1 + weight) * tp
    return ratio(found, found + weight * fn + fp)


def f_of_rates(precision: Floats, recall: Floats, beta: float = 1) -> Floats:
    """F_β = (1+β²)·P·R / (β²·P + R) where precision and recall do not count the same pairs.

    NaN only if both rates are NaN; 0 if only one is, or if both are 0.
    """
    weight = float(beta) * float(beta)  # older NumPy makes objects of large whole numbers
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    f = np.nan_to_num(ratio((1 + weight) * p * r, weight * p + r))
    return np.where(np.isnan(precision) & np.isnan(recall), np.nan, f)


def plain_numbers(settings: Any) -> None:
    """Convert NumPy numbers in the fields of a frozen dataclass to Python numbers.

    Reprs and signatures, which are read back, would otherwise show `np.float64(0.5)`.
    """
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, np.number | np.bool_):
            object.__setattr__(settings, field.name, value.item())


def check_weight(value: Any, what: str, least: float = 0, most: float = LARGEST_FLOAT) -> None:
    """Raise if a weight is not a number from `least` to `most`, by default from 0 to 1e100."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        limits = f"{least:g} … {most:g}".replace("+", "")
        raise SegmentationError(f"{what} is {shown(value)}: expected a number {limits}")


def check_beta(beta: Any) -> None:
    """Raise if β is not a number above 0, or if its square, the weight of recall, is not."""
    check_weight(beta, "beta", 1 / LARGEST_FLOAT)
