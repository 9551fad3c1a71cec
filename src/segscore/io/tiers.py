"""Tiers of timed annotation (ELAN, Praat) on their way to records: a tier is a coder's coding."""

from collections.abc import Iterator, Mapping

from segscore.corpus.record import Record
from segscore.errors import named
from segscore.io.files import Source
from segscore.io.placing import Span, timed_record
from segscore.text.unit_splitting import Stretches, stretches

Tiers = Mapping[str, list[Span]]


def tier_records(source: Source, tiers: Tiers, total: int) -> Iterator[Record]:
    """A record per tier, whose name is the coder's; `layer` chooses one, and with `tier:NAME` the
    intervals of that tier are the units."""
    choices = source.choices
    for wanted in (choices.layer, choices.tier):
        if wanted is not None and wanted not in tiers:
            raise source.fail(f"no tier is called {wanted!r}: there is {named(tiers)}")
    units = None if choices.tier is None else _units(source, tiers[choices.tier])
    chosen = [choices.layer] if choices.layer is not None else [
        name for name in tiers if name != choices.tier
    ]  # fmt: skip
    if not chosen:
        raise source.fail("no tier to read: expected one with segments")
    for name in chosen:
        coder = source.coder if source.told and len(chosen) == 1 else name
        yield timed_record(source, source.document, coder, tiers[name], total, units)


def _units(source: Source, spans: list[Span]) -> Stretches:
    if not spans:
        raise source.fail(f"tier {source.choices.tier!r} is empty: expected the units")
    ordered = sorted(spans)
    with source.locating():
        units = stretches([(one.start, one.end) for one in ordered])
    return Stretches(
        units.starts, units.ends, tuple(" ".join(sorted(one.labels)) for one in ordered)
    )
