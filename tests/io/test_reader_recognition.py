"""Files of annotation tools are recognised, and the commands take them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.fuzz.samples import SAMPLES

import segscore as ss
from segscore.io import FORMATS
from segscore.io import format as registry
from segscore.io.files import Source
from segscore.io.format import Format, first_lines, recognise, suffixes_of
from segscore.io.formats.notations import check_gaps
from segscore.io.safe_parsing import json_value, opening_keys
from segscore.io.table_files import header_of


def asking_all(source: Source, lines: list[str], likely: list[Format]) -> str:
    """The rule of `recognise`, literally: every format is asked, without a look for signs."""
    suffix = source.suffix
    called = [kind for kind in FORMATS.values() if suffix in suffixes_of(kind)]
    both = [kind for kind in called if kind in likely]
    if both:
        return both[0].name
    if len(likely) == 1:
        if likely == [FORMATS["gaps"]]:
            check_gaps(source)
        return likely[0].name
    if not likely:
        if suffix == ".json":
            json_value(source, source.read_text(), "codings in JSON")
        elif called and not opening_keys(lines):
            if FORMATS["table"] in called and not {"document", "coder"} <= set(header_of(lines)):
                return "table"
            return called[0].name
    raise source.fail(
        "the format is not clear"
        + (f" (perhaps {', '.join(kind.name for kind in likely)})" if likely else "")
        + ": expected format=, one of "
        + ", ".join(dict.fromkeys(kind.name for kind in (*likely, *called)) or FORMATS)
    )


def decision(decide: Callable[[], str]) -> str:
    try:
        return decide()
    except ss.SegmentationError as error:
        return str(error)


CONTENTS = {sample.content for sample in SAMPLES.values()}
TEXT_SUFFIXES = ("", ".other", *registry.all_suffixes() - {*registry.TABLES}, ".md", ".txt")


@pytest.mark.parametrize("content", sorted(CONTENTS))
def test_under_every_suffix_the_decision_is_that_of_asking_all(
    content: str, tmp_path: Path
) -> None:
    for text in (
        content,
        "\n \n" + content,
        content.upper(),
        content[1:],
        content[: len(content) // 2],
        "# A, b\n" + content,
        content + '\n"data": "start" 0:00 SPEAKER --> <xmi:XMI',
    ):
        lines, likely = None, None
        for suffix in TEXT_SUFFIXES:
            path = tmp_path / f"x{suffix}"
            path.write_text(text)
            source = Source(path, "x", "")
            if lines is None:  # the same under every suffix
                lines = first_lines(source)
                likely = [kind for kind in FORMATS.values() if kind.matches(lines)]
            literally = decision(partial(asking_all, source, lines, likely))
            assert decision(lambda source=source: recognise(source).name) == literally
