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
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET  # reads what we wrote ourselves

from segscore.coders import boundaries_per_coder, coder_clusters, estimators
from segscore.errors import MissingExtraError, SegmentationError
from segscore.pages.page_frame import escaped
from segscore.pages.subject import Subject
from segscore.tables.wording import short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DOCUMENTS = 60  # as rows of a picture
MOST_CODERS = 40
_WIDTH = 4.8  # inches: letters of 10 points can be read on a telephone of 390 pixels
_LONGEST_NAME = 20  # characters of a name beside a row: as many fit
_LONGEST_TITLE = 28
_LARGEST = 150_000  # characters of one picture: a page should open at once
_HREF = "{http://www.w3.org/1999/xlink}href"
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_CELL = re.compile(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 L \1 \2")
_ABOUT = "about "  # before what an element is about, in its id


class PictureToDraw(NamedTuple):
    """A picture to draw: its caption, its description for readers who cannot see it, and how to
    draw it; and what its rows are about, from 0 on (`Subject.about`), or the names in its
    legend."""

    caption: str
    description: str
    draw: "Callable[[Any], Axes]"
    rows: Sequence[str] = ()
    legend: Sequence[str] = ()


def pictures(subject: Subject) -> list[tuple[int, PictureToDraw, dict[str, Any]]]:
    """The numbered pictures; none without matplotlib, or if there is nothing to draw."""
    wanted = [*_of_systems(subject), *_of_people(subject)]
    try:
        from segscore import plot
    except MissingExtraError:
        return []
    found = []
    for number, picture in enumerate(wanted, 1):
        with suppress(SegmentationError):  # too many documents, nothing to draw: the tables say it
            drawn = inline_svg(picture.draw(plot), f"p{number}", picture)
            if len(drawn["svg"]) <= _LARGEST:
                found.append((number, picture, drawn))
    return found


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
        which: estimators.Coefficient = "corrected" if found.draws else "pi"
        symbol = estimators.SYMBOLS[which].capitalize()
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


def inline_svg(ax: "Axes", prefix: str, picture: PictureToDraw) -> dict[str, Any]:
    """A picture as SVG without styles, with ids of its own: what is inside of its element, its
    size, and the bands that can cover its rows: what they are about, their upper ends and
    heights."""
    import matplotlib as mpl

    figure: Any = ax.get_figure(root=True)
    figure.set_figwidth(_WIDTH)
    _shorten_names(ax)
    box = ax.get_legend()
    if picture.legend and box is not None:  # points and entries have what they are about as ids
        points = ax.get_legend_handles_labels()[0]
        columns = picture.legend, points, box.legend_handles, box.get_texts()
        for about, *artists in zip(*columns, strict=True):
            for artist in filter(None, artists) if about else ():
                artist.set_gid(f"{_ABOUT}{about}")
    file = io.BytesIO()
    edge = "tight" if picture.legend else None  # square axes leave room, which covers rely on
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "segscore"}):
        metadata = {"Date": None, "Creator": None}
        figure.savefig(file, format="svg", bbox_inches=edge, metadata=metadata)
    root = ET.fromstring(file.getvalue())  # noqa: S314
    _clean(root, prefix)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    covers = []
    for row, about in enumerate(picture.rows):
        edges = ax.transData.transform([(0, row - 0.5), (0, row + 0.5)])
        shares = figure.transFigure.inverted().transform(edges)
        low, high = sorted(float(1 - y) * height for _, y in shares)
        if about:
            covers.append((about, low, high - low))
    inside = "".join(ET.tostring(element, encoding="unicode") for element in root)
    return {"svg": escaped(inside), "width": width, "height": height, "covers": covers}


def _shorten_names(ax: "Axes") -> None:
    """Shorten names to fit a picture on a phone; `segscore.plot` assumes a wider picture."""
    import matplotlib as mpl
    from matplotlib.ticker import FixedLocator

    if mpl.rcParams["text.usetex"]:
        return  # names are TeX, which cannot be cut anywhere
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            words = [tick.get_text() for tick in axis.get_ticklabels()]
            axis.set_ticklabels([short_name(word, _LONGEST_NAME) for word in words])
    title = ax.get_title(loc="left")
    if len(title) > _LONGEST_TITLE:
        ax.set_title(short_name(title, _LONGEST_TITLE), loc="left", fontsize="medium")


def _clean(parent: ET.Element, prefix: str) -> None:
    """Drop what a page does not need; styles become attributes, ids begin with the prefix."""
    for element in list(parent):
        element.tail = None
        element.tag = element.tag.rpartition("}")[2]
        if element.tag in ("metadata", "style"):
            parent.remove(element)
        else:
            _clean(element, prefix)
    attributes = parent.attrib
    if "d" in attributes:
        rounded = _LONG_NUMBER.sub(
            lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), attributes["d"]
        )
        attributes["d"] = " ".join(rounded.split())
    if "QuadMesh" in attributes.get("id", ""):
        _join_cells(parent)
    for declaration in filter(None, attributes.pop("style", "").split(";")):
        key, _, value = declaration.partition(":")
        attributes.update(_as_attributes(key.strip(), value.strip()))
    if attributes.get("id", "").startswith(_ABOUT):
        attributes["data-rows"] = attributes.pop("id").removeprefix(_ABOUT)
    if _HREF in attributes:  # of a mark that is used again, or an image
        link = attributes.pop(_HREF)
        attributes["href"] = f"#{prefix}-{link[1:]}" if link.startswith("#") else link
    if "id" in attributes:
        attributes["id"] = f"{prefix}-{attributes['id']}"
    for key, value in attributes.items():
        attributes[key] = value.replace("url(#", f"url(#{prefix}-")


def _join_cells(mesh: ET.Element) -> None:
    """Join the cells of a heat map that look alike into one path: a tenth of the size."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for cell in list(mesh):
        drawn = _CELL.sub(r"M\1 \2H\3V\4H\1z", cell.attrib.pop("d", ""))
        alike.setdefault(tuple(cell.attrib.items()), []).append(drawn)
        mesh.remove(cell)
    for attributes, paths in alike.items():
        ET.SubElement(mesh, "path", {**dict(attributes), "d": "".join(paths)})


def _as_attributes(key: str, value: str) -> dict[str, str]:
    """A declaration as attributes; the shorthand `font` as its parts."""
    if key != "font":
        return {key: value}
    found = re.fullmatch(r"(?:(italic|oblique) )?(?:(\d+|bold|normal) )?([\d.]+)px .*", value)
    if found is None:
        return {}
    return {"font-size": f"{found[3]}px"} | ({"font-weight": found[2]} if found[2] else {})
