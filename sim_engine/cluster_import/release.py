"""Determines the release of a cluster and its kind of controller, as a range with its reasons."""

from msgspec import Struct

from sim_engine.cluster_import.parsed_state import ParsedState, Statement
from sim_engine.releases import Number, at_least, newest_of_lines, number_of
from sim_engine.versions import Control, resolve_profile


class ReleaseFound(Struct, frozen=True):
    """A release by the name of its line, and a controller if it supports two. `oldest` and `newest`
    are the lines that match the input, and `why` what shows it.
    """

    kafka: str
    control: Control | None
    oldest: str
    newest: str
    why: tuple[Statement, ...] = ()


def releases_for(parsed: ParsedState, asked: str | None) -> list[ReleaseFound]:
    """The requested release, otherwise those that match the input, the newest first.

    Raises `UnknownVersionError` for an unknown release.
    """
    control = _control(parsed)
    if asked is not None:
        return [ReleaseFound(asked, _where_it_was_a_choice(asked, control), asked, asked)]
    oldest = max(parsed.since, key=number_of, default="0.8.2")
    since, until = number_of(oldest), min(parsed.until, key=number_of, default=None)
    lines = [
        line
        for line in newest_of_lines()
        if _fits(line.number, since, None if until is None else number_of(until), control)
    ]
    if not lines:  # if tools and brokers have different versions, the brokers' files count
        lines = [line for line in newest_of_lines() if _fits(line.number, since, None, control)]
        until = None
    names = [line.name for line in lines] or [newest_of_lines()[-1].name]
    shown = [
        bounds[release]
        for release, bounds in ((oldest, parsed.since), (until, parsed.until))
        if release in bounds
    ]
    why = tuple(map(Statement, dict.fromkeys(shown)))
    return [
        ReleaseFound(kafka, _where_it_was_a_choice(kafka, control), names[0], names[-1], why)
        for kafka in reversed(names)
    ]


def _control(parsed: ParsedState) -> Control | None:
    """The kind of controller; input that exists only under KRaft determines it."""
    if "kraft" in parsed.controls:
        return "kraft"
    return "zookeeper" if "zookeeper" in parsed.controls else None


def _fits(number: Number, since: Number, until: Number | None, control: Control | None) -> bool:
    if not at_least(number, since) or (until is not None and at_least(number, until)):
        return False
    if control == "zookeeper":
        return not at_least(number, (4, 0))
    return control is None or at_least(number, (2, 8))


def _where_it_was_a_choice(kafka: str, control: Control | None) -> Control | None:
    own = resolve_profile(kafka).control
    if control is None or control == own:
        return None
    number = number_of(kafka)
    both = at_least(number, (2, 8)) and not at_least(number, (4, 0))
    return control if both else None
