"""Masao Utiyama & Hitoshi Isahara (2001): A statistical model for domain-independent text
segmentation. ACL 2001.

The error rates of their method, and of C99 beside it, on all 700 documents of Choi (2000): Pk in
words as there, mean over documents in per cent, by subset and over all.
"""

from reproduction.choi2000 import FORMULAS

__all__ = ["FORMULAS"]
