"""Compare systems with references: the table of scores with intervals and significance.

`compare` scores every system on the same documents and says which differences are significant.
Baselines and people are in the same table and give the scale; they are not tested.

- An interval is an expanded percentile bootstrap over documents (and over the runs of a system,
  where it has several), or over clusters of documents that belong together.
- Of more than 20,000 documents (or clusters) 10,000 buckets are drawn and swapped instead, which
  the note says: the hash of its name puts a document into a bucket. Rank tests use documents.
- p-values are two-sided, per pair of systems, corrected for all pairs under one metric (Holm).
- Letters: systems that share a letter do not differ significantly; `a` includes the best system.
- Ranks are by the average; mean ranks, wins, ties and losses by documents.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

from segscore.basics.arguments import Seed, seed_of
from segscore.comparison import estimates, measuring
from segscore.comparison.comparison_result import Comparison
from segscore.comparison.estimates import ComparisonSettings
from segscore.comparison.systems import Case, find_cases
from segscore.comparison.words import recommended
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Average, Metric, distinct_metrics
from segscore.pairing.inputs import Reader
from segscore.pairing.rules import SCORING, split_options
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots

if TYPE_CHECKING:
    from segscore.scoring.scoring import ComparisonOptions

_OPTIONS = (*SCORING, "human", "chance", "draws", "encoding", "n_units")


def compare(
    corpus: Mapping[str, Any] | str | os.PathLike[str],
    reference: str | Sequence[str] | None = None,
    systems: str | Sequence[str | os.PathLike[str]] | Mapping[str, Any] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    baselines: bool | Sequence[str] = True,
    unit: Case = "document",
    cluster: estimates.Clusters | None = None,
    average: Average = "micro",
    test: estimates.Test | Literal["auto"] = "auto",
    correction: estimates.Correction = "holm",
    level: float = 0.95,
    n_resamples: int = sig.N_RESAMPLES,
    rng: Seed = 0,
    **options: "Unpack[ComparisonOptions]",
) -> Comparison:
    """Compare systems on the same documents, with intervals and significance tests.

    corpus: a Corpus, or a file to read; or a mapping from document to its codings (coder →
        Segmentation), or to its reference, or to a list of references; or a list with a reference
        per document; or a table of sums, the rows of `score_frame(…, statistics=True)` or what an
        engine added up of them by `bucket` and `system`, in any frame that exports Arrow: it holds
        all but `systems`, `metrics` (None: all) and the settings of the test.
    reference: the coder who is the reference, or several coders; None: all coders who are not
        systems. A metric that takes a single reference is computed against each, and the statistics
        are added up. "consensus:0.5" (or "consensus:majority:1") is what that share of the coders
        marks (within one unit).
    systems: names of coders in the corpus (None: all coders who are not references); or a mapping
        from a system's name to a coder, to its segmentations (document → Segmentation, or a list in
        the order of the references), to a file, or to a list of these: its runs (seeds, or folds
        that share out the documents).
    missing: what to do about documents that a system or the reference does not have: raise an
        `error`, or `skip` them for all systems; `.skipped` lists them. A missing hypothesis may
        also count as a single segment, `none`, or as wrong throughout, `worst` (see `score`);
        `.failures` lists them by system.
    ignore_text: compare even if the text of a system's document differs from that of the corpus.
    align, max_error: "words" moves systems whose words differ from those of the reference (such as
        a speech recogniser's) onto its units, up to a word error rate (`segscore.corpus.align`).
    mask: parts that are not scored and are cut out of both sides: `[(start, end), …]` in units, or
        in times (`("12.5s", "30s")`) if units have a known length; a list for all documents, or a
        mapping from document name to list.
    unit: what counts as a case in averages and tests: a `document`, or each `coding` of the
        references, as some papers do (a document with 5 references is 5 cases).
    baselines: rows that give the scale: True is none, random (as many segments as references have)
        and uniform; False leaves them out; a list may also name random-ks12 (as many boundaries as
        references have segments, as in that paper).
    human: whether to add a row with each coder against the others; None: if any document has
        several references.
    cluster: the cluster of each document (such as the book of a chapter): a mapping from document
        to name, or a function of the document's name. Whole clusters are then drawn and swapped,
        because documents of the same cluster are alike; the test must be randomisation or
        bootstrap.
    test: randomisation, bootstrap, t, friedman (with Wilcoxon-Nemenyi-McDonald-Thompson) or kruskal
        (with Dunn's comparisons); "auto" chooses, and `.advice` says why.
    average: `micro`, the value of summed statistics, or `macro`, the mean over documents.
    correction: how p-values are corrected for the number of pairs of systems: `holm`, or `none`.
    chance: add what each system would reach with boundaries at random positions, and its share of
        the way from there to perfect; a random system keeps its number of boundaries ("positions")
        or the lengths of its segments ("lengths"). `draws` is the number of draws (None: 20 to
        1000).
    encoding, n_units: what the lists of `corpus` and `systems` hold, if they are lists of numbers,
        as in `score`.
    level, n_resamples, rng: confidence level, number of resamples, and random seed or generator.
    threads, on_undefined, and the keywords of `segscore.read` for files: as in `score`; `format` is
        that of `corpus`, `hypothesis_format` that of the files of systems.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> refs = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
    >>> near = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
    >>> far = {f"d{i}": cut([1, 1, 7 + i]) for i in range(8)}
    >>> asked = ss.compare(refs, systems={"near": near, "far": far}, metrics="windowdiff")
    >>> asked["near", "windowdiff"].rank, asked["near", "windowdiff"].letters
    (1, 'a')
    >>> [pair.significant for pair in asked.pairs]
    [True]
    """
    rules, reading = split_options(compare, options, reference, None, _OPTIONS)
    threads, chance = options.get("threads"), options.get("chance")
    seed = seed_of(rng)
    settings = ComparisonSettings(average, "randomisation", correction, level, n_resamples, seed)
    if hasattr(corpus, "__arrow_c_stream__") and not hasattr(corpus, "dtype"):  # no Series
        wanted = None if metrics is DEFAULT_METRICS else metrics
        Reader.of(reading, None, [])
        from segscore.comparison.summed_documents import compare_sums

        return compare_sums(corpus, settings, test, systems, wanted, threads=threads)
    wanted = distinct_metrics(metrics)
    if len({*map(str, wanted)}) < len(wanted):
        raise SegmentationError(
            f"two metrics are written alike, {', '.join(map(str, wanted))}: compare in two calls"
        )
    cases = find_cases(
        corpus, systems, rules, unit, reading, options.get("encoding"), options.get("n_units")
    )
    tested = cases.systems
    labels = any(metric.uses_labels for metric in wanted.values())
    beside, notes = measuring.scale(cases, baselines, options.get("human"), seed, labels)
    if unit == "coding":
        notes.append(
            f"Each of {len(cases.names)} codings is a case. Codings of one document are alike, so "
            "that intervals and p come out too small for new documents."
        )
    contestants = [*tested, *beside]
    n_runs = {runs[0].name: len(runs) for runs in contestants}
    usual, why = recommended(len(cases.names), len(tested), max(map(len, tested)))
    settings = replace(settings, test=usual if test == "auto" else test)
    settings.check(len(tested), "documents in clusters" if cluster is not None else "")
    if cluster is not None and chance is not None:
        raise SegmentationError("chance and cluster are both given: expected one of them")
    clusters = None if cluster is None else estimates.cluster_names(cases.names, cluster)
    words = "documents" if clusters is None else "clusters of documents"
    lots = Lots.of(cases.names, words, clusters=clusters, order=cases.order)
    measured, covered = measuring.measure(
        list(wanted.values()),
        cases,
        [run for runs in contestants for run in runs],
        lots,
        threads=threads,
        on_undefined=options.get("on_undefined", "raise"),
    )
    found = estimates.standings(measured, covered, n_runs, settings, lots, threads)
    scaled = None
    if chance is not None:
        if rules.missing == "worst" and cases.failures:
            raise SegmentationError(
                "chance is given and missing is 'worst': chance has no worst; missing='none' "
                "counts a missing hypothesis as one segment"
            )
        from segscore.comparison.own_chance import chance_scale

        named = {str(key): metric for key, metric in wanted.items()}
        draws = options.get("draws")
        scaled = chance_scale(named, cases, chance, draws, settings, lots, threads)
    return Comparison(
        dict(zip(map(str, wanted), found, strict=True)),
        {runs[0].name: (runs[0].kind, len(runs)) for runs in contestants},
        settings,
        cases.names,
        drawn=words if lots.owner is None else f"{len(lots)} {lots.words}",
        cases=cases,
        contestants=contestants,
        chance=scaled,
        advice=why,
        said=notes,
        threads=threads,
    )
