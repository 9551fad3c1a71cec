"""Corpora that papers use: their contents and sources, and how to fetch them.

    >>> from segscore import datasets
    >>> datasets.load("stargazer")["stargazer"]["1"].masses.tolist()
    [2, 3, 3, 1, 3, 6, 3]

Two small sets of codings are part of the package. The others are fetched from their public homes,
each file at a fixed commit and checked by its SHA-256; we do not redistribute them.
"""

from segscore.datasets.catalogue import DATASETS, Dataset, dataset, find, place_of
from segscore.datasets.fetching import fetch
from segscore.datasets.loading import load

__all__ = ["DATASETS", "Dataset", "dataset", "fetch", "find", "load", "place_of"]
