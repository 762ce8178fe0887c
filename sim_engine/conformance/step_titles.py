"""The titles of a recording's steps in every language, from `recordings.ftl`."""

from collections.abc import Mapping

from msgspec.structs import asdict

from sim_engine.conformance import verbs
from sim_engine.conformance.recording import RecordedStep
from sim_engine.languages import LANGUAGES, say

TEXTS = "recordings"


def titles_of(step: RecordedStep) -> Mapping[str, str]:
    """The title of a step by language: the operation on the real cluster."""
    name, numbers = _words(step)
    return {lang: say(lang, TEXTS, name, **numbers) for lang in LANGUAGES}


def _words(step: RecordedStep) -> tuple[str, Mapping[str, object]]:
    """The name of the message and the values for it."""
    verb = step.verb
    numbers = {name.rstrip("_"): value for name, value in asdict(verb).items()}
    match verb:
        case verbs.Produce():
            name = "produce" if verb.broker is None else "produce-to"
            acks = "all" if verb.acks == -1 else verb.acks
            return name, {**numbers, "acks": acks}
        case verbs.Transaction():
            return f"transaction-{'begin' if verb.end is None else verb.end}", {}
        case verbs.Start():
            return "start", {"brokers": verb.broker_ids()}
        case verbs.Wait():
            return _waited(verb)
        case verbs.DeleteFile():
            return step.name, {"broker": verb.broker, "deleted": verb.file}
        case verbs.ChangeConfig():
            whose = next(
                (one for one in ("topic", "broker") if numbers[one] is not None), "cluster"
            )
            return f"config-{whose}", numbers
        case verbs.Elect():
            return f"elect-{verb.kind}", {}
        case verbs.Fetch():
            return f"fetch-{verb.response}", numbers
        case verbs.Network():
            done = next(one for one in ("hold", "release", "drop", "cut", "heal") if numbers[one])
            is_link = done in ("cut", "heal")
            return f"network-{done}" if is_link else f"network-{done}-{numbers[done]}", numbers
        case _:
            return step.name, numbers


def _waited(verb: verbs.Wait) -> tuple[str, Mapping[str, object]]:
    if verb.until is None:
        return "wait", {"ms": verb.ms}
    until = {name: value for name, value in asdict(verb.until).items() if value}
    name = next(iter(until))
    return ("wait-fenced-all" if until[name] == "all" else f"wait-{name}"), until
