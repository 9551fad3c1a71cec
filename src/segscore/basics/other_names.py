"""What people call things that have another name here: errors about a missing name show it.

`OTHER_NAMES` has what no search finds: other spellings are found among the public names of
`segscore` and of its modules by task.
"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType

_FRAME = ".to_pandas(), or .to_polars()"
_VALUES = "['pk'].micro (of all documents together) and ['pk'].macro (the mean over documents)"
OTHER_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "segscore": {
        **dict.fromkeys(
            ("load", "open", "read_csv", "read_json", "read_file", "read_excel", "load_corpus"),
            "ss.read(path)",
        ),
        **dict.fromkeys(("save", "dump", "to_file", "export"), "ss.write(corpus, path)"),
        **dict.fromkeys(("evaluate", "eval", "score_corpus"), "ss.score(refs, hyps)"),
        **dict.fromkeys(("kappa", "cohen_kappa", "pi", "iaa"), "ss.agreement(corpus).kappa"),
        **dict.fromkeys(("alpha", "krippendorff"), "ss.coders.krippendorff_alpha(corpus)"),
        **dict.fromkeys(
            ("bootstrap", "ttest", "t_test", "permutation_test", "confidence_interval", "p_value"),
            "ss.compare(refs, systems={'name': hyps})",
        ),
        **dict.fromkeys(("list_metrics", "all_metrics", "METRICS"), "ss.metrics.METRICS"),
        **dict.fromkeys(("random_baseline", "baseline"), "ss.baselines.random(n_units, …)"),
        "f_measure": "ss.BoundaryMatch()(ref, hyp)",
        "precision": "ss.metric('f1.precision')(ref, hyp)",
        "recall": "ss.metric('f1.recall')(ref, hyp)",
        "segment": "ss.segmenters.C99()(units)",
        "place_chunks": "ss.chunks.place(text, chunks)",
        "Dataset": "ss.Corpus",
        "Annotation": "ss.Document",
    },
    "Segmentation": {
        **dict.fromkeys(("to_masses", "lengths", "segment_lengths", "segments"), ".masses"),
        **dict.fromkeys(("positions", "to_boundaries", "n_boundaries"), ".boundaries"),
        **dict.fromkeys(("n", "size", "length"), ".n_units"),
        **dict.fromkeys(("labels", "to_labels"), ".segment_labels"),
    },
    "Corpus": {
        **dict.fromkeys(("documents", "names"), "list(corpus)"),
        **dict.fromkeys(("annotators", "people", "systems"), ".coders"),
        **dict.fromkeys(("df", "to_pandas", "to_dataframe"), "ss.write(corpus, path)"),
        **dict.fromkeys(("to_jsonl", "to_csv", "save", "write"), "ss.write(corpus, path)"),
    },
    "Result": {
        **dict.fromkeys(("mean", "value", "average", "micro", "macro", "pk", "scores"), _VALUES),
    },
    "Scores": {
        **dict.fromkeys(("mean", "average"), ".macro"),
        **dict.fromkeys(("value", "total", "score"), ".micro"),
        "ci": "that of ss.compare(…).entries, each with low and high",
    },
    "Comparison": {
        **dict.fromkeys(
            ("p_values", "p_value", "pvalue", "p", "significant", "differences"),
            ".pairs, each with p and significant",
        ),
        "best": ".entries, each with its rank",
        "table": ".to_table()",
    },
    "Agreement": {
        "alpha": "ss.coders.krippendorff_alpha(corpus)",
        "fleiss_kappa": "ss.coders.fleiss_kappa(corpus)",
        "pairwise": "ss.coders.pairwise(corpus)",
        "value": ".corrected, .pi and .kappa",
    },
    "results": {  # of any kind
        **dict.fromkeys(("df", "dataframe", "to_df", "to_dataframe", "to_frame"), _FRAME),
        "to_json": ".render('json')",
        "to_html": ".render('html')",
        "print": "print(…)",
        "show": "print(…)",
        "table": ".to_table()",
        "ci": "that of ss.compare(…).entries, each with low and high",
    },
})  # fmt: skip


def missing_attribute(thing: object, name: str) -> AttributeError:
    """The error about an attribute that an object lacks: what it is called here, if that is known.

    >>> str(missing_attribute(Mapping, "x"))
    "'ABCMeta' object has no attribute 'x'"
    """
    kind = type(thing).__name__
    meant = None
    if not name.startswith("_"):
        shared = OTHER_NAMES["results"] if hasattr(type(thing), "to_table") else {}
        meant = OTHER_NAMES.get(kind, {}).get(name) or shared.get(name)
    told = f": it is {meant}" if meant else ""
    return AttributeError(f"{kind!r} object has no attribute {name!r}{told}", name=name, obj=thing)


def other_name(name: str, public: Collection[str], rooms: Collection[str]) -> str:
    """The end of a message about a name that `segscore` lacks: what is meant, if that is known.

    >>> other_name("fleiss_kappa", [], ["coders"]), other_name("load", [], [])
    (': it is ss.coders.fleiss_kappa', ': it is ss.read(path)')
    >>> other_name("from_masses", [], []), other_name("WindowDif", ["WindowDiff"], [])
    (': it is ss.Segmentation.from_masses', " (did you mean 'WindowDiff'?)")
    """
    from segscore.coding.segmentation import Segmentation

    places = {} if name not in vars(Segmentation) else {name: f"ss.Segmentation.{name}"}
    for room in rooms:
        try:
            known = getattr(import_module(f"segscore.{room}"), "__all__", ())
        except ImportError:  # pictures need a package
            continue
        places.update({each: f"ss.{room}.{each}" for each in known if each not in places})
    lower = {each.casefold(): each for each in reversed(places)}
    meant = OTHER_NAMES["segscore"].get(name) or places.get(name) or places.get(
        lower.get(name.casefold().replace("_", ""), "")
    )  # fmt: skip
    if meant is not None:
        return f": it is {meant}"
    if close := get_close_matches(name, public, n=1):
        return f" (did you mean {close[0]!r}?)"
    close = get_close_matches(name, places, n=1)
    return f" (did you mean {places[close[0]]}?)" if close else ""
