"""Films: a way played on a partition in its printed state, and the runs that prove what closes it.

A film ends with the step that loses a record. A proof is the same film, with all its steps, under a
changed setting or release, or with what an operator does instead. It closes the way if no record
that was acknowledged is lost or at risk in the end, and all faults of the film have happened.

A way may be a lesson on the reader's brokers: the same steps, with the reader's ids, settings and
release.

Its leader becomes the reader's leader. Replicas that the lesson does not have leave first, so that
the rest is what the lesson shows.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import WORD_NAMES, Words
from sim_engine.actions.steps import (
    Config,
    Detect,
    Elect,
    Happening,
    Produce,
    Reassign,
    Settle,
    Start,
)
from sim_engine.events.controller import LeaderElected
from sim_engine.identifiers import NO_LEADER, Acks, BrokerId, FrameNumber
from sim_engine.json_types import JsonObject, as_items, as_mapping
from sim_engine.known_losses.catalogue import Closing, Plot, Plotted, Way, away
from sim_engine.known_losses.start_state import PARTITION, StartState
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario, ScenarioError, ScenarioJson, ScenarioStep
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import UnknownRuleError

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
    # The order comes first: up to 2.3 it is complete only when all replicas are in the ISR.
    ordered = order != state.replicas
    before: list[Happening] = [
        *((Reassign(partition=PARTITION, replicas=order),) if ordered else ()),
        *away(leaving),
        *_outside([one for one in outside if one in state.in_sync]),
    ]
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


# --- films ----------------------------------------------------------------------------------------


NO_ACKED_RECORD_LOST = "NoAckedRecordLost"


class Film(Struct, frozen=True, kw_only=True):
    """A run that loses an acknowledged record from the printed state.

    `whole` has also the steps after the loss. `faults` are the failures on the way, each with its
    broker; null for a lost message. `triggers` are the brokers that come back. `state` is the
    variant of the printed state from which it starts. `lesson` is the lesson that it plays; null if
    it plays a plot.
    """

    state: StartState
    lesson: str | None
    scenario: Scenario
    whole: Scenario
    timeline: Timeline
    lost_in: FrameNumber
    lost: tuple[str, ...]
    faults: tuple[tuple[str, BrokerId | None], ...]
    is_by_hand: bool
    triggers: tuple[BrokerId, ...]


def find_film(way: Way, state: StartState) -> Film | None:
    """The film with the fewest faults; None if the way loses nothing from this state."""
    lessons = way.lessons if way.plot is None else (None,)
    films = [
        film
        for variant in state.variants()
        for lesson in lessons
        if (film := _film(way, variant, lesson)) is not None
    ]
    return min(films, key=lambda film: len(film.faults), default=None)


def has_scenario(way: Way, state: StartState) -> bool:
    """Whether the state can lead to the way at all."""
    lessons = way.lessons if way.plot is None else (None,)
    return any(
        _scenario_of(way, variant, way.plot, lesson) is not None
        for variant in state.variants()
        for lesson in lessons
    )


def _film(way: Way, state: StartState, lesson: str | None) -> Film | None:
    scenario = _scenario_of(way, state, way.plot, lesson)
    if scenario is None:
        return None
    played = play(scenario)
    if played is None or any(done.refused for done in played.played_steps):
        return None
    # A race is about the guarantee that acks=all gives with clean elections.
    lost_in = _first_loss(played, "all" if way.is_race else state.acks)
    if lost_in is None or (way.is_race and _elects_uncleanly(played, lost_in)):
        return None
    last = played.frames[lost_in].item
    assert last is not None, "a step of the scenario lost it"
    film = _checked(replace(scenario, steps=scenario.steps[: last + 1]))
    assert film is not None, "a part of a film is one"
    happened = happenings(film)
    cluster = played.frames[lost_in].cluster
    return Film(
        state=state,
        lesson=lesson,
        scenario=film,
        whole=scenario,
        timeline=played,
        lost_in=lost_in,
        lost=tuple(
            one.value
            for one in cluster.clients.produced
            if one.fate == "lost" and one.acks in ("all", state.acks)
        ),
        faults=tuple(
            (type(step).__name__, getattr(step, "broker", None)) for step in happened if step.fault
        ),
        is_by_hand=any(_is_unclean_by_hand(step) for step in happened),
        triggers=tuple(step.broker for step in happened if isinstance(step, Start | Detect)),
    )


def _scenario_of(
    way: Way, state: StartState, plotted: Plotted | None, lesson: str | None
) -> Scenario | None:
    """The film of a plot or of a lesson; None if the state cannot lead there."""
    if plotted is None:
        assert lesson is not None, "a way without a plot has lessons"
        return transposed(load_shipped(lesson), state)
    plot = plotted(state)
    return None if plot is None else _filmed(plot, way, state)


def _filmed(plot: Plot, way: Way, state: StartState) -> Scenario | None:
    return _checked(state.film(plot.steps, acked_before=plot.acked_before, film_id=way.id))


def _checked(scenario: Scenario) -> Scenario | None:
    """The scenario as the reader returns it; None if no history leads to its start."""
    document = dict(scenario_document(scenario))
    document.pop("summary", None)
    try:
        return read_scenario_document(document)
    except ScenarioError:
        return None


def happenings(scenario: Scenario) -> tuple[Happening, ...]:
    """What happens in a scenario, without its author's words."""
    return tuple(item.step for item in scenario.steps if not isinstance(item.step, Words))


def play(scenario: Scenario) -> Timeline | None:
    """Play a scenario; None if its release cannot."""
    try:
        timeline = Timeline(scenario)
        timeline.run_all()
    except (LimitReachedError, UnknownRuleError, UnknownVersionError):
        return None
    return timeline


def _first_loss(timeline: Timeline, acks: Acks) -> FrameNumber | None:
    """The first frame in which a record is lost that was acknowledged with these acks."""
    for frame in timeline.frames:
        if frame.verdicts[NO_ACKED_RECORD_LOST].status == "violated":
            return frame.frame
        if acks != "all" and any(one.fate == "lost" for one in frame.cluster.clients.produced):
            return frame.frame
    return None


def _elects_uncleanly(timeline: Timeline, until: FrameNumber) -> bool:
    return any(
        isinstance(event, LeaderElected) and event.variant == "unclean"
        for frame in timeline.frames[: until + 1]
        for event in frame.events
    )


def _is_unclean_by_hand(step: Happening) -> bool:
    return isinstance(step, Config) or (isinstance(step, Elect) and step.kind == "unclean")


# --- proofs -----------------------------------------------------------------------------------


class Proof(Struct, frozen=True):
    """A run in which a change keeps every acknowledged record, although all faults happen."""

    scenario: Scenario
    timeline: Timeline


def prove(way: Way, film: Film, closing: Closing) -> Proof | None:
    """The run of a change; None if it does not keep every record."""
    state = film.state
    if closing.plot is not None:
        if closing.setting is not None and closing.value is not None:
            state = state.with_setting(closing.setting, closing.value)
        return _proof(_scenario_of(way, state, closing.plot, None), way, film, may_differ=False)
    if closing.setting == "acks":
        if state.acks == "all":
            return None
        return _proof(_again(film, state.with_acks("all")), way, film)
    assert closing.setting is not None, "a closing is a procedure or a setting"
    value = len(state.replicas) if closing.value is None else closing.value
    if state.configs.get(closing.setting) in (None, value):
        return None
    return _proof(_under(way, film, state.with_setting(closing.setting, value)), way, film)


def prove_release(way: Way, film: Film, kafka: str) -> Proof | None:
    """The run under another release; None if it does not keep every record."""
    try:
        changed = film.state.with_release(kafka)
    except (UnknownVersionError, UnknownRuleError):
        return None
    return _proof(_under(way, film, changed), way, film)


def _under(way: Way, film: Film, changed: StartState) -> Scenario | None:
    if film.lesson is not None:
        return _scenario_of(way, changed, None, film.lesson)
    return _again(film, changed)


def _again(film: Film, state: StartState) -> Scenario | None:
    """The steps of the film from another start, with as much acknowledged before."""
    acked_before = "m2" in film.whole.partitions[PARTITION].acked
    steps = tuple(
        replace(step, acks=state.acks) if isinstance(step, Produce) else step
        for step in happenings(film.whole)
    )
    return _checked(state.film(steps, acked_before=acked_before, film_id=film.whole.id))


def _proof(
    scenario: Scenario | None, way: Way, film: Film, *, may_differ: bool = True
) -> Proof | None:
    """`may_differ`: an election or a message may be impossible under the change. Failures never
    may.
    """
    if scenario is None:
        return None
    scenario = replace(scenario, steps=(*scenario.steps, ScenarioStep(Settle())))
    played = play(scenario)
    if played is None:
        return None
    for done in played.played_steps:
        assert done.item is not None, "every step is of the scenario"
        is_failure = scenario.steps[done.item].step.affects is not None
        if done.refused and (is_failure or not may_differ):
            return None
    counted = ("all",) if way.is_race else ("all", film.state.acks)
    fates = {
        one.fate
        for one in played.frames[played.head].cluster.clients.produced
        if one.acks in counted and one.fate is not None
    }
    # A lost record stays lost, so the last frame tells of all.
    return Proof(scenario, played) if fates <= {"safe"} else None
