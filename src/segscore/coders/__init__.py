"""Several people and the same texts: how far they agree, on what, and who segments like whom."""
