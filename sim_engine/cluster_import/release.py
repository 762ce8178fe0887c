"""Determines the release and the controller of a cluster from the input."""

from msgspec import Struct

from sim_engine.cluster_import.parsed_state import ParsedState
from sim_engine.cluster_import.statements import Statement
from sim_engine.releases import Number, at_least, newest_of_lines, number_of
from sim_engine.versions import Control, resolve_profile


class ReleaseFound(Struct, frozen=True):
    """A release by the name of its line, and a controller if it supports two."""

    kafka: str
    control: Control | None


def find_kafka(parsed: ParsedState, asked: str | None) -> ReleaseFound:
    """Return the requested release, otherwise the newest one that matches the input. A guess is
    added to the assumptions.

    Raises `UnknownVersionError` for an unknown release.
    """
    control = _control(parsed)
    if asked is not None:
        return ReleaseFound(asked, _where_it_was_a_choice(asked, control))
    since = max((number_of(name) for name, _ in parsed.since), default=number_of("0.8.2"))
    until = min((number_of(name) for name, _ in parsed.until), default=None)
    lines = [line for line in newest_of_lines() if _fits(line.number, since, until, control)]
    if not lines:  # if tools and brokers have different versions, the brokers' files count
        lines = [line for line in newest_of_lines() if _fits(line.number, since, None, control)]
    kafka = lines[-1].name if lines else newest_of_lines()[-1].name
    parsed.unknown.append(
        Statement("release", {"kafka": kafka, "oldest": ".".join(map(str, since))})
    )
    return ReleaseFound(kafka, _where_it_was_a_choice(kafka, control))


def _control(parsed: ParsedState) -> Control | None:
    """The kind of controller; input that exists only under KRaft determines it."""
    found = {control for control, _ in parsed.controls}
    if "kraft" in found:
        return "kraft"
    return "zookeeper" if "zookeeper" in found else None


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
