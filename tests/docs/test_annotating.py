"""The page about annotating: its files are what the script says that people marked."""

import ast
from pathlib import Path

import segscore as ss
from segscore.corpus.record import unit_hash
from segscore.io.texts import units_by_document

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples" / "annotating"


def constant(name):
    """A constant of the script, which itself needs a browser."""
    tree = ast.parse((DOCS / "make_annotation_pictures.py").read_text("utf-8"))
    return next(
        ast.literal_eval(statement.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == name
    )


def test_the_files_are_what_people_marked():
    marks, still_open = constant("MARKS"), constant("OPEN")
    people = ss.read([EXAMPLES / f"{coder}.jsonl" for coder in marks], unfinished=True)
    found = {
        coder: {name: document[coder].boundaries.tolist() for name, document in people.items()}
        for coder in marks
    }
    assert found == marks
    unfinished = [
        (coder, name)
        for name, document in people.items()
        for coder, annotation in document.annotations.items()
        if not annotation.finished
    ]
    assert unfinished == [still_open]


def test_the_texts_are_those_that_were_marked():
    texts = units_by_document(sorted(EXAMPLES.glob("[hms]*.txt")))
    for coder in (*constant("MARKS"), "adjudicated"):
        for name, document in ss.read(EXAMPLES / f"{coder}.jsonl", unfinished=True).items():
            (annotation,) = document.annotations.values()
            assert annotation.units == unit_hash(texts[name])
