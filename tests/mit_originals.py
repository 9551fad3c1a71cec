"""Documents beside what the MIT programs (BayesSeg, MinCutSeg) made of them.

Choi's sets 1 and 2, and the AI lectures; of the latter, those for development have no outputs.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import segscore as ss

N_DOCUMENTS = {"choi": 400, "lectures": 19}


def originals(data: Path, corpus: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The units of each document, and its outputs and their errors."""
    documents, file = {
        "choi": (_choi(data), "choi_bayesseg_mincut.json"),
        "lectures": (_lectures(data), "ai_bayesseg_mincut.json"),
    }[corpus]
    outputs = json.loads((data / "reference_outputs" / file).read_text())
    for name, document in documents:
        if name in outputs:
            assert document["reference"].masses.tolist() == outputs[name]["ref"]
            yield list(document.units or ()), outputs[name]


def _choi(data: Path) -> Iterator[tuple[str, ss.Document]]:
    for part in sorted(data.glob("choi/[12]/*/")):
        for name, document in ss.read(part, format="choi").items():
            yield f"{part.parent.name}_{part.name}_{name}.ref", document


def _lectures(data: Path) -> Iterator[tuple[str, ss.Document]]:
    for name, document in ss.read(data / "lectures_ai" / "manual", format="choi").items():
        yield f"{name}.ref", document
