"""A lesson on the reader's brokers: the same steps, with the reader's ids, settings and release.

Its leader becomes the reader's leader. Replicas that the lesson does not have leave first, so that
the rest is what the lesson shows.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from sim_engine.actions import WORD_NAMES
from sim_engine.actions.steps import Happening, Reassign, Start
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject, as_items, as_mapping
from sim_engine.known_losses.plots import away
from sim_engine.known_losses.start_state import PARTITION, StartState
from sim_engine.scenario_reader.document import Scenario, ScenarioError, ScenarioJson
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document

_BROKER_KEYS = ("broker", "from", "to", "leader")

Roles = dict[BrokerId, BrokerId]
"""A broker of the lesson → the reader's broker that plays it."""


def transposed(lesson: Scenario, state: StartState) -> Scenario | None:
    """The lesson's run on the reader's brokers; None if the printed state has not the replicas that
    it needs.
    """
    subject = lesson.partitions[PARTITION]
    roles = _roles(lesson, state)
    if roles is None:
        return None
    extras = [broker for broker in state.replicas if broker not in roles.values()]
    document = scenario_document(state.film((), acked_before=False))
    partition = document["topics"][0]["partitions"][0]
    order = (*(roles[broker] for broker in subject.replicas), *extras)
    logs = as_mapping(scenario_document(lesson)["topics"][0]["partitions"][0].get("logs", {}))
    partition.pop("acked", None)
    cast(JsonObject, document).pop("summary", None)
    partition["logs"] = {
        str(roles[BrokerId(int(one))]): dict(as_mapping(log)) for one, log in logs.items()
    }
    if logs:
        complete = dict(as_mapping(logs[str(subject.first_leader)]))
        partition["logs"].update({str(extra): complete for extra in extras})
    epoch = max(state.spec.leader_epoch, subject.leader_epoch)
    cast(JsonObject, partition)["leader_epoch"] = epoch
    for topic in lesson.topics[1:]:
        replicas = [[roles[one] for one in part.replicas] for part in topic.partitions]
        document["topics"].append(
            {"name": topic.name, "partitions": [{"replicas": list(one)} for one in replicas]}
        )
    leaving = [one for one in extras if one in state.in_sync]
    outside = [roles[one] for one in subject.replicas if one not in subject.in_sync]
    before: list[Happening] = [
        *away(leaving),
        *_outside([one for one in outside if one in state.in_sync]),
    ]
    if order != state.replicas:
        before.append(Reassign(partition=PARTITION, replicas=order))
    steps = [step.as_step() for step in before]
    steps += _steps(scenario_document(lesson), roles)
    try:
        return read_scenario_document({**document, "steps": steps})
    except ScenarioError:
        return None


def _roles(lesson: Scenario, state: StartState) -> Roles | None:
    subject = lesson.partitions[PARTITION]
    running = [broker for broker in state.replicas if broker in state.up]
    if state.leader == NO_LEADER or len(running) < len(subject.replicas):
        return None
    followers = [one for one in running if one != state.leader]
    # Members of the ISR play members, as long as there are enough.
    members = [one for one in followers if one in state.in_sync]
    others = [one for one in followers if one not in state.in_sync]
    in_sync = [one for one in subject.replicas if one in subject.in_sync]
    in_sync.remove(subject.first_leader)
    outside = [one for one in subject.replicas if one not in subject.in_sync]
    has_tail = any(subject.logs.get(one) for one in outside)
    if len(members) < len(in_sync) or (has_tail and len(others) < len(outside)):
        return None
    play_outside = (others + members[len(in_sync) :])[: len(outside)]
    roles = {subject.first_leader: state.leader}
    roles |= dict(zip(in_sync, members, strict=False))
    roles |= dict(zip(outside, play_outside, strict=True))
    return roles


def _outside(brokers: Iterable[BrokerId]) -> Iterator[Happening]:
    """These brokers leave the ISR, and are back without having fetched."""
    for broker in brokers:
        yield from away([broker])
        yield Start(broker=broker)


def _steps(lesson: ScenarioJson, roles: Roles) -> Iterator[JsonObject]:
    for step in lesson["steps"]:
        ((name, arguments),) = ((key, value) for key, value in step.items() if key != "refused")
        if name not in WORD_NAMES:
            yield {name: {key: _played(key, value, roles) for key, value in arguments.items()}}


def _played(key: str, value: object, roles: Roles) -> object:
    if key == "replicas" and value is not None:
        return [roles[cast(BrokerId, one)] for one in as_items(value)]
    is_broker = key in _BROKER_KEYS and isinstance(value, int) and not isinstance(value, bool)
    return roles[BrokerId(cast(int, value))] if is_broker else value
