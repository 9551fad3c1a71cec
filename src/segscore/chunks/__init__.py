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
