"""A function that performs an action or receives a message can change only the part of the cluster
in its signature.
"""

import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import get_args, get_type_hints

import pytest
from msgspec.structs import replace

from sim_engine.actions.base import StepStruct
from sim_engine.actions.steps import Crash, Cut, DiskLoss, Isolate, Pause, Refresh, Tick
from sim_engine.cluster.state import Client, Clients
from sim_engine.events.clients import ClientMetadataRefreshed
from sim_engine.identifiers import FrameNumber
from sim_engine.protocol.messages import IsrChangeNotification, Payload, UpdateMetadata
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation import effects, performing, receiving, transition, working_copy
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.performing.producers import refresh
from sim_engine.simulation.receiving import arrival
from sim_engine.simulation.receiving.arrival import RECEIVERS
from sim_engine.simulation.timeline import Timeline
from sim_engine.simulation.transition import PERFORMED, PRIMITIVES
from sim_engine.simulation.working_copy import (
    AdvancesClock,
    ChangesBrokers,
    ChangesClients,
    ChangesNetwork,
    CutsLinks,
    EndsProcesses,
    ReadsCluster,
    WorkingCopy,
)
from tests.sim_engine.builders import B1, PARTITION, cluster
from tests.sim_engine.runs import SETTLE, run
from tests.tables import for_each

PERMISSIONS = {
    found
    for _, found in inspect.getmembers(working_copy, inspect.isclass)
    if issubclass(found, ReadsCluster) and found is not WorkingCopy
}
"""The classes from which the working copy inherits: each is a part of it."""


def members(permission: type) -> set[str]:
    """The members that a class allows a function to use."""
    return {name for name in dir(permission) if not name.startswith("_")}


def permission_of(function: Callable[..., None]) -> type:
    """The part that a function may change, by its annotation."""
    permission = get_type_hints(function)["work"]
    assert isinstance(permission, type), "a permission is a class"
    return permission


class Confined:
    """A working copy with one permission: every other access fails."""

    work: WorkingCopy
    permission: type

    def __init__(self, work: WorkingCopy, permission: type) -> None:
        vars(self).update(work=work, permission=permission)

    def __getattr__(self, name: str) -> object:
        if name not in members(self.permission):
            raise AssertionError(f"{self.permission.__name__} does not permit {name}")
        return getattr(self.work, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AssertionError(f"no function replaces {name}")


@for_each("kind, function", lambda: [*PERFORMED, *RECEIVERS.items()], lambda row: row[0].__name__)
def test_action_and_message_take_only_what_they_may_change(
    kind: type, function: Callable[..., None]
) -> None:
    assert permission_of(function) in PERMISSIONS


@pytest.mark.parametrize(
    ("kind", "permission"),
    [
        (Refresh, ChangesClients),
        (Pause, ChangesBrokers),
        (Crash, EndsProcesses),
        (Tick, AdvancesClock),
        (Cut, CutsLinks),
        (Isolate, CutsLinks),
        (UpdateMetadata, ChangesBrokers),
        (IsrChangeNotification, ChangesNetwork),
    ],
)
def test_narrow_function_takes_a_narrow_part(kind: type, permission: type) -> None:
    functions: dict[type, Callable[..., None]] = {**PRIMITIVES, **RECEIVERS}

    assert permission_of(functions[kind]) is permission


def test_no_permission_is_the_whole_working_copy() -> None:
    assert [one.__name__ for one in PERMISSIONS if members(one) >= members(WorkingCopy)] == []


@pytest.mark.parametrize("kind", [Crash, DiskLoss])
def test_broker_fault_cannot_change_the_controller(kind: type[StepStruct]) -> None:
    permitted = members(permission_of(PRIMITIVES[kind]))

    assert "put_broker" in permitted
    assert not permitted & {"put_controller", "put_links_cut", "put_configs", "advance_clock"}


@pytest.mark.parametrize("room", [performing, receiving, effects], ids=lambda room: room.__name__)
def test_every_function_takes_only_what_it_may_change(room: ModuleType) -> None:
    taken = {
        f"{function.__module__}.{name}": permission_of(function)
        for name, function in functions_in(room)
        if "work" in inspect.signature(function).parameters
    }

    assert taken
    assert {name for name, permission in taken.items() if permission not in PERMISSIONS} == set()


def functions_in(package: ModuleType) -> Iterator[tuple[str, Callable[..., None]]]:
    """The functions that the modules of a package define."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        loaded = import_module(module.name)
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == module.name:
                yield name, function


def test_every_action_and_message_needs_no_more_than_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    performed: set[type] = set()

    def confined(function: Callable[..., None]) -> Callable[..., None]:
        def act(work: WorkingCopy, *of: object) -> None:
            performed.add(type(of[0]))
            function(Confined(work, permission_of(function)), *of)

        return act

    for module, table, functions in (
        (transition, "PRIMITIVES", PRIMITIVES),
        (arrival, "RECEIVERS", RECEIVERS),
    ):
        of_all: Mapping[type, Callable[..., None]] = functions
        monkeypatch.setattr(module, table, {kind: confined(one) for kind, one in of_all.items()})

    for scenario in list_shipped():
        Timeline(scenario).run_all()
    # The messages in no lesson: a ZooKeeper controller stops a replica.
    reassign = {"reassign": {"partition": "t-0", "replicas": [1, 3]}}
    run(reassign, SETTLE, kafka="2.3", replicas=[1, 2])
    perform_offered(PRIMITIVES.keys() - performed)

    assert performed == {*PRIMITIVES, *RECEIVERS}


def perform_offered(kinds: Collection[type]) -> None:
    """Perform the actions that no lesson has, each where a lesson starts."""
    scenario = list_shipped()[0]
    for step in list_steps(Timeline(scenario).frames[0].cluster):
        if type(step) in kinds:
            timeline = Timeline(scenario)
            timeline.follow(timeline.head, step.as_step(), None)


def test_clients_are_all_that_a_metadata_refresh_needs() -> None:
    producer = Client(name="p1", kind="producer")
    state = replace(cluster(), clients=Clients(clients=(producer,)))
    work = ChangesClients(state, FrameNumber(1))

    refresh(work, Refresh(as_="p1"))

    assert work.cluster.clients.client("p1").leader_of(PARTITION) == B1
    assert [type(event) for event in work.events] == [ClientMetadataRefreshed]


def test_action_fails_without_the_permission_that_it_takes() -> None:
    work = WorkingCopy(cluster(), FrameNumber(1))
    crash: Callable[..., None] = PRIMITIVES[Crash]

    with pytest.raises(AssertionError, match="ChangesClients does not permit"):
        crash(Confined(work, ChangesClients), Crash(broker=B1))
    with pytest.raises(AssertionError, match="no function replaces cluster"):
        Confined(work, ReadsCluster).cluster = work.cluster


def test_working_copy_has_every_permission_and_nothing_that_none_permits() -> None:
    work = WorkingCopy(cluster(), FrameNumber(1))
    permitted = {name for permission in PERMISSIONS for name in members(permission)}
    changed_by_methods_only = {"moves", "unclean_election"}

    assert members(type(work)) == permitted | changed_by_methods_only
    assert {*inspect.getmro(WorkingCopy)} == {WorkingCopy, *PERMISSIONS, object}


def test_every_payload_has_a_function_that_receives_it():
    assert set(RECEIVERS) == set(get_args(Payload))
