"""How long segments are: distributions of their number of units.

`Geometric` (Eisenstein 2009): ln p(z) = (z−1)·ln(1−r) + ln r, with r = 1 / mean.
`NegativeBinomial` (Eisenstein & Barzilay 2008), mean m and dispersion k, variance m·(1 + 1/k):

    ln p(z) = lnΓ(mk + z) − ln z! − lnΓ(mk) + mk·ln(k/(k+1)) − z·ln(k+1)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats


@dataclass(frozen=True)
class Geometric:
    """Each unit ends the segment with the same probability."""

    mean: float

    def log_probabilities(self, lengths: Any) -> Floats:
        """The logarithm of p for each length."""
        from scipy.special import xlog1py

        ends: Floats = xlog1py(np.asarray(lengths) - 1.0, -1 / self.mean) - np.log(self.mean)
        return ends


@dataclass(frozen=True)
class NegativeBinomial:
    """Lengths around the mean: the greater the dispersion k, the closer to it."""

    mean: float
    dispersion: float

    def log_probabilities(self, lengths: Any) -> Floats:
        """The logarithm of p for each length."""
        from scipy.special import gammaln

        z, k = np.asarray(lengths, np.float64), self.dispersion
        size = self.mean * k
        ways = gammaln(size + z) - gammaln(z + 1) - gammaln(size)
        logarithms: Floats = ways - size * np.log1p(1 / k) - z * np.log1p(k)
        return logarithms

    def slopes(self, lengths: Any) -> Floats:
        """The derivatives of that by the dispersion."""
        from scipy.special import psi

        z, k, m = np.asarray(lengths, np.float64), self.dispersion, self.mean
        rise = psi(m * k + z) - psi(m * k) - np.log1p(1 / k) + 1 / (k + 1)
        slopes: Floats = m * rise - z / (k + 1)
        return slopes


Duration = Geometric | NegativeBinomial
