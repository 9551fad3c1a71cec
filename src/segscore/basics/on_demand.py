"""What is made on first use: values of mappings, and names whose modules are imported then,
so that unused modules cost nothing; and what people call things that have another name.

`OTHER_NAMES` has what no search finds: other spellings are found among the public names of
`segscore` and of its modules by task.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

Value = TypeVar("Value")


class MadeOnDemand(Mapping[str, Value]):
    """Names in a fixed order; `make(i)` makes the value of the i-th. Copies are plain dicts.

    >>> squares = MadeOnDemand(["one", "two", "three"], lambda i: (i + 1) ** 2)
    >>> squares["three"], list(squares), squares == {"one": 1, "two": 4, "three": 9}
    (9, ['one', 'two', 'three'], True)
    """

    __slots__ = ("_made", "_make", "_numbers")

    def __init__(self, names: Sequence[str], make: Callable[[int], Value]) -> None:
        self._numbers = {name: index for index, name in enumerate(names)}
        self._make = make
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._made:
            self._made[name] = self._make(self._numbers[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


# ---- imports ----


def names_on_demand(
    package: str, homes: Mapping[str, str], rooms: Collection[str] = ()
) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are imported on first use.

    homes: each name with the module that defines it, relative to the package, or with its whole
    place, as in `segscore.text.chunk_placing:place_chunks`; rooms: its modules that are names,
    too.
    """

    def look_up(name: str) -> Any:
        if name in rooms:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, inside = homes[name].partition(":")
        home = module if inside else f"{package}.{module}"
        value = getattr(import_module(home), inside or name)
        setattr(sys.modules[package], name, value)  # the next look-up finds it at once
        return value

    return look_up


def tell_name(self: object, name: str) -> Any:
    """The `__getattr__` of classes whose attributes people guess: an error that shows the name."""
    kind = type(self).__name__
    meant = meant_by(name, kind)
    if meant is None and hasattr(type(self), "to_table"):
        meant = meant_by(name, "results")
    told = f": it is {meant}" if meant else ""
    raise AttributeError(f"{kind!r} object has no attribute {name!r}{told}", name=name, obj=self)


OTHER_NAMES: dict[str, dict[str, str]] = {  # what is meant, and what people call it
    "segscore": {
        "ss.read(path)": "load open read_csv read_json read_file read_excel load_corpus from_file",
        "ss.write(corpus, path)": "save dump to_file export",
        "ss.score(refs, hyps)": "evaluate eval score_corpus",
        "ss.agreement(corpus).kappa": "kappa cohen_kappa pi iaa",
        "ss.coders.krippendorff_alpha(corpus)": "alpha krippendorff",
        "ss.compare(refs, systems={'name': hyps})": "bootstrap ttest t_test p_value",
        "ss.metrics.METRICS": "list_metrics all_metrics METRICS",
        "ss.baselines.random(n_units, …)": "random_baseline baseline",
        "ss.BoundaryMatch()(ref, hyp)": "f_measure f_score",
        "ss.metric('f1.precision')(ref, hyp)": "precision",
        "ss.metric('f1.recall')(ref, hyp)": "recall",
        "ss.segmenters.C99()(units)": "segment",
        "ss.chunks.place(text, chunks)": "place_chunks",
        "ss.Corpus": "Dataset Codings",
        "ss.Document": "Annotation",
    },
    "Corpus": {
        "list(corpus)": "documents names",
        ".coders": "annotators people systems",
        "ss.write(corpus, path)": "df to_pandas to_dataframe to_jsonl to_csv save write",
    },
    "Result": {
        "['pk'].micro, or ['pk'].macro": "mean value average micro macro pk scores",
    },
    "Scores": {
        ".macro": "mean average",
        ".micro": "value total score",
        "that of ss.compare(…).entries, each with low and high": "ci",
    },
    "Comparison": {
        ".pairs, each with p and significant": "p_values p_value pvalue p significant differences",
        ".entries, each with its rank": "best",
    },
    "Agreement": {
        "ss.coders.fleiss_kappa(corpus)": "fleiss_kappa",
        ".corrected, .pi and .kappa": "value",
    },
    "results": {  # of any kind
        ".to_pandas(), or .to_polars()": "df dataframe to_df to_dataframe to_frame",
        ".render('json')": "to_json",
        ".render('html')": "to_html",
        "print(…)": "print show",
        ".to_table()": "table",
        "that of ss.compare(…).entries, each with low and high": "ci",
    },
}


def meant_by(name: str, kind: str) -> str | None:
    """What a name means that people use for something of `segscore`, or of a class."""
    known = OTHER_NAMES.get(kind, {})
    return next((meant for meant, names in known.items() if name in names.split()), None)


def other_name(
    name: str, public: Collection[str], rooms: Collection[str], constructors: Collection[str] = ()
) -> str:
    """The end of a message about a name that `segscore` lacks: what is meant, if that is known.

    >>> other_name("fleiss_kappa", [], ["coders"]), other_name("load", [], [])
    (': it is ss.coders.fleiss_kappa', ': it is ss.read(path)')
    >>> other_name("from_masses", [], [], ["from_masses"]), other_name("pkk", ["pk"], [])
    (': it is ss.Segmentation.from_masses', " (did you mean 'pk'?)")
    """
    from difflib import get_close_matches

    places = {each: f"ss.Segmentation.{each}" for each in constructors if each == name}
    for room in rooms:
        try:
            known = getattr(import_module(f"segscore.{room}"), "__all__", ())
        except ImportError:  # pictures need a package
            continue
        places.update({each: f"ss.{room}.{each}" for each in known if each not in places})
    lower = {each.casefold(): where for each, where in reversed(places.items())}
    short = name.casefold().replace("_", "")
    meant = meant_by(name, "segscore") or places.get(name) or lower.get(short)
    if meant is not None:
        return f": it is {meant}"
    if close := get_close_matches(name, public, n=1):
        return f" (did you mean {close[0]!r}?)"
    close = get_close_matches(name, places, n=1)
    return f" (did you mean {places[close[0]]}?)" if close else ""
