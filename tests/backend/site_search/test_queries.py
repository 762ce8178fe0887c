"""What readers look for is among the first three results."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from backend.site_contents.entries import asked_name
from backend.site_search.entry import Entry
from backend.site_search.index import SearchIndex
from sim_engine.languages import LANGUAGES, translations_in

FIRST = 3


@cache
def sets() -> Mapping[str, Mapping[str, Any]]:
    text = (Path(__file__).parent / "queries.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=yaml.CSafeLoader))


def name_of(entry: Entry) -> str:
    return f"{entry.kind}:{entry.id}"


def first_of(index: SearchIndex, words: str, lang: str) -> set[str]:
    return {name_of(hit.entry) for hit in index.search(words, lang).hits[:FIRST]}


@pytest.mark.parametrize("name", sets())
def test_what_readers_type_leads_to_what_they_look_for(index: SearchIndex, name: str) -> None:
    queries = sets()[name]["queries"]
    found = {one["q"]: first_of(index, one["q"], one["lang"]) for one in queries}

    wrong = {one["q"]: found[one["q"]] for one in queries if not found[one["q"]] & {*one["among"]}}
    assert len(queries) - len(wrong) >= sets()[name]["least"], wrong


def test_each_query_names_things_that_exist(index: SearchIndex) -> None:
    known = {name_of(entry) for entry in index.entries}
    wanted = {
        one for each in sets().values() for query in each["queries"] for one in query["among"]
    }

    assert len(wanted) > 100
    assert wanted <= known


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_can_be_looked_for_says_how_people_ask_for_it(
    index: SearchIndex, lang: str
) -> None:
    kinds = ("lesson", "loss", "left_out")
    entries = [entry for entry in index.entries if entry.kind in kinds]

    assert [name_of(entry) for entry in entries if not entry.asked.get(lang)] == []
    assert translations_in(lang, "symptoms").keys() <= {*map(asked_name, index.entries)}
