"""`segscore chunks TEXTS CHUNKS…`: describe chunks without a reference, or, with --questions,
measure whether the answers are in one chunk."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from segscore.basics.user_functions import imported_function
from segscore.chunks.chunk_inputs import Missing
from segscore.chunks.describing import SizeUnit
from segscore.chunks.evidence_counts import Depth
from segscore.chunks.evidence_scores import DEFINITIONS, OF_RETRIEVAL, Cluster, EvidenceMeasure
from segscore.cli import options as opts
from segscore.cli.commands import OUTPUT, OWN, STATISTICS, argument, option
from segscore.cli.output import REPORT, Output, remark, write_report
from segscore.errors import SegmentationError, nearest

if TYPE_CHECKING:
    from segscore.chunks.describing import ChunkDescription
    from segscore.comparison import Comparison

_MOST_DIGITS = 15  # of k; Python refuses to read integers of thousands


Described = Literal["sizes", "breaks", "places", "context", "cohesion", "chunks", "all"]
OfQuestions = Literal["chunkers", "measures", "pairs", "questions", "cut", "curve"]
_SIZES = ", ".join(get_args(SizeUnit))
_SHOWN = f"{', '.join(get_args(Described))}; with --questions {', '.join(get_args(OfQuestions))}."


def run_chunks(
    *,
    texts: Path = argument("TEXTS", "What was cut: a file or folder."),
    chunks: list[str] = argument("CHUNKS…", "Files or folders, one per chunker; NAME=FILE."),
    questions: Path | None = option("--questions", OWN, "Questions with their evidence.", "FILE"),
    retrieved: list[str] | None = option(
        "--retrieved", OWN, "What was retrieved, one FILE per CHUNKS.", "FILE"
    ),
    k: str | None = option("--k", OWN, "How many retrieved ones count; touched.", "NUMBER"),
    tokens: str | None = option(
        "--tokens", OWN, "Text to tokens, or their places.", "MODULE:FUNCTION"
    ),
    size_in: SizeUnit | None = option("--size-in", OWN, f"{_SIZES}.", "UNIT"),
    max_size: int | None = option(
        "--max-size", OWN, "Count the chunks that are larger.", "NUMBER", min=0
    ),
    min_size: int | None = option(
        "--min-size", OWN, "Count the chunks that are smaller.", "NUMBER", min=0
    ),
    encoder: str | None = option("--encoder", OWN, "MODULE:FUNCTION, .npy, .npz.", "ENCODER"),
    view: Literal["auto", Described, OfQuestions] = option(
        "--show", OUTPUT, _SHOWN, "TABLE", "auto"
    ),
    average: Literal["pooled", "mean"] = option(
        "--average", STATISTICS, "pooled spans, or mean of questions.", "WHICH", "pooled"
    ),
    cluster: Cluster = option(
        "--cluster", STATISTICS, "What is resampled: document, question.", "WHAT", "document"
    ),
    level: float = opts.LEVEL,
    n_resamples: int = opts.RESAMPLES,
    seed: int = opts.SEED,
    page: Path | None = REPORT,
    gate: opts.LimitOptions,
    missing: Missing = option(
        "--missing", OWN, "Documents without chunks: error, skip.", "RULE", "error"
    ),
    read: list[str] | None = opts.TEXT_READ,
    output: Output,
) -> None:
    """Describe chunks, or measure whether one of them has the evidence.

    Counts cuts inside words, sentences, lists, tables, code and links. Cohesion is the
    similarity of neighbours within chunks minus that across cuts, beside chunks in random order.

    --questions FILE (JSON Lines with question, document, evidence): whole is the share of evidence
    spans inside one chunk. --retrieved FILE (question, retrieved) adds recall, precision, iou, hit.
    """
    asked = questions is not None
    if not asked and (retrieved or gate.under or gate.over):
        raise SegmentationError("--retrieved and limits need --questions: expected it beside them")
    views = get_args(OfQuestions if asked else Described)
    if view not in ("auto", *views):
        about = "" if asked else "out"
        raise SegmentationError(
            f"--show is {view!r}: expected one of {', '.join(views)} with{about} --questions"
        )
    if asked:
        limits = gate.limits(lambda name: _measure(name, retrieved, k))
    names, files = chunker_files(chunks)
    keys = opts.keys_in(read, "text_encoding", "large")
    common: dict[str, Any] = {
        "tokens": None if tokens is None else imported_function(tokens, "--tokens"),
        "missing": missing,
        **keys,
        "level": level,
        "n_resamples": n_resamples,
        "rng": seed,
    }
    if asked:
        from segscore.chunks.evaluating import compare_evidence

        compared = compare_evidence(
            *(files, questions, texts, _retrieved_by(names, retrieved), _depth(k, retrieved)),
            average=average,
            cluster=cluster,
            **common,
        )
        _show_evidence(compared, view, output)
        write_report(compared, page)
        gate.hold(
            limits,
            compared.rows,
            lambda chunker, name: compared[chunker, name.partition("(")[0]].value,
            average,
        )
        return
    from segscore.chunks.chunk_inputs import source_texts
    from segscore.chunks.describing import describe_chunks

    known = source_texts(texts, keys.get("large", False), keys.get("text_encoding"))
    described = describe_chunks(
        files,
        known,
        size_in=size_in,
        max_size=max_size,
        min_size=min_size,
        encode=_encode(encoder, known),
        **common,
    )
    _show_description(described, view, output)
    write_report(described, page)


def _depth(k: str | None, retrieved: list[str] | None) -> Depth:
    """The value of --k as the library takes it."""
    if k is None or k == "touched":
        found: Depth = None if k is None else "touched"
    elif k.isdecimal() and k.isascii() and len(k) <= _MOST_DIGITS and int(k):
        found = int(k)
    else:
        raise SegmentationError(f"--k is {k!r}: expected a number from 1 on, or touched")
    if k is not None and retrieved is None:
        raise SegmentationError("--k needs --retrieved: expected both, or neither")
    return found


def _retrieved_by(chunkers: Sequence[str], given: list[str] | None) -> dict[str, Path] | None:
    """The file of each chunker: named, or in the order of the chunkers."""
    if given is None:
        return None
    from segscore.comparison.systems import system_files

    files = system_files(given)
    if len(files) != len(chunkers):
        raise SegmentationError(
            f"--retrieved is given {len(files)} times, and there are {len(chunkers)} files of "
            "chunks: expected one for each"
        )
    return {name or known: path for (path, name), known in zip(files, chunkers, strict=True)}


def chunker_files(given: Sequence[str]) -> tuple[list[str], Any]:
    """The names of chunkers, and their files as the library takes them: by name if any has a
    name."""
    from segscore.comparison.systems import system_files
    from segscore.io.files import stem_of

    files = system_files(given)
    names = [name or stem_of(path) for path, name in files]
    paths = [path for path, _ in files]
    if not any(name for _, name in files):
        return names, paths
    if len(set(names)) < len(names):
        raise SegmentationError(
            "two files of chunks have the same name: expected NAME=FILE with different names"
        )
    return names, dict(zip(names, paths, strict=True))


def _encode(spec: str | None, texts: dict[str, str]) -> Any:
    """The encoder; files of vectors are read for the sentences of the texts."""
    if spec is None:
        return None
    from segscore.segmenters.embedding import encoder
    from segscore.text.unit_splitting import lined_units

    sentences = {name: lined_units(text, "sentences").texts or () for name, text in texts.items()}
    return encoder(spec, {name: list(units) for name, units in sentences.items()})


def _show_description(found: "ChunkDescription", view: str, output: Output) -> None:
    if view == "auto":
        output.show(found.to_table())
    elif view == "all":
        names = ("sizes", "breaks", "context", "cohesion")
        output.show({name: found.table(name) for name in names})
    else:
        output.show(found.table(view))
    if view != "auto" or not output.has_notes:  # otherwise below the table
        for sentence in found.remarks:
            remark(sentence)


def _show_evidence(comparison: "Comparison", view: str, output: Output) -> None:
    """Show the requested table, and remarks about it."""
    if view == "auto":
        view = "measures" if len(comparison.rows) == 1 else "chunkers"
    first, *others = comparison.scores.values()
    tables: dict[str, Any] = {
        "chunkers": comparison.to_table,
        "pairs": comparison.pairs_table,
        "measures": lambda: first.measures_table(*others),
        "questions": lambda: first.questions_table(*others),
        "cut": lambda: first.cut_table(*others),
        "curve": lambda: first.curve_table(*others),
    }
    output.show(tables[view]())
    below = view in ("chunkers", "pairs") and output.has_notes
    about_them = view in ("chunkers", "pairs", "measures") and not below
    without = view in ("questions", "cut") or not output.has_notes
    output.remark_notes(
        [*(comparison.notes if without else ()), *(comparison.warnings if about_them else ())]
    )


def _measure(name: str, retrieved: list[str] | None, k: str | None) -> EvidenceMeasure:
    """The measure that a limit is about; `recall(k=3)` if k is 3."""
    plain, mark, rest = name.partition("(")
    if plain not in DEFINITIONS:
        raise SegmentationError(f"there is no measure {name!r}{nearest(plain, DEFINITIONS)}")
    if plain in OF_RETRIEVAL and retrieved is None:
        raise SegmentationError(f"{plain} is about what was fetched: expected --retrieved")
    known = f"k={k or 'all'})"
    if mark and (plain not in OF_RETRIEVAL or rest.replace(" ", "") != known):
        fits = f"{plain}({known}" if plain in OF_RETRIEVAL else plain
        raise SegmentationError(
            f"a limit is about {name!r}: expected {plain}, or {fits}, which is what "
            "is measured; --k says how many chunks count"
        )
    return EvidenceMeasure(plain)
