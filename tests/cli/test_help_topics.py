"""`segscore help TOPIC`: pages that fit a terminal, are those of the site, and name what there is."""

import re
import sys
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from segscore.cli.help import TOPICS, topic_text
from segscore.cli.help_entries import entry_names, entry_text
from segscore.cli.settings_file import options_of
from segscore.io.registry import FORMATS, WRITTEN
from segscore.metrics import METRICS
from segscore.tables.wrapping import length

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS))

from make_help_topics import pages  # noqa: E402

SOURCE = (DOCS / "topics.md").read_text("utf-8")


def test_pages_are_made_from_the_docs() -> None:
    made = pages(SOURCE)
    assert tuple(made) == TOPICS
    for name, text in made.items():
        assert topic_text(name) == text, "run `make help-topics`"


@pytest.mark.parametrize("name", TOPICS)
def test_a_page_fits_a_terminal(name: str) -> None:
    done = segscore("help", name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert 10 < len(lines) <= 60
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"{name}: ")
    assert not re.search(r"`|\]\(|\|--", done.stdout)
    assert done.stdout == topic_text(name)


def words_of(name: str) -> set[str]:
    return set(re.findall(r"[\w@.-]*\w", topic_text(name)))


def test_all_metrics_and_formats_are_named() -> None:
    ranked = {name for name in METRICS if name.startswith("e-")}
    assert set(METRICS) - ranked - words_of("metrics") == set()
    assert ranked
    assert set(FORMATS) - words_of("formats") == set()
    ours = set(re.findall(r"[\w-]+", topic_text("formats").partition("Only read:")[0]))
    assert set(WRITTEN) - ours == set()


def test_options_that_pages_name_are_there() -> None:
    from typer.main import get_command

    from segscore.cli import app

    program = get_command(app)
    known = {
        f"--{key}"
        for name in program.commands  # type: ignore[attr-defined]
        for key in options_of(program.commands[name])  # type: ignore[attr-defined]
    }
    opposites = {"--no-percent", "--no-check"}
    for name in TOPICS:
        assert set(re.findall(r"--[a-z][a-z-]*", topic_text(name))) - known - opposites == set()


@pytest.mark.parametrize("name", entry_names())
def test_a_page_about_each_metric_and_segmenter(name: str) -> None:
    text = entry_text(name)
    assert text is not None
    lines = text.split("\n")
    assert lines[0].startswith(f"{name}: ")
    assert len(lines) <= 60
    assert max(map(length, lines)) <= 80
    assert ">>>" not in text


def test_help_of_a_metric_has_definition_parameters_and_source() -> None:
    done = segscore("help", "WindowDiff")
    assert done.returncode == 0
    assert done.stdout.startswith("windowdiff: WindowDiff error: the share of windows")
    assert "Pevzner & Hearst (2002), eq. 1." in done.stdout
    assert "  k [default: auto]: size of the window" in done.stdout
    assert "fp_weight [default: 2]" in segscore("help", "pk-prime").stdout
    assert "Choi 2000" in segscore("help", "c99").stdout
    assert "hierarchical [default: yes]" in segscore("help", "hc99").stdout


@pytest.mark.parametrize("name", METRICS)
def test_help_of_a_metric_says_what_can_be_typed(name: str) -> None:
    """It named classes, and values in quotes, True and None, which -m refuses."""
    text = " ".join((entry_text(name) or "").split())
    found = re.search(r'On the command line: -m (\S+?)(?:, or -m "(\S+)")? Signature: ', text)
    assert found is not None
    assert ss.metric(found[1]) == ss.metric(name)
    assert found[2] is None or ss.metric(found[2]) != ss.metric(name)  # it changes something
    assert not re.search(r"(?<!trim=)\bTrue\b|\bFalse\b|\bNone\b|\bss\.|docstring", text)
    assert not re.search(r'="|`[A-Z]\w*[a-z]\w*[`(]|\ba function\b', text)
    values = re.findall(r"`([\w-]+=[^`]+)`", text)
    assert values == (["cost=halving"] if name == "s" else [])


@pytest.mark.parametrize(
    ("spec", "typed"),
    [
        ("b(types=1/2/)", ss.BoundarySimilarity(types=(1, 2))),
        ("segment-f1(ignore=background/pause/)", ss.SegmentMatch(ignore=("background", "pause"))),
        ("multf1(tolerance=5, ends=start)", ss.MultiBoundaryMatch(tolerance=5, ends="start")),
    ],
)
def test_values_that_the_pages_name(spec: str, typed: ss.Metric) -> None:
    name, _, rest = spec.partition("(")
    value = rest.rstrip(")").rpartition("=")[2]
    assert value in " ".join((entry_text(name) or "").split())
    assert ss.metric(spec) == typed


def test_topics_are_listed() -> None:
    done = segscore("help")
    assert done.returncode == 0
    assert re.findall(r"^  ([\w-]+)  ", done.stdout, re.MULTILINE) == list(TOPICS)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("command", ["compare", "data", "data fetch", "help"])
def test_help_of_a_command(command: str) -> None:
    asked = segscore("help", *command.split())
    assert asked.returncode == 0
    assert asked.stdout.rstrip() == segscore(*command.split(), "--help").stdout.rstrip()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("metric", "'metric' is neither a topic nor a command (did you mean 'metrics'?)"),
        ("exitcodes", "did you mean 'exit-codes'?"),
        ("comparee", "did you mean 'compare'?"),
        ("data fetsh", "segscore data has no command 'fetsh' (did you mean 'fetch'?)"),
        ("metrics units", "'metrics units' is more than a topic: expected segscore help metrics"),
    ],
)
def test_unknown_topics(words: str, message: str) -> None:
    done = segscore("help", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_is_there_beside_broken_settings(tmp_path: Path) -> None:
    (tmp_path / "segscore.toml").write_text("nonsense", encoding="utf-8")
    assert segscore("help", "settings", cwd=tmp_path).returncode == 0
