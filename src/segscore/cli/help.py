"""`segscore help TOPIC`: short pages for the terminal, which docs/make_help_topics.py makes."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated, Any

import typer

from segscore.cli.command import Command
from segscore.cli.command_list import COMMANDS
from segscore.cli.help_sections import short_help
from segscore.cli.help_text import words_of
from segscore.cli.option_groups import with_groups
from segscore.cli.streams import print_out
from segscore.errors import SegmentationError, nearest

TOPICS = ("metrics", "formats", "units", "signatures", "exit-codes", "settings")


@short_help("", "segscore help metrics", "segscore help windowdiff")
def run(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TOPIC",
            autocompletion=lambda: [*TOPICS, *COMMANDS],
            help=f"{', '.join(TOPICS)}, a command, a metric or a segmenter.",
        ),
    ] = None,
) -> None:
    """Print a page about metrics, formats, units and other topics.

    Without a topic, list them all. `segscore help compare` is `segscore compare --help`;
    `segscore help windowdiff` and `segscore help c99` explain a metric and a segmenter.
    """
    if not words:
        print_out(_listing())
    elif words[0] in TOPICS:
        if len(words) > 1:
            raise SegmentationError(
                f"{' '.join(words)!r} is more than a topic: expected segscore help {words[0]}"
            )
        print_out(topic_text(words[0]).rstrip("\n"))
    elif words[0] in COMMANDS:
        print_out(_help_of_command(context.parent, words))
    else:
        print_out(_help_of_entry(context.parent, words))


def topic_text(name: str) -> str:
    """The page of a topic."""
    return files("segscore.cli").joinpath("topics", f"{name}.txt").read_text("utf-8")


def _listing() -> str:
    """The topics, each with its subject."""
    titles = [topic_text(name).partition("\n")[0].partition(": ") for name in TOPICS]
    rows = [f"  {name:{max(map(len, TOPICS))}}  {words}" for name, _, words in titles]
    return "\n".join(
        ["Topics:", *rows, "", "segscore help TOPIC prints one of them.",
         "segscore help COMMAND prints the help of a command; segscore lists them all.",
         "segscore help METRIC explains a metric, segscore help SEGMENTER a segmenter."]
    )  # fmt: skip


def _help_of_entry(context: Any, words: Sequence[str]) -> str:
    """The page about a metric or a segmenter."""
    from segscore.cli.help_entries import entry_text

    text = entry_text(words[0]) if len(words) == 1 else None
    return text if text is not None else _help_of_command(context, words)


def _help_of_command(context: Any, words: Sequence[str]) -> str:
    """The output of --help for the command with these words."""
    for word in words:
        known = getattr(context.command, "commands", {})
        if word not in known:
            raise SegmentationError(_unknown(word, known, context))
        context = type(context)(known[word], parent=context, info_name=word)
    text: str = context.command.get_help(context)
    return text


def _unknown(word: str, commands: Any, context: Any) -> str:
    """The error for a word that is neither a topic nor a command."""
    if context.parent is not None:
        return f"segscore {words_of(context)} has no command {word!r}{nearest(word, commands)}"
    meant, _, _ = nearest(word, [*TOPICS, *commands]).partition(":")
    expected = f"{', '.join(TOPICS)}, a command, a metric or a segmenter"
    return f"{word!r} is neither a topic nor a command{meant}: expected {expected}"


app = typer.Typer(rich_markup_mode=None, add_completion=False)
app.command("help", cls=Command)(with_groups(run, guarded=False))
