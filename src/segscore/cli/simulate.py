"""`segscore simulate`: random references, and hypotheses that err from them."""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore import simulate
from segscore.basics.arguments import generator
from segscore.cli.option_groups import NamesFile, Section
from segscore.cli.options import LossyOption, SeedOption, ToOption
from segscore.cli.output import OutputOption, with_progress
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io import read, write
from segscore.io.formats import jsonl
from segscore.pairing.pairs import Pairs

SIZES = "uniform:20:30 (30 left out), closed:20:30, geometric:25, fixed:25, or like:FILE"
SizesOption = Annotated[
    str,
    typer.Option(
        "--sizes", rich_help_panel=Section.SIMULATION, help=f"Sizes of segments: {SIZES}."
    ),
    NamesFile(":"),
]
SegmentsOption = Annotated[
    int,
    typer.Option(
        "--segments",
        "-n",
        rich_help_panel=Section.SIMULATION,
        min=1,
        help="Number of segments of each reference.",
    ),
]
ReferencesOption = Annotated[
    int,
    typer.Option(
        "--references", rich_help_panel=Section.SIMULATION, min=1, help="Number of references."
    ),
]
HypothesesOption = Annotated[
    int,
    typer.Option(
        "--hypotheses",
        rich_help_panel=Section.SIMULATION,
        min=1,
        help="Number of hypotheses for each reference; each is a document.",
    ),
]
CodersOption = Annotated[
    int | None,
    typer.Option(
        "--n-coders",
        rich_help_panel=Section.SIMULATION,
        min=1,
        help="Number of coders of each document, instead of hypotheses.",
    ),
]
OldCodersOption = Annotated[  # its name of old; elsewhere --coders says what coder names mean
    int | None, typer.Option("--coders", min=1, hidden=True)
]


MissesOption = Annotated[
    float,
    typer.Option(
        "--misses",
        rich_help_panel=Section.SIMULATION,
        help="Probability that a boundary is missed, 0 to 1.",
    ),
]
NearMissesOption = Annotated[
    float,
    typer.Option(
        "--near-misses",
        rich_help_panel=Section.SIMULATION,
        help="Probability that a boundary that is not missed is moved, 0 to 1.",
    ),
]
WithinOption = Annotated[
    int | None,
    typer.Option(
        "--within",
        rich_help_panel=Section.SIMULATION,
        min=1,
        help="Largest distance of a near miss, in units.",
    ),
]
SpreadOption = Annotated[
    float | None,
    typer.Option(
        "--spread",
        rich_help_panel=Section.SIMULATION,
        min=0.1,
        help="Standard deviation of near misses instead, in units (normal).",
    ),
]
FalsePositivesOption = Annotated[
    float,
    typer.Option(
        "--false-positives",
        rich_help_panel=Section.SIMULATION,
        help="Probability of an extra boundary in a segment, 0 to 1.",
    ),
]
PlacementOption = Annotated[
    str,
    typer.Option(
        "--placement",
        rich_help_panel=Section.SIMULATION,
        help="Where extra boundaries are placed: segment, boundary, ends or document.",
    ),
]


def run(
    *,
    sizes: SizesOption = "uniform:20:30",
    segments: SegmentsOption = 1000,
    references: ReferencesOption = 1,
    hypotheses: HypothesesOption = 100,
    n_coders: CodersOption = None,
    coders: OldCodersOption = None,
    misses: MissesOption = 0.0,
    near_misses: NearMissesOption = 0.0,
    within: WithinOption = None,
    spread: SpreadOption = None,
    false_positives: FalsePositivesOption = 0.0,
    placement: PlacementOption = "segment",
    seed: SeedOption = 0,
    target: ToOption = None,
    lossy: LossyOption = False,
    output: OutputOption = None,
) -> None:
    """Simulate random references, and hypotheses that err from them.

    Each hypothesis is a document with two codings, `reference` and `hypothesis`, for `segscore
    score FILE --reference reference`; with --n-coders, each reference is a document with that
    number of codings, for `segscore agree FILE`. The output goes to stdout as JSON Lines, or with
    -o to a file in any format that `segscore convert` writes and that needs no text.
    """
    if output is None and target is not None:
        raise SegmentationError(f"--to is {target!r}, but there is no file: expected -o FILE, too")
    if within is not None and spread is not None:
        raise SegmentationError("--within and --spread are both given: expected one of them")
    n_coders = coders if n_coders is None else n_coders
    offsets: simulate.Offsets = simulate.UniformOffsets(1 if within is None else within)
    if spread is not None:
        offsets = simulate.NormalOffsets(spread)
    where: Any = placement  # it is checked there
    errors = simulate.Errors(misses, near_misses, false_positives, where, offsets)
    chance = generator(seed)
    refs = simulate.references(_sizes(sizes), segments, references, rng=chance)
    if n_coders is None:
        pairs = simulate.hypotheses(refs, errors, hypotheses, rng=chance)
        records = _both_codings(pairs, hypotheses)
        total = 2 * len(pairs)
    else:
        records = simulate.coders(refs, errors, n_coders, rng=chance).records()
        total = references * n_coders
    _write(with_progress(records, "simulating", total), output, target, lossy)


def _write(records: Iterable[Record], output: Path | None, target: str | None, lossy: bool) -> None:
    """Write codings to the file, or as JSON Lines to stdout."""
    if output is None:
        jsonl.write(records, sys.stdout)
    else:
        write(records, output, target, lossy=lossy)


def _both_codings(pairs: Pairs, each: int) -> Iterator[Record]:
    """Hypothesis h of reference r is document r-h."""
    for row in range(len(pairs)):
        name = f"{row // each + 1}-{row % each + 1}"
        yield Record(name, "reference", pairs.reference(row))
        yield Record(name, "hypothesis", pairs.hypothesis(row))


def _sizes(text: str) -> simulate.SegmentSizes:
    """The distribution of sizes that an option names."""
    name, _, rest = text.partition(":")
    if name == "like" and rest:
        return simulate.EmpiricalSizes.of(read(rest))
    makers: dict[str, Callable[..., simulate.SegmentSizes]] = {
        "uniform": simulate.UniformSizes,
        "closed": partial(simulate.UniformSizes, closed=True),
        "geometric": simulate.GeometricSizes,
        "fixed": simulate.FixedSizes,
    }
    wanted = {"uniform": 2, "closed": 2, "geometric": 1, "fixed": 1}.get(name)
    numbers = [_number(cell, text) for cell in rest.split(":")]
    if len(numbers) != wanted:
        raise SegmentationError(f"--sizes is {text!r}: expected {SIZES}")
    return makers[name](*numbers)


def _number(cell: str, text: str) -> float:
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    raise SegmentationError(f"--sizes is {text!r}: expected {SIZES}")
