"""A metric against one of its parameters, with the counts beside it (after Fournier & Inkpen 2012,
§3.3)."""

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from segscore.curves import ParameterSweep
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import DASHES, GREY, MARKERS
from segscore.plot._curve import curve

_OPERATIONS = ("matches", "near_misses", "full_misses", "substitutions")


def sweep(made: ParameterSweep, *, ax: Axes | None = None) -> Axes:
    """Draw the metric at each value, with its intervals; operations are grey, counted on the right.

    made: the result of `segscore.sweep`. Operations are those of S and B; other metrics are drawn
        alone. Values that are not numbers are drawn side by side.
    ax: the axes to draw on; None makes new axes.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> made = ss.sweep([cut([4, 4, 4])], [cut([5, 4, 3])], "b", n_t=range(1, 4))
    >>> [text.get_text() for text in sweep(made).get_legend().get_texts()]
    ['b', 'matches', 'near misses', 'full misses']
    """
    if not isinstance(made, ParameterSweep):
        raise SegmentationError("expected what ss.sweep gives")
    numbers = all(type(value) in (int, float) for value in made.values)
    places = list(made.values) if numbers else list(range(len(made.points)))
    name = str(made.metric)
    intervals = [point.ci for point in made]
    ax = curve(
        places, {name: [point.micro for point in made]},
        bands={name: ([ci.low for ci in intervals], [ci.high for ci in intervals])},
        xlabel=made.parameter, ylabel=name, ax=ax,
    )  # fmt: skip
    if not numbers:
        texts = ["auto" if value is None else canvas.label(str(value)) for value in made.values]
        ax.set_xticks(places, texts)
    elif all(type(value) is int for value in made.values):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    counted = [kind for kind in _OPERATIONS if kind in made.points[0].counts]
    if counted:
        _operations(made, places, counted, ax)
    return ax


def _operations(made: ParameterSweep, places: list[float], counted: list[str], ax: Axes) -> None:
    """Draw counts on an axis of their own, named in the legend of the first axis."""
    right = ax.twinx()
    for i, kind in enumerate(counted, 1):
        right.plot(
            places, [point.counts[kind] for point in made], color=GREY, linewidth=1,
            linestyle=DASHES[i % len(DASHES)], marker=MARKERS[i % len(MARKERS)], markersize=3,
            label=kind.replace("_", " "),
        )  # fmt: skip
    right.set_ylabel("boundaries")
    right.set_ylim(bottom=0)
    handles = [*ax.get_legend_handles_labels()[0], *right.get_legend_handles_labels()[0]]
    names = [str(handle.get_label()) for handle in handles]
    ax.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=4, frameon=False)
