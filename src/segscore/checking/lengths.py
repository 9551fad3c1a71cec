"""Documents that do not have as many units on both sides."""

from collections.abc import Iterator

import numpy as np

from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides

_FEWEST = 3  # documents that show a common ratio
_SAME_RATIO = 0.25  # standard deviation of the logarithm
_CLEAR_RATIO = 1.5


def lengths(sides: BothSides) -> Iterator[Finding]:
    """One unit more everywhere; units of another size; or just not the same number."""
    ref, hyp = sides.ref.n_units, sides.hyp.n_units
    differs = ref != hyp
    if not differs.any():
        return
    documents = sides.names(differs)
    more = hyp - ref
    ratios = np.log(hyp / ref)
    if (more == more[0]).all() and abs(more[0]) == 1:
        longer, shorter = (
            ("hypothesis", "reference") if more[0] > 0 else ("reference", "hypothesis")
        )
        yield Finding(
            "one-unit-more",
            "error",
            f"The {longer} has one unit more than the {shorter} in every document "
            f"({len(sides)} of {len(sides)}).",
            {"difference": int(more[0]), "documents": len(sides)},
            documents,
            f"Labels, one per unit, were probably read as gaps on the side of the {longer}: use "
            "from_labels, not from_gaps.",
        )
    elif (
        len(sides) >= _FEWEST
        and ratios.std() <= _SAME_RATIO
        and abs(ratios.mean()) >= np.log(_CLEAR_RATIO)
    ):
        ratio = float(np.exp(ratios.mean()))
        yield Finding(
            "unit-size",
            "error",
            f"The hypothesis has {ratio:.2f} times the units of the reference, about the same in "
            "every document.",
            {"ratio": ratio, "spread": float(ratios.std())},
            documents,
            "The sides are probably counted in different units (sentences, words, characters): "
            "give both in the same, for instance by Segmentation.expand.",
        )
    else:
        yield Finding(
            "different-length",
            "error",
            f"{len(documents)} of {len(sides)} documents have another number of units in the "
            "hypothesis than in the reference.",
            {"documents": len(documents), "largest_difference": int(np.abs(more).max())},
            documents,
            "Both sides must cut the same units: use the same splitting into sentences or words.",
        )
