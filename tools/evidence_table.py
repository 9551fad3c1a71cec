"""Writes the table of docs/guides/chunkers.md that shows what the size of chunks does: `make
evidence-table`.

The questions and texts are those of Smith & Troynikov (2024), `segscore data fetch evidence`. Where
some of the five texts are not on this machine, the questions about the others are taken, and the
table says so. A chunker is a splitter and a size in characters: `fixed` cuts after so many,
`recursive` is LangChain's RecursiveCharacterTextSplitter, with overlap where that is said.
"""

import csv
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langchain_text_splitters import RecursiveCharacterTextSplitter

import segscore as ss

PAGE = Path(__file__).parent.parent / "docs" / "guides" / "chunkers.md"
DATA = Path(os.environ.get("SEGSCORE_DATA", PAGE.parents[3] / "shared" / "data")) / "evidence"
TEXTS = ("chatlogs", "finance", "pubmed", "state_of_the_union", "wikitexts")
SIZES = (200, 400, 800, 1600)
HEAD = (
    "chunker", "chunks", "`whole`", "`precision-omega`", "`size-omega`", "cuts inside words",
    "inside sentences",
)  # fmt: skip
START, END = "<!-- evidence: written by make evidence-table -->", "<!-- end of evidence -->"


def texts_here(folder: Path) -> dict[str, str]:
    """The texts of the data set that are on this machine."""
    paths = {name: folder / f"{name}.md" for name in TEXTS}
    return {name: path.read_text("utf-8") for name, path in paths.items() if path.is_file()}


def questions_about(folder: Path, texts: dict[str, str]) -> list[dict[str, Any]]:
    """The questions about these texts."""
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        return [
            {"question": row["question"], "document": row["corpus_id"],
             "evidence": json.loads(row["references"])}
            for row in csv.DictReader(file)
            if row["corpus_id"] in texts
        ]  # fmt: skip


def chunkers(texts: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each chunker's name, and what it makes of the texts."""
    for size in SIZES:
        yield (
            f"fixed {size}",
            {
                name: [(at, min(at + size, len(text))) for at in range(0, len(text), size)]
                for name, text in texts.items()
            },
        )
    for size, overlap in [*((size, 0) for size in SIZES), (400, 200), (800, 400)]:
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=overlap, add_start_index=True
        )
        called = f"recursive {size}" + (f", overlap {overlap}" if overlap else "")
        yield called, {name: splitter.create_documents([text]) for name, text in texts.items()}


def lines(folder: Path) -> list[str]:
    """The table."""
    texts = texts_here(folder)
    questions = questions_about(folder, texts)
    every = dict(chunkers(texts))
    compared = ss.chunks.compare(every, questions, texts, n_resamples=100)
    described = ss.chunks.describe(every, texts, cohesion=False)
    found = ["| " + " | ".join(HEAD) + " |", "|---" + "|--:" * (len(HEAD) - 1) + "|"]
    for name in every:
        description = described[name]
        values = [compared[name, measure].value for measure in ("whole", "precision-omega")]
        cells = [
            name, f"{description.n_chunks:,}", *(f"{value:.3f}" for value in values),
            f"{compared[name, 'size-omega'].value:,.0f}", f"{description.breaks['word'].share:.0%}",
            f"{description.breaks['sentence'].share:.0%}",
        ]  # fmt: skip
        found.append("| " + " | ".join(cells) + " |")
    left = [name for name in TEXTS if name not in texts]
    which = f"{len(questions)} questions about {', '.join(sorted(texts))}"
    without = f" ({' and '.join(left)} of the five texts were not at hand)" if left else ""
    return [*found, "", f"{which}{without}; averages are pooled."]


def replaced(page: str, table: list[str]) -> str:
    """The page with these lines between its marks."""
    if START not in page or END not in page:
        sys.exit(f"{PAGE.name} has no marks of the table")
    head, rest = page.split(START)
    return head + "\n".join([START, "", *table, "", END]) + rest.split(END)[1]


def main() -> None:
    """Write the table."""
    if not (DATA / "questions_df.csv").is_file():
        sys.exit(f"{DATA} has no questions: segscore data fetch evidence")
    table = lines(DATA)
    PAGE.write_text(replaced(PAGE.read_text("utf-8"), table), "utf-8")
    print(*table, sep="\n")


if __name__ == "__main__":
    main()
