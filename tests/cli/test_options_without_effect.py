"""Options that would have no effect, and numbers that could never matter, are errors."""

import json
from pathlib import Path

import pytest

from command_line import segscore
from needs import needs


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    for path, masses in zip(paths, ([2, 3, 6], [5, 6]), strict=True):
        lines = ({"document": f"d{i}", "coder": path.stem, "masses": masses} for i in range(3))
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return paths


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score --sums {out}", "--sums and those of labels are for Parquet and Arrow files"),
        (
            "score --column-encoding masses",
            "--column-encoding, --sums and those of labels are for Parquet",
        ),
        ("compare --sums {out}", "--sums and those of labels are for Parquet"),
        ("compare --encoding boundaries", "--column-encoding, --sums and those"),
        ("score --junit {out}", "--junit is given, and has no effect: expected --fail-under or"),
        ("score --github", "--github is given, and has no effect: expected --fail-under or"),
        ("compare --junit {out}", "--junit is given, and has no effect: expected --fail-if-worse"),
        ("compare --github", "--github is given, and has no effect: expected --fail-if-worse"),
        ("compare --margin 0", "--margin is given, and has no effect: expected --fail-if-worse"),
        ("compare --alpha 0.05", "--alpha is given, and has no effect"),
        ("compare --allow-small", "--allow-small is given, and has no effect"),
        ("compare --documents 3", "--documents is given, and has no effect: expected --between"),
        ("compare --draws 30", "--draws is given, and has no effect: expected --chance"),
        ("score --max-error 0.2", "--max-error is given, and has no effect: expected --align"),
        ("agree --coefficient pi", "--coefficient is given, and has no effect: expected --show"),
        ("check --max-error 0.2", "--max-error is given, and has no effect: expected --align"),
    ],
)
def test_they_are_refused(
    words: str, message: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command, *options = words.format(out=out).split()
    done = segscore(command, *files, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not out.exists()


def test_a_group_of_sums_is_one_to_compare(tmp_path: Path) -> None:
    done = segscore("accumulate", "merge", tmp_path / "x.arrow", "--group", "a")
    assert done.returncode == 2
    assert "--group is given, and has no effect: expected --compare" in done.stderr


# ---- numbers outside of what a metric can be ----


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score --fail-over pk=30", "pk can never be: expected a number 0 … 1 (0.3 for 30 %)"),
        ("score --fail-over pk=30 --percent", "expected a number 0 … 1 (0.3 for 30 %)"),
        ("score --fail-under b=-0.1", "b can never be: expected a number 0 … 1\n"),
        ("score --fail-under b.recall=80", "b.recall can never be: expected a number 0 … 1 (0.8"),
        ("score --fail-over e-wd=1.5", "e-wd can never be"),
        ("score --fail-over cseg=0.52", "cseg can never be: expected a number 0 … 0.51"),
        ("score --fail-over hausdorff=-1", "hausdorff can never be: expected 0 or more"),
        ("score --fail-under ari=-2", "expected a number -1 … 1"),
        ("compare --fail-if-worse pk --margin 5", "--margin is 5.0: expected 0 … 1 (0.05 for 5 %)"),
        ("compare --against pk=30", "--against is pk=30, which pk can never be"),
    ],
)
def test_numbers_that_could_never_matter(
    words: str, message: str, files: tuple[Path, Path]
) -> None:
    command, *options = words.split()
    done = segscore(command, *files, *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_numbers_within_the_range_are_fine(files: tuple[Path, Path]) -> None:
    kept = ["wd(weighted=yes)=1.5", "hausdorff=30", "misplaced-units=9", "pk=1", "cseg=0.51"]
    limits = [word for limit in kept for word in ("--fail-over", limit)]
    under = ["ari=-0.3", "b(w_ad=2)=-0.5", "b=0"]
    limits += [word for limit in under for word in ("--fail-under", limit)]
    done = segscore("score", *files, "--no-check", *limits)
    assert done.returncode == 0
    assert done.stderr.count(": passed\n") == len(kept) + len(under)


@pytest.mark.parametrize(
    ("factor", "threshold", "message"),
    [
        (1, "50", "threshold is 50, but the scores are 0.01 … 0.9: expected a threshold on their scale, 0.5"),
        (1, "-1", "their scale, a number 0 … 1"),
        (100, "0.5", "threshold is 0.5, but the scores are 1 … 90: expected a threshold on their scale, 50"),
        (1, "0.5", None),
        (1, "1", None),
        (100, "50", None),
        (100, "0", None),
        (10, "0.5", None),  # not percent: similarities of any scale
    ],
)  # fmt: skip
def test_thresholds_are_on_the_scale_of_the_scores(
    factor: float, threshold: str, message: str | None, files: tuple[Path, Path], tmp_path: Path
) -> None:
    scores = tmp_path / "scores.jsonl"
    values = [factor * score for score in [0.01, 0.9, 0.2, 0.1, 0.7, 0.1, 0.02, 0.3, 0.1, 0.1]]
    lines = [{"document": f"d{i}", "scores": values} for i in range(3)]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = segscore("curve", files[0], scores, "--threshold", threshold, "--resamples", 20)
    assert done.returncode == (0 if message is None else 2), done.stderr
    assert message is None or message in done.stderr


# ---- score: what is shown ----


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--per-document --parts", "--per-document and --parts are both given"),
        ("--per-document --show parts", "--per-document and --show parts are both given"),
        ("--per-document --show windows", "--per-document and --show windows are both given"),
        ("--parts --show windows", "--parts and --show windows are both given"),
        ("--parts --show scores", "--parts and --show scores are both given"),
        ("--per-document --average macro", "--average is given, and has no effect on --per-doc"),
        ("--parts --average micro", "--average is given, and has no effect on --parts"),
        ("--show windows --average both", "--average is given, and has no effect on --show wind"),
    ],
)
def test_score_shows_one_thing(words: str, message: str, files: tuple[Path, Path]) -> None:
    done = segscore("score", *files, "-m", "pk", "--no-check", *words.split())
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert message in done.stderr


def test_an_average_matters_to_a_gate(files: tuple[Path, Path]) -> None:
    words = ["--per-document", "--average", "macro", "--fail-over", "pk=0.9", "--no-check"]
    assert segscore("score", *files, *words).returncode == 0


def test_one_number_is_shown_plainly(files: tuple[Path, Path]) -> None:
    words = ("score", *files, "-m", "pk", "--no-check")
    first, about, *rest = segscore(*words, "--average", "micro").stdout.splitlines()
    assert float(first) > 0
    assert about == "micro-average of 3 documents, lower is better"
    assert "".join(rest).startswith("pk|k:auto|")
    percent = segscore(*words, "--average", "macro", "--percent", "--digits", "1").stdout
    assert percent.startswith(f"{100 * float(first):.1f} %\n")
    assert "metric" in segscore(*words).stdout  # micro and macro: a table
    assert "metric" in segscore(*words, "-m", "b", "--average", "micro").stdout
    shown = json.loads(segscore(*words, "--average", "micro", "-f", "json").stdout)
    assert shown[0]["micro"] == pytest.approx(float(first), abs=1e-4)


# ---- options of tables that a format has no place for, and of readers that no file asks for ----


@pytest.mark.parametrize(
    "words",
    [
        "-f json --digits 2", "-f csv --percent", "-f json --explain", "-f csv --caption x",
        "-f json --width 80", "-f latex --width 80", "--label tab:x", "-f markdown --label tab:x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["score", "compare", "agree"])
def test_a_format_has_no_place_for_it(words: str, command: str, files: tuple[Path, Path]) -> None:
    option = next(word for word in words.split() if word.startswith("--"))
    fast = ["--resamples", "20"] if command == "compare" else []
    done = segscore(command, *files, "--no-check", *fast, *words.split())
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr
    assert f"{option} is given, and has no effect on " in done.stderr
    assert "expected -f " in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "--layer x", "--marks end", "--map document=doc", "--document-name a.b", "--overlap end",
        "--all-sheets", "--base 1", "--similarity 0.5", "--separator x", "--keep-headings",
        "--each-heading", "--snap 50", "--empty none",
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["score", "agree", "audit", "consensus"])
def test_no_file_asks_for_it(words: str, command: str, files: tuple[Path, Path]) -> None:
    done = segscore(command, *files, *words.split())
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr
    assert (
        f"{words.split(maxsplit=1)[0]} is given, and has no effect on jsonl: expected it with"
        in done.stderr
    )


def test_one_file_that_asks_for_it_is_enough(files: tuple[Path, Path], tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = [f"d{i},{unit},{int(unit in (2, 5, 11))}" for i in range(3) for unit in range(1, 12)]
    table.write_text("\n".join(["document,unit,boundary", *rows]) + "\n")
    done = segscore("score", files[0], table, "--marks", "end", "--no-check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command", ["score", "audit", "compare", "check", "agree", "consensus", "sweep"]
)
def test_json_lines_have_one_encoding(command: str, files: tuple[Path, Path]) -> None:
    more = ["--parameter", "n_t=1"] if command == "sweep" else []
    done = segscore(command, *files, "--text-encoding", "cp1252", *more)
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr
    assert "--text-encoding is given, and has no effect on jsonl, which is always" in done.stderr


def test_an_encoding_for_one_file_of_text_is_enough(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    table, names = tmp_path / "table.csv", tmp_path / "names.csv"
    rows = [f"d{i},Zoé,{unit},{int(unit in (2, 5))}" for i in range(3) for unit in range(1, 12)]
    table.write_bytes("\n".join(["document,coder,unit,boundary", *rows]).encode("cp1252"))
    names.write_bytes("old;new\nhyp;Zoé\n".encode("cp1252"))
    encoding = ("--text-encoding", "cp1252", "--no-check")
    for words in ([files[0], table, "--marks", "end"], [*files, "--rename", names]):
        done = segscore("score", *words, *encoding)
        assert done.returncode == 0, done.stderr
    settings = tmp_path / "segscore.toml"
    settings.write_text('text-encoding = "cp1252"')
    assert segscore("score", *files, "--no-check", cwd=tmp_path).returncode == 0


def test_columns_of_parquet_have_no_encoding(tmp_path: Path) -> None:
    words = ("--reference-column", "r", "--hypothesis-column", "h", "--text-encoding", "cp1252")
    done = segscore("score", tmp_path / "x.parquet", *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--text-encoding is for files of codings, not for columns of Parquet" in done.stderr


@pytest.mark.parametrize(
    "words",
    ["--plan 0.1 --show pairs", "--plan 0.1 --against pk=0.2", "--between hyp two --show pairs",
     "--against pk=0.2 --between hyp two", "--against pk=0.2 --show systems"],
)  # fmt: skip
def test_compare_answers_one_question(words: str, files: tuple[Path, Path]) -> None:
    done = segscore("compare", *files, "--no-check", *words.split())
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "are both given: expected one of them in a command" in done.stderr


@pytest.mark.parametrize("words", ["--to csv", "--lossy"])
def test_a_consensus_on_stdout_has_one_format(words: str, files: tuple[Path, Path]) -> None:
    done = segscore("consensus", *files, *words.split())
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is given, and has no effect: expected -o FILE beside it" in done.stderr


# ---- tables that do not depend on an option: found by trying options in pairs ----


@pytest.mark.parametrize(
    ("words", "other"),
    [
        *((f"compare --between hyp two {option}", "--between") for option in (
            "--level 0.9", "--test t", "--average macro", "--seed 5",
            "--correction none", "--no-scale", "--baseline none", "--chance positions",
        )),
        *((f"compare --against b=0.3 {option}", "--against") for option in (
            "-m pk", "--level 0.9", "--average macro", "--test t", "--no-scale",
        )),
        *((f"compare --plan 0.1 {option}", "--plan") for option in (
            "--no-scale", "--baseline none", "--chance positions",
        )),
        *((f"compare --show pairs {option}", "--show pairs") for option in (
            "--no-scale", "--baseline none", "--chance lengths",
        )),
    ],
)  # fmt: skip
def test_a_table_of_compare_that_does_not_depend_on_it(
    words: str, other: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    command, *options = words.split()
    named = {"-m": "--metric"}
    option = next(word for word in options if word.startswith("-") and word not in other.split())
    systems = [f"hyp={files[1]}", f"two={files[0]}"]
    done = segscore(command, files[0], *systems, "--no-check", *options)
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr
    assert f"{named.get(option, option)} is given, and has no effect on {other}: " in done.stderr
    page = ("--report", tmp_path / "page.html") if "--level" in words else ()
    if page:  # which shows all that there is
        done = segscore(command, files[0], *systems, "--no-check", *options, *page)
        assert done.returncode == 0, done.stderr


def test_settings_of_a_file_may_have_no_effect(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "segscore.toml").write_text("percent = true\n[compare]\nlevel = 0.9\nscale = false")
    words = ("compare", *files, "--show", "pairs", "--no-check", "--resamples", 20)
    done = segscore(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("table", ["coders", "matrix", "support", "deviation", "misses"])
def test_a_table_of_agree_without_groups_of_documents(table: str, files: tuple[Path, Path]) -> None:
    words = ("--no-check", "--document-group", "g=d0,d1")
    done = segscore("agree", *files, *words, "--show", table)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--document-group is given, and has no effect: expected --show answer" in done.stderr
    shown = segscore("agree", *files, *words, "--show", "decisions")
    assert (shown.returncode, "\ngroup g " in shown.stdout) == (0, True), shown.stderr


def test_a_refusal_names_the_option_as_it_is_typed(files: tuple[Path, Path]) -> None:
    done = segscore("agree", *files, "--show", "coders", "--chance", "lengths", "--no-check")
    assert "--chance is given, and has no effect" in done.stderr


@pytest.mark.parametrize("words", ["--threshold 0.5", "--level 0.9", "--seed 1"])
def test_the_whole_curve_has_no_points(
    words: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    scores = tmp_path / "scores.jsonl"
    lines = [{"document": f"d{i}", "scores": [p / 10 for p in range(10)]} for i in range(3)]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = segscore("curve", files[0], scores, "--all", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "is given, and has no effect on --all: expected one of them" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--within 2", "--within is given, and has no effect: expected --near-misses"),
        ("--spread 2", "--spread is given, and has no effect: expected --near-misses"),
        ("--placement ends", "--placement is given, and has no effect: expected --false-posi"),
        ("--n-coders 2 --hypotheses 3", "--hypotheses is given, and has no effect on --n-coders"),
    ],
)
def test_simulated_errors(words: str, message: str) -> None:
    done = segscore("simulate", "-n", 5, *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("--show sizes --size-in words", True), ("--show sizes --size-in words --max-size 9", False),
        ("--show breaks --max-size 9", True), ("--show context --min-size 9", True),
        ("--show sizes --no-cohesion", True), ("--show breaks --tokens builtins:len", True),
        ("--size-in words --tokens builtins:len", True), ("--places 3", True),
        ("--show places --places 3", False), ("--size-in words --max-size 9", False),
    ],
)  # fmt: skip
def test_tables_of_chunks(words: str, refused: bool, tmp_path: Path) -> None:
    text, chunks = tmp_path / "text.txt", tmp_path / "chunks.jsonl"
    text.write_text("Cats purr. Dogs bark.")
    chunks.write_text(json.dumps({"document": "text", "offsets": [[0, 10], [10, 21]]}))
    done = segscore("chunks", text, chunks, "--resamples", 20, *words.split())
    assert done.returncode == (2 if refused else 0), done.stderr
    assert ("is given, and has no effect on --show" in done.stderr) == refused


@pytest.mark.parametrize("words", ["--cluster question", "--level 0.9", "--average mean"])
@pytest.mark.parametrize("table", ["cut", "questions"])
def test_tables_of_evidence(table: str, words: str, tmp_path: Path) -> None:
    done = segscore("evidence", "a.txt", "b.jsonl", "c.jsonl", "--show", table, *words.split())
    assert done.returncode == 2
    assert f"is given, and has no effect on --show {table}: expected one of them" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score --no-intervals", "nothing that is shown has an interval"),
        ("score --parts --percent", "nothing that is shown is a share"),
        ("agree --percent", "nothing that is shown is a share"),
        ("score --no-intervals -f json", "nothing that is shown has an interval"),
        ("audit --no-intervals", "nothing that is shown has an interval"),
        ("audit --no-intervals -f csv", "nothing that is shown has an interval"),
        ("audit --expect 0.9 --no-intervals", "nothing that is shown has an interval"),
        ("score --parts --no-intervals", "has no effect on --parts"),
        ("agree --show coders --no-intervals", "expected --show answer, agreement, coefficients"),
        ("agree -m pk --no-intervals", "expected --show agreement, coefficients, decisions"),
    ],
)
def test_numbers_that_nothing_shows(words: str, message: str, files: tuple[Path, Path]) -> None:
    command, *options = words.split()
    done = segscore(command, *files, *options)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert f"{options[-1] if '-f' not in options else options[0]} is given" in done.stderr
    assert message in done.stderr


@needs("plot")
@pytest.mark.parametrize("option", ["--level 0.9", "--seed 1"])
def test_intervals_that_are_left_out(option: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    lines = [{"document": f"d{i}", "scores": [p / 10 for p in range(10)]} for i in range(3)]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    sweep = ("sweep", *files, "--parameter", "n_t=1,2", "--resamples", 20)
    for words in (sweep, ("curve", files[0], scores, "--resamples", 20, "--no-check")):
        given = (*words, *option.split(), "--no-intervals")
        done = segscore(*given)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
        assert " is given, and has no effect without intervals: expected no --" in done.stderr
        drawn = segscore(*given, "--plot", tmp_path / "curve.svg")  # which shows intervals
        assert drawn.returncode == 0, drawn.stderr


def test_intervals_of_a_settings_file_may_be_asked_for_again(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "segscore.toml").write_text("no-intervals = true\n")
    for command in ("score", "audit"):
        for more in ([], ["--intervals"]):
            done = segscore(command, *files, *more, cwd=tmp_path)
            assert done.returncode == 0, done.stderr


def test_shares_of_sweeps_and_curves_in_percent(files: tuple[Path, Path], tmp_path: Path) -> None:
    words = ("sweep", *files, "-m", "b", "--parameter", "n_t=1,2", "--resamples", 20)
    share, percent = (segscore(*words, *more).stdout for more in ((), ["--percent"]))
    assert "0.5000" in share
    assert "50.00" in percent
    scores = tmp_path / "scores.jsonl"
    lines = [{"document": f"d{i}", "scores": [p / 10 for p in range(10)]} for i in range(3)]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for more in ([], ["--all"]):
        words = ("curve", files[0], scores, "-m", "f1", *more)
        assert segscore(*words).stdout != segscore(*words, "--percent").stdout


@pytest.mark.parametrize("words", ["--config x.toml --no-config", "--no-config --config x.toml"])
def test_settings_are_read_or_not(words: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("digits = 2\n")
    done = segscore("score", *files, *words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert "--config and --no-config are both given: expected one of them" in done.stderr


def test_gaps_are_placed_if_they_are_accepted(files: tuple[Path, Path]) -> None:
    done = segscore("score", *files, "--gaps", "before")
    assert done.returncode == 2
    assert "--gaps is given, and has no effect: expected --allow-gaps beside it" in done.stderr


def test_the_opposite_of_an_option_is_not_that_option(files: tuple[Path, Path]) -> None:
    """--intervals undoes `no-intervals = true` of a settings file."""
    done = segscore("score", *files, "--no-check", "--parts", "--intervals")
    assert (done.returncode, done.stderr) == (0, "")
    done = segscore("score", *files, "--no-check", "--parts", "--no-intervals")
    assert "--no-intervals is given, and has no effect on --parts" in done.stderr


def test_an_encoding_that_json_lines_has_is_no_mistake(files: tuple[Path, Path]) -> None:
    assert segscore("score", *files, "--no-check", "--text-encoding", "UTF-8").returncode == 0
    done = segscore("score", *files, "--no-check", "--text-encoding", "latin-1")
    assert "--text-encoding is given, and has no effect on jsonl" in done.stderr


def test_a_system_is_not_compared_with_itself(files: tuple[Path, Path]) -> None:
    done = segscore("compare", *files, "--no-check", "--between", "hyp", "hyp")
    assert done.stderr == "segscore: --between has 'hyp' twice: expected two systems\n"
