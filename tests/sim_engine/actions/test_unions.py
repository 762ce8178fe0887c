"""Every table that is derived from the unions of steps and actions covers every member."""

import inspect
from typing import Literal, get_args

import pytest

from sim_engine.actions import ACTIONS, STEP_NAMED, STEPS, Words
from sim_engine.actions.base import StepStruct, name_of, specs_of
from sim_engine.actions.steps import Config, Happening, OneBroker, Tick
from sim_engine.cluster.start import start_cluster
from sim_engine.documents import shares
from sim_engine.exploration.alphabet import FAULT_KINDS
from sim_engine.languages import DEFAULT_LANGUAGE, messages
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.step_expansion import EXPANSIONS
from sim_engine.simulation.transition import PERFORMED
from sim_engine.versions import resolve_profile
from tests.tables import for_each

HAPPENINGS = tuple(kind for kind in STEPS if not issubclass(kind, Words))


def test_every_action_is_performed_by_one_function() -> None:
    performed = sorted(name_of(kind) for kind, _ in PERFORMED if issubclass(kind, StepStruct))

    assert performed == sorted(name_of(kind) for kind in ACTIONS)


def test_every_step_is_an_action_or_several() -> None:
    assert {*EXPANSIONS, *ACTIONS} >= set(HAPPENINGS)
    assert set(EXPANSIONS) <= set(HAPPENINGS)


def test_a_step_that_is_not_words_happens() -> None:
    assert set(get_args(Happening)) == set(HAPPENINGS)


def test_the_schema_has_every_step() -> None:
    choices = scenario_schema()["properties"]["steps"]["items"]["anyOf"]

    assert [choice["required"][0] for choice in choices] == list(STEP_NAMED)


@for_each("kind", lambda: sorted({*STEPS, *ACTIONS}, key=name_of), name_of)
def test_every_kind_has_a_description(kind: type[StepStruct]) -> None:
    assert (inspect.getdoc(kind) or "") not in ("", inspect.getdoc(kind.__mro__[1]))


@for_each("kind", lambda: [kind for kind in HAPPENINGS if kind is not Config], name_of)
def test_the_reader_knows_what_every_argument_may_be(kind: type[StepStruct]) -> None:
    for spec in specs_of(kind):
        assert spec.role is not None or spec.kind in (bool, int, Literal), spec.name


@pytest.mark.parametrize(
    "kind", [kind for kind in ACTIONS if kind not in STEPS and kind is not Tick], ids=name_of
)
def test_what_only_the_engine_does_is_part_of_a_step(kind: type[StepStruct]) -> None:
    given = {spec.name: {"kind": "clean"}.get(spec.name, 1) for spec in specs_of(kind)}

    step = kind(**given).step()

    assert type(step) in STEPS
    assert step.arguments() == given


def test_time_that_passes_is_written_as_an_advance() -> None:
    assert Tick(ms=2, since=5).as_step() == {"advance": {"ms": 5}}
    assert Tick(ms=2).as_step() == {"advance": {"ms": 2}}


def test_a_share_counts_every_fault() -> None:
    faults = {name_of(kind) for kind in STEPS if kind.fault}

    assert set(shares.FAULT_KINDS) == {*faults, "unclean_election"}


def test_a_search_can_inject_every_fault_of_a_broker() -> None:
    faults = [kind for kind in STEPS if kind.affects is not None]

    assert faults
    assert {name_of(kind) for kind in faults} <= set(FAULT_KINDS)
    assert all(kind.fault and issubclass(kind, OneBroker) for kind in faults)


def test_a_step_has_a_button_if_it_has_a_position_and_a_label() -> None:
    texts = messages(DEFAULT_LANGUAGE, "narration/steps")

    placed = {name_of(kind) for kind in STEPS if kind.row is not None}

    assert placed
    assert placed == {
        name for name in STEP_NAMED if name in texts and "row" in texts[name].attributes
    }


IN_NO_BAR = {"send_fetch", "slow", "advance", "run", "settle"}
"""Only menus have these steps, by their labels; a link's bar says `slow` by its label too."""


def test_a_step_has_one_short_name_in_bars_of_actions() -> None:
    texts = messages(DEFAULT_LANGUAGE, "narration/steps")

    short = {
        name_of(kind): {"row", "bar"} & texts[name_of(kind)].attributes.keys()
        for kind in HAPPENINGS
    }

    assert {name for name, found in short.items() if len(found) != 1} == IN_NO_BAR
    assert not any(short[name] for name in IN_NO_BAR)


def test_every_fault_of_a_broker_is_on_offer_at_the_start() -> None:
    scenario = list_shipped()[0]
    cluster = start_cluster(scenario, resolve_profile(scenario.kafka, control=scenario.control))

    offered = {type(step) for step in list_steps(cluster)}

    assert offered >= {kind for kind in STEPS if kind.fault and issubclass(kind, OneBroker)}
