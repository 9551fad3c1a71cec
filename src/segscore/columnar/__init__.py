"""Data in columns: lists, labels, levels and texts as arrays; the codings of a corpus, the sides of
`Pairs`, and what Arrow streams bring, without an object for each row."""
