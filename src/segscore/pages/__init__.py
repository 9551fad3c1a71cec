"""The report: one HTML file that shows who cut where, and why a number is what it is.

`reporting` holds `report`. What the page shows is Python: `subject` (what there is to show),
`anonymous` (the same without names), `document_data` (documents as JSON), `penalised` (windows that
explain a value), `overview`, `people`, `places`, `pictures` and `methods` (the sections),
`sentences` (numbers in words), `differing` (where to look first), `metric_words` (full names),
`literature` (BibTeX), `page` (the file). How it behaves is one script, `report.js`, and one style
sheet, `report.css`; both are copied into the page as they are.

The page needs no network and runs nothing that comes from data: names and texts are escaped where
Python writes them, the script sets them as text, and the page's own policy allows no other script.
"""

from segscore.pages.reporting import report

__all__ = ["report"]
