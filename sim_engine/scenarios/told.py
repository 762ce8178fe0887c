"""Of which releases an author's words are told: a note or a question, a title and its summary.

Words that say nothing of it are told of every release. `until` holds the whole line that it names:
"2.0.0" ends before 2.0.1, "0.10.2" holds 0.10.2.2 as well.
"""

from collections.abc import Mapping
from typing import Any

from sim_engine.releases import at_least, find_release, number_of
from sim_engine.scenarios.document import Scenario, Text

TOLD_KEYS = ("since", "until", "control")


def is_told_of(words: Mapping[str, Any], kafka: str, control: str) -> bool:
    """Whether words are true of a release under a controller, as far as they say."""
    version = find_release(kafka).number
    since, until = words.get("since"), words.get("until")
    if since is not None and not at_least(version, number_of(since)):
        return False
    if until is not None:
        last = number_of(until)
        if version[: len(last)] > last:
            return False
    return words.get("control") in (None, control)


def title_under(scenario: Scenario, kafka: str, control: str) -> Text:
    """A scenario's title; where it is not told of this release, with the one that it is told of."""
    if is_told_of(scenario.told, kafka, control):
        return dict(scenario.title)
    return {
        "en": f"{scenario.title['en']} (told of Kafka {scenario.kafka})",
        "zh": f"{scenario.title['zh']}（讲的是 Kafka {scenario.kafka}）",
    }
