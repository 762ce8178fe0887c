"""Where the words of the shipped lessons stand in other versions than their lesson's own.

Words are shown in each version that their condition names, and in all of them without one. For
each word this module lists the versions in which the run is in another state at its place. For a
question it also compares the end of the steps that follow, which its answers are about.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import structs

from sim_engine.actions import WORD_NAMES, Ask, AuthorText
from sim_engine.configs import SETTINGS, client_defaults, default_of, exists_in
from sim_engine.documents.comparison import NoticedValue, noticeable
from sim_engine.releases import OLDEST_MODELLED, RELEASES, number_of
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.version import applies, profile_for
from sim_engine.simulation.timeline import Frame, Timeline
from sim_engine.versions import CONTROLS, Control, controls_of, resolve_profile
from tests.sim_engine.runs import play

Noticed = dict[str, NoticedValue]

_CHARACTERS_OF_A_NAME = 40
_EPOCH_NUMBER = re.compile(r"epochs? [0-9]")
_NOT_SPOKEN_OF = ("/partition_epoch", "/epoch_cache")


class Version(NamedTuple):
    """A release and a controller."""

    kafka: str
    control: Control

    def __str__(self) -> str:
        return f"{self.kafka} {self.control}"


class Differences(NamedTuple):
    """A word and how the versions that show it differ from its lesson's own.

    `changes` has an entry for each version, oldest first, from which on the run differs in another
    way than before; so a new release that behaves like the last one changes nothing.
    """

    name: str
    text: str
    changes: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """Of the text and the differences: what was reviewed."""
        said = json.dumps([self.text, self.changes], ensure_ascii=False)
        return hashlib.sha256(said.encode()).hexdigest()[:10]


def differences_of(
    scenario: Scenario, run: Callable[[Scenario, str, Control], Timeline] = play
) -> Iterator[Differences]:
    """The words of a lesson that are shown in versions in which their run is in another state."""
    profile = profile_for(scenario)
    own = Version(profile.kafka, profile.control)
    runs = {version: _Run(scenario, version, run(scenario, *version)) for version in versions()}
    written = _Run(scenario, own, run(scenario, *own))
    for place, entry in enumerate(scenario.steps):
        word = entry.step
        if not isinstance(word, AuthorText):
            continue
        text = _text_of(word)
        condition = word.arguments()
        shown = [version for version in runs if applies(condition, *version)]
        first = written if applies(condition, *written.version) else runs[shown[0]]
        expected = first.noticed(place, text)
        found = [(one, _unlike(expected, runs[one].noticed(place, text))) for one in shown]
        if any(unlike for _, unlike in found):
            yield Differences(word.text["en"][:_CHARACTERS_OF_A_NAME], text, _changes(found))


@cache
def versions() -> tuple[Version, ...]:
    """A version for each behaviour that a release has under a controller, oldest first."""
    found: dict[str, Version] = {}
    for control in CONTROLS:
        for kafka in RELEASES:
            if number_of(kafka) < number_of(OLDEST_MODELLED) or control not in controls_of(kafka):
                continue
            profile = resolve_profile(kafka, control=control)
            names = (setting.name for setting in SETTINGS)
            defaults = [default_of(name, kafka) for name in names if exists_in(name, kafka)]
            clients = [client_defaults(client, kafka) for client in ("producer", "consumer")]
            behaviour = structs.replace(profile, kafka="", version=(), level="")
            found.setdefault(repr((behaviour, defaults, clients)), Version(kafka, control))
    return tuple(found.values())


class _Run:
    """A lesson played in a version."""

    def __init__(self, scenario: Scenario, version: Version, timeline: Timeline) -> None:
        self.version = version
        self.scenario = scenario
        self._frames = timeline.frames
        self._end_of = {frame.item: frame for frame in timeline.frames}

    def noticed(self, place: int, text: str) -> Noticed:
        """What the words at this place of the steps may speak about."""
        seen = _noticed(self._end_before(place), text)
        if isinstance(self.scenario.steps[place].step, Ask):
            after = _noticed(self._end_before(self._next_words(place)), text)
            seen |= {f"then {where}": value for where, value in after.items()}
        return seen

    def _end_before(self, place: int) -> Frame:
        """The last frame of the steps before this place."""
        done = [item for item in self._end_of if item is not None and item < place]
        return self._end_of[max(done)] if done else self._frames[0]

    def _next_words(self, place: int) -> int:
        """The place of the words after the steps that follow this place."""
        is_step = [one.kind not in WORD_NAMES for one in self.scenario.steps]
        acted = False
        for later in range(place + 1, len(is_step)):
            acted = acted or is_step[later]
            if acted and isinstance(self.scenario.steps[later].step, AuthorText):
                return later
        return len(is_step)


def _noticed(frame: Frame, text: str) -> Noticed:
    """Epochs count if the words speak about epochs, those of the records if they give numbers."""
    epochs = "epoch" in text
    numbers = _EPOCH_NUMBER.search(text) is not None
    return {
        where: "running" if value == "fenced" else value
        for where, value in noticeable(frame, epochs=epochs, record_epochs=numbers)
        if not where.endswith(_NOT_SPOKEN_OF)
    }


def _text_of(word: AuthorText) -> str:
    """All that the word says, in English."""
    if not isinstance(word, Ask):
        return word.text["en"]
    answers = [answer["en"] for answer in word.answers]
    reasons = [reason["en"] for reason in word.reasons or ()]
    return "\n".join((word.text["en"], *answers, f"→ {word.correct + 1}", *reasons))


def _unlike(expected: Noticed, seen: Noticed) -> str:
    """The places that differ with both values, for people to read; empty if none does."""
    return "; ".join(
        f"{where} {_short(expected.get(where))} → {_short(seen.get(where))}"
        for where in sorted({*expected, *seen})
        if expected.get(where) != seen.get(where)
    )


def _short(value: NoticedValue) -> str:
    """A log without the middle of a long series of its records."""
    return re.sub(r"(\S+ \S+ )(?:\S+ ){8,}(\S+ \S+)", r"\1… \2", str(value))


def _changes(found: list[tuple[Version, str]]) -> tuple[tuple[str, str], ...]:
    starts = [found[0]] if found[0][1] else []
    for (before, previous), (version, unlike) in pairwise(found):
        if unlike != previous or (unlike and before.control != version.control):
            starts.append((version, unlike))
    return tuple((str(version), unlike or "as in the lesson") for version, unlike in starts)
