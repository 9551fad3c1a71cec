"""Bring references and hypotheses together by stated rules, as `Pairs`; nothing is computed here.

`inputs` makes tables of codings of what people give, `pairing` brings two sides together, `pairs`
holds the result for metrics.
"""
