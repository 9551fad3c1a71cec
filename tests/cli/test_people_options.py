"""Options about people's files: in every command that reads codings, and what they do there."""

import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from needs import needs

READ_PEOPLE = ("agree", "report", "plot", "check", "convert", "compare", "score", "audit", "curve")
READ_TEXT = (*READ_PEOPLE, "benchmark", "segment")

SHEET = """document;unit;Anna B.;bob;cy;comment
d1;1;;;;
;2;x;X;;see p. 3
;3;;;x;
d2;1;;;;
;2;;x;x;
;3;x;;;
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    path.write_bytes(SHEET.replace("see", "§").encode("cp1252"))
    return path


@pytest.mark.parametrize("command", READ_TEXT)
def test_every_command_that_reads_has_them(command: str) -> None:
    assert "--read " in segscore(command, "--help").stdout


@pytest.mark.parametrize("command", ["agree", "score", "compare", "check"])
def test_only_conversions_clean(sheet: Path, command: str) -> None:
    done = segscore(command, sheet, sheet, "--read", "only-coders=bob")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search("only-coders.*segscore convert", done.stderr)


def test_a_sheet_becomes_codings(sheet: Path, tmp_path: Path) -> None:
    done = segscore("convert", sheet, tmp_path / "c.jsonl", "--read", "marks=start")
    assert (done.returncode, done.stdout) == (2, "")
    assert "encoding=" in done.stderr
    options = ["--read", "marks=start", "--read", "text-encoding=cp1252"]
    done = segscore("convert", sheet, tmp_path / "c.jsonl", *options)
    assert "ignore_columns=comment" in done.stderr
    done = segscore(
        "convert", sheet, tmp_path / "c.jsonl", *options, "--read", "ignore-columns=comment",
        "--read", "rename=Anna B.=ann", "--read", "without-coders=cy",
    )  # fmt: skip
    assert done.returncode == 0
    assert re.search(f"{sheet}.*'x'.*4.*8", done.stderr)
    corpus = ss.read(tmp_path / "c.jsonl")
    assert {name: {c: s.masses.tolist() for c, s in document.items()} for name, document in corpus.items()} == {
        "d1": {"ann": [1, 2], "bob": [1, 2]}, "d2": {"ann": [2, 1], "bob": [1, 2]}
    }  # fmt: skip


def test_missing_and_empty_codings_stand_below_the_table(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    rows = [f"d{d},{u},{'x' if u == 2 else ''},{'x' if u == 2 and d > 2 else ''},{'x' if u == 3 else ''}"
            for d in range(1, 7) for u in range(1, 5)]  # fmt: skip
    path.write_text("document,unit,ann,bob,cy\n" + "\n".join(rows) + "\n")
    people = tmp_path / "people.jsonl"
    shown = segscore("agree", path, "--read", "marks=start", "--show", "agreement", columns=200)
    assert "16 of 18 codings exist" in shown.stdout
    assert "without: bob (d1, d2)" in shown.stdout
    segscore("convert", path, people, "--read", "marks=start", "--read", "empty=none")
    shown = segscore("agree", people, "--show", "agreement", columns=200)
    assert "2 codings have no boundary: bob (d1, d2)" in shown.stdout
    assert "codings exist" not in shown.stdout


def test_names_and_labels_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"document":"d","coder":"A","masses":[1,1],"segment_labels":["Récit","dialog"]}\n',
                    encoding="utf-8")  # fmt: skip
    labels = tmp_path / "labels.csv"
    labels.write_text("old,new\nRécit,narration\n", encoding="utf-8")
    done = segscore(
        "convert", path, tmp_path / "o.jsonl", "--read", f"rename-labels={labels}",
        "--read", "rename-labels=dialog=dialogue", "--read", "rename=A=ann",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert ss.read(tmp_path / "o.jsonl")["d"]["ann"].segment_labels == ("narration", "dialogue")
    for wrong, message in (
        ("Récit", "no such file"),
        ("=x", "rename_labels.*'=x'.*OLD=NEW"),
        ("recit=x", "no label is called 'recit'"),
    ):
        done = segscore("convert", path, tmp_path / "p.jsonl", "--read", f"rename-labels={wrong}")
        assert done.returncode == 2
        assert re.search(message, done.stderr)
        assert not (tmp_path / "p.jsonl").exists()


def test_a_form_on_the_command_line(tmp_path: Path) -> None:
    """Questions have commas, too."""
    path = tmp_path / "form.csv"
    path.write_text(
        'When,Name,Text,"Where, roughly?",N\n1,ann,t,"4, 7",10\n2,bob,t,4;8,10\n3,ann,t,5,10\n'
    )
    columns = ["coder=Name", "document=Text", "starts=Where, roughly?", "n-units=N"]
    keys = [word for column in columns for word in ("--read", column)]
    done = segscore("convert", path, tmp_path / "c.jsonl", *keys)
    assert "duplicates=" in done.stderr
    done = segscore("convert", path, tmp_path / "c.jsonl", *keys, "--read", "duplicates=first")
    assert re.search(r"1 coding.*'t'.*'ann'.*line 4.*line 2[\s\S]*1 document", done.stderr)
    document = ss.read(tmp_path / "c.jsonl")["t"]
    assert [coding.masses.tolist() for coding in document.values()] == [[3, 3, 4], [3, 4, 3]]


@pytest.mark.parametrize("name", ["gold.csv", pytest.param("gold.xlsx", marks=needs("excel"))])
def test_gold_goes_back_to_a_sheet_with_the_text(tmp_path: Path, name: str) -> None:
    people = tmp_path / "people.jsonl"
    people.write_text(
        '{"document":"d","coder":"ann","masses":[2,1],"units":["=A1","b","c"]}\n'
        '{"document":"d","coder":"bob","masses":[2,1]}\n'
    )
    segscore("convert", people, "-o", tmp_path / "gold.jsonl", "--consensus", "0.5")
    done = segscore("convert", people, tmp_path / "gold.jsonl", tmp_path / name, "--to", "sheet")
    assert done.returncode == 0, done.stderr
    corpus = ss.read(tmp_path / name)
    assert corpus.coders == ("ann", "bob", "consensus")
    assert corpus["d"].units == ("=A1", "b", "c")
    assert corpus["d"]["consensus"].masses.tolist() == [2, 1]
    assert corpus["d"].kinds == ss.read([people, tmp_path / "gold.jsonl"])["d"].kinds


def test_scores_in_another_encoding(tmp_path: Path) -> None:
    refs, scores = tmp_path / "r.csv", tmp_path / "s.csv"
    refs.write_bytes("doc;unit;zoë\ngrün;1;0\ngrün;2;1\ngrün;3;0\n".encode("cp1252"))
    scores.write_bytes("document;score\ngrün;0,25\ngrün;0,75\n".encode("cp1252"))
    options = [
        "--read",
        "marks=start",
        "--read",
        "text-encoding=cp1252",
        "--resamples",
        100,
        "--no-check",
    ]
    options += ["--threshold", 0.5]
    expected = segscore("curve", *_in_utf8(tmp_path, refs, scores), *options[:2], *options[4:])
    assert expected.returncode == 0, expected.stderr
    assert segscore("curve", refs, scores, *options).stdout == expected.stdout


def _in_utf8(folder: Path, *files: Path) -> list[Path]:
    """Copies in UTF-8."""
    made = [folder / f"utf8-{path.name}" for path in files]
    for path, copy in zip(files, made, strict=True):
        copy.write_text(path.read_text("cp1252"), encoding="utf-8")
    return made


def test_names_of_labels_in_another_encoding(tmp_path: Path) -> None:
    people = tmp_path / "p.jsonl"
    line = '{"document": "d", "coder": "a", "masses": [1, 2], "segment_labels": ["Récit", "x"]}'
    people.write_text(line + "\n", encoding="utf-8")
    names = tmp_path / "names.csv"
    names.write_bytes("old;new\nRécit;narration\n".encode("cp1252"))
    options = ["--read", f"rename-labels={names}", "--read", "text-encoding=cp1252"]
    done = segscore("convert", people, tmp_path / "o.jsonl", *options)
    assert done.returncode == 0, done.stderr
    assert ss.read(tmp_path / "o.jsonl")["d"]["a"].segment_labels == ("narration", "x")


def test_a_receipt_says_what_was_read(tmp_path: Path) -> None:
    """Sheets in every command; other files in convert alone."""
    sheet = tmp_path / "s.csv"
    sheet.write_text("document,unit,ann,bob\nd,1,0,0\nd,2,1,0\nd,3,0,1\n")
    receipt = f"{sheet}.*1 document.*2 coders.*3 units"
    assert re.search(
        receipt, segscore("agree", sheet, "--read", "marks=start", "--no-check").stderr
    )
    people = tmp_path / "p.jsonl"
    assert re.search(receipt, segscore("convert", sheet, people, "--read", "marks=start").stderr)
    assert "3 units" not in segscore("agree", people, "--no-check").stderr
    text = tmp_path / "t.txt"
    text.write_text("One is one. Two is two.\n\nThree is three.\n")
    done = segscore("convert", text, tmp_path / "t.jsonl", "--from", "text", "--units", "sentences")
    assert re.search(f"{text}.*1 document.*1 coder.*3 units", done.stderr)


def test_spellings_of_one_name_are_told(tmp_path: Path) -> None:
    form = tmp_path / "f.csv"
    form.write_text("document,coder,starts,n_units\ns1,Ben,4,9\nS1 ,ben ,4,9\ns1,Ann,5,9\n")
    people = tmp_path / "p.jsonl"
    done = segscore("convert", form, people)
    assert re.search(f"{form}.*'Ben'.*'ben'.*rename", done.stderr)
    done = segscore("check", people, "-f", "csv")
    assert done.stdout.count("spellings") == 2
    assert "Coders 'Ben', 'ben' differ only in spelling." in done.stdout
    assert "Documents 's1', 'S1' differ only in spelling." in done.stdout


def test_what_is_read_twice_is_told_once(tmp_path: Path) -> None:
    """Files are read again to look for second codings."""
    sheet = tmp_path / "s.csv"
    sheet.write_text("document,unit,ann,bob\nd,1,,\nd,2,x,\nd,3,,x\n")
    done = segscore("convert", sheet, sheet, tmp_path / "c.jsonl", "--read", "marks=start")
    assert "a second coding" in done.stderr
    assert done.stderr.count("read 'x' (4) as marks") == 1
