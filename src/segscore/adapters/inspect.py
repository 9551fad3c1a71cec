"""Answers of language models in inspect_ai, scored as segmentations.

    from inspect_ai import Task, eval
    from inspect_ai.solver import generate
    from segscore.adapters.inspect import samples, segmentation

    scorer = segmentation("b", shape="starts", base=0)
    eval(Task(samples(corpus), solver=generate(), scorer=scorer), model="…")

The value of each `Score` has the metrics and their additive statistics by name: the mean over
epochs, which inspect_ai takes key by key, is a row of statistics, too. `averages` adds up these
rows. Metadata is not reduced over epochs, so nothing that counts stands there.
"""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from segscore import answers
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, needing
from segscore.io.read_options import Shape
from segscore.metrics import DEFAULT_METRICS
from segscore.metrics import metric as as_metric
from segscore.metrics.statistics import exact_mean, exact_sum
from segscore.significance.drawing import Lots
from segscore.significance.resampling import bootstrap_interval

with needing("adapters", "this adapter"):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, metric, scorer

PROMPT = """\
Below are the units of a text, each with its number. Divide the text into segments, each about one
topic. Answer with JSON alone, the numbers of the units that start a segment, 0 first:
{"starts": [0, …]}

"""


def samples(corpus: Corpus, reference: str | None = None, prompt: str = PROMPT) -> list[Any]:
    """A sample per document: its units, numbered from 0, below the prompt.

    corpus: documents with texts. reference: whose coding is right, if there are several.
    """
    found = []
    for name, document in corpus.items():
        if document.units is None or (reference is None and len(document) != 1):
            raise SegmentationError(
                f"document {name!r} has {len(document)} codings and "
                f"{'no' if document.units is None else 'a'} text: expected a text, and one coding "
                "or reference="
            )
        right = document[next(iter(document)) if reference is None else reference]
        text = "\n".join(f"[{number}] {unit}" for number, unit in enumerate(document.units))
        target = json.dumps(right.boundaries.tolist())
        units = list(document.units)
        found.append(Sample(prompt + text, target=target, id=name, metadata={"units": units}))
    return found


@metric  # type: ignore[untyped-decorator]
def averages(n_resamples: int = 10_000, seed: int = 0) -> Metric:
    """The micro-average of each metric with its 95 % interval over samples, `METRIC/low` and
    `METRIC/high`, the macro-average, `METRIC/macro`, and the share of failed answers, `failed`."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        if not scores:
            return {}
        values: list[Mapping[str, float]] = [each.score.value for each in scores]
        lots = Lots.of([each.sample_id for each in scores], "samples")
        found = {}
        for name in values[0]:
            if not any(key.startswith(f"{name}.") for key in values[0]):
                continue  # a statistic
            chosen = as_metric(name)
            names = [f"{name}.{statistic}" for statistic in chosen.statistic_names]
            rows = np.array([[value[key] for key in names] for value in values])
            interval = bootstrap_interval(
                rows, chosen.values, n_resamples=n_resamples, seed=seed, lots=lots
            )
            found[name] = float(chosen.values(exact_sum(rows).high[np.newaxis])[0])
            found |= {f"{name}/low": interval.low, f"{name}/high": interval.high}
            every = np.array([value[name] for value in values])
            found[f"{name}/macro"] = exact_mean(every[~np.isnan(every)])
        return found | {"failed": exact_mean(np.array([value["failed"] for value in values]))}

    return compute


@scorer(metrics=[averages()])  # type: ignore[untyped-decorator]
def segmentation(
    metrics: str | Iterable[str] = DEFAULT_METRICS,
    *,
    shape: Shape,
    base: int | None = None,
    missing: Literal["none", "worst"] = "none",
) -> Scorer:
    """Score the answer by metrics, as `segscore.answers.score` does.

    Each sample has its boundaries as target, in JSON, and its units, or their number, as
    `metadata["units"]`: `samples` makes such ones. metrics: one, or several.
    shape, base: what was asked for. missing: how an answer that cannot be read counts.
    """
    chosen = [metrics] if isinstance(metrics, str) else list(metrics)

    async def score(state: Any, target: Any) -> Any:
        units = state.metadata["units"]
        n_units = units if isinstance(units, int) else len(units)
        right = Segmentation.from_boundaries(json.loads(target.text), n_units)
        found = answers.score(
            state.output.completion, units, right, chosen, shape=shape, base=base, missing=missing
        )
        reason, boundaries = found.pop("reason"), found.pop("boundaries")
        value = {name: math.nan if number is None else number for name, number in found.items()}
        return Score(value=value, answer=json.dumps(boundaries), explanation=reason)

    return score
