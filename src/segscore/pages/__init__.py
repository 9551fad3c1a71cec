"""The report: one HTML file that shows who cut where, and why a number is what it is.

`report_page` holds `report` and writes the file. What the page shows is Python: `subject` (what
there is to show: which documents, under which names), `document_data` (documents as JSON, with the
windows that explain a value), `overview`, `people`, `pictures` and `methods` (the sections),
`chunk_sections` (those of a page about chunks), `html_markup` (pieces of HTML). Its frame is
`report.html`; how it behaves is one script, `report.js`, and one style sheet, `report.css`, which
are copied into the page as they are. The papers behind measures stand in `literature.bib`.

The page needs no network and runs nothing that comes from data: names and texts are escaped where
Python writes them, the script sets them as text, and the page's own policy allows no other script.
"""

from segscore.pages.adjudication_page import adjudication_page
from segscore.pages.report_page import report

__all__ = ["adjudication_page", "report"]
