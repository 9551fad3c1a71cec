"""What tests of pictures share: two segmentations, seven people, and how to ask the axes."""

from matplotlib.axes import Axes

import segscore as ss
from needs import needs
from segscore.simulate.sample_codings import STARGAZER

pytestmark = needs("plot")

cut = ss.Segmentation.from_masses
REF, HYP = cut([2, 3, 6]), cut([1, 1, 3, 1, 5])
PEOPLE = ss.Corpus.from_dict({"Stargazers": {name: cut(m) for name, m in STARGAZER.items()}})
DOCUMENT = PEOPLE["Stargazers"]
N_MARKS = {name: len(masses) - 1 for name, masses in STARGAZER.items()}


def names(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.get_yticklabels()]


def legend(ax: Axes) -> list[str]:
    made = ax.get_legend()
    assert made is not None
    return [text.get_text() for text in made.get_texts()]


def segments(ax: Axes) -> list[int]:
    """How many lines each collection of lines has."""
    return [
        len(collection.get_segments())
        for collection in ax.collections
        if hasattr(collection, "get_segments")
    ]


def random(n_units: int, n: int, seed: int) -> ss.Segmentation:
    return ss.baselines.random(n_units, n_segments=n + 1, rng=seed)
