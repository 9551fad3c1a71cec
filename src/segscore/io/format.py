"""The definition of a format: its names, what it can hold, and how to recognise, read and write
it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.user_functions import load_plugins, warn_left_out
from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, nearest
from segscore.io import safe_parsing as parsing
from segscore.io.files import TABLES, Source, expect, suffix_of, with_line_ends
from segscore.io.read_options import ReadOptions
from segscore.io.safe_parsing import json_value, opening_keys

# What a record may have besides a document, a coder and boundaries, and what messages call it.
FEATURES = {
    "units": "the text of the units",
    "labels": "labels of segments",
    "types": "types of boundaries",
    "ranks": "ranks of boundaries",
    "levels": "levels with labels of their own",
    "candidates": "candidates",
    "kind": "who is a person and who a system",
    "group": "groups of documents",
    "local": "that coder names are local to a document",
    "no coding": "a document without a coding",
    "failure": "why an output gave no coding",
    "annotation": "what an annotation page recorded about a coding",
}
_OF_TEXTS = ("keep-headings", "snap")
MOST_SPELLED = 10**7  # units of a document in formats that spell out each


@dataclass(frozen=True)
class Format:
    """A file format.

    name: the name for `format=`. title: the name in messages. suffixes: the first is used for
    writing. holds: which FEATURES it can keep. matches: whether the first lines of a file look like
    it. read: the records of a file. write: all records into one text file; or else files: (name,
    text) of each file of a corpus, for formats that hold one document, or one coding, per file; or
    save: a corpus into a file that is not text; most formats of annotation tools have none of
    these, and are only read. keys: the keywords of `read` that are about it, beside those for all.
    chooses: whether it takes the caller's choices of units and policy. alone: whether it is read
    from a folder only if named, because files with its suffix are likely to be something else.
    tabular: whether it is read from tables of any kind: .csv, .tsv, Excel, Parquet and Arrow.
    check: raises for a file with another suffix that could also be something else.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    holds: frozenset[str]
    matches: Callable[[list[str]], bool]
    read: Callable[[Source], Iterator[Record]]
    write: Callable[..., None] | None = None
    files: Callable[..., Iterator[tuple[str, Iterable[str]]]] | None = None
    chooses: bool = False
    alone: bool = False
    tabular: bool = False
    save: Callable[..., None] | None = None
    keys: str = ""
    check: Callable[[Source], None] | None = None

    @property
    def used_keys(self) -> frozenset[str]:
        """The keys about it; the headings of any text may be kept, as in chunks of it."""
        return frozenset((*self.keys.split(), *(_OF_TEXTS if "units" in self.holds else ())))

    @property
    def is_written(self) -> bool:
        """Whether we write it, too."""
        return any(writer is not None for writer in (self.write, self.files, self.save))


def features(record: Record) -> set[str]:
    """The FEATURES that a record has."""
    coding = record.segmentation
    found = {name for name in _OF_RECORDS if getattr(record, name) is not None}
    found |= {"local"} if record.local else set()
    if record.failure is not None or coding is None:
        return found | {"no coding" if record.failure is None else "failure"}
    found |= {name for name in _OF_CODINGS if getattr(coding, name) is not None}
    return found | ({"levels"} if isinstance(coding, Levels) else set())


_OF_RECORDS = ("units", "labels", "kind", "group", "annotation")
_OF_CODINGS = ("types", "ranks", "candidates")


def fitting(records: Iterable[Record], kind: Format, lossy: bool) -> Iterator[Record]:
    """The records as the format can hold them: what it cannot hold raises an error, or is
    removed."""
    if kind.holds >= FEATURES.keys():
        yield from records
        return
    for record in records:
        surplus = features(record) - kind.holds
        if surplus and not lossy:
            held = ", ".join(text for name, text in FEATURES.items() if name in surplus)
            what = f"{record.where}: {kind.title} ({kind.name}) cannot hold {held}"
            raise SegmentationError(f"{what}: expected another format (jsonl), or lossy=True")
        coding = record.segmentation
        if not surplus:
            yield record
        elif coding is not None:
            if surplus & {*_OF_CODINGS, "labels", "levels"}:
                names = {*_OF_CODINGS, "segment_labels"} - surplus
                names -= {"segment_labels"} if "labels" in surplus else set()
                kept = {name: getattr(coding, name) for name in names}
                coding = Segmentation.from_boundaries(coding.boundaries, coding.n_units, **kept)
            gone: dict[str, Any] = dict.fromkeys((surplus & {*_OF_RECORDS}) | {"labels"})
            local = record.local and "local" not in surplus
            # labels are those of the segmentation, which has them if they are kept
            yield replace(record, segmentation=coding, local=local, **gone)


def spelled_out(record: Record, title: str) -> Segmentation:
    """The coding, if it is short enough for a format that spends bytes on each unit."""
    coding = record.segmentation
    if coding is None or coding.n_units > MOST_SPELLED:
        what = f"{record.where}: {record.n_units} units: {title} spells out each unit"
        raise SegmentationError(f"{what}: expected at most {MOST_SPELLED}")
    return coding


def finished_records(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records that count, and with them the texts of those that do not."""
    notes = choices.notes
    for record in records:
        annotation = record.annotation
        if annotation is None or annotation.counts or choices.unfinished:
            kept = notes.unfinished_texts.get(record.document) if record.units is None else None
            yield record if kept is None else replace(record, units=kept)
            continue
        reason = "practice" if annotation.practice else "unfinished"
        notes.unfinished[record.coder or "", reason] += 1
        if record.units is not None:
            notes.unfinished_texts.setdefault(record.document, record.units)


# ---- all formats by name: our own, and those of other packages ----

_Telling = Callable[[Set[str]], bool]
_OF_PRODIGY = {"_input_hash", "_task_hash", "_annotator_id", "_session_id"}
# A line has the name of a format, its module in `segscore.io.formats`, suffixes, FEATURES that it
# can hold, KEYS that it uses, what else is special, and its title. Where several formats share a
# suffix and look alike, the one that asks for more comes first. The module has read_NAME, and
# matches_NAME unless the keys of JSON (`_BY_KEYS`), the suffix or the caller decide (`asked`); and
# write_NAME, files_NAME or save_NAME if we write it. It is imported when one of them is called.
_LINES = """
jsonl           jsonl            LINES            ALL                       -                         write       JSON Lines
segeval-json    notations        .json,.jsn       types                     -                         write       segeval's JSON
csv             table_formats    .csv             labels,types,ranks,group,kind layer                     tabular,write long CSV
sheet           table_formats    .xlsx,.csv       units,kind,no-coding      columns,layer,marks       tabular,save a sheet of segscore's
segeval-tsv     notations        .tsv,.csv        -                         layer                     tabular,files segeval's TSV
levels          table_formats    .csv             ranks                     layer                     tabular,files CSV with a column per level
table           table_formats    .csv,.tsv        units,labels,group,kind   columns,marks,TIERS       tabular     a table with columns of any names
wide            table_formats    .csv             -                         columns,layer,marks       tabular,files wide CSV
choi            text_files       .ref             units                     lenient                   files       Choi's format
gaps            notations        .gaps            -                         marks                     write,check gap strings
dialogues       corpora          .json            units,group               -                         -           a list of dialogues (Xing & Carenini 2021)
superdialseg    corpora          .json            units,group,labels        layer                     chooses     SuperDialseg's JSON
tiage           corpora          .json            units                     -                         -           TIAGE's JSON
qmsum           corpora          .json,LINES      units,labels              layer,policy              -           QMSum's JSON
wikisection     corpora          .json            units,labels              layer,policy              -           WikiSection's JSON
sentence-labels corpora          LINES,.json      units,labels,ranks,candidates marks                     -           sentences with labels
ytseg           corpora          .json,LINES      units,labels              marks                     -           YTSeg's JSON
vidchapters     chapters         .json            labels                    TIMES                     -           VidChapters' JSON
chapter-llama   chapters         .json            labels                    TIMES                     -           Chapter-Llama's JSON
chunkseg        chapters         LINES,.json      labels,kind               TIMES                     -           chunkseg's samples
chunks          chunks           LINES,.json      units                     allow-gaps,gaps,layer,overlap,snap chooses     chunks of texts
labels          notations        .json,LINES      units,group,kind          columns,marks             -           labels per unit in JSON
ranked-text     text_files       .tok             units,ranks               lenient                   alone       ranked text (Carroll 2010)
wiki-727k       text_files       .wiki            units,labels,ranks        -                         -           Wiki-727K
markdown        text_files       .md,.markdown    units,labels,ranks        each-heading,TEXTS        alone,asked,chooses Markdown
text            text_files       .txt             units                     TEXTS                     alone,asked,chooses plain text
tadam           corpora          .txt             units                     -                         alone       TADAM's text
separated-text  text_files       .txt             units                     -                         alone       text in segments between lines of '='
webvtt          recordings       .vtt             labels                    TIMES                     -           WebVTT
srt             recordings       .srt             labels                    TIMES                     -           SubRip
youtube         chapters         .txt             labels                    TIMES                     alone       a list of YouTube chapters
yt-dlp          chapters         .json            labels                    TIMES                     -           yt-dlp's JSON
chapters        chapters         .json,LINES      labels                    TIMES                     -           chapters in JSON
chat            corpora          LINES,.json      units,labels              layer                     -           chat messages
argilla         annotation_tools .json,LINES      units,labels              document-name,layer,policy -           Argilla's records
prodigy         annotation_tools LINES,.json      units,labels              document-name,layer,policy -           Prodigy's tasks
label-studio    annotation_tools .json            units,labels              document-name,layer,policy write       Label Studio's JSON
doccano         annotation_tools .jsonl,.json1    units,labels              document-name,layer,policy -           doccano's JSON Lines
brat            annotation_tools .ann             units,labels              layer,policy              -           brat standoff
textgrid        recordings       .textgrid        units,labels              TIERS                     -           Praat TextGrid
elan            recordings       .eaf             units,labels              TIERS                     -           ELAN
audacity        recordings       .txt             labels                    TIMES                     alone       Audacity's labels
lab             recordings       .lab             labels                    TIMES                     asked       mir_eval's intervals
webanno-tsv     annotation_tools .tsv             units,labels              layer,policy              -           WebAnno TSV 3
uima-xmi        annotation_tools .xmi             units,labels              layer,policy              -           UIMA CAS XMI
uima-json       annotation_tools .json            units,labels              layer,policy              -           UIMA CAS JSON
rttm            recordings       .rttm            labels                    TIMES                     -           RTTM
ctm             recordings       .ctm             units                     durations,word-times      asked,chooses CTM
transcript      recordings       .json            units                     TIMES                     -           a transcript with times in JSON
json            jsonl            .json            ALL                       -                         -           codings in JSON
llm             chunks           LINES,.json,.txt units,labels              base,separator,shape,similarity alone,asked,chooses answers of a language model
"""  # noqa: E501
_BY_KEYS: dict[str, _Telling] = {  # what the keys of the first object tell
    "argilla": {"fields", "responses"}.issubset,
    "chat": lambda keys: "messages" in keys or {"role", "content"} <= keys,
    "chunks": parsing.is_chunk,
    "chunkseg": parsing.are_two_sides,
    "dialogues": {"dial_id", "utterances"}.issubset,
    "prodigy": lambda keys: {"text", "spans"} <= keys and bool(keys & _OF_PRODIGY),
    "sentence-labels": parsing.are_labelled_sentences,
    "superdialseg": {"dial_data"}.issubset,
    "ytseg": {"text", "targets", "video_id"}.issubset,
}
_SHORT = {
    "LINES": ".jsonl,.ndjson",
    "ALL": ",".join(FEATURES).replace(" ", "-"),
    "TIMES": "durations,policy,word-times",
    "TIERS": "durations,layer,policy,word-times",
    "TEXTS": "keep-headings,snap",
    "-": "",
}


_MORE_VERBS = ("write", "files", "save", "check")


def _format(line: str) -> Format:
    name, module, *lists, title = line.split(None, 6)
    cells = (",".join(_SHORT.get(each, each) for each in cell.split(",")) for cell in lists)
    suffixes, holds, keys, special = (tuple(filter(None, cell.split(","))) for cell in cells)

    tells = (lambda _: False) if "asked" in special else _BY_KEYS.get(name)

    def function(verb: str) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            found = import_module(f"segscore.io.formats.{module}")
            return getattr(found, f"{verb}_{name.replace('-', '_')}")(*given)

        return call

    more: dict[str, Any] = {verb: function(verb) for verb in _MORE_VERBS if verb in special}
    return Format(
        name,
        title,
        suffixes,
        frozenset(each.replace("-", " ") for each in holds),
        function("matches") if tells is None else lambda lines: bool(tells(opening_keys(lines))),
        function("read"),
        **more,
        chooses="chooses" in special or "policy" in keys,
        alone="alone" in special,
        tabular="tabular" in special,
        keys=" ".join(sorted(keys)),
    )


FORMATS: Mapping[str, Format] = {
    kind.name: kind for kind in map(_format, _LINES.strip().splitlines())
}
# The keywords of `read` that only some formats use; the others are for all.
KEYS = tuple(sorted({key for kind in FORMATS.values() for key in kind.keys.split()}))


def format_named(name: str) -> Format:
    """The format with this name."""
    known = FORMATS if isinstance(name, str) and name in FORMATS else all_formats()
    if not isinstance(name, str) or name not in known:
        said = name if isinstance(name, str) else shown(name)
        raise SegmentationError(f"no format is called {shown(name)}{nearest(said, known)}")
    return known[name]


@cache
def all_formats() -> dict[str, Format]:
    """Our formats and those of other packages (see `segscore.basics.user_functions`), by name."""
    found = load_plugins("segscore.readers", FORMATS, _check_plugin)
    return {**FORMATS, **{name: _guarded(*each) for name, each in found.items()}}


def _check_plugin(name: str, given: Any) -> None:
    expect(isinstance(given, Format), "it is %s: expected a segscore.io.Format", given)
    expect(given.name == name, f"the format calls itself {given.name!r}: expected {name!r}")


def _guarded(package: str, kind: Format) -> Format:
    """A format of another package; its errors name it."""

    def read(source: Source) -> Iterator[Record]:
        try:
            yield from kind.read(source)
        except (SegmentationError, OSError):
            raise
        except Exception as error:
            what = f"reader {kind.name!r} of package {package!r} failed"
            raise source.fail(f"{what}: {type(error).__name__}: {error}") from error

    def matches(lines: list[str]) -> bool:
        try:
            return kind.matches(lines)
        except Exception as error:
            warn_left_out("segscore.readers", kind.name, package, error)
            return False

    return replace(kind, read=read, matches=matches)


def all_suffixes() -> frozenset[str]:
    """The suffixes of files that are read from a folder."""
    kinds = all_formats().values()
    return frozenset((*TABLES, *(end for kind in kinds if not kind.alone for end in kind.suffixes)))


def suffixes_of(kind: Format) -> frozenset[str]:
    """The suffixes of files that a format is read from."""
    return frozenset((*kind.suffixes, *((".csv", ".tsv", *TABLES) if kind.tabular else ())))


# ---- the format of a file ----

_HEAD = 2**16  # bytes that are looked at


def recognise(given: Path | Source) -> Format:
    """The format of a file, by its suffix and its first lines.

    Content and suffix should agree, so the formats of the suffix are tried first. If none of them
    fits, content that looks like exactly one other format decides; if no format is recognised in
    the content, the suffix decides, so that its reader can say what is wrong. Names of columns that
    the caller gives are those of a table, or of labels.
    """
    source = Source(given, given.stem, "") if isinstance(given, Path) else given
    lines, names = first_lines(source), source.choices.columns.values()
    if names and not FORMATS["sheet"].matches(lines):  # ours needs no names
        from segscore.io.table_files import header_of

        text = "\n".join(lines).lstrip()
        if text.startswith(("{", "[")):
            if any(json.dumps(name) in text for name in names):  # else the other side has them
                return FORMATS["labels"]
        elif source.suffix in suffixes_of(FORMATS["table"]) or len(header_of(lines)) > 1:
            return FORMATS["table"]
    found = next(_matching(FORMATS, lines, source.suffix), None)  # before those of other packages
    known = FORMATS if found is not None else all_formats()
    found = found or next(_matching(known, lines, source.suffix), None)
    if found is not None:
        return found
    called = [kind for kind in known.values() if source.suffix in suffixes_of(kind)]
    likely = [kind for kind in _matching(known, lines) if kind not in called]
    if source.suffix in TABLES:
        likely = [kind for kind in likely if kind.name != "gaps"]
    if len(likely) == 1:
        if likely[0].check is not None:
            likely[0].check(source)
        return likely[0]
    if not likely and source.suffix == ".json":
        json_value(source, source.read_text(), "codings in JSON")  # says what is not JSON
    elif not likely and called and not opening_keys(lines):
        from segscore.io.table_files import header_of

        # whose reader says what it expects: for any table, that of tables with any columns
        ours = {"document", "coder"} <= set(header_of(lines))
        return FORMATS["table"] if FORMATS["table"] in called and not ours else called[0]
    perhaps = f" (perhaps {', '.join(kind.name for kind in likely)})" if likely else ""
    what = f"the format is not clear{perhaps}"
    fitting = dict.fromkeys(kind.name for kind in (*likely, *called)) or FORMATS
    raise source.fail(f"{what}: expected format=, one of {', '.join(fitting)}")


def _matching(
    kinds: Mapping[str, Format], lines: list[str], suffix: str | None = None
) -> Iterator[Format]:
    """The formats, perhaps of a suffix, that the first lines of a file look like, in order."""
    is_json = "\n".join(lines).lstrip().startswith(("{", "["))
    has_cells = bool(lines) and any(sign in lines[0] for sign in ",;\t")
    for kind in kinds.values():
        begins_so = is_json or not {".json", ".jsonl"}.intersection(kind.suffixes)
        # most formats are ruled out without calling `matches`, which would import their module
        if not begins_so or (kind.tabular and not has_cells):
            continue
        if suffix in (None, *suffixes_of(kind)) and kind.matches(lines):
            yield kind


def first_lines(source: Source) -> list[str]:
    """The first lines of a file, or the first rows of a table in CSV form."""
    if source.suffix in TABLES:
        from segscore.io import table_files

        with source.locating():
            return table_files.head(source)
    with source.open() as stream:
        found = stream.read(_HEAD)
    wide = found.startswith((b"\xff\xfe", b"\xfe\xff"))
    head = found.removeprefix(b"\xef\xbb\xbf")
    try:
        text = head.decode("utf-16" if wide else source.encoding or "utf-8", "replace")
    except LookupError:  # is reported when the file is read
        text = head.decode("utf-8", "replace")
    return with_line_ends(text).split("\n")


def holds_chunks(path: Any, name: str | None) -> bool:
    """Whether a file, or some suitable file of a folder, holds chunks."""
    if name is not None:
        return name == "chunks"
    files = Path(path).rglob("*") if Path(path).is_dir() else (Path(path),)
    likely = (file for file in files if suffix_of(file) in (".jsonl", ".ndjson", ".json"))
    first = next(likely, Path())
    lines = first_lines(Source(first, first.stem, "")) if first.is_file() else []
    return parsing.is_chunk(opening_keys(lines))
