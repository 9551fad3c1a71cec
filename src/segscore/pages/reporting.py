"""`report`: a comparison, agreement or a corpus as one HTML file."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from segscore.io import replacing
from segscore.pages.anonymous import anonymous
from segscore.pages.choosing import chosen
from segscore.pages.report_page import page
from segscore.pages.subject import Subject, subject_of


def report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    documents: int | Sequence[str] | None = None,
    anonymise: bool = False,
    command: str | None = None,
) -> Path:
    """Write one HTML page that shows who cut where, and why the numbers are what they are.

    The page can be mailed, opened without a network, printed and archived. It has the table with
    intervals, pictures (if matplotlib is installed), each document with everyone's boundaries and
    its text, agreement among people with a live consensus, and how everything was computed.

    result: what `segscore.compare` or `segscore.agreement` gives, a benchmark, or a corpus (then
        systems are compared if it names any, and agreement is computed if not). If several people
        coded the documents of a comparison, the page has their agreement, too.
    title: the heading of the page.
    documents: how many documents the page holds, from the worst on, or their names. None: all, or
        200 where there are more than 10,000 or more than 20 million characters of text.
    anonymise: number people and documents, and leave texts, labels and groups out. Systems keep
        their names.
    command: the command line that makes the page again, to be shown in it.

    Returns the path.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> found = ss.agreement(ss.Corpus.from_dict({"Stargazers": people}))
    >>> folder = getfixture("tmp_path")
    >>> ss.report(found, folder / "report.html").name
    'report.html'
    """
    subject = subject_of(result)
    subject = chosen(subject, documents)
    if anonymise:
        subject = anonymous(subject)
        command = None  # file names may name people
    whole = page(subject, title or _title(subject), command)
    with replacing(path) as file:
        file.write(whole)
    return Path(path)


def _title(subject: Subject) -> str:
    if subject.comparison is not None:
        systems = subject.comparison.systems
        return f"Systems compared: {', '.join(systems[:4])}{' …' if len(systems) > 4 else ''}"
    return "Agreement among coders"
