"""Segmenters: the systems that the papers evaluate, baselines, and yours (`segmenter`).

Each is called as `segmenter(units, n_segments=None)` and returns a `Segmentation`:

>>> import segscore as ss
>>> cats, stars = "the cat chased another cat", "a star shines on other stars"
>>> ss.segmenters.C99()([cats] * 4 + [stars] * 5, n_segments=2)
Segmentation(masses=[4, 5], ranks=[1])
"""

from segscore.segmenters.bayesseg import BayesSeg, UtiyamaIsahara
from segscore.segmenters.benchmarking import Benchmark, Trial, Tuning, benchmark, tune
from segscore.segmenters.by_name import SEGMENTERS, segmenter
from segscore.segmenters.c99 import C99
from segscore.segmenters.contract import (
    Bisect,
    Everything,
    Human,
    Nothing,
    Random,
    Segmenter,
    Uniform,
)
from segscore.segmenters.embedding import CWM, EmbeddingSegmenter, LSASpace
from segscore.segmenters.graphs import APS, ConvergenceWarning, MinCutSeg
from segscore.segmenters.hier_bayes import GreedyBayes, HierBayes
from segscore.segmenters.preprocessing import Preprocessing
from segscore.segmenters.texttiling import TextTiling

__all__ = [
    "APS",
    "C99",
    "CWM",
    "SEGMENTERS",
    "BayesSeg",
    "Benchmark",
    "Bisect",
    "ConvergenceWarning",
    "EmbeddingSegmenter",
    "Everything",
    "GreedyBayes",
    "HierBayes",
    "Human",
    "LSASpace",
    "MinCutSeg",
    "Nothing",
    "Preprocessing",
    "Random",
    "Segmenter",
    "TextTiling",
    "Trial",
    "Tuning",
    "Uniform",
    "UtiyamaIsahara",
    "benchmark",
    "segmenter",
    "tune",
]
