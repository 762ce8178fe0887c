"""A generated reference contains every item that exists."""

import argparse
import re
from collections.abc import Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI

from backend.cli import build_parser
from backend.documentation.generated import GENERATORS, Subject
from backend.documentation.generated.reference_tables import commands
from backend.documentation.library import Library
from backend.limit_table import all_limits
from backend.main import create_app
from backend.settings import PREFIX, Settings
from sim_engine.conformance.fidelity import fidelity
from sim_engine.documents.choices import setting_documents, step_forms
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.languages import say as say_message
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.versions import list_versions


@pytest.fixture
def reference(library: Library) -> Any:
    def read(page: str) -> BeautifulSoup:
        shown = library.read(f"reference/{page}", DEFAULT_LANGUAGE)
        return BeautifulSoup(shown.laid.body, "html.parser")

    return read


def section_of(page: BeautifulSoup, anchor: str) -> str:
    """The text below a heading, up to the next heading of the same level."""
    heading = page.find(id=anchor)
    assert heading is not None, anchor
    words = []
    for sibling in heading.find_next_siblings():
        if sibling.name == heading.name:
            break
        words.append(sibling.get_text(" "))
    return "\n".join(words)


def codes(page: BeautifulSoup) -> set[str]:
    return {code.get_text() for code in page.select("code")}


def test_every_step_is_described_with_its_arguments(reference: Any):
    page = reference("steps")

    forms = {form.name: [argument.name for argument in form.arguments] for form in step_forms()}
    schemas = scenario_schema()["properties"]["steps"]["items"]["anyOf"]
    names = [next(iter(schema["properties"])) for schema in schemas]
    assert set(forms) | {"config", "note", "ask", "expect"} == set(names)
    for name in names:
        said = section_of(page, name)
        assert len(said.split()) > 8, name
        for argument in forms.get(name, []):
            assert re.search(rf"\b{argument}\b", said), f"{name}: {argument}"


def test_every_command_is_described_with_its_options(reference: Any):
    page = reference("command-line")
    listed = re.findall(r"^    ([a-z][a-z-]+)", build_parser().format_help(), re.MULTILINE)
    named = {name: parser for name, _, parser in commands()}

    assert set(named) >= set(listed) - {"h"}
    for name, parser in named.items():
        said = section_of(page, name)
        for option in options_of(parser):
            assert option in said, f"{name} {option}"


def options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.dest != "help":
            yield from action.option_strings[-1:]


def test_every_request_and_every_document_is_described(reference: Any, documented_app: FastAPI):
    openapi: Any = documented_app.openapi()
    requests = {heading.get_text().strip(" #") for heading in reference("http").select("h3")}
    documents = {heading.get_text().strip(" #") for heading in reference("documents").select("h2")}

    assert requests == {
        f"{method.upper()} {path}"
        for path, methods in openapi["paths"].items()
        for method in methods
    }
    assert documents == set(openapi["components"]["schemas"])


def test_every_setting_is_described(reference: Any):
    named = codes(reference("settings"))

    assert {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} <= named
    for version in list_versions():
        for control in version["controls"]:  # type: ignore[attr-defined]
            for setting in setting_documents(str(version["kafka"]), control):
                assert setting.name in named


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_key_of_a_scenario_file_is_described(library: Library, lang: str):
    body = library.read("reference/scenario-file", lang).laid.body
    page = BeautifulSoup(body, "html.parser")
    schema: Any = scenario_schema()
    topic = schema["properties"]["topics"]["items"]["properties"]
    partition = topic["partitions"]["items"]["properties"]
    log = next(iter(partition["logs"]["patternProperties"].values()))["properties"]

    for keys in (schema["properties"], topic, partition, log["checkpoint"]["properties"]):
        assert set(keys) <= codes(page)
    assert all(key in page.get_text() for key in log)


def test_the_limits_are_those_of_this_service():
    settings = Settings(sessions_a_minute=77)
    library = Library(Subject(settings, create_app(settings).openapi))
    page = library.read("reference/limits", DEFAULT_LANGUAGE).laid.body

    rows = BeautifulSoup(page, "html.parser").select("tbody tr")
    names = [row.select("td")[1].get_text() for row in rows]
    assert names == [limit.name for limit in all_limits()]
    [row] = [row.get_text() for row in rows if "sessions_a_minute" in row.get_text()]
    assert "77" in row


@pytest.mark.parametrize("name", GENERATORS)
def test_what_is_generated_can_be_in_each_language(library: Library, name: str):
    assert all(GENERATORS[name](library.subject, lang).strip() for lang in LANGUAGES)


def test_the_lists_of_fidelity_have_translated_titles_and_the_same_anchors(library: Library):
    original = library.read("explanation/fidelity", DEFAULT_LANGUAGE).laid.headings
    translation = library.read("explanation/fidelity", "zh").laid.headings

    titles = [say_message("zh", "interface/fidelity", section.name) for section in fidelity()]
    assert [heading.text for heading in translation][-len(titles) :] == titles
    assert [heading.anchor for heading in translation] == [heading.anchor for heading in original]
