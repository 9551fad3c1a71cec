"""Papers recomputed: each number that a paper prints, beside the number that segscore computes.

`printed/` has the numbers, a row for each with the formula that computes ours (`cells` says how); a
module of each paper, named after its first author and year, has the formulas. No published number
takes part in computing ours, except where a row says so.
"""
