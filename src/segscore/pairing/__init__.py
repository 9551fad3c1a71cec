"""Bring references and hypotheses together by stated rules, as `Pairs`; nothing is computed here.

`inputs` makes tables of codings of what people give, `pairing` brings two sides together, `pairs`
holds the result for metrics.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.pairing.pairs import read_pairs

__all__ = ["read_pairs"]

# readers of files are not needed to score what is in memory
__getattr__ = names_on_demand(__name__, {"read_pairs": "pairs"})
