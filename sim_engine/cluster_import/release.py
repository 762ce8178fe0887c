"""Which release and which controller a cluster has, as far as what was printed shows it."""

from msgspec import Struct

from sim_engine.cluster_import.seen import Seen
from sim_engine.cluster_import.statements import Statement
from sim_engine.releases import Number, at_least, newest_of_lines, number_of
from sim_engine.versions import Control, resolve_profile


class ReleaseFound(Struct, frozen=True):
    """A release by the name of its line, and a controller where it had a choice of two."""

    kafka: str
    control: Control | None


def find_kafka(seen: Seen, asked: str | None) -> ReleaseFound:
    """The release asked for, else the newest that prints what was printed; says what it guessed.

    Raises `UnknownVersionError` for a release asked for that never was.
    """
    control = _control(seen)
    if asked is not None:
        return ReleaseFound(asked, _where_it_was_a_choice(asked, control))
    since = max((number_of(name) for name, _ in seen.since), default=number_of("0.8.2"))
    until = min((number_of(name) for name, _ in seen.until), default=None)
    lines = [line for line in newest_of_lines() if _fits(line.number, since, until, control)]
    if not lines:  # tools and brokers of different ages: what a broker writes counts
        lines = [line for line in newest_of_lines() if _fits(line.number, since, None, control)]
    kafka = lines[-1].name if lines else newest_of_lines()[-1].name
    seen.unknown.append(Statement("release", {"kafka": kafka, "oldest": ".".join(map(str, since))}))
    return ReleaseFound(kafka, _where_it_was_a_choice(kafka, control))


def _control(seen: Seen) -> Control | None:
    """What controls the cluster; what only KRaft has shows it for certain."""
    found = {control for control, _ in seen.controls}
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
