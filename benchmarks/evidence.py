"""`ss.chunks.evidence`: evidence of questions against chunks, by the numbers of both.

Chunks of 500 characters overlap by 200; a question has three spans of up to 900 characters, and 20
chunks that were fetched for it. Time must follow what is given, not pairs of questions and chunks.
`memory` is what tracemalloc sees on top of the input.
"""

import tracemalloc
from typing import Any

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table
from segscore.chunks.chunk_inputs import DocumentOffsets

DOCUMENTS, STEP, LENGTH, FETCHED = 50, 300, 500, 20


def sample(n_chunks: int, n_questions: int, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    """Chunks, questions, texts, and what was fetched."""
    rng = np.random.default_rng(seed)
    each = n_chunks // DOCUMENTS
    size = each * STEP
    texts = {f"d{i}": "x" * size for i in range(DOCUMENTS)}
    starts = np.arange(each) * STEP
    own = DocumentOffsets(starts, np.minimum(starts + LENGTH, size))
    questions, fetched = [], []
    for number in range(n_questions):
        name = f"d{rng.integers(DOCUMENTS)}"
        first = rng.integers(0, size - 900, 3)
        spans = [[int(start), int(start + rng.integers(20, 900))] for start in first]
        questions.append({"question": f"q{number}", "document": name, "evidence": spans})
        fetched.append([(name, int(chunk)) for chunk in rng.choice(each, FETCHED, replace=False)])
    return dict.fromkeys(texts, own), questions, texts, fetched


def memory_of(chunks: Any, questions: Any, texts: Any) -> float:
    """The peak in MB."""
    tracemalloc.start()
    made = ss.chunks.evidence(chunks, questions, texts)
    assert made.values
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def run(repeats: int = 2) -> None:
    """Print seconds by the numbers of chunks and questions."""
    rows = []
    for n_chunks, n_questions in [(10_000, 1_000), (100_000, 1_000), (100_000, 10_000)]:
        chunks, questions, texts, fetched = sample(n_chunks, n_questions)
        alone, with_fetched, cut = best_of(
            repeats,
            lambda: ss.chunks.evidence(chunks, questions, texts).values,  # noqa: B023
            lambda: ss.chunks.evidence(chunks, questions, texts, fetched).curve,  # noqa: B023
            lambda: ss.chunks.evidence(chunks, questions, texts).cut,  # noqa: B023
        )
        rows.append([
            f"{n_chunks:,}", f"{n_questions:,}", f"{alone:.2f} s", f"{with_fetched:.2f} s",
            f"{cut:.2f} s", f"{memory_of(chunks, questions, texts):.0f} MB",
        ])  # fmt: skip
    columns = ["chunks", "questions", "measures", "and the curve to k=20", "and cuts", "memory"]
    print_table("Evidence in chunks", columns, rows)


if __name__ == "__main__":
    run()
