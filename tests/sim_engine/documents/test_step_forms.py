"""The forms of steps and settings match the engine's declarations, with texts in every language."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import sim_engine
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Config, Happening
from sim_engine.configs import SETTINGS
from sim_engine.documents.choices import producer_setting_documents, setting_documents, step_forms
from sim_engine.languages import LANGUAGES, messages
from sim_engine.scenario_reader.reader import read_scenario_document

ENGINE = Path(sim_engine.__file__).parent
FORMS = {form.name: form for form in step_forms()}


def test_every_step_that_happens_has_a_form_but_the_settings():
    assert list(FORMS) == [name_of(kind) for kind in get_args(Happening) if kind is not Config]


def test_an_argument_has_its_kind_default_and_range():
    produce = {argument.name: argument for argument in FORMS["produce"].arguments}

    assert (produce["to"].kind, produce["to"].required) == ("partition", True)
    assert (produce["acks"].default, produce["acks"].choices) == ("all", ("all", 0, 1))
    assert produce["idempotent"].kind == "switch"
    assert (produce["timeout_ms"].minimum, produce["timeout_ms"].maximum) == (1, 86_400_000)
    assert (produce["values"].minimum, produce["values"].maximum) == (1, 1000)
    assert produce["as"].default == "p1"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_step_and_argument_has_words(lang: str):
    words = messages(lang, "interface/actions")
    steps = messages(lang, "narration/steps")

    for form in FORMS.values():
        assert "name" in steps[form.name].attributes
        for argument in form.arguments:
            assert f"arg-{argument.name}" in words
            if argument.kind == "choice" and form.name not in (
                "deliver",
                "drop",
                "hold",
                "release",
            ):
                shown = {f"choice-{choice}" for choice in argument.choices}
                assert argument.name == "isolation" or shown <= set(words)


def test_a_setting_has_the_default_of_its_release():
    old = {setting.name: setting for setting in setting_documents("0.10.2", "zookeeper")}
    new = {setting.name: setting for setting in setting_documents("4.1", "kraft")}

    assert old["unclean.leader.election.enable"].default is True
    assert new["unclean.leader.election.enable"].default is False
    assert old["min.insync.replicas"].minimum == 1
    assert "zookeeper.session.timeout.ms" in old
    assert "zookeeper.session.timeout.ms" not in new


def test_the_steps_that_the_page_inserts_are_read():
    """A step whose arguments are those of another, as most faults have, needs no fixture."""
    fixtures = Path(__file__).parents[3] / "frontend" / "src" / "new-run" / "fixtures"
    forms = json.loads((fixtures / "step-forms.json").read_text("utf-8"))
    steps = json.loads((fixtures / "usual-steps.json").read_text("utf-8"))
    arguments = {form["name"]: form["arguments"] for form in forms}
    now = {
        form["name"]: form["arguments"]
        for form in msgspec.json.decode(msgspec.json.encode(step_forms()))
    }

    assert arguments == {name: now[name] for name in arguments}
    assert all(needed in arguments.values() for needed in now.values())
    assert [next(iter(step)) for step in steps] == list(arguments)
    for step in steps:
        read_scenario_document(
            {
                "scenario": 1,
                "id": "inserted",
                "title": "A step that the page inserts",
                "kafka": "3.9",
                "brokers": [1, 2, 3],
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
                # The existing clients depend on earlier steps.
                "steps": [{"produce": {"to": "t-0", "values": ["m0"], "as": "p1"}}, step],
            }
        )


@pytest.mark.parametrize(("kafka", "control"), [("0.8", "zookeeper"), ("4.1", "kraft")])
def test_every_setting_says_in_every_language_what_it_controls(kafka: str, control: str):
    for setting in (*setting_documents(kafka, control), *producer_setting_documents(kafka)):
        assert set(setting.about) == set(LANGUAGES)
        assert all(setting.about.values())


def test_a_setting_is_modelled_if_and_only_if_the_engine_reads_it():
    engine = "".join(
        path.read_text()
        for folder in ("cluster", "protocol", "simulation")
        for path in (ENGINE / folder).rglob("*.py")
    )
    for setting in SETTINGS:
        assert (f'"{setting.name}"' in engine) is setting.modelled, setting.name
