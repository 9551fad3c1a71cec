"""What remarks and other messages say, by what they carry: names, numbers, places; not by sentences."""

import re
from collections.abc import Sequence


def each_matches(texts: Sequence[str], *patterns: str) -> bool:
    """Whether there is one text for each pattern, in this order, and it matches."""
    assert len(texts) == len(patterns), texts
    return all(re.search(*pair) for pair in zip(patterns, texts, strict=True))
