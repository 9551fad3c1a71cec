"""Chunks judged by what they are for: whether a question's evidence stays in one of them, and what
can be said of them without any reference.

Everything here counts characters of the source text, not units: chunks may overlap, leave gaps, or
be cut inside words, and nothing is moved. Texts come from `source_texts`, chunks from
`chunk_offsets`.
"""
