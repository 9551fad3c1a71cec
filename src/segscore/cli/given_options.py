"""Which options a person typed, as against those that have their defaults; and the error for those
that would have no effect."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from segscore.errors import SegmentationError

_typed: ContextVar[frozenset[str]] = ContextVar("typed_options", default=frozenset())


@contextmanager
def remembered(context: Any) -> Iterator[None]:
    """Remember what stands on the command line while the command runs.

    context: Typer's, in which the options of a command have been parsed.
    """
    names = (
        name
        for one in context.command.get_params(context)
        if getattr(context.get_parameter_source(one.name), "name", "") == "COMMANDLINE"
        for name in one.opts
    )
    token = _typed.set(frozenset(names))
    try:
        yield
    finally:
        _typed.reset(token)


def typed(option: str) -> bool:
    """Whether an option, by its long name, stands on the command line."""
    return option in _typed.get()


def refuse_unused(used: Mapping[str, object], expected: str) -> None:
    """An error for an option that was typed and would change nothing.

    used: whether each option has an effect here. expected: what would give it one.
    """
    for option, has_effect in used.items():
        if typed(option) and not has_effect:
            raise SegmentationError(
                f"{option} is given, and has no effect: expected {expected} beside it"
            )
