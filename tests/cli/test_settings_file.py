"""segscore.toml and --config: what holds, what beats it, and what it may not say."""

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from command_line import Done, segscore
from segscore.cli import app
from segscore.cli.settings_file import LARGEST, SettableOption, options_of

DOCS = Path(__file__).parents[2] / "docs"
SCORE = ("score", "ref.jsonl", "hyp.jsonl")
COMPARE = ("compare", "ref.jsonl", "hyp.jsonl", "other.jsonl", "--resamples", "20")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, boundaries in {"ref": [3, 5], "hyp": [3, 6], "other": [4]}.items():
        rows = [
            {"document": document, "coder": name, "n_units": 9, "boundaries": boundaries}
            for document in ("a", "b", "c")
        ]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def with_settings(folder: Path, text: str, *arguments: str) -> Done:
    (folder / "segscore.toml").write_text(text, encoding="utf-8")
    return segscore(*arguments, cwd=folder)


def rows(done: Done) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


# ---- what holds ----


def test_settings_are_defaults(folder: Path) -> None:
    done = with_settings(folder, 'metric = ["pk", "b"]\nformat = "json"\ncheck = false\n', *SCORE)
    assert [row["metric"] for row in rows(done)] == ["pk", "b"]
    assert done.stderr == "settings from segscore.toml: metric, format, check\n"


def test_the_command_line_beats_the_file(folder: Path) -> None:
    text = 'metric = ["pk", "b"]\nformat = "json"\ncheck = false\npercent = true\n'
    done = with_settings(folder, text, *SCORE, "-m", "wd", "--check", "--no-percent")
    assert [row["metric"] for row in rows(done)] == ["wd"]
    assert done.stderr.splitlines()[0] == "settings from segscore.toml: format"
    table = with_settings(folder, "percent = true\nno-intervals = true", *COMPARE).stdout
    assert "(%)" in table
    assert "[" not in table
    table = with_settings(
        folder, "percent = true\nno-intervals = true", *COMPARE, "--no-percent", "--intervals"
    ).stdout
    assert "(%)" not in table
    assert "[" in table


def test_a_typed_suffix_beats_the_format_of_the_file(folder: Path) -> None:
    done = with_settings(folder, 'format = "latex"\n', *SCORE, "--no-check", "-o", "x.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "x.csv").read_text(encoding="utf-8").startswith("system,metric")
    done = with_settings(folder, 'format = "latex"\n', *SCORE, "--no-check", "-o", "x.tab")
    assert done.stderr == "settings from segscore.toml: format\n"
    assert "\\begin{table}" in (folder / "x.tab").read_text(encoding="utf-8")


def test_a_list_of_one_is_one_value(folder: Path) -> None:
    agree = ("agree", "ref.jsonl", "hyp.jsonl", "--no-check", "-f", "json")
    done = with_settings(folder, 'metric = ["s"]\n', *agree)
    assert (done.returncode, '"s|' in done.stdout) == (0, True)
    several = with_settings(folder, 'metric = ["s", "b"]\n', *agree)
    assert several.returncode == 2
    assert "expected a text in quotes, and no list of several, for segscore agree" in several.stderr


def test_one_command_beats_all(folder: Path) -> None:
    text = 'metric = "pk"\nformat = "json"\n[compare]\nmetric = "b"\nseed = 4\n'
    assert {row["metric"] for row in rows(with_settings(folder, text, *SCORE))} == {"pk"}
    done = with_settings(folder, text, *COMPARE, "--show", "pairs")
    assert {row["metric"] for row in rows(done)} == {"b"}
    assert done.stderr.splitlines()[0] == "settings from segscore.toml: metric, format, seed"


def test_config_names_another_file_and_no_config_none(folder: Path) -> None:
    (folder / "mine.toml").write_text('metric = "b"\n', encoding="utf-8-sig")
    text = 'metric = "pk"\nformat = "json"\n'
    done = with_settings(folder, text, *SCORE, "-f", "json", "--config", "mine.toml")
    assert [row["metric"] for row in rows(done)] == ["b"]
    assert done.stderr.startswith("settings from mine.toml: metric\n")
    done = with_settings(folder, text, *SCORE, "--no-config", "-f", "json")
    assert [row["metric"] for row in rows(done)] == ["pk", "windowdiff", "b"]
    assert "settings" not in done.stdout + done.stderr


def test_what_no_option_of_this_command_is_does_not_hold(folder: Path) -> None:
    done = with_settings(folder, "seed = 3\n[compare]\nresamples = 5\n", *SCORE)
    assert done.returncode == 0
    assert "settings" not in done.stderr
    named = segscore(*SCORE, "--config", "segscore.toml", cwd=folder)
    assert named.stderr.startswith("settings from segscore.toml: none for this command\n")


def test_nothing_else_is_read(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folder above, no home, no variable; and Python reads nothing at all."""
    below = folder / "below"
    below.mkdir()
    (folder / "segscore.toml").write_text("metrik = 1\n", encoding="utf-8")
    for name in ("HOME", "XDG_CONFIG_HOME", "SEGSCORE_CONFIG", "SEGSCORE_TOML"):
        monkeypatch.setenv(name, str(folder))
    assert segscore("score", "../ref.jsonl", "../hyp.jsonl", cwd=below).returncode == 0
    script = "import segscore as ss; print(len(ss.score('ref.jsonl', 'hyp.jsonl')))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_groups_of_commands(folder: Path) -> None:
    text = '[data]\nformat = "json"\n'
    listed = rows(with_settings(folder, text, "data"))
    done = with_settings(folder, text, "data", "list")
    assert rows(done) == listed
    assert done.stderr == "settings from segscore.toml: format\n"


def test_help_needs_no_settings(folder: Path) -> None:
    assert with_settings(folder, "metrik = 1", "score", "--help").returncode == 0


def test_no_toml_without_a_file(folder: Path) -> None:
    script = "import sys; from segscore.cli import run; run(sys.argv[1:]); print(*sys.modules)"

    def modules() -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", script, *SCORE],
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return set(done.stdout.split())

    assert not {"tomllib", "segscore.cli.settings_file"} & modules()
    (folder / "segscore.toml").write_text('metric = "pk"\n', encoding="utf-8")
    found = modules()
    assert "tomllib" in found
    assert "segscore.cli.compare" not in found  # commands stay lazy


# ---- what is recorded ----


def test_show_settings(folder: Path) -> None:
    text = 'metric = "pk"\n[compare]\nseed = 4\n'
    done = with_settings(
        folder, text, "compare", "--show-settings", "--level", "0.9", "--format", "json"
    )
    found = {row["option"]: (row["value"], row["from"]) for row in rows(done)}
    assert found["--metric"] == ('["pk"]', "segscore.toml")
    assert found["--seed"] == ("4", "segscore.toml [compare]")
    assert found["--level"] == ("0.9", "command line")
    assert found["--test"] == ('"auto"', "default")
    sources = [source for _, source in found.values()]
    assert sources.index("default") == 4  # what is typed and set comes first
    assert set(sources[4:]) == {"default"}
    assert found["--output"] == (None, "default")
    assert done.stderr == ""
    assert not {"--config", "--no-config", "--show-settings", "--help"} & set(found)
    for command in ("data", "data list", "plot", "report"):
        done = segscore(*command.split(), "--show-settings", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert "--output" in done.stdout


def test_json_records_them(folder: Path) -> None:
    done = with_settings(folder, 'metric = ["pk"]\nseed = 3\n', *COMPARE, "-f", "json")
    found = rows(done)
    settings = 'segscore.toml: metric = ["pk"], seed = 3'
    assert {row["settings"] for row in found} == {settings}
    documents = rows(segscore(*SCORE, "--per-document", "-f", "json", cwd=folder))
    assert {row["settings"] for row in documents} == {'segscore.toml: metric = ["pk"]'}
    schema = json.loads((DOCS / "output.schema.json").read_text(encoding="utf-8"))
    for name, records in (("systems", found), ("documents", documents)):
        jsonschema.validate(records, {**schema["$defs"][name], "$defs": schema["$defs"]})


def test_the_report_records_a_command_that_needs_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "my settings.toml").write_text(
        'metric = ["pk", "b"]\nseed = 3\ncheck = false\nfail-if-worse = "b"\n', encoding="utf-8"
    )
    arguments = [*COMPARE, "--config", "my settings.toml", "--report", "page.html"]
    monkeypatch.setattr(sys, "argv", ["segscore", *arguments])
    segscore(*arguments, cwd=folder)
    page = (folder / "page.html").read_text(encoding="utf-8")
    found = re.search(r"Reproduce this page</h3>\s*<pre><code>(.*?)</code>", page, re.DOTALL)
    assert found
    command = found[1].replace("&#x27;", "'").replace("&quot;", '"')
    assert command.endswith("# --metric, --seed, --check, --fail-if-worse: from my settings.toml")
    again = shlex.split(command, comments=True)
    assert again == [
        "segscore", "compare", "--no-config", "--metric=pk", "--metric=b", "--seed=3",
        "--no-check", "--fail-if-worse=b", *COMPARE[1:], "--report", "page.html",
    ]  # fmt: skip
    (folder / "my settings.toml").unlink()
    assert segscore(*again[1:], cwd=folder).returncode in (0, 1)


# ---- what is wrong ----

WRONG = {
    'metrik = "pk"': "segscore.toml: 'metrik' is not an option of any command (did you mean 'metric'?)",
    '[scores]\nmetric = "pk"': "segscore.toml: [scores] is not a command (did you mean 'score'?)",
    "[score]\nseed = 3": "segscore.toml [score]: 'seed' is not an option of this command",
    "no-check = true": "segscore.toml: 'no-check' is not an option of any command: expected check = false",
    "fail_under = 'b=0.3'": "did you mean 'fail-under'?",
    "metric = 3": "segscore.toml: metric is 3: expected a text in quotes, or a list of them",
    'metric = ["b", 3]': 'metric is ["b", 3]: expected a text in quotes, or a list of them',
    'check = "no"': 'check is "no": expected true or false',
    "digits = true": "digits is true: expected a whole number",
    "digits = 2.0": "digits is 2.0: expected a whole number",
    "digits = 2020-01-01": 'digits is "2020-01-01": expected a whole number',
    "digits = [2]": "digits is [2]: expected a whole number",
    "similarity = true": "similarity is true: expected a number",
    'similarity = "0.5"': 'similarity is "0.5": expected a number',
    'average = "mean"': 'average is "mean": expected one of "both", "micro", "macro" for segscore '
    "score; [score] can have a value of its own",
    'mask = "10"': "--mask is '10': expected START:END, as 10:20 or 12.5s:30s (--mask comes from "
    "segscore.toml)",
    'output = "x"': "segscore.toml sets output: it names a file to write, which a settings file may not do",
    "force = true": "segscore.toml sets force: it writes over files",
    "large = true": "segscore.toml sets large: it lifts the limits of memory",
    'text = "/etc"': "segscore.toml sets text: it names a file",
    'tokens = "os:getcwd"': "segscore.toml sets tokens: it imports code",
    'encoder = "os:getcwd"': "segscore.toml sets encoder: it imports code",
    'rename = ["a=b", "names.csv"]': "segscore.toml sets rename: a value without = names a file",
    'config = "x"': "segscore.toml sets config",
    "show-settings = true": "segscore.toml sets show-settings",
    "[score]\noutput = 'x'": "segscore.toml [score] sets output",
    "metric": "segscore.toml is not TOML: ",
    "metric = 'b'\nmetric = 'b'": "segscore.toml is not TOML: ",
    "metric = " + "[" * 5000: "segscore.toml is not TOML: ",
    "digits = " + "9" * 5000: "segscore.toml is not TOML: ",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_settings_are_told(folder: Path, text: str) -> None:
    done = with_settings(folder, text, *SCORE)
    assert done.returncode == 2
    stderr = done.stderr.removeprefix("settings from segscore.toml: mask\n")
    assert WRONG[text] in stderr
    assert stderr.count("\n") == 1
    assert done.stdout == ""


@given(
    st.one_of(
        st.binary(max_size=60),
        st.builds(
            "{} = {}".format,
            st.sampled_from(["metric", "digits", "check", "seed", "'a\\nb'", "[score]\nby"]),
            st.recursive(
                st.one_of(st.integers(), st.booleans(), st.floats(), st.text(max_size=3)),
                lambda values: st.lists(values, max_size=3),
            ).map(json.dumps),
        ).map(str.encode),
    )
)
def test_any_file_is_taken_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "segscore.toml").write_bytes(content)
        done = segscore("data", cwd=Path(name))
    assert done.returncode in (0, 2)
    first, _, rest = done.stderr.partition("\n")
    stderr = rest if first.startswith("settings from segscore.toml: ") else done.stderr
    assert stderr.count("\n") <= 1


def test_a_value_that_is_refused_names_the_option_and_the_file(folder: Path) -> None:
    done = with_settings(folder, "digits = -1", *SCORE)
    assert done.stderr == (
        "settings from segscore.toml: digits\n"
        "segscore: --digits is -1: expected 0 to 15 (--digits comes from segscore.toml)\n"
    )
    done = segscore("compare", *SCORE[1:], "--no-config", "--resamples", "0", cwd=folder)
    assert done.stderr == "segscore: --resamples is 0: expected 1 … 2**53\n"
    words = ("compare", *SCORE[1:], "--no-config", "--seed", "3", "-m", "e-b(seed=-1)")
    assert segscore(*words, cwd=folder).stderr == "segscore: seed is -1: expected 0 … 2**53\n"


def test_a_typed_value_is_not_said_to_come_from_the_file(folder: Path) -> None:
    done = with_settings(folder, "digits = 3", *SCORE, "--digits", "x")
    assert "--digits" in done.stderr
    assert "comes from" not in done.stderr
    done = with_settings(folder, "documents = 0", "report", "ref.jsonl")
    assert "(--documents comes from segscore.toml)" in done.stderr


def test_a_setting_without_effect_is_no_error(folder: Path) -> None:
    """An option without effect that is typed is an error."""
    done = with_settings(folder, "max-error = 0.3\nmargin = 0.1\n", *COMPARE)
    assert done.returncode == 0, done.stderr
    done = segscore(*COMPARE, "--max-error", "0.3", cwd=folder)
    assert "--max-error is given, and has no effect" in done.stderr


def test_old_names_are_no_settings(folder: Path) -> None:
    done = with_settings(folder, '[benchmark]\nmethods = "c99"\n', "benchmark", ".")
    assert "'methods' is not an option of this command (did you mean 'method'?)" in done.stderr


def test_the_width_of_tables_is_not_that_of_pictures(folder: Path) -> None:
    text = "width = 90\n[plot]\nheight = 4\n"
    shown = with_settings(folder, text, "plot", "--show-settings").stdout
    assert re.search(r"^--width +default$", shown, re.MULTILINE)
    shown = with_settings(folder, text + "width = 6\n", "plot", "--show-settings").stdout
    assert re.search(r"^--width +6.* segscore.toml \[plot\]$", shown, re.MULTILINE)


def test_numbers_of_one_name_are_numbers_of_one_thing() -> None:
    kinds: dict[str, set[str]] = {}
    for name, option in OPTIONS.items():
        if option.is_shared and option.kind in (int, float):
            kinds.setdefault(name.rsplit(maxsplit=1)[-1], set()).add(option.kind.__name__)
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


def test_renames_of_coders_are_settings(folder: Path) -> None:
    done = with_settings(folder, 'rename = ["hyp=ours"]\nformat = "json"', *SCORE)
    assert {row["system"] for row in rows(done)} == {"ours"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "none.toml"], "--config is 'none.toml', and there is no such file"),
        (["--config", "a.toml", "--config", "b.toml"], "--config is given 2 times"),
        (["--config", "good.toml", "--no-config"], "--config and --no-config are both given"),
        (["--no-config", "--config", "good.toml"], "--config and --no-config are both given"),
        (["--config", "."], ". is not a regular file"),
        (["--config", "large.toml"], "large.toml is larger than 64 kB"),
        (["--config", "latin.toml"], "latin.toml is not in UTF-8"),
    ],
)
def test_files_that_are_none(folder: Path, arguments: list[str], words: str) -> None:
    (folder / "good.toml").write_text("check = false", encoding="utf-8")
    (folder / "large.toml").write_text("#" * (LARGEST + 1), encoding="utf-8")
    (folder / "latin.toml").write_text('caption = "é"', encoding="latin-1")
    done = segscore(*SCORE, *arguments, cwd=folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert words in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_and_links(folder: Path) -> None:
    os.mkfifo(folder / "segscore.toml")
    assert "segscore.toml is not a regular file" in segscore(*SCORE, cwd=folder).stderr
    (folder / "segscore.toml").unlink()
    (folder / "segscore.toml").symlink_to(folder / "gone.toml")
    assert (
        "segscore.toml is a link to a file that is not there" in segscore(*SCORE, cwd=folder).stderr
    )
    (folder / "gone.toml").write_text("check = false", encoding="utf-8")
    assert segscore(*SCORE, cwd=folder).returncode == 0


def test_config_before_the_command(folder: Path) -> None:
    done = segscore("--config", "x.toml", *SCORE, cwd=folder)
    assert done.returncode == 2
    assert "Options come after the command: segscore score … --config" in done.stderr


# ---- all options of all commands ----


def every_option() -> Iterator[tuple[str, SettableOption]]:
    program: Any = get_command(app)
    for name in program.commands:
        for key, option in options_of(program.commands[name]).items():
            yield f"{name} --{key}", option


OPTIONS = dict(every_option())
FILE_WORDS = re.compile(r"MODULE|\bFILE\b|\bFOLDER\b|\bDIR\b|\.npy|CSV file")
HARM = re.compile(r"\b([Ww]rite|over a file|trust|[Aa]ccept the terms)\b")


def test_no_option_of_a_file_or_of_code_can_be_set() -> None:
    """By its type, or by words in its help: so a new one is refused, or stands out here."""
    suspicious = {
        name: option
        for name, option in OPTIONS.items()
        for words in [f"{option.parameter.metavar} {option.parameter.help}"]
        if "Path" in str(option.kind) or FILE_WORDS.search(words) or HARM.search(words)
    }
    assert {"score --output", "chunks --encoder", "evidence --tokens"} <= set(suspicious)
    assert [name for name, option in suspicious.items() if option.refusal is None] == []


def test_there_are_options_that_can_be_set() -> None:
    free = {name for name, option in OPTIONS.items() if option.refusal is None}
    assert {"score --metric", "compare --seed", "agree --units", "report --title"} <= free
    assert len(free) > len(OPTIONS) / 2


def test_every_value_that_can_be_set_has_a_form() -> None:
    from segscore.cli import settings_file

    for name, option in OPTIONS.items():
        if option.refusal is None or option.refusal.unless:
            assert settings_file._right_form(name, option.kind)
            assert not settings_file._fits(option.kind, {})


def test_commands_have_the_three_options() -> None:
    program: Any = get_command(app)
    for name in set(program.commands) - {"help"}:  # which works beside a broken file
        command = program.commands[name]
        for subcommand in getattr(command, "commands", {name: command}).values():
            given = inspect.signature(subcommand.callback).parameters
            assert {"config", "no_config", "show_settings"} <= set(given), name
