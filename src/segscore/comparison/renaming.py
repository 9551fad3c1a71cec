"""A comparison under other names: for reports that name no person and no document."""

from collections.abc import Mapping

from segscore.comparison.inputs import Background
from segscore.comparison.systems import Contestant


def renamed_background(
    given: Mapping[str, Background], documents: Mapping[str, str], coders: Mapping[str, str]
) -> dict[str, Background]:
    """The codings of each document under other names, without its text, labels and group."""
    return {
        documents[document]: Background(
            tuple(coders.get(coder, coder) for coder in one.coders),
            {coders.get(coder, coder): coding for coder, coding in one.codings.items()},
            None,
        )
        for document, one in given.items()
    }


def renamed_contestant(given: Contestant, documents: Mapping[str, str]) -> Contestant:
    """The same runs, by other names of documents."""
    runs = [{documents[document]: one for document, one in run.items()} for run in given.runs]
    return Contestant(given.name, given.kind, runs)
