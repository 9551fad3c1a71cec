"""Copied text with marks between segments inside lines: ` | `, `<br>`, `//`.

A mark is a tag, a word in brackets, or a sign that the document does not have. A mark counts as the
separator only if the rest has at least half of the document's words.
"""

import re
from collections.abc import Sequence

from segscore.io.answers.claims import AnswerError, Claim
from segscore.text.folding import spoken_words

_SIGNS = r"|¦‖§¶/\\#~^=*•·_<>"
_MARK = re.compile(
    rf"</?[A-Za-z][\w -]{{0,40}}/?>|\[/?[A-Za-z][\w -]{{1,40}}\]|[|¦‖§¶]+|//+"
    rf"|(?<!\S)(?:[{_SIGNS}]+|-{{3,}})(?!\S)"
)
_BULLETS = re.compile(r"^[ \t]*[*•·#>|]+[ \t]+(?=\S)", re.M)


def marked_inline(text: str, units: Sequence[str]) -> Claim | None:
    """The copied text with a mark between segments; None if there is no mark."""
    plain = _BULLETS.sub("", text) if "\n" in text.strip() else text
    whole = "\n".join(units)
    marks = {mark: None for mark in _MARK.findall(plain) if mark not in whole}
    if not marks:
        return None
    pattern = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    kept = [part for part in re.split(pattern, plain) if part.strip()]
    known, given = len(spoken_words(units)[0]), len(spoken_words(kept)[0])
    if given <= known / 2 or not kept:
        return None
    if len(marks) > 1 and not _is_pair(list(marks)):
        raise AnswerError(
            f"the text is copied with {_listed(marks)} in it: separator= (--separator) says which "
            "of them separates segments"
        )
    return Claim(f"text copied with {_listed(marks)} inside lines", quotes=kept, copied=True)


def _is_pair(marks: list[str]) -> bool:
    """Whether two marks are the opening and the closing tag of one name."""
    names = {re.sub(r"[<>\[\]/]", "", mark) for mark in marks}
    return len(marks) == 2 and len(names) == 1 and marks[0][0] in "<["


def _listed(marks: dict[str, None]) -> str:
    return " and ".join(map(repr, list(marks)[:4]))
