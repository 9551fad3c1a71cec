"""What the columns of tables mean, for explanations below tables and for readers of a table.

A column is looked up by its heading and its field ("corrected@p_corrected"), then by its heading
alone, without average and arrow. Columns of metrics and columns that data name (a coder, a label)
are explained by rules at the end of this file.
"""

import re
from collections.abc import Callable, Iterator

from segscore.tables.table import Table
from segscore.tables.view import FOR_PEOPLE, Column

MEANINGS = {
    # ---- who and what ----
    "system": "the system, or a baseline beside the systems",
    "document": "the document",
    "document or group": "the document, a group of documents, or all of them",
    "group": "the group of coders",
    "coder": "the coder; in a matrix, the coder of the row",
    "kind": "whether a row is a system or a person, or which check found it",
    "coders": "how many coders there are",
    "coders@n_marks": "how many coders mark the place",
    "documents": "how many documents the row rests on",
    "codings": "how many codings the row rests on",
    "pairs": "how many pairs of coders the row rests on, each document counted",
    "units": "how many units the document has",
    "unit": "the number of the unit, or what sizes are counted in",
    "boundaries": "how many boundaries there are",
    "boundaries@n_coarse": "how many boundaries the coarser coder has",
    "of finer": "how many boundaries the finer coder has",
    "segments": "how many segments there are",
    "label": "the label of segments",
    "metric": "the metric; its signature says with which settings",
    "part": "a number that the score is made of",
    "better": "whether higher or lower values are better",
    "failed": "documents without a segmentation",
    "failure": "why there is no segmentation",
    "undefined": "how many documents or questions have no value",
    # ---- averages ----
    "micro": "the statistics of all documents are added up first: long documents weigh more",
    "macro": "the mean of the documents' values: each document weighs the same",
    "low": "the lower end of the confidence interval",
    "high": "the upper end of the confidence interval",
    "mean": "the mean",
    "median": "the median",
    "q1": "a quarter of the values are lower",
    "q3": "a quarter of the values are higher",
    "min": "the smallest",
    "max": "the largest",
    "least": "the smallest number of segments",
    "most": "the largest number of segments",
    "n": "how many pairs the mean rests on",
    "value": "the number, with its confidence interval if there is one",
    "measure": "which number stands beside it",
    "of the way": "how far the system got from chance (0) to perfect (1)",
    # ---- comparing ----
    "rank": "the place of the system by its value; 1 is the best",
    "a": "the first of the two",
    "b": "the second of the two",
    "a - b": "the value of the first minus that of the second, with its confidence interval",
    "difference": "the first value minus the second",
    "p": "how often chance alone would give such a difference, or a larger one",
    "corrected@p_corrected": "p, corrected for the number of pairs that are tested",
    "significant": "whether the corrected p is below α",
    "wins": "documents on which the first is better",
    "ties": "documents on which both are equal",
    "losses": "documents on which the first is worse",
    "number": "the number that the mean is tested against",
    "t": "the statistic of the t-test",
    "needed": "how many documents it takes if documents differ as these do",
    "to be safe": "how many documents are enough with 80 % confidence",
    "s/document": "seconds per document",
    "segmenter": "the segmenter with its settings",
    # ---- agreement ----
    "corrected": "agreement corrected for chance: 0 is what random coders reach, 1 is complete",
    "random coders": "the observed agreement of random coders",
    "observed": "the agreement that the metric measures, not corrected for chance",
    "expected π": "the agreement by chance that π* assumes",
    "expected κ": "the agreement by chance that κ* assumes",
    "π*": "agreement as papers report it: corrected for exact matches by chance, coders alike",
    "κ*": "the same, each coder with habits of their own",
    "bias": "expected π minus expected κ: how far the coders' habits differ",
    "fleiss's κ": "agreement on boundary or not at each position, coders alike: 0 is chance, 1 is "
    "complete",
    "krippendorff's α": "the same, with a correction for few decisions",
    "with majority": "the share of decisions that agree with more than half of the coders",
    "per place": "boundaries per possible position",
    "without": "agreement among the others",
    "with": "agreement when this coder joins them",
    "cluster": "the coders of the cluster",
    "distance": "1 - similarity of the two parts that are joined: 0 is the same",
    "distance 0 … 1": "a tree: the further right two coders are joined, the less alike they are",
    "corrected within": "corrected agreement among the members",
    "π* within": "π* among the members",
    "labels within": "agreement on labels among the members",
    "similarity": "how alike the labels of two coders are, on average",
    "α": "Krippendorff's α of labels on segments that coders agree on",
    "positions": "how many positions at least one coder marks",
    "matches": "boundaries that both place at the same position",
    "near misses": "boundaries that are near each other, which count in part",
    "full misses": "boundaries that only one of the two places",
    "substitutions": "boundaries at the same position with other types",
    "coarser": "the coder with fewer boundaries",
    "finer": "the coder with more boundaries",
    "ratio": "boundaries of one side over those of the other",
    "contained": "the share of the coarser coder's boundaries that the finer coder also has",
    "chance": "the value by chance",
    "contained within 1": "the share contained, if one unit apart counts as the same",
    "chance within 1": "the share contained by chance, if one unit apart counts as the same",
    "corrected within 1": "corrected for chance, if one unit apart counts as the same",
    "after it": "who marks a boundary after this unit",
    "text": "the text of the unit",
    "place": "the position after which coders see a boundary, or the first and the last of several",
    "who marks it": "each position of the place, and who marks it",
    "of": "out of how many",
    "before": "the text before it",
    "after": "the text after it",
    # ---- feedback, checks, audits, windows ----
    "reference": "the reference: its boundaries, or its coder in a matrix",
    "reference \\ hypothesis": "the reference is the coder of the row, the column is scored",
    "hypothesis": "boundaries of the hypothesis in the window",
    "marked": "boundaries that the person marks",
    "match": "boundaries at the same position as in the reference",
    "near": "boundaries near a boundary of the reference, which count in part",
    "earlier": "near misses before the boundary of the reference",
    "later": "near misses after the boundary of the reference",
    "missed": "boundaries of the reference that are missing",
    "extra": "boundaries that the reference does not have",
    "habit": "how the person systematically differs from the reference, more than chance explains",
    "what": "whether it is a match, a near miss, missed or extra",
    "severity": "how grave it is: an error, a warning or a note",
    "finding": "what was found",
    "what to do": "what would put it right",
    "convention": "a way to compute the measure, as some program does",
    "segscore": "the number that segscore prints for this measure",
    "average": "which average it prints",
    "k": "the size of the window, or how many chunks count",
    "windows": "which windows count",
    "at": "where the window is",
    "prints": "what the program would print",
    "first window": "the first window of a run with the same penalty",
    "last window": "its last window",
    "why": "what the window is penalised for",
    "penalty of each": "what each window of the run adds",
    "threshold is": "how the threshold was chosen",
    "threshold": "scores from here on are boundaries",
    # ---- chunks and evidence ----
    "chunker": "what made the chunks",
    "question": "the question",
    "questions": "how many questions the number rests on",
    "id": "the number or name in the file",
    "whole": "whether each piece of evidence is whole in some chunk",
    "all-whole": "whether all evidence of the question is whole",
    "pieces": "how many chunks are needed to hold the evidence",
    "precision-omega": "the share of evidence in the chunks that hold it",
    "size-omega": "the size of the chunks that hold the evidence",
    "lost": "the share of evidence that is in no chunk",
    "start": "where it starts in the text, in characters from 0",
    "end": "where it ends in the text",
    "around the first cut": "the text around the first cut, which ¦ marks",
    "mean recall": "the mean of the questions' recall",
    "mean precision": "the mean of the questions' precision",
    "mean iou": "the mean of the questions' intersection over union",
    "mean hit": "the share of questions with a hit, each counted once",
    "chunks": "how many chunks there are",
    "chunk": "the number of the chunk",
    "over": "chunks above the maximum size",
    "under": "chunks below the minimum size",
    "cuts": "how many places the text is cut at",
    "words@in_word": "cuts inside a word",
    "sentences@in_sentence": "cuts inside a sentence",
    "paragraphs": "cuts inside a paragraph",
    "headings@in_heading": "cuts inside a heading",
    "blocks": "blocks of the text that are cut",
    "cohesion": "how much more alike neighbours inside a chunk are than across a cut",
    "cv": "the standard deviation of sizes over their mean",
    "overlap": "how much of the text is in more than one chunk",
    "in no chunk": "how much of the text is in no chunk",
    "inside@kind": "what is cut: a word, a sentence, a paragraph, a heading or a block",
    "count": "how many cuts there are inside",
    "share": "the share of all cuts",
    "broken": "how many of the blocks are cut",
    "there are": "how many blocks there are",
    "first": "where the first cut is",
    "there": "the text around the first cut",
    "offset": "where the cut is, in characters from 0",
    "line": "the line of the text",
    "around": "the text around the cut, which ¦ marks",
    "under a heading": "chunks with a heading above them",
    "hold all": "chunks that hold all headings above them",
    "hold the last": "chunks that hold the nearest heading above them",
    "share of all": "the share of chunks that hold all headings above them",
    "share of the last": "the share of chunks that hold the nearest heading above them",
    "holds them": "whether the chunk holds the headings above it",
    "headings": "the headings above the chunk",
    "pairs inside": "pairs of neighbouring sentences inside a chunk",
    "inside": "how alike they are, on average",
    "pairs across": "pairs of neighbouring sentences across a cut",
    "across": "how alike they are, on average",
    "above chance": "cohesion minus that of chunks of the same sizes in random order",
    "characters": "its size in characters",
    "words": "its size in words",
    "sentences": "its size in sentences",
    "tokens": "its size in tokens",
}
_BY_RULE = {
    r".*: (matches|near|missed|extra)": "how many boundaries of the system are of this kind",
    r".* within": "the mean of the metric over pairs of members",
    r".* with others": "the mean of the metric over pairs of a member and a non-member",
}
_NAMED_BY_DATA = re.compile(r"(coder|label|system|level) (.*)")
_AROUND = re.compile(r"^(micro|macro) |[ ]?[↑↓]$| \(%\)$")


def explained(table: Table, metric_words: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Each heading in text and its meaning, if it is known and no footnote explains it.

    metric_words: returns the full name of a metric, "" for anything else.
    """
    for column, cells in zip(table.columns, table.cells, strict=True):
        if column.field == "metric":
            for name in dict.fromkeys(map(str, cells)):
                if metric_words(name):
                    yield name, metric_words(name)
        if column.audience in FOR_PEOPLE and not _has_footnote(column):
            meaning = meaning_of(column, metric_words)
            if meaning:
                yield column.name, meaning


def _has_footnote(column: Column) -> bool:
    """Whether a note explains the column; a signature is no explanation."""
    return column.note is not None and "|v:" not in column.note


def meaning_of(column: Column, metric_words: Callable[[str], str]) -> str:
    """The meaning of a column; "" if it is unknown.

    >>> name = {"b": "boundary similarity B"}.get
    >>> meaning_of(Column("micro b ↑", "higher", key="b"), name), meaning_of(Column("b"), name)
    ('boundary similarity B', 'the second of the two')
    """
    bare = _AROUND.sub("", column.name)
    lower = bare.casefold()
    known = MEANINGS.get(f"{lower}@{column.field}") or MEANINGS.get(lower) or ""
    words = metric_words(bare)
    is_metric = column.better or column.share or column.note  # a signature, if it is here
    found = words or known if is_metric else known or words
    if found:
        return found
    named = _NAMED_BY_DATA.fullmatch(column.field)
    if named:
        return f"the column of the {named[1]} {named[2]}"
    return next((meaning for rule, meaning in _BY_RULE.items() if re.fullmatch(rule, bare)), "")
