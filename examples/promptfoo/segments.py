"""An assertion of promptfoo: `type: python`, `value: file://segments.py`."""

from typing import Any

import segscore as ss


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """How well an answer segments units; an answer that cannot be read is one segment."""
    asked = context["vars"]
    reference = ss.Segmentation.from_masses(asked["masses"])
    found = ss.answers.score(
        output, asked["units"], reference, ["windowdiff", "b"], shape="starts", base=0
    )
    return {
        "pass": not found["failed"],
        "score": found["b"],
        "reason": found["reason"] or f"boundaries after {found['boundaries']}",
        "namedScores": {name: found[name] for name in ("windowdiff", "b")},
    }
