"""What people call things that have another name here: errors about a missing name show it.

`OTHER_NAMES` has what no search finds: other spellings are found among the public names of
`segscore` and of its modules by task.
"""

from collections.abc import Collection
from difflib import get_close_matches
from importlib import import_module

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
