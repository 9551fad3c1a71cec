"""Draws follow names: no number depends on the order of files, documents, coders or systems."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from panels import panel

Order = Callable[[Any], list[Any]]  # of some names
LABELS = ("claim", "aside", None)


def shuffled(corpus: ss.Corpus, order: Order) -> ss.Corpus:
    return ss.Corpus.from_dict(
        {d: {c: corpus[d][c] for c in order(corpus[d])} for d in order(corpus)},
        corpus.coder_scope,
    )


def numbers(result: Any) -> dict[str, list[float]]:
    """The numbers of each row, by its words."""
    found = {}
    for row in result.records():
        words = [str(cell) for cell in row.values() if isinstance(cell, str) and cell]
        cells = [cell for cell in row.values() if isinstance(cell, int | float)]
        found[" ".join(sorted(" ".join(words).split(", ")))] = cells
    return dict(sorted(found.items()))


# ---- results, of names in some order ----

PEOPLE = panel(3, 12, 4)
LOCAL = ss.Corpus.from_dict({d: dict(PEOPLE[d]) for d in PEOPLE}, "local")
LATER = panel(4, 9, 3, seen=0.5)
SHORT = ss.Corpus.from_dict(  # people with as many boundaries, equally far from each other
    {"d": {c: ss.Segmentation.from_boundaries([5 * i], 60) for i, c in enumerate("abcde", 1)}}
)
LABELLED = ss.Corpus.from_dict(
    {
        d: {
            c: ss.Segmentation.from_boundaries(
                PEOPLE[d]["ann"].boundaries, 60,
                segment_labels=[LABELS[(i + len(c) * j) % 2]
                                for i in range(PEOPLE[d]["ann"].n_segments)],
            )
            for j, c in enumerate(("ann", "bobby"))
        }
        for d in PEOPLE
    }
)  # fmt: skip
RUNS = {"one": ["ann"], "two": ["bob", "cem"], "three": ["dee"]}
TEXTS = {
    d: "".join(f"Sentence {i} of it. " for i in range(12)) for d in ("b", "a", "dd", "c", "e", "f")
}
ASKED = [
    {
        "id": f"{d}{i}",
        "question": "?",
        "document": d,
        "evidence": [[20 * i, 20 * i + 30 + 5 * len(d)]],
    }
    for i in range(4)
    for d in TEXTS
]


def gold(order: Order) -> dict[str, ss.Segmentation]:
    return {d: LATER[d]["ann"] for d in order(LATER)}


def compared(order: Order, **options: Any) -> Any:
    def run(coder: str) -> dict[str, ss.Segmentation]:
        return {d: PEOPLE[d][coder] for d in order(LATER)}

    systems = {name: [run(coder) for coder in order(RUNS[name])] for name in order(RUNS)}
    refs = ss.Corpus.from_dict({d: {c: LATER[d][c] for c in order(LATER[d])} for d in order(LATER)})
    found = ss.compare(refs, systems=systems, metrics=["b", "pk"], n_resamples=200, **options)
    rows = [vars(entry) for entry in found.entries]
    for pair in found.pairs:
        signed = vars(pair) | {"difference": abs(pair.difference), "low": 0, "high": 0}
        signed |= {"a": min(pair.a, pair.b), "b": max(pair.a, pair.b), "wins": 0, "losses": 0}
        rows.append(signed | {"width": pair.high - pair.low, "effect": abs(pair.effect)})
    return SimpleNamespace(records=lambda: rows)


def curve(order: Order) -> Any:
    scores = {d: np.random.default_rng(len(d) + int(d[1:])).random(59) for d in order(LATER)}
    made = ss.curve(gold(order), scores, metrics=["f1", "b"], n_resamples=200)
    area = made.average_precision
    first = {"area": area.value, "low": area.interval.low, "high": area.interval.high}
    return SimpleNamespace(records=lambda: [first, *made.records()])


def chunked(order: Order) -> Any:
    sizes = {"short": 45, "long": 70}
    chunks = {
        name: {
            d: [(i, min(i + size, len(TEXTS[d]))) for i in range(0, len(TEXTS[d]), size)]
            for d in order(TEXTS)
        }
        for name, size in order(sizes.items())
    }
    return chunks, {d: TEXTS[d] for d in order(TEXTS)}


def asked(order: Order, cluster: str) -> Any:
    chunks, texts = chunked(order)
    questions = [ASKED[i] for i in order(range(len(ASKED)))]
    options = {"cluster": cluster, "n_resamples": 200}
    return ss.chunks.compare(chunks, questions, texts, **options)


FEW: Any = {"draws": 20, "n_resamples": 200}
RESULTS: dict[str, Callable[[Order], Any]] = {
    "agreement": lambda order: ss.agreement(shuffled(PEOPLE, order), draws=20, n_resamples=200),
    "agreement of typed lengths": lambda order: ss.agreement(
        shuffled(PEOPLE, order), "s", null="lengths", draws=20, n_resamples=200
    ),
    "fleiss": lambda order: ss.coders.fleiss_kappa(shuffled(PEOPLE, order), n_resamples=200),
    "alpha": lambda order: ss.coders.krippendorff_alpha(shuffled(PEOPLE, order), n_resamples=200),
    "majority": lambda order: ss.coders.percentage_agreement(
        shuffled(PEOPLE, order), n_resamples=200
    ),
    "labels": lambda order: ss.coders.label_reliability(shuffled(LABELLED, order), n_resamples=200),
    "clusters": lambda order: ss.coders.coder_clusters(shuffled(PEOPLE, order), draws=20),
    "granularity": lambda order: ss.coders.granularity(shuffled(SHORT, order), draws=20),
    "clusters of equals": lambda order: ss.coders.coder_clusters(shuffled(SHORT, order), draws=20),
    "who deviates": lambda order: ss.coders.who_deviates(shuffled(PEOPLE, order), **FEW),
    "a system": lambda order: ss.coders.human_competitiveness(
        shuffled(PEOPLE, order), "dee", draws=20, n_resamples=200
    ),
    "a system among local names": lambda order: ss.coders.human_competitiveness(
        shuffled(LOCAL, order), "dee", draws=20, n_resamples=200
    ),
    "rounds": lambda order: ss.coders.compare_rounds(
        shuffled(PEOPLE, order), shuffled(LATER, order), draws=20, n_resamples=2000
    ),
    "plan": lambda order: ss.agreement(shuffled(PEOPLE, order), **FEW).plan_width(0.03),
    "compare": compared,
    "compare with chance": lambda order: compared(order, chance="positions", draws=20),
    "compare, t": lambda order: compared(order, test="t", average="macro"),
    "compare clusters": lambda order: compared(
        order, cluster=lambda d: int(d[1:]) % 6, test="bootstrap"
    ),
    "compare codings": lambda order: compared(order, unit="coding"),
    "sweep": lambda order: ss.curves.sweep(
        gold(order), {d: PEOPLE[d]["bob"] for d in order(LATER)}, "b", n_t=[1, 2], n_resamples=200
    ),
    "curve": curve,
    "evidence": lambda order: asked(order, "document"),
    "evidence by question": lambda order: asked(order, "question"),
    "chunks": lambda order: ss.chunks.describe(*chunked(order), n_resamples=200),
}


@pytest.mark.parametrize("what", RESULTS)
@settings(max_examples=5)
@given(seed=st.integers(1, 10**6))
def test_no_number_depends_on_the_order(what: str, seed: int) -> None:
    rng = np.random.default_rng(seed)

    def mixed(names: Any) -> list[Any]:
        listed = list(names)
        return [listed[i] for i in rng.permutation(len(listed))]

    expected = numbers(RESULTS[what](list))
    found = numbers(RESULTS[what](mixed))
    assert list(found) == list(expected)
    for row, cells in found.items():
        assert cells == pytest.approx(expected[row], abs=1e-9, nan_ok=True), row
