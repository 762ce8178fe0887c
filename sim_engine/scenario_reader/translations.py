"""A shipped scenario's words in the languages that its file does not have.

Scenario files have English and Chinese. Any other language brings `lessons/<id>.ftl` in its
folder: `title`, `summary`, and for the note or question at a place in `steps`, counted from 0,
`step-<place>`, `step-<place>-answer-<number>` and `step-<place>-reason-<number>`. What it leaves
out is said in English.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sim_engine.actions import Ask, Note
from sim_engine.languages import LANGUAGES, LanguageFileError, Message, fill, find_messages
from sim_engine.scenario_reader.document import Scenario, ScenarioStep, Text


def translated(scenario: Scenario) -> Scenario:
    """The scenario with what the languages' folders say of it.

    Raises `LanguageFileError` for a message about something that the scenario does not have.
    """
    for lang in LANGUAGES:
        said = find_messages(lang, f"lessons/{scenario.id}")
        unknown = said.keys() - set(_message_names(scenario))
        if unknown:
            raise LanguageFileError(
                f"{lang}/lessons/{scenario.id}.ftl: the scenario has no {min(unknown)}"
            )
        if said:
            scenario = replace(
                scenario,
                title=_with(scenario.title, lang, said, "title"),
                summary=_with(scenario.summary, lang, said, "summary"),
                steps=tuple(
                    _step(step, lang, said, f"step-{place}")
                    for place, step in enumerate(scenario.steps)
                ),
            )
    return scenario


def _message_names(scenario: Scenario) -> Iterator[str]:
    yield from ("title", "summary")
    for place, step in enumerate(scenario.steps):
        if isinstance(step.step, Note | Ask):
            yield f"step-{place}"
        if isinstance(step.step, Ask):
            for number in range(len(step.step.answers)):
                yield f"step-{place}-answer-{number}"
            for number in range(len(step.step.reasons or ())):
                yield f"step-{place}-reason-{number}"


def _step(entry: ScenarioStep, lang: str, said: Mapping[str, Message], name: str) -> ScenarioStep:
    words = entry.step
    if not isinstance(words, Note | Ask):
        return entry
    words = replace(words, text=_with(words.text, lang, said, name))
    if isinstance(words, Ask):
        words = replace(
            words,
            answers=_each_with(words.answers, lang, said, f"{name}-answer"),
            reasons=None
            if words.reasons is None
            else _each_with(words.reasons, lang, said, f"{name}-reason"),
        )
    return replace(entry, step=words)


def _each_with(
    texts: Sequence[Mapping[str, str]], lang: str, said: Mapping[str, Message], name: str
) -> tuple[Text, ...]:
    return tuple(_with(words, lang, said, f"{name}-{number}") for number, words in enumerate(texts))


def _with(words: Mapping[str, str], lang: str, said: Mapping[str, Message], name: str) -> Text:
    message = said.get(name)
    if message is None or message.text is None:
        return dict(words)
    return {**words, lang: fill(message.text, {}, plurals={})}
