"""Adds the translations to the English texts of a shipped file, as mappings by language: `{en,
zh}`.

A place is a path of keys and numbers into the document, such as `("steps", 3, "note")`. A text
there is `{en: "…"}`, possibly with other keys, or a string.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import yaml

from sim_engine.actions import Ask, Note
from sim_engine.actions.base import name_of
from sim_engine.languages import DEFAULT_LANGUAGE, translations_of

Place: TypeAlias = tuple[str | int, ...]
Places: TypeAlias = Mapping[str, Place]
"""Name of a message → the place of its text in a document."""

_NOTE, _ASK = name_of(Note), name_of(Ask)
_TERM = "term"

LESSON_FILES = "lessons"
"""The folder of a language that has a file for each lesson."""
REMEMBER = "remember"
"""A lesson's line to remember. Its English is in `curriculum/`, not in the lesson's file."""


def lesson_places(document: object) -> Places:
    """The places of a scenario's texts: title, summary, the explanations of terms, notes and
    questions.

    Notes and questions are numbered separately, from 1, and so are the answers of a question.
    """
    places: dict[str, Place] = {"title": ("title",), "summary": ("summary",)}
    for term in _members(_members(document, "vocabulary"), "introduces"):
        places[f"{_TERM}-{term}"] = ("vocabulary", "introduces", term)
    notes = questions = 0
    for index, step in enumerate(entries(document, "steps")):
        if not isinstance(step, dict):
            continue
        if _NOTE in step:
            notes += 1
            places[f"{_NOTE}-{notes}"] = ("steps", index, _NOTE)
        elif _ASK in step:
            questions += 1
            place: Place = ("steps", index, _ASK)
            places[f"{_ASK}-{questions}"] = place
            for key, one in (("answers", "answer"), ("reasons", "reason")):
                for number, _ in enumerate(entries(step[_ASK], key)):
                    name = f"{_ASK}-{questions}.{one}-{number + 1}"
                    places[name] = (*place, key, number)
    return places


def _members(document: object, key: str) -> dict[str, object]:
    """The mapping of a key; empty if there is none."""
    members = document.get(key) if isinstance(document, dict) else None
    return members if isinstance(members, dict) else {}


def entries(document: object, key: str) -> list[object]:
    """The list of a key; empty if there is none. The reader of the format reports errors."""
    listed = document.get(key) if isinstance(document, dict) else None
    return listed if isinstance(listed, list) else []


def english_texts(document: object, places: Places) -> dict[str, str]:
    """The English texts of a document by name, without missing ones."""
    texts = ((name, _english(_value_at(document, place))) for name, place in places.items())
    return {name: words for name, words in texts if words is not None}


def translated(document: object, places: Places, file: str) -> object:
    """A copy of a document with all translations in its texts: `{en: …, zh: …}`.

    Raises `LanguageFileError` for a message about a text that the document does not have.
    """
    return _with_words(document, (), _translations_at(document, places, file))


def _translations_at(document: object, places: Places, file: str) -> dict[Place, Mapping[str, str]]:
    names = english_texts(document, places).keys()
    known = {*names, REMEMBER} if file.startswith(f"{LESSON_FILES}/") else names
    translations = translations_of(file, known)
    return {places[name]: words for name, words in translations.items() if name in names}


def _value_at(document: object, place: Place) -> object:
    value = document
    for key in place:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int):
            value = value[key]
        else:
            return None
    return value


def _english(value: object) -> str | None:
    words = value.get(DEFAULT_LANGUAGE) if isinstance(value, dict) else value
    return words if isinstance(words, str) else None


def _with_words(value: object, place: Place, words: Mapping[Place, Mapping[str, str]]) -> object:
    copied = value
    if isinstance(value, dict):
        copied = {key: _with_words(item, (*place, key), words) for key, item in value.items()}
    elif isinstance(value, list):
        copied = [_with_words(item, (*place, index), words) for index, item in enumerate(value)]
    if place not in words:
        return copied
    return {**(copied if isinstance(copied, dict) else {DEFAULT_LANGUAGE: copied}), **words[place]}


def translated_text(text: str, document: object, places: Places, file: str) -> str:
    """The text of a YAML file with all translations inserted; `document` is its data.

    Everything else stays unchanged, including comments.
    """
    words = _translations_at(document, places, file)
    edits = [
        edit
        for place, node in _nodes(yaml.compose(text, Loader=yaml.SafeLoader), ())
        if place in words
        for edit in [_edit(node, words[place])]
    ]
    for start, end, written in sorted(edits, reverse=True):
        text = f"{text[:start]}{written}{text[end:]}"
    return text


def _nodes(node: yaml.Node | None, place: Place) -> Iterator[tuple[Place, yaml.Node]]:
    if node is not None:
        yield place, node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _nodes(value, (*place, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _nodes(value, (*place, index))


def _edit(node: yaml.Node, words: Mapping[str, str]) -> tuple[int, int, str]:
    """A range of the text and its replacement."""
    if not isinstance(node, yaml.MappingNode):
        texts = {DEFAULT_LANGUAGE: node.value, **words}
        written = ", ".join(f"{lang}: {_quoted(texts[lang])}" for lang in texts)
        return node.start_mark.index, node.end_mark.index, f"{{{written}}}"
    ((key, english),) = (pair for pair in node.value if pair[0].value == DEFAULT_LANGUAGE)
    before = ", " if node.flow_style else f"\n{' ' * key.start_mark.column}"
    written = "".join(f"{before}{lang}: {_quoted(words[lang])}" for lang in words)
    return english.end_mark.index, english.end_mark.index, written


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)
