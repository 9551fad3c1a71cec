"""Pages: HTML files that need nothing else, to read a result, to mark texts and to decide marks.

`report_page` and `annotate_page` (which also has the page for adjudication) hold the functions that
write them; `page_frame` fills a template and puts data, style sheets and a script into it. What the
report shows is in `templates/`; what these need comes from `subject` (which documents and people
there are, under which names), `report_sections` and `pictures`. How pages behave is in `scripts/`,
how they look in `page.css` and a style sheet for each kind of page. The papers behind measures are
in `literature.bib`.

A page needs no network and runs nothing that comes from data: names and texts are escaped where a
template shows them, the script sets them as text, and the page's own policy allows no other script.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.io.writing import write_sheet as sheet
    from segscore.pages.annotate_page import adjudication_page as adjudicate
    from segscore.pages.annotate_page import annotation_page as annotate
    from segscore.pages.report_page import report as report

_HOMES = {
    "adjudicate": "segscore.pages.annotate_page:adjudication_page",
    "annotate": "segscore.pages.annotate_page:annotation_page",
    "report": "report_page",
    "sheet": "segscore.io.writing:write_sheet",
}
__all__ = ["adjudicate", "annotate", "report", "sheet"]

__getattr__ = names_on_demand(__name__, _HOMES)
