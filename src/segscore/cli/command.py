"""Commands as Typer has them, with two help texts: `-h`, a screen with the most used options, and
`--help`, everything in sections."""

from collections.abc import Iterable, Iterator
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

from segscore.cli import completion, help_text
from segscore.cli.given_options import remember
from segscore.cli.help_sections import Section, short_help_of
from segscore.cli.option_values import spare_conversions, with_one_metric


class Command(TyperCommand):
    """A command with readable help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        """The parser, which knows what is given once."""
        return with_one_metric(super().make_parser(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        remember(ctx)
        return super().invoke(ctx)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, in its section."""
        return _in_section(super().get_help_option(ctx))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Names of options, each with a hint."""
        return _briefly(super().shell_complete(ctx, incomplete), self.params)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options in sections, each with its help."""
        help_text.write_rows(formatter, help_text.sections(self.get_params(ctx), ctx))

    def format_short_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, a sentence, the most used options, and examples."""
        declared = short_help_of(self.callback)
        _write_opening(self, ctx, formatter)
        rows = help_text.usual(self.get_params(ctx), ctx, declared.options)
        help_text.write_rows(formatter, rows)
        help_text.write_end(formatter, declared, help_text.words_of(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`REF [HYP…]`: in brackets what may be left out, … what may be repeated."""
        return list(self._usage(ctx))

    def _usage(self, ctx: Any) -> Iterator[str]:
        yield "[OPTIONS]"
        for parameter in self.get_params(ctx):
            if isinstance(parameter, TyperArgument):
                name = parameter.display_name_raw.strip("[]")
                yield name if parameter.required else f"[{name}]"


class Group(TyperGroup):
    """Commands under one name, with options of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, in its section."""
        return _in_section(super().get_help_option(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands, then options in sections."""
        help_text.write_rows(formatter, self._commands)
        help_text.write_rows(formatter, help_text.sections(self.get_params(ctx), ctx))

    def format_short_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, a sentence, the commands, and examples."""
        declared = short_help_of(self.callback)
        _write_opening(self, ctx, formatter)
        help_text.write_rows(formatter, self._commands)
        rows = help_text.usual(self.get_params(ctx), ctx, declared.options)
        help_text.write_rows(formatter, rows)
        help_text.write_end(formatter, declared, help_text.words_of(ctx))

    @property
    def _commands(self) -> dict[str, list[help_text.Row]]:
        known = self.commands.items()
        return {"Commands": [(name, help_text.summary(command.help)) for name, command in known]}

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage; the subcommand is optional if the group can run without it."""
        del ctx
        return ["[OPTIONS]", "[COMMAND]" if self.invoke_without_command else "COMMAND"]


def _write_opening(command: Command | Group, ctx: Any, formatter: Any) -> None:
    command.format_usage(ctx, formatter)
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(help_text.summary(command.help))


def _briefly(found: Iterable[Any], parameters: Iterable[Any]) -> list[Any]:
    """The completions of a word, without old names."""
    old = {name for parameter in parameters for name in help_text.old_names(parameter)}
    kept = [candidate for candidate in found if candidate.value not in old]
    for candidate in kept:
        candidate.help = completion.hint(candidate.help or "")
    return kept


def _in_section(option: Any) -> Any:
    if option is not None:
        option.rich_help_panel, option.help = Section.HELP, "All options, in sections."
    return option
