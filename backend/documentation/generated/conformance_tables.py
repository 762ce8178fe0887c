"""How the engine agrees with the recordings of real clusters: releases × schedules × values."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from backend.documentation.generated.subject import Subject, code, table
from sim_engine.conformance.fidelity import (
    Agreement,
    RecordingEntry,
    older_recordings,
    read_fidelity_checks,
    walked_releases,
)
from sim_engine.languages import in_language
from sim_engine.releases import number_of
from sim_engine.versions import CONTROL_TITLES

_VALUES = ("equal", "differ", "not-compared")
_OF_RELEASES = ("release", "controller", "schedules", "steps", *_VALUES)
_OF_SCHEDULES = ("schedule", "agrees-on", "differs-on", *_VALUES)
_OUTCOMES = ("agrees", "differs", "unstable", "not-recorded")
_OF_WALKS = ("release", "controller", "schedules", *_OUTCOMES, "equal", "not-compared", "cpu-hours")
_NONE = "–"

_Recorded = tuple[RecordingEntry, Agreement]


def conformance_tables(_subject: Subject, lang: str) -> str:
    """A table with a row for each release and controller, then one with a row for each schedule."""
    checks = read_fidelity_checks()
    recorded = [(one, checks.agreement[one.name]) for one in checks.recordings]
    of_releases = groupby(sorted(recorded, key=_by_release), _by_release)
    of_schedules = groupby(sorted(recorded, key=_by_schedule), lambda one: one[0].id)
    releases = (_release_row([*group]) for _, group in of_releases)
    schedules = (_schedule_row([*group], lang) for _, group in of_schedules)
    return f"{table(lang, _OF_RELEASES, releases)}\n{table(lang, _OF_SCHEDULES, schedules)}"


def older_recordings_table(_subject: Subject, lang: str) -> str:
    """A table with a row for each scenario that covers older recordings, then one with what no
    scenario can do.
    """
    older = older_recordings()
    recorded = sorted(read_fidelity_checks().recordings, key=lambda one: number_of(one.kafka))
    scenarios = (
        (
            code(scenario),
            ", ".join(one.kafka for one in recorded if one.id == scenario) or _NONE,
            ", ".join(map(code, ids)),
        )
        for scenario, ids in older.covered.items()
    )
    rest = ((code(one), in_language(said, lang)) for one, said in older.not_a_scenario.items())
    covered = table(lang, ("scenario", "recorded-on", "older-recordings"), scenarios)
    return f"{covered}\n{table(lang, ('older-recording', 'not-a-scenario'), rest)}"


def walks_table(_subject: Subject, lang: str) -> str:
    """A table with a row for each release whose brokers carried out random schedules."""
    rows = (
        (
            one.kafka,
            CONTROL_TITLES[one.control],
            *(f"{number:,}" for number in (one.schedules, one.agrees, one.differs, one.unstable)),
            f"{one.not_recorded:,}",
            f"{one.equal:,}",
            f"{one.not_held:,}",
            f"{one.cpu_s / 3600:.2f}",
        )
        for one in walked_releases()
    )
    return table(lang, _OF_WALKS, rows)


def _by_release(one: _Recorded) -> tuple[tuple[int, ...], str]:
    entry, agreement = one
    return number_of(entry.kafka), agreement.control


def _by_schedule(one: _Recorded) -> tuple[str, tuple[int, ...]]:
    return one[0].id, number_of(one[0].kafka)


def _release_row(recorded: list[_Recorded]) -> tuple[str, ...]:
    first, agreement = recorded[0]
    return (
        first.kafka,
        CONTROL_TITLES[agreement.control],
        f"{len({one.id for one, _ in recorded}):,}",
        f"{sum(one.steps for one, _ in recorded):,}",
        *_values(recorded),
    )


def _schedule_row(recorded: list[_Recorded], lang: str) -> tuple[str, ...]:
    title = in_language(recorded[0][0].titles(), lang)
    return (
        title,
        ", ".join(_links(one for one in recorded if not one[1].differ)) or _NONE,
        ", ".join(_links(one for one in recorded if one[1].differ)) or _NONE,
        *_values(recorded),
    )


def _links(recorded: Iterable[_Recorded]) -> Iterator[str]:
    for entry, _ in recorded:
        yield f"[{entry.kafka}](/recordings/{entry.name})"


def _values(recorded: list[_Recorded]) -> Iterator[str]:
    for name in ("equal", "differ", "not_held"):
        yield f"{sum(getattr(agreement, name) for _, agreement in recorded):,}"
