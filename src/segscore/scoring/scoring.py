"""Score a whole corpus at once: every metric over all documents, on all cores."""

import os
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Unpack

from segscore.basics.arguments import SupportsArray, check_choice
from segscore.coding.segmentation import Segmentation
from segscore.metrics import DEFAULT_METRICS, Metric, distinct_metrics
from segscore.metrics.base import rows_of_metrics
from segscore.pairing.pairs import Pairs, Reference, pairs_of
from segscore.pairing.rules import split_options
from segscore.scoring.results import Result, Scores

if TYPE_CHECKING:
    from segscore.coders.coder_pairs import Null
    from segscore.io.read_options import ReadKeywords
    from segscore.metrics.base import OnUndefined
    from segscore.pairing.rules import Align, Encoding, Mask, Missing

Stored = Mapping[str, Mapping[str, Segmentation]] | str | os.PathLike[str]  # such as a Corpus
Numbers = Sequence[Any] | Mapping[str, Any] | SupportsArray  # with `encoding`
Units = int | Sequence[int] | Mapping[str, int] | SupportsArray  # of lists of numbers
Side = Sequence[Reference] | Mapping[str, Reference] | Stored | Numbers

if TYPE_CHECKING:  # who scores what is in memory imports no reader

    class Options(ReadKeywords, total=False):
        """How files are read, documents paired and metrics computed; `score` explains it."""

        format: str | None
        hypothesis_format: str | None
        missing: Missing
        align: Align | None
        max_error: float
        mask: Mask | Mapping[str, Mask] | None
        threads: int | None
        on_undefined: OnUndefined

    class ComparisonOptions(Options, total=False):
        """The options of `segscore.compare`."""

        human: bool | None
        chance: Null | None
        draws: int | None
        encoding: Encoding | None
        n_units: Units | None


def score(
    refs: Side | Pairs,
    hyps: Side | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    encoding: "Encoding | None" = None,
    n_units: Units | None = None,
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    **options: "Unpack[Options]",
) -> Result:
    """Score hypotheses against references, document by document and on average.

    Parameters
    ----------
    refs, hyps
        Two sequences in the same order; two mappings, or pandas Series, with the same names; two
        files or folders (`score("ref.jsonl", "hyp.jsonl")`); two corpora; or one `Pairs`. A
        reference may be a list of segmentations, for metrics that take many references. A single
        corpus or file may hold both sides; `reference` and `hypothesis` then name the coders.
    metrics
        Metrics, or their names: `"windowdiff(k=3)"`.
    encoding
        What references and hypotheses hold, if they are not segmentations but lists, arrays or
        tensors of numbers: `masses`, `labels-end`, `labels-start` (a 0 or 1 per unit), `gaps` or
        `boundaries`. A tensor with two dimensions has a row per document.
    n_units
        With `encoding="boundaries"`, how many units documents have: one number, or one per
        document. With other encodings a check.
    reference, hypothesis
        The coders to use, if a file or a corpus has several; a list of references for metrics that
        take many. The reference "consensus:0.5" is what half of the coders mark.
    missing
        What to do about documents that only one side has: raise an `error`, or `skip` them; the
        result's `skipped` lists them. A missing hypothesis (None, or a model's output that could
        not be read) may also count as a single segment, `none`, or as wrong throughout, `worst`,
        which pk, windowdiff, f1, segment-f1, s and b support; the result's `failures` lists them
        with the reasons.
    ignore_text
        Score files and corpora even if the texts of the two sides differ.
    align, max_error
        `"words"` moves hypotheses of files and corpora whose words differ from those of the
        reference (such as a speech recogniser's) onto its units, up to a word error rate
        (`segscore.corpus.align`).
    mask
        Parts that are not scored and are cut out of both sides: `[(start, end), …]` in units, or in
        times (`("12.5s", "30s")`) if units have a known length; a list for all documents, or a
        mapping from document name to list.
    threads
        None uses the cores that the process may use, or $SEGSCORE_THREADS.
    on_undefined
        A missing value is an error, or NaN with `"nan"`: for a document that cannot be scored (for
        instance of one unit), and for a micro-average that does not exist. A document without a
        boundary on either side has no precision, recall or F. Among other documents that is not an
        error: its value is NaN, `n_undefined` counts it, and averages leave it out.
    format, hypothesis_format
        The formats of the files of `refs` and of `hyps` (docs/formats.md, docs/readers.md); by
        default suffix and content decide: `score("docs", "chunks.jsonl", format="markdown")`.
    **options
        The keywords of `segscore.read` (text_encoding, units, marks …), for files.

    >>> import segscore as ss
    >>> refs = {"a": ss.Segmentation.from_masses([2, 3, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> hyps = {"a": ss.Segmentation.from_masses([5, 6]), "b": ss.Segmentation.from_masses([4, 4])}
    >>> result = ss.score(refs, hyps, metrics=["windowdiff", "f1(tolerance=1)"])
    >>> result["windowdiff"]
    Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
    >>> result.to_dicts()[1]
    {'document': 'b', 'windowdiff': 0.0, 'f1(tolerance=1)': 1.0}
    >>> ss.score([[0, 1, 0, 0]], [[0, 0, 1, 0]], "pk", encoding="labels-end")["pk"].micro
    0.6666666666666666
    """  # noqa: E501
    rules, reading = split_options(score, options, reference, hypothesis)
    pairs = pairs_of(refs, hyps, rules, encoding, n_units, reading)
    on_undefined = options.get("on_undefined", "raise")
    check_choice(on_undefined, "on_undefined", ("raise", "nan"))
    chosen = distinct_metrics(metrics)
    tables = rows_of_metrics(list(chosen.values()), pairs, options.get("threads"))
    found = []
    for (key, metric), rows in zip(chosen.items(), tables, strict=True):
        scores = Scores(metric, pairs, rows, key)
        if on_undefined == "raise":
            if scores.n_undefined:
                metric.check_defined(pairs, scores.values)
            if isnan(scores.micro):
                metric.check_answer(pairs, scores.micro)
        found.append(scores)
    return Result(found, skipped=pairs.skipped, failures=pairs.failures)
