"""Systems that score boundaries instead of deciding: metrics at every threshold."""

from segscore.curves.computing import curve
from segscore.curves.threshold_curve import Curve, CurvePoint

__all__ = ["Curve", "CurvePoint", "curve"]
