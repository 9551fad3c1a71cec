"""Pages that are written before the site is built: API, commands, and texts from the repository.

They are written into docs/api, docs/commands and docs/project, which git ignores. A page is only
touched if it changed, so that a second build is quick.
"""

import re
import shutil
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from command_pages import command_pages
from public_names import ORDER, Name, public_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDERS = ("api", "commands", "project")
FROM_REPOSITORY = {  # page: the file that it is
    "project/changelog": "CHANGELOG.md",
    "project/contributing": "CONTRIBUTING.md",
    "project/security": "SECURITY.md",
    "project/benchmarks": "benchmarks/README.md",
    "project/conformance": "conformance/README.md",
    "project/literature": "src/segscore/pages/literature.bib",
}


def setup(app: "Sphinx") -> dict[str, Any]:
    """Sphinx calls this."""
    app.connect("config-inited", lambda app, _: write_pages(Path(app.srcdir)))
    app.connect("source-read", _links_inside)
    app.connect("build-finished", _write_twins)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(docs: Path) -> None:
    """Write all pages, and remove those of names that are gone."""
    pages = api_pages() | command_pages() | repository_pages(docs.parent)
    for folder in FOLDERS:
        for path in (docs / folder).rglob("*.*"):
            if path.relative_to(docs).as_posix() not in pages:
                path.unlink()
    for name, text in pages.items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    for picture in (docs.parent / "benchmarks").glob("*.png"):
        shutil.copy2(picture, docs / "project")


def api_pages() -> dict[str, str]:
    """A page per public name, one per subject, and the page that lists them all."""
    by_subject: dict[str, list[Name]] = defaultdict(list)
    pages = {}
    for name in public_names():
        by_subject[name.subject].append(name)
        pages[f"{name.page}.rst"] = _page_of(name)
    subjects = sorted(by_subject, key=lambda one: ORDER.index(one) if one in ORDER else len(ORDER))
    listing, tree = "", ""
    for subject in subjects:
        rows = "\n".join(
            f"   * - :doc:`{name.shown} </{name.page}>`\n     - {_first_sentence(name.thing)}"
            for name in by_subject[subject]
        )
        entries = "\n".join(f"   {name.shown} </{name.page}>" for name in by_subject[subject])
        slug = _slug(subject)
        pages[f"api/{slug}.rst"] = (
            f"{_title(_rst(subject))}\n"
            f".. list-table::\n   :widths: 35 65\n   :class: names\n\n{rows}\n\n"
            f".. toctree::\n   :hidden:\n\n{entries}\n"
        )
        links = " · ".join(f":doc:`{name.shown} </{name.page}>`" for name in by_subject[subject])
        listing += f":doc:`{subject.replace('`', '')} <{slug}>`\n    {links}\n\n"
        tree += f"   {slug}\n"
    pages["api/index.rst"] = f"{_API_HEAD}{listing}.. toctree::\n   :hidden:\n\n{tree}"
    return pages


_API_HEAD = """\
Python API
==========

Every public name has its own page. ``import segscore as ss`` gives all of them; what is heavy is
imported when it is first used. Wrong input raises ``ss.SegmentationError``: :doc:`/errors`.

"""


def _page_of(name: Name) -> str:
    """The page of one name."""
    text = f".. currentmodule:: segscore\n\n{_title(name.shown)}\n"
    if name.kind == "data":
        return f"{text}{_data(name)}\n"
    text += f".. auto{name.kind}:: {name.path}\n"
    if name.kind == "class":
        members = ", ".join(members_of(name.thing))
        text += f"   :members: {members}\n" if members else ""
        text += _shared_by(name)
    return text


def _shared_by(name: Name) -> str:
    """Where to find what all metrics, or all segmenters, have."""
    bases = [base.__name__ for base in name.thing.__mro__[1:]]
    if "Metric" in bases:
        return (
            "\nCall it with a reference and a hypothesis, or name it in :doc:`ss.score "
            "</api/functions/score>`. What every metric has: :doc:`ss.Metric "
            "</api/classes/Metric>`. Formula and edge cases: :doc:`/definitions`.\n"
        )
    if "Segmenter" in bases:
        return (
            "\nCall it with a list of units. What every segmenter has: "
            ":doc:`ss.segmenters.Segmenter </api/classes/segmenters.Segmenter>`.\n"
        )
    return ""


def _data(name: Name) -> str:
    """A table of the package, such as the names of all metrics; or a type."""
    if isinstance(name.thing, dict):
        keys = ", ".join(f"``{key}``" for key in name.thing)
        return f"A mapping. Its keys: {keys}."
    return f"``{name.path}``: ``{str(name.thing).replace('typing.', '')}``."


def members_of(cls: type) -> list[str]:
    """Public methods and properties that segscore defines and describes, in their order.

    What every metric and every segmenter has is on the pages of `Metric` and `Segmenter` alone;
    metrics have nothing else to call.
    """
    bases = {base.__name__: base for base in cls.__mro__[1:]}
    if "Metric" in bases:
        return []
    shared = set(dir(bases["Segmenter"])) if "Segmenter" in bases else set()
    found: dict[str, None] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("segscore"):
            for name, value in vars(base).items():
                if _is_described(value) and not name.startswith("_") and name not in shared:
                    found.setdefault(name)
    if cls.__name__ in ("Metric", "Segmenter"):
        found.setdefault("__call__")
    return list(found)


def _is_described(value: Any) -> bool:
    """Whether a member of a class is a method or a property with a docstring."""
    kinds = (property, classmethod, staticmethod, cached_property)
    member = isinstance(value, kinds) or (callable(value) and not isinstance(value, type))
    return member and bool(getattr(value, "__doc__", None))


def repository_pages(root: Path) -> dict[str, str]:
    """Texts that stand elsewhere in the repository; links between them and docs/ keep working."""
    pages = {}
    for page, path in FROM_REPOSITORY.items():
        source = root / path
        if source.suffix == ".bib":
            pages[f"{page}.md"] = _literature(source.read_text("utf-8"))
            continue
        text = re.sub(
            r"\]\(([^)\s:]+)\)",
            lambda found, source=source: f"]({_target(found[1], source, root)})",
            source.read_text("utf-8"),
        )
        pages[f"{page}.md"] = text
    return pages


def _literature(entries: str) -> str:
    """The papers of the metrics, as a list, and as BibTeX."""
    lines = []
    for entry in re.findall(
        r"^@\w+\{.*?\}\}?$(?=\n\n|\Z)", entries.strip(), re.MULTILINE | re.DOTALL
    ):
        found = dict(re.findall(r"(\w+) = \{(.*?)\}(?=[,}])", entry, re.DOTALL))
        where = next(
            found[key] for key in ("journal", "booktitle", "publisher", "note") if key in found
        )
        authors = found["author"].replace(" and ", "; ")
        lines.append(f"- {authors} ({found['year']}). {found['title']}. *{where}*.")
    text = re.sub(
        r"[{}]", "", re.sub(r"\s+\n?\s*", " ", "\n".join(sorted(lines)).replace("\n- ", "\0"))
    )
    text = text.replace("\0", "\n- ").replace("\\'e", "é").replace("\\'a", "á")
    return f"# Papers of the metrics\n\n{text}\n\n```bibtex\n{entries.strip()}\n```\n"


def _target(link: str, source: Path, root: Path) -> str:
    """Where a link of a text from the repository leads on the site."""
    path, hash_mark, anchor = link.partition("#")
    if not path:
        return link
    aim = (source.parent / path).resolve()
    known = {root / file: page for page, file in FROM_REPOSITORY.items()}
    if aim in known:
        return f"/{known[aim]}.md{hash_mark}{anchor}"
    if aim.is_relative_to(root / "docs"):
        return f"/{aim.relative_to(root / 'docs').as_posix()}{hash_mark}{anchor}"
    return link


def _links_inside(app: "Sphinx", docname: str, source: list[str]) -> None:
    """Links from docs/ to texts of the repository lead to their pages."""
    if (Path(app.srcdir) / f"{docname}.md").exists():
        up = "../" * (docname.count("/") + 1)
        for page, file in FROM_REPOSITORY.items():
            source[0] = source[0].replace(f"]({up}{file}", f"](/{page}.md")


def _write_twins(app: "Sphinx", error: Exception | None) -> None:
    """Write each page as Markdown beside its HTML, and llms.txt, which lists them."""
    if error or app.builder.name != "html":
        return
    docs, site, lines = Path(app.srcdir), Path(app.outdir), []
    for path in sorted(docs.rglob("*.md")):
        name = path.relative_to(docs)
        if name.parts[0] not in ("_extensions", "_static", "reproduction"):
            text = path.read_text("utf-8")
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text, "utf-8")
            title = re.search(r"^# (.+)$", text, re.MULTILINE)
            lines.append(f"- [{title[1] if title else name.stem}]({name.as_posix()})")
    head = (docs / "index.md").read_text("utf-8").partition("# segscore\n")[2].partition("```")[0]
    text = f"# segscore\n\n> {' '.join(head.split())}\n\n## Pages\n\n" + "\n".join(lines)
    (site / "llms.txt").write_text(f"{text}\n", "utf-8")


def _first_sentence(thing: Any) -> str:
    """What a name is, in one sentence of its docstring."""
    from docstrings import marked_up

    if isinstance(thing, (dict, tuple)):
        return "All of them, by name."
    text = " ".join((getattr(thing, "__doc__", None) or "").strip().partition("\n\n")[0].split())
    found = re.match(r"(.*?[^.\d][.:])(?:\s|$)(?![a-z])", text)
    sentence = found[1] if found else text
    return marked_up(sentence.rstrip(":").rstrip(".") + ".") if sentence else "A type."


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n"


def _rst(text: str) -> str:
    return text.replace("`", "``")


def _slug(subject: str) -> str:
    return re.sub(r"\W+", "-", subject.partition(",")[0].lower()).strip("-")
