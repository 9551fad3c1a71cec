"""The last section: signatures, settings, versions, the command, and BibTeX of the papers."""

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

from segscore._version import __version__
from segscore.coders.coefficients import Agreement
from segscore.coders.person_feedback import Feedback
from segscore.comparison import Comparison
from segscore.metrics import Metric
from segscore.pages.html_markup import BodyCell, HeadCell, name, table, text
from segscore.pages.subject import Subject

OF_METRIC = {
    "pk": ("beeferman1999",), "windowdiff": ("pevzner2002",), "winpr": ("scaiano2012",),
    "s": ("fournier2012",), "b": ("fournier2013",), "multwindowdiff": ("kazantseva2012",),
    "cseg": ("doddington1998",), "pd": ("beeferman1997",), "ghd": ("bookstein2002",),
    "misplaced-units": ("franz2007",), "purity-coverage": ("bredin2017",),
    "covering": ("arbelaez2011",), "rand": ("rand1971", "hubert1985"),
    "multf1": ("burg2020",), "deviation": ("turnbull2007",), "hausdorff": ("truong2020",),
}  # fmt: skip
HIERARCHICAL = ("carroll2010",)
AGREEMENT = ("fournier2012", "artstein2008", "fleiss1971", "krippendorff2004", "kazantseva2012")
TESTING = ("efron1993", "noreen1989", "holm1979")


def methods(subject: Subject, command: str | None) -> str:
    """The section as HTML."""
    if subject.feedback is not None:
        return _feedback(subject.feedback) + _settings(subject) + again(command)
    return "".join([_signatures(subject), _settings(subject), again(command), _papers(subject)])


def _signatures(subject: Subject) -> str:
    found = dict(subject.comparison.signatures) if subject.comparison else {}
    if subject.comparison:
        found |= {
            f"{key}, chance": signature
            for key, signature in subject.comparison.chance_signatures.items()
        }
    if subject.agreement:
        found["agreement"] = subject.agreement.signature
    rows = [
        [BodyCell(name(key)), BodyCell(f"<code>{text(signature)}</code>")]
        for key, signature in found.items()
    ]
    words = "<p>A signature says how a number was computed. Cite it with the number.</p>"
    headings = [HeadCell("measure"), HeadCell("signature")]
    return words + table("Signatures", headings, rows, "signatures", sortable=False)


def _feedback(found: Feedback) -> str:
    return (
        "<p>Which boundaries belong together is decided by boundary edit distance (Fournier 2013), "
        f"n_t = {found.n_t}: as many matches as there are, then as many near misses as possible; "
        "each boundary counts once.</p>\n"
    )


def _settings(subject: Subject) -> str:
    found = {**_of_comparison(subject.comparison), **_of_agreement(subject.agreement)}
    found["versions"] = versions()
    items = "".join(
        f"<dt>{label}</dt><dd>{name(words, 2000)}</dd>" for label, words in found.items()
    )
    return f'<dl class="settings">{items}</dl>\n'


def _of_comparison(found: Comparison | None) -> dict[str, str]:
    if found is None:
        return {}
    settings = {"comparison": found.describe(), "test": found.advice}
    runs = {system: found.n_runs(system) for system in found.systems}
    several = ", ".join(f"{system} ({n})" for system, n in runs.items() if n > 1)
    if several:
        settings["runs"] = f"documents show the first run of {several}; values are means over runs"
    return settings


def _of_agreement(found: Agreement | None) -> dict[str, str]:
    if found is None:
        return {}
    kept = {"positions": "number of boundaries", "lengths": "segments"}[found.null]
    drawn = f"random coders keep their {kept}; {found.draws} draws, seed {found.seed}"
    return {"agreement": f"{drawn}; interval: {found.corrected_ci.method}"}


def versions() -> str:
    """The versions of segscore, Python and the packages behind the numbers."""
    found = [f"segscore {__version__}", f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", "matplotlib"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return ", ".join(found)


def again(command: str | None) -> str:
    """How to reproduce the page, if a command made it."""
    if command is None:
        return ""
    return f"<h3>Reproduce this page</h3>\n<pre><code>{text(command)}</code></pre>\n"


# ---- papers ----


def papers_of(metric: Metric) -> list[str]:
    """The keys of the papers behind a metric; empty if it has no paper (f1).

    >>> from segscore.metrics import metric
    >>> papers_of(metric("e-wd")), papers_of(metric("b.recall")), papers_of(metric("f1"))
    (['carroll2010', 'pevzner2002'], ['fournier2013'], [])
    """
    name = metric.name.partition(".")[0]
    inner = name.removeprefix("e-")
    inner = {"wd": "windowdiff", "pk-prime": "pk"}.get(inner, inner)
    outer = HIERARCHICAL if name.startswith("e-") else ()
    also = ("pevzner2002",) if getattr(metric, "fp_weight", 1) != 1 and inner == "pk" else ()
    return [*outer, *OF_METRIC.get(inner, ()), *also]


def entries() -> dict[str, str]:
    """The BibTeX entries of `literature.bib`, by key: author and year."""
    listed = files("segscore.pages").joinpath("literature.bib").read_text("utf-8").strip()
    return {re.findall(r"{([a-z]+[0-9]{4})", part)[0]: part for part in listed.split("\n\n")}


def _papers(subject: Subject) -> str:
    keys: list[str] = []
    comparison = subject.comparison
    if comparison:
        for metric in comparison.metrics:
            keys += papers_of(comparison.metric(metric))
    if subject.agreement:
        keys += [*papers_of(subject.agreement.metric), *AGREEMENT]
    if comparison and comparison.n_documents > 1:
        keys += TESTING
    if not keys:
        return ""
    known = entries()
    found = "\n\n".join(known[key] for key in dict.fromkeys(keys))
    shown = "\n".join(map(text, found.split("\n")))
    return (
        "<h3>Papers behind these measures</h3>\n"
        f'<pre class="bibtex" tabindex="0"><code>{shown}</code></pre>\n'
    )
