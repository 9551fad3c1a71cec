"""Commands that print each table there is, and the files that they read."""

import json
from pathlib import Path

import segscore as ss
from segscore.simulate.sample_codings import STARGAZER

FAST = ("--resamples", "50", "--no-check")
COMPARE = ("compare", "codings.jsonl", "--system", "1", "--system", "2", *FAST)
SCORE = ("score", "codings.jsonl", "--reference", "1", "--no-check")
CHUNKS = ("chunks", "text.txt", "a.jsonl", "b.jsonl", "--resamples", "50")
EVIDENCE = ("chunks", "text.txt", "--questions", "asked.jsonl", "--resamples", "50")
AGREE = ("agree", "codings.jsonl")
TABLES: dict[str, tuple[str, ...]] = {
    "scores": SCORE,
    "documents": (*SCORE, "--per-document"),
    "parts": (*SCORE, "--show", "parts"),
    "systems": COMPARE,
    "pairs": (*COMPARE, "--show", "pairs"),
    "findings": ("check", "codings.jsonl", "-m", "f1(tolerance=20)"),
    "system": (*AGREE, "--show", "system", "--system", "1"),
    "document": (*AGREE, "--document", "x"),
    "contested": (*AGREE, "--contested", "3"),
    **{
        f"feedback_{name}": (*AGREE, "--reference", "1", "--show", name)
        for name in ("people", "documents", "places")
    },
    "audit": ("audit", "codings.jsonl", "--reference", "1", "--hypothesis", "2"),
    "windows": ("score", "one.jsonl", "--reference", "1", "-m", "pk", "--show", "windows"),
    "curve": ("curve", "codings.jsonl", "scores.csv", "--reference", "1", "--resamples", "50"),
    "benchmark": ("benchmark", "texts", "--method", "c99 texttiling(w=5)"),
    "tune": ("benchmark", "texts", "--tune", "--method", "c99", "--vary", "c=1,1.2"),
    "sweep": (
        "curve", "codings.jsonl", "--reference", "1", "--hypothesis", "2", "--vary", "n_t=1:3",
    ),
    "evidence": (*EVIDENCE, "a.jsonl"),
    "evidence_chunkers": (*EVIDENCE, "a.jsonl", "b.jsonl"),
    "evidence_pairs": (*EVIDENCE, "a.jsonl", "b.jsonl", "--show", "pairs"),
    "evidence_questions": (*EVIDENCE, "a.jsonl", "--show", "questions"),
    "evidence_cut": (*EVIDENCE, "a.jsonl", "--show", "cut"),
    "evidence_curve": (*EVIDENCE, "b.jsonl", "--retrieved", "fetched.jsonl", "--show", "curve"),
    "chunks": (*CHUNKS, "--max-size", "14"),
    "chunks_sizes": (*CHUNKS, "--min-size", "14", "--show", "sizes"),
    "chunks_breaks": (*CHUNKS, "--show", "breaks"),
    "chunks_places": (*CHUNKS, "--show", "places"),
    "chunks_context": (*CHUNKS, "--show", "context"),
    "chunks_cohesion": (*CHUNKS, "--show", "cohesion"),
    "chunks_each": (*CHUNKS, "--show", "chunks", "--tokens", "builtins:len"),
    "thresholds": ("curve", "codings.jsonl", "scores.csv", "--reference", "1", "--all"),
    **{
        name: (*AGREE, "--show", name)
        for name in (
            "answer", "agreement", "decisions", "coders", "clusters", "tree", "map", "matrix", "deviation",
            "pairwise", "segments", "support", "labels", "misses", "granularity",
            "label-use", "label-confusion",
        )
    },
}  # fmt: skip


def folder_of_tables(folder: Path) -> Path:
    """The files that the commands above read."""
    people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    labels = {name: [f"t{i}" for i in range(coding.n_segments)] for name, coding in people.items()}
    corpus = ss.Corpus.from_dict(
        {"x": people, "y": {name: coding.mirror() for name, coding in people.items()}},
        labels={"x": labels},
    )
    ss.write(corpus, folder / "codings.jsonl")
    ss.write(corpus.select(documents=["x"], coders=["1", "2"]), folder / "one.jsonl")
    rows = [f"{name},{p},{p % 7}" for name in "xy" for p in range(1, people["1"].n_units)]
    (folder / "scores.csv").write_text("\n".join(["document,position,score", *rows]))
    (folder / "text.txt").write_text("Cats purr. Dogs bark.")
    asked = {"question": "Who barks?", "evidence": ["Dogs bark."]}
    (folder / "asked.jsonl").write_text(json.dumps(asked))
    (folder / "a.jsonl").write_text(json.dumps({"offsets": [[0, 15], [15, 21]]}))
    (folder / "b.jsonl").write_text(json.dumps({"offsets": [[0, 10], [11, 21]]}))
    (folder / "fetched.jsonl").write_text(json.dumps({"question": "1", "retrieved": [0, 1]}))
    (folder / "texts").mkdir()
    topics = ("cat dog pet fur paw", "moon star sky night orbit", "bread flour oven dough yeast")
    for turn in range(3):
        lines = ["=========="]
        for topic in topics:
            words = topic.split()
            lines += [" ".join(words[i:] + words[:i])[:18] for i in range(2 + turn, -1, -1)]
            lines.append("==========")
        (folder / "texts" / f"{turn}.ref").write_text("\n".join(lines) + "\n")
    return folder
