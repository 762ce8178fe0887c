"""Verdicts on runs that a test defines as a few states."""

from itertools import pairwise

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.fates import judge_fates
from sim_engine.invariants.observation import (
    History,
    PropertyDocument,
    Verdicts,
    ViolationEvidence,
    observe,
    start_history,
)
from sim_engine.invariants.safety import evaluate


def history_of(*states: ClusterState) -> History:
    """The ghost state after these states, the first being frame 0."""
    history = start_history(states[0])
    for frame, (before, after) in enumerate(pairwise(states), start=1):
        history = observe(history, before, after, FrameNumber(frame))
    return history


def judged(*states: ClusterState) -> tuple[list[ClusterState], list[tuple[Event, ...]]]:
    """These states with the fates of their records, and the events about them in each frame."""
    run = [states[0]]
    told: list[tuple[Event, ...]] = [()]
    for frame, state in enumerate(states[1:], start=1):
        before = run[-1]
        known = {record.request: record for record in before.clients.produced}
        produced = tuple(
            replace(
                record,
                fate=known[record.request].fate,
                fate_frame=known[record.request].fate_frame,
                lost_frame=known[record.request].lost_frame,
            )
            if record.request in known
            else record
            for record in state.clients.produced
        )
        unjudged = replace(state, clients=replace(state.clients, produced=produced))
        after, events = judge_fates(before, unjudged, FrameNumber(frame))
        run.append(after)
        told.append(events)
    return run, told


def fates_of(*states: ClusterState) -> list[list[str | None]]:
    """The fate of each produced record after each of these states."""
    return [[record.fate for record in state.clients.produced] for state in judged(*states)[0]]


def verdicts_of(*unjudged: ClusterState) -> Verdicts:
    """The verdicts after these states."""
    states, _ = judged(*unjudged)
    verdicts: Verdicts = {}
    for frame in range(len(states)):
        history = history_of(*states[: frame + 1])
        verdicts = evaluate(history, states[frame], FrameNumber(frame), verdicts)
    return verdicts


def verdict_of(name: str, *states: ClusterState) -> PropertyDocument:
    """The verdict on one property after these states."""
    return verdicts_of(*states)[name]


def status_of(name: str, *states: ClusterState) -> str:
    """`holds`, `violated` or `not_exercised` after these states."""
    return verdict_of(name, *states).status


NOTHING: dict[str, object] = {"partition": "t-0", "offsets": [], "records": [], "acked_frame": None}
"""What evidence has if it is about no record."""


def evidence_of(name: str, *states: ClusterState) -> ViolationEvidence:
    """The evidence of a property that the last of these states violates, and none before it."""
    verdict = verdict_of(name, *states)
    assert (verdict.status, verdict.first_frame) == ("violated", len(states) - 1)
    return verdict.evidence
