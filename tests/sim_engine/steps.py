"""Steps by their name in a scenario file, for tests that play many kinds of them."""

from typing import Any, cast

import msgspec

from sim_engine.actions import STEP_NAMED
from sim_engine.actions.steps import Config, Happening


def step_of(kind: str, /, **arguments: Any) -> Happening:
    """A step that is not about the cluster of a scenario: `step_of("crash", broker=2)`."""
    if kind == "config":
        topic = arguments.pop("topic", None)
        return Config(topic=topic, settings=arguments)
    return cast("Happening", msgspec.convert(arguments, STEP_NAMED[kind]))
