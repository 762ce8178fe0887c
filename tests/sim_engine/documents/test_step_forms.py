"""The forms of steps and settings say what the engine declares, in words of every language."""

from typing import get_args

import pytest

from sim_engine import setting_documents, step_forms
from sim_engine.actions import Config, Happening, name_of
from sim_engine.languages import LANGUAGES
from sim_engine.languages.library import messages

FORMS = {form.name: form for form in step_forms()}


def test_every_step_that_happens_has_a_form_but_the_settings():
    assert list(FORMS) == [name_of(kind) for kind in get_args(Happening) if kind is not Config]


def test_an_argument_says_its_kind_its_default_and_its_range():
    produce = {argument.name: argument for argument in FORMS["produce"].arguments}

    assert (produce["to"].kind, produce["to"].required) == ("partition", True)
    assert (produce["acks"].default, produce["acks"].choices) == ("all", ("all", 0, 1))
    assert produce["idempotent"].kind == "switch"
    assert (produce["timeout_ms"].minimum, produce["timeout_ms"].maximum) == (1, 86_400_000)
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
