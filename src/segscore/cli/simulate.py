"""`segscore simulate`: random references, and hypotheses that err from them."""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from segscore import simulate
from segscore.basics.arguments import generator
from segscore.cli.commands import OWN, option
from segscore.cli.options import LOSSY, SEED, TO
from segscore.cli.output import FILE, with_progress
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io import read, write
from segscore.io.formats import jsonl
from segscore.pairing.pairs import Pairs

SIZES = "uniform:20:30 (30 excluded), closed:20:30, geometric:25, fixed:25, or like:FILE"


def run(
    *,
    sizes: str = option("--sizes", OWN, f"Sizes of segments: {SIZES}.", "RULE", "uniform:20:30"),
    segments: int = option(
        "--segments -n", OWN, "Segments of each reference.", "NUMBER", 1000, min=1
    ),
    references: int = option("--references", OWN, "Number of references.", "NUMBER", 1, min=1),
    hypotheses: int = option(
        "--hypotheses", OWN, "Hypotheses for each reference.", "NUMBER", 100, min=1
    ),
    n_coders: int | None = option(
        "--n-coders", OWN, "Coders of each, instead of hypotheses.", "NUMBER", min=1
    ),
    misses: float = option("--misses", OWN, "Probability that a boundary is missed.", "SHARE", 0.0),
    near_misses: float = option(
        "--near-misses", OWN, "Probability that another one is moved.", "SHARE", 0.0
    ),
    within: int | None = option("--within", OWN, "The farthest that it is moved.", "UNITS", min=1),
    false_positives: float = option(
        "--false-positives", OWN, "Probability of an extra one in a segment.", "SHARE", 0.0
    ),
    seed: int = SEED,
    target: str | None = TO,
    lossy: bool = LOSSY,
    output: Path | None = FILE,
) -> None:
    """Simulate random references, and hypotheses that err from them.

    Each hypothesis is a document with two codings, `reference` and `hypothesis`, for `segscore
    score FILE --reference reference`; with --n-coders, each reference is a document with that
    number of codings, for `segscore agree FILE`. The output goes to stdout as JSON Lines, or with
    -o to a file in any format that `segscore convert` writes and that needs no text.
    """
    if output is None and target is not None:
        raise SegmentationError(f"--to is {target!r}, but there is no file: expected -o FILE, too")
    offsets: simulate.Offsets = simulate.UniformOffsets(1 if within is None else within)
    errors = simulate.Errors(misses, near_misses, false_positives, offsets=offsets)
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
        jsonl.write_jsonl(records, sys.stdout)
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
