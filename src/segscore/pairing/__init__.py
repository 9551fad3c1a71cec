"""Bring references and hypotheses together by stated rules, as `Pairs`; nothing is computed here.

`read_pairs` reads both sides from files, `paired` takes them in columns.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.pairing.pairing import Pairing, paired, read_pairs

__all__ = ["Pairing", "paired", "read_pairs"]

# readers of files are not needed to score what is in memory
__getattr__ = names_on_demand(__name__, dict.fromkeys(__all__, "pairing"))
