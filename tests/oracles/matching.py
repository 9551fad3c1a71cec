"""Largest one-to-one matching within a tolerance, by SciPy's general bipartite matching."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching


def matched(ref: set[int], hyp: set[int], tolerance: int) -> int:
    """Number of pairs."""
    if not ref or not hyp:
        return 0
    apart = np.abs(np.subtract.outer(sorted(ref), sorted(hyp)))
    found = maximum_bipartite_matching(csr_matrix(apart <= tolerance), perm_type="column")
    return int((found >= 0).sum())
