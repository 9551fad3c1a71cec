"""Settings of the documentation site: `make docs`.

Nothing is fetched while it is built. SEGSCORE_DOCS_ONLINE=1 links types of Python, NumPy and
Matplotlib to their own pages, which needs the network; SEGSCORE_DOCS_SWITCHER names the address of
switcher.json and shows the menu of versions.
"""

import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "src"), str(DOCS / "_extensions")]

import segscore  # noqa: E402

project = "segscore"
author = "The segscore developers"
project_copyright = "2026, the segscore developers"
version = release = segscore.__version__

extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "generated_pages",  # API, commands, changelog: written before anything is read
    "docstrings",
    "code_links",
]
exclude_patterns = ["_extensions", "_static"]
suppress_warnings = ["myst.header"]  # pages that are written by programs skip a level at times

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4

default_role = "code"
smartquotes = False  # --option and "text" stay as they are typed
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # names and defaults; the words below say what is expected
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_display_short_literal_types = True

if os.environ.get("SEGSCORE_DOCS_ONLINE"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "matplotlib": ("https://matplotlib.org/stable", None),
    }

html_theme = "pydata_sphinx_theme"
html_title = f"segscore {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = [
    "output.schema.json",
    "jsonl.schema.json",
    "chapters.schema.json",
    "switcher.json",
]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "start": [], "project/changelog": [], "search": []}
html_theme_options = {
    "logo": {"text": "segscore"},
    "show_nav_level": 1,
    "navigation_depth": 2,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "search_bar_text": "Search",
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
_switcher = os.environ.get("SEGSCORE_DOCS_SWITCHER")
if _switcher:
    html_theme_options |= {
        "switcher": {"json_url": _switcher, "version_match": version},
        "check_switcher": False,
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    }

copybutton_prompt_text = r"^(\$|>>>|\.\.\.) "
copybutton_prompt_is_regexp = True
linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_anchors = False
