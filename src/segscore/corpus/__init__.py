"""Many codings: a table of them in columns, and Corpus and Document, its public face."""
