"""Judge chunks by their purpose: whether they keep the evidence for a question together, and what
can be said about them without any reference.

Everything here counts characters of the source text, not units: chunks may overlap, leave gaps, or
cut words, and nothing is moved. What is given becomes texts and offsets in `chunk_inputs`, and
questions, spans and fetched chunks in `questions`.

`evaluating` holds `evidence` and `compare_evidence`: a row of counts per question
(`evidence_counts`), measures as quotients of their sums (`evidence_scores`). `describing` holds
`describe_chunks`, which looks at what is in a text (`text_map`), cohesion included.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.chunks.describing import ChunkDescription as ChunkDescription
    from segscore.chunks.describing import describe_chunks as describe
    from segscore.chunks.evaluating import compare_evidence as compare
    from segscore.chunks.evaluating import evidence as evidence
    from segscore.chunks.evidence_scores import EvidenceScores as EvidenceScores
    from segscore.text.chunk_placing import Placement as Placement
    from segscore.text.chunk_placing import place_chunks as place

_HOMES = {
    "ChunkDescription": "describing",
    "EvidenceScores": "evidence_scores",
    "Placement": "segscore.text.chunk_placing:Placement",
    "compare": "segscore.chunks.evaluating:compare_evidence",
    "describe": "segscore.chunks.describing:describe_chunks",
    "evidence": "evaluating",
    "place": "segscore.text.chunk_placing:place_chunks",
}
__all__ = [
    "ChunkDescription",
    "EvidenceScores",
    "Placement",
    "compare",
    "describe",
    "evidence",
    "place",
]

__getattr__ = names_on_demand(__name__, _HOMES)
