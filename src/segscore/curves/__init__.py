"""Metrics as curves: over all thresholds of scored boundaries, and over values of a parameter."""

from segscore.curves.computing import curve
from segscore.curves.parameter_sweep import ParameterSweep, SweepPoint, sweep
from segscore.curves.threshold_curve import Curve, CurvePoint

__all__ = ["Curve", "CurvePoint", "ParameterSweep", "SweepPoint", "curve", "sweep"]
