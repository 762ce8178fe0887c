"""The files that a new language begins with: every text to translate, in English.

A translator copies no folder by hand. The files of `en/` are copied unchanged. For texts whose
English is elsewhere (lessons, articles and challenges) there is a file for each.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import json

from sim_engine.articles import ARTICLE_FILES, article_places, articles_by_file
from sim_engine.challenges import CHALLENGES_FILE, challenge_places, list_challenges
from sim_engine.conformance.fidelity import RECORDING_TITLES, recording_texts
from sim_engine.curriculum import lines_to_remember
from sim_engine.languages import DEFAULT_LANGUAGE, fluent_file
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.translations import (
    LESSON_FILES,
    REMEMBER,
    english_texts,
    lesson_places,
)
from sim_engine.scenario_reader.writer import scenario_document


def texts_to_translate() -> Mapping[str, Mapping[str, str]]:
    """The English texts of every lesson, of every article, of the challenges and
    of the titles of recordings.

    Maps a language's file, without ".ftl", to a mapping from the name of the message to its text.
    """
    challenges = _document(list_challenges())
    return {
        **dict(_lessons()),
        **dict(_articles()),
        RECORDING_TITLES: recording_texts(),
        CHALLENGES_FILE: english_texts(challenges, challenge_places(challenges)),
    }


def _lessons() -> Iterator[tuple[str, Mapping[str, str]]]:
    for scenario in list_shipped():
        document = _document(scenario_document(scenario))
        texts = english_texts(document, lesson_places(document))
        remember = lines_to_remember()[scenario.id][DEFAULT_LANGUAGE]
        yield f"{LESSON_FILES}/{scenario.id}", {**texts, REMEMBER: remember}


def _articles() -> Iterator[tuple[str, Mapping[str, str]]]:
    for name, article in articles_by_file().items():
        document = _document(article)
        yield f"{ARTICLE_FILES}/{name}", english_texts(document, article_places(document))


def _document(value: object) -> object:
    """The data of a file: mappings, lists and strings."""
    return json.decode(json.encode(value))


def language_template() -> Mapping[str, str]:
    """The text of every file of a language's folder, in English, by its path in the folder."""
    english = files("sim_engine.languages") / DEFAULT_LANGUAGE
    return {
        **dict(_files_in(english, "")),
        **{f"{file}.ftl": fluent_file(texts) for file, texts in texts_to_translate().items()},
    }


def _files_in(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_in(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".ftl"):
            yield f"{path}{entry.name}", entry.read_text(encoding="utf-8")
