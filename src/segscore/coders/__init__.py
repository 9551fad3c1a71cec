"""Several people segment the same texts: how well they agree, on what, and who segments like
whom."""
