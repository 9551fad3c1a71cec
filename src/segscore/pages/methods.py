"""The last section: signatures, settings, versions, the command, and BibTeX of the papers."""

import platform
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from segscore._version import __version__
from segscore.metrics import Metric
from segscore.pages.page_frame import asset
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


def methods(subject: Subject, command: str | None) -> dict[str, Any]:
    """What the template needs."""
    comparison, agreement, feedback = subject.comparison, subject.agreement, subject.feedback
    signatures, settings, papers = {}, {}, []
    if comparison is not None:
        chance = {f"{key}, chance": value for key, value in comparison.chance_signatures.items()}
        signatures = {**comparison.signatures, **chance}
        settings = {"comparison": comparison.describe(), "test": comparison.advice}
        runs = {system: comparison.n_runs(system) for system in comparison.systems}
        several = ", ".join(f"{system} ({n})" for system, n in runs.items() if n > 1)
        if several:
            settings["runs"] = (
                f"documents show the first run of {several}; values are means over runs"
            )
        papers = [key for name in comparison.metrics for key in papers_of(comparison.metric(name))]
    if agreement is not None:
        signatures["agreement"] = agreement.signature
        kept = {"positions": "number of boundaries", "lengths": "segments"}[agreement.null]
        settings["agreement"] = (
            f"random coders keep their {kept}; {agreement.draws} draws, seed {agreement.seed}; "
            f"interval: {agreement.corrected_ci.method}"
        )
        papers += [*papers_of(agreement.metric), *AGREEMENT]
    if comparison is not None and comparison.n_documents > 1:
        papers += TESTING
    known = entries()
    return {
        "signatures": signatures,
        "n_t": None if feedback is None else feedback.n_t,
        "settings": {**settings, "versions": versions()},
        "command": command,
        "papers": "\n\n".join(known[key] for key in dict.fromkeys(papers)).splitlines(),
    }


def versions() -> str:
    """The versions of segscore, Python and the packages behind the numbers."""
    found = [f"segscore {__version__}", f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", "matplotlib"):
        with suppress(PackageNotFoundError):  # an extra that is not installed
            found.append(f"{package} {version(package)}")
    return ", ".join(found)


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
    listed = asset("literature.bib").strip()
    return {re.findall(r"{([a-z]+[0-9]{4})", part)[0]: part for part in listed.split("\n\n")}
