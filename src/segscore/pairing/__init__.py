"""Bring references and hypotheses together by stated rules, as `Pairs`; nothing is computed here.

`read_pairs` reads both sides from files, `pair` takes them in columns.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segscore.pairing.pairing import Pairing, pair, read_pairs

__all__ = ["Pairing", "pair", "read_pairs"]


def __getattr__(name: str) -> Any:  # readers of files are not needed to score what is in memory
    if name in __all__:
        return getattr(import_module("segscore.pairing.pairing"), name)
    raise AttributeError(f"module 'segscore.pairing' has no attribute {name!r}")
