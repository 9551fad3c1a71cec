"""What a sample cannot show, in words: only what helps is recommended."""

import pytest

from segscore.comparison.advice import Test, limits


def first(test: Test, n: int, n_pairs: int, n_resamples: int) -> str:
    return limits(test, n, "documents", n_pairs, 0.05, n_resamples, {})[0]


@pytest.mark.parametrize(
    ("n", "n_pairs", "n_resamples", "smallest", "remedy"),
    [
        (3, 1, 10_000, "0.25 (two-sided)", "Take more documents."),
        (5, 1, 10_000, "0.0625 (two-sided)", "Take more documents."),
        (6, 3, 10_000, "0.0938 (two-sided, after correction)",
         "Take more documents or compare fewer systems."),
        (30, 1, 10, "0.0909 (two-sided)",
         "Take more resamples (n_resamples=)."),
        (3, 1, 10, "0.25 (two-sided)", "Take more documents and more resamples."),
    ],
)  # fmt: skip
def test_the_remedy_is_what_helps(
    n: int, n_pairs: int, n_resamples: int, smallest: str, remedy: str
) -> None:
    warning = first("randomisation", n, n_pairs, n_resamples)
    assert f"the smallest possible p is {smallest}. {remedy}" in warning
    assert ("resamples" in warning.partition("however")[0]) == remedy.startswith(
        "Take more resamples"
    )


def test_enough_documents_need_no_words() -> None:
    assert limits("randomisation", 30, "documents", 3, 0.05, 10_000, {}) == []
