r"""The error that wrong input raises, the warning of metrics that probably do not fit it, and how
messages show names and lists of them.

Text in messages comes from files that are not to be trusted: control characters are spelt out, so
that no name can move the cursor or recolour a terminal, and no quotation is longer than a reader
can take in.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_SHOWN_NAMES = 8
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, direction marks, half pairs, line breaks
_HEAD, _TAIL = 150, 49  # what is kept of quotations above 200; names often differ at their end
_LONGEST = _HEAD + _TAIL + 3  # quotes included
_MOST = 2000  # characters of a message or a repr: a list of names should not fill the screen
# A quote opens where no letter stands before it: "Choi's" opens none. Short quotations are found,
# too, or else what stands between two of them would look like one. Names without quotes, which may
# be paths, are cut only where no path would be so long.
_QUOTED = re.compile(
    r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<!\S)\S{1001,}""", re.DOTALL
)


class SegmentationError(ValueError):
    """Input that cannot be read as a segmentation, or cannot be scored.

    The message names the document, the coder, the value and what would be right.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(visible(message)))


class MissingExtraError(SegmentationError, ImportError):
    """A package is not installed that comes with an extra of segscore."""


class MetricWarning(UserWarning):
    """The parameters of a metric probably do not fit the input, although it can be computed."""


@contextmanager
def about(what: str) -> Iterator[None]:
    """Add what an error is about to the start of its message.

    >>> with about("document 'd'"):
    ...     raise SegmentationError("no unit: expected some")
    Traceback (most recent call last):
    segscore.errors.SegmentationError: document 'd': no unit: expected some
    """
    try:
        yield
    except SegmentationError as error:
        raise SegmentationError(f"{what}: {error}") from error.__cause__


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Say which extra of segscore a failed import needs, and what needs it.

    >>> with needing("plot", "a picture"):
    ...     import matplotlob
    Traceback (most recent call last):
    segscore.errors.MissingExtraError: a picture needs matplotlob: pip install 'segscore[plot]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{what} needs {str(error.name).partition('.')[0]}: pip install 'segscore[{extra}]'"
        ) from None


def visible(text: str) -> str:
    r"""The text with control characters spelt out, so that no name can break or recolour a page.

    >>> visible("a\x1b[31mb\n")
    'a\\x1b[31mb\\n'
    """
    if text.isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode()
        if unicodedata.category(sign) in _INVISIBLE and sign != "\u200d"  # joins emoji
        else sign
        for sign in text
    )


def shortened(message: str) -> str:
    """The message, with the middle of long quotations left out, and its own if it is still long.

    >>> len(shortened(f"document {'x' * 1000!r} is empty"))
    220
    """
    text = _QUOTED.sub(_without_middle, message)
    return text if len(text) <= _MOST else text[: 3 * _MOST // 4] + "…" + text[1 - _MOST // 4 :]


def _without_middle(found: re.Match[str]) -> str:
    text = found[0]
    return text if len(text) <= _LONGEST else text[: _HEAD + 1] + "…" + text[-_TAIL - 1 :]


def named(names: Iterable[str], most: int = _SHOWN_NAMES) -> str:
    """The first few names, at most `most`, and how many more there are.

    >>> named(["a", "b"])
    "'a', 'b'"
    >>> named(["a", "b", "c"], most=1)
    "'a' and 2 more"
    """
    listed = list(names)
    text = shortened(", ".join(map(repr, listed[:most]))) or "none"
    return text + (f" and {len(listed) - most} more" if len(listed) > most else "")


def number_of(number: int, what: str) -> str:
    """A number with its noun, in the singular or plural.

    >>> number_of(1, "unit"), number_of(1324, "unit"), number_of(2, "boundary")
    ('1 unit', '1,324 units', '2 boundaries')
    """
    several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {what if number == 1 else several}"


def nearest(name: str, known: Iterable[str], meant: str | None = None) -> str:
    """The end of a message about an unknown name: the name that was probably meant, and all names.

    meant: the name that was meant, if known; otherwise the most similar name.

    >>> nearest("windowdif", ["pk", "windowdiff"])
    " (did you mean 'windowdiff'?): expected one of 'pk', 'windowdiff'"
    >>> nearest("B", ["b"])
    " (did you mean 'b'?): expected 'b'"
    >>> nearest("story1", ["story21", "story01"])
    " (did you mean 'story01'?): expected one of 'story21', 'story01'"
    """
    from difflib import get_close_matches  # only errors need it

    listed = list(known)
    if meant is None:
        folded = {candidate.casefold(): candidate for candidate in reversed(listed)}
        alike = {_without_zeros(candidate): candidate for candidate in folded}.get(
            _without_zeros(name.casefold())
        )
        close = [alike] if alike else get_close_matches(name.casefold(), folded, n=1)
        if not close and len(name) > 2:
            close = [each for each in folded if each.startswith(name.casefold())]
        meant = folded[close[0]] if close else None
    asked = "" if meant is None else f" (did you mean {meant!r}?)"
    one_of = "one of " if len(listed) > 1 else ""
    return shortened(f"{asked}: expected {one_of}{', '.join(map(repr, listed))}")


_OTHERS = {"seed": ["rng"], "random_state": ["rng"], "n_boot": ["n_resamples"]}


def check_keywords(
    function: Callable[..., Any], given: Iterable[str], known: Iterable[str]
) -> None:
    """Raise a TypeError for a keyword argument that a function does not take.

    known: the names that its **options may have.
    """
    names = {*known}
    unknown = next((name for name in given if name not in names), None)
    if unknown is None:
        return
    import inspect
    from difflib import get_close_matches  # only errors need them

    names.update(inspect.signature(function).parameters)
    close = _OTHERS.get(unknown) or get_close_matches(unknown, sorted(names), n=1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    raise TypeError(f"{function.__name__}() got an unexpected keyword argument {unknown!r}{meant}")


def _without_zeros(name: str) -> str:
    """The name with its numbers as numbers: story01 and story1 are alike."""
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", name)


def first_of(names: Sequence[str], most: int = 5) -> str:
    """Some names, and how many more there are.

    >>> first_of("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def documents_by_coder(codings: Iterable[tuple[str, str]]) -> str:
    """The documents of each coder.

    >>> documents_by_coder([("d1", "ann"), ("d7", "bob"), ("d2", "ann")])
    'ann (d1, d2), bob (d7)'
    """
    found: dict[str, list[str]] = {}
    for document, coder in codings:
        found.setdefault(coder, []).append(document)
    return first_of([f"{coder} ({first_of(names)})" for coder, names in found.items()])
