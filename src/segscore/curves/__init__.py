"""Metrics as curves: over all thresholds of scored boundaries, and over values of a parameter."""

from segscore.curves.computing import curve, sweep
from segscore.curves.points import Curve, CurvePoint, ParameterSweep, SweepPoint

__all__ = ["Curve", "CurvePoint", "ParameterSweep", "SweepPoint", "curve", "sweep"]
