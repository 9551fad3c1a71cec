"""Scored boundaries, literally: a threshold at a time, and average precision by its definition."""

import segscore as ss


def value_at(
    refs: list[ss.Segmentation],
    scores: list[list[float]],
    metric: str,
    threshold: float,
    average: str,
) -> float:
    """The metric of the segmentations that a threshold makes."""
    hyps = [
        ss.Segmentation.from_boundaries(
            [p for p, score in enumerate(row, 1) if score >= threshold], len(row) + 1
        )
        for row in scores
    ]
    found = ss.score(refs, hyps, metrics=metric, on_undefined="nan")[metric]
    return float(found.micro if average == "micro" else found.macro)


def average_precision(truth: list[bool], scores: list[float]) -> float:
    """Σ (R_n − R_{n−1}) P_n over distinct scores from high to low."""
    area = before = 0.0
    for threshold in sorted(set(scores), reverse=True):
        taken = [marked for marked, score in zip(truth, scores, strict=True) if score >= threshold]
        recall = sum(taken) / sum(truth)
        area += (recall - before) * sum(taken) / len(taken)
        before = recall
    return area
