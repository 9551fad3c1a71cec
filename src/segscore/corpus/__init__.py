"""Many codings: a table of them in columns, and its public face, `Corpus` and `Document`."""
