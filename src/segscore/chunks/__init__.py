"""Judge chunks by their purpose: whether they keep the evidence for a question together, and what
can be said about them without any reference.

Everything here counts characters of the source text, not units: chunks may overlap, leave gaps, or
cut words, and nothing is moved. Texts come from `source_texts`, chunks from `chunk_offsets`.

`evaluating` holds `evidence` and `compare_evidence`, `asked_evidence` what they bring together and
leave out. Their parts: questions and where their evidence is (`questions`, `evidence_spans`),
what was fetched (`retrievals`), all texts on one line of characters (`text_line`) and all chunks on
it (`chunk_line`), counts that add up (`evidence_statistics`, `evidence_measures`), and the results
(`evidence_scores`, `evidence_comparison`, `evidence_tables`).
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.chunks.chunk_description import ChunkDescription as ChunkDescription
    from segscore.chunks.describing import describe_chunks as describe
    from segscore.chunks.evaluating import compare_evidence as compare
    from segscore.chunks.evaluating import evidence as evidence
    from segscore.chunks.evidence_comparison import EvidenceComparison as EvidenceComparison
    from segscore.chunks.evidence_scores import EvidenceScores as EvidenceScores
    from segscore.coding.chunks_on_units import Placement as Placement
    from segscore.coding.chunks_on_units import place_chunks as place

_HOMES = {
    "ChunkDescription": "chunk_description",
    "EvidenceComparison": "evidence_comparison",
    "EvidenceScores": "evidence_scores",
    "Placement": "segscore.coding.chunks_on_units:Placement",
    "compare": "segscore.chunks.evaluating:compare_evidence",
    "describe": "segscore.chunks.describing:describe_chunks",
    "evidence": "evaluating",
    "place": "segscore.coding.chunks_on_units:place_chunks",
}
__all__ = [
    "ChunkDescription",
    "EvidenceComparison",
    "EvidenceScores",
    "Placement",
    "compare",
    "describe",
    "evidence",
    "place",
]

__getattr__ = names_on_demand(__name__, _HOMES)
