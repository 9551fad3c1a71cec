"""The pictures: drawn by `segscore.plot`, as SVG inside the page.

The page's policy allows no style attributes, so what matplotlib writes as `style` becomes
attributes; ids are prefixed, because a page holds several pictures; texts stay text. The script
hides systems and coders that are not ticked: if a picture has a row for each, the script shows a
cover over the row; if a legend names them, it finds their marks by their ids.
"""

import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET  # reads what we wrote ourselves

from segscore.coders.agreement_choices import SYMBOLS, Coefficient
from segscore.coders.clusters import coder_clusters
from segscore.coders.habits import boundaries_per_coder
from segscore.errors import MissingExtraError, SegmentationError
from segscore.pages.html_markup import escaped
from segscore.pages.subject import Subject
from segscore.tables.wrapping import cut_in_the_middle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DOCUMENTS = 60  # as rows of a picture
MOST_CODERS = 40
_WIDTH = 4.8  # inches: letters of 10 points can be read on a telephone of 390 pixels
_LONGEST_NAME = 20  # characters of a name beside a row: as many fit
_LONGEST_TITLE = 28
_LARGEST = 150_000  # characters of one picture: a page should open at once
_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]+)\)")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_CELL = re.compile(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 L \1 \2")
_ABOUT = "about "  # before what an element is about, in its id
_DROPPED = {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}


class PictureToDraw(NamedTuple):
    """A picture to draw: its caption, its description for readers who cannot see it, and how to
    draw it; and what its rows are about, from 0 on (`Subject.about`), or the names in its
    legend."""

    caption: str
    description: str
    draw: "Callable[[Any], Axes]"
    rows: Sequence[str] = ()
    legend: Sequence[str] = ()


def pictures(subject: Subject) -> list[tuple[int, str, str]]:
    """Numbers, captions and SVG; none without matplotlib, or if there is nothing to draw."""
    wanted = [*_of_systems(subject), *_of_people(subject)]
    try:
        from segscore import plot
    except MissingExtraError:
        return []
    drawn: list[tuple[int, str, str]] = []
    for number, picture in enumerate(wanted, 1):
        try:
            svg = inline_svg(_marked(picture.draw(plot), picture.legend), f"p{number}", picture)
        except SegmentationError:  # too many documents, nothing to draw: the tables say it
            continue
        if len(svg) <= _LARGEST:
            drawn.append((number, picture.caption, escaped(svg)))
    return drawn


def _of_systems(subject: Subject) -> Iterator[PictureToDraw]:
    found = subject.comparison
    if found is None:
        return

    def about(rows: Iterable[str]) -> list[str]:
        """The number of each row's system; "" for baselines and the human row."""
        return [subject.about(row) if row in found.systems else "" for row in rows]

    for metric in found.metrics[:4]:
        yield PictureToDraw(
            f"{metric}: systems with their intervals",
            f"The value of each system by {metric} with its interval; the table has the numbers.",
            lambda plot, metric=metric: plot.intervals(found, metric),  # type: ignore[misc]
            about(found.rows),
        )
    if len(found.documents) > 4 and subject.documents:
        metric = found.metrics[0]
        yield PictureToDraw(
            f"{metric}: how documents differ",
            f"Box plots of the documents' values by {metric}, system by system.",
            lambda plot: plot.distribution(found, metric),
            about(found.values(metric)),
        )
    if found.settings.average == "micro":
        both = {"precision", "recall"}
        rows = [
            [row for row, score in found.totals(metric).items() if both <= score.parts.keys()]
            for metric in found.metrics
        ]
        yield PictureToDraw(
            "Precision and recall",
            "Precision against recall of each system, with curves of equal F.",
            lambda plot: plot.precision_recall(found),
            legend=about(next(filter(None, rows), [])),  # of the first metric that has them
        )


def _of_people(subject: Subject) -> Iterator[PictureToDraw]:
    corpus, found = subject.people, subject.agreement
    if corpus is None or found is None:
        return
    if len(corpus) == 1:
        document = next(iter(corpus.values()))
        yield PictureToDraw(
            "Everyone’s boundaries, and what most people mark",
            "A row per coder with a mark at each boundary.",
            lambda plot: plot.boundaries(document),
        )
    elif len(corpus) <= MOST_DOCUMENTS:
        yield PictureToDraw(
            "Where people see boundaries: the share of coders per position",
            "A row per document; the darker, the more coders have a boundary there.",
            lambda plot: plot.support(corpus),
        )
        which: Coefficient = "corrected" if found.draws else "pi"
        symbol = SYMBOLS[which].capitalize()
        values = [document.valued(which)[1].low for document in found.documents.values()]
        without = sum(map(math.isnan, values))
        have = "One has" if without == 1 else f"{without} of them have"
        why = f" {have} no interval: too few coders for a useful interval." if without else ""
        yield PictureToDraw(
            f"{symbol} by {found.metric.name} of each document, and of all of them.{why}",
            f"{symbol} of each document with its interval.",
            lambda plot: plot.intervals(found),
        )
    if not subject.names_are_local and 2 < len(corpus.coders) <= MOST_CODERS:
        habits = boundaries_per_coder(corpus)
        yield PictureToDraw(
            "Boundaries per coder",
            "How densely each coder places boundaries.",
            lambda plot: plot.habits(habits),
            [subject.about(habit.coder) for habit in habits.coders],
        )
        yield PictureToDraw(
            "Who segments like whom",
            "A tree of coders: those who are alike meet early.",
            lambda plot: plot.clusters(coder_clusters(corpus, found.metric, draws=0)),
        )


# ---- SVG ----


def _marked(ax: "Axes", legend: Sequence[str]) -> "Axes":
    """The picture, with what its points and the entries of its legend are about as their ids."""
    box = ax.get_legend()
    if legend and box is not None:
        points = ax.get_legend_handles_labels()[0]
        entries = zip(legend, points, box.legend_handles, box.get_texts(), strict=True)
        for about, *artists in entries:
            for artist in filter(None, artists) if about else ():
                artist.set_gid(f"{_ABOUT}{about}")
    return ax


def inline_svg(ax: "Axes", prefix: str, picture: PictureToDraw) -> str:
    """A picture as an SVG element without styles, with ids of its own, and with a cover for each
    row that is about a system or coder."""
    import matplotlib as mpl

    figure: Any = ax.get_figure(root=True)
    figure.set_figwidth(_WIDTH)
    _shorten_names(ax)
    file = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "segscore"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    root = ET.fromstring(file.getvalue())  # noqa: S314
    _clean(root, prefix)
    view = root.attrib.get("viewBox", "")
    width, height = map(float, view.split()[2:]) if view else (500.0, 500.0)
    root.extend(_covers(ax, picture.rows, width, height))
    root.attrib.clear()
    root.attrib.update({
        "viewBox": view, "width": f"{width:.0f}", "role": "img",
        "aria-labelledby": f"{prefix}-title {prefix}-desc", "stroke-linejoin": "round",
    })  # fmt: skip
    for tag, content in (("desc", picture.description), ("title", picture.caption)):
        element = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{prefix}-{tag}"})
        element.text = content
        root.insert(0, element)
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return ET.tostring(root, encoding="unicode")


def _shorten_names(ax: "Axes") -> None:
    """Shorten names to fit a picture on a phone; `segscore.plot` assumes a wider picture."""
    import matplotlib as mpl
    from matplotlib.ticker import FixedLocator

    if mpl.rcParams["text.usetex"]:
        return  # names are TeX, which cannot be cut anywhere
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            words = [tick.get_text() for tick in axis.get_ticklabels()]
            axis.set_ticklabels([cut_in_the_middle(word, _LONGEST_NAME) for word in words])
    title = ax.get_title(loc="left")
    if len(title) > _LONGEST_TITLE:
        ax.set_title(cut_in_the_middle(title, _LONGEST_TITLE), loc="left", fontsize="medium")


def _covers(ax: "Axes", rows: Sequence[str], width: float, height: float) -> Iterator[ET.Element]:
    """A white band over each row that is about a system or coder; the style sheet hides it at
    first."""
    figure: Any = ax.get_figure(root=True)
    shares = figure.transFigure.inverted()
    for row, about in enumerate(rows):
        if not about:
            continue
        edges = ax.transData.transform([(0, row - 0.5), (0, row + 0.5)])
        low, high = sorted(float(1 - y) * height for _, y in shares.transform(edges))
        yield ET.Element(f"{{{_SVG}}}rect", {
            "class": "cover", "data-rows": about, "x": "0", "y": f"{low:.1f}",
            "width": f"{width:.0f}", "height": f"{high - low:.1f}", "fill": "#ffffff",
        })  # fmt: skip


def _clean(parent: ET.Element, prefix: str) -> None:
    for element in list(parent):
        element.tail = None
        if element.tag in _DROPPED:
            parent.remove(element)
            continue
        _clean(element, prefix)
    attributes = parent.attrib
    if "d" in attributes:
        attributes["d"] = _shorter(attributes["d"])
    if "QuadMesh" in attributes.get("id", ""):
        _join_cells(parent)
    for declaration in filter(None, attributes.pop("style", "").split(";")):
        key, _, value = declaration.partition(":")
        attributes.update(_as_attributes(key.strip(), value.strip()))
    if attributes.get("id", "").startswith(_ABOUT):
        attributes["data-rows"] = attributes.pop("id").removeprefix(_ABOUT)
    for key, value in list(attributes.items()):
        if key == "id":
            attributes[key] = f"{prefix}-{value}"
        elif key in (_HREF, "href") and value.startswith("#"):
            attributes[key] = f"#{prefix}-{value[1:]}"
        elif "url(#" in value:
            attributes[key] = _URL.sub(rf"url(#{prefix}-\1)", value)


def _shorter(path: str) -> str:
    """A path rounded to a hundredth of a point."""
    rounded = _LONG_NUMBER.sub(lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), path)
    return " ".join(rounded.split())


def _join_cells(mesh: ET.Element) -> None:
    """Join the cells of a heat map that look alike into one path: a tenth of the size."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for cell in list(mesh):
        drawn = _CELL.sub(r"M\1 \2H\3V\4H\1z", cell.attrib.pop("d", ""))
        alike.setdefault(tuple(cell.attrib.items()), []).append(drawn)
        mesh.remove(cell)
    for attributes, paths in alike.items():
        ET.SubElement(mesh, f"{{{_SVG}}}path", {**dict(attributes), "d": "".join(paths)})


def _as_attributes(key: str, value: str) -> dict[str, str]:
    """A declaration as attributes; the shorthand `font` as its parts."""
    if key != "font":
        return {key: value}
    found = re.fullmatch(r"(?:(italic|oblique) )?(?:(\d+|bold|normal) )?([\d.]+)px .*", value)
    if found is None:
        return {}
    return {"font-size": f"{found[3]}px"} | ({"font-weight": found[2]} if found[2] else {})
