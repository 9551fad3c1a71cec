"""The hash of a document's units, which shows whether codings belong to a changed text."""

from collections.abc import Sequence

from segscore.corpus.text_checks import check_unicode

OTHER_TEXT = (  # how a coding of another text is refused
    "the coder marked another text than {} (annotation.units differs): expected codings of the "
    "same units: mark the text of today in a page made from it, or give the text that was marked; "
    "ignore_text=True takes the boundaries anyway"
)


def unit_hash(units: Sequence[str]) -> str:
    """`sha256:` and the SHA-256 of the units, written as a JSON array without spaces in UTF-8.

    JavaScript's `JSON.stringify` writes the same characters, so a page could compute it, too. Half
    a surrogate pair, which no file can hold, is refused.

    >>> unit_hash(["One.", "Two."])[:19]
    'sha256:ba06bdad94b3'
    """
    import hashlib  # of files without annotations nobody asks for it
    import json

    for number, unit in enumerate(units, start=1):
        check_unicode(unit, f"unit {number}")
    written = json.dumps(list(units), ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(written.encode()).hexdigest()
