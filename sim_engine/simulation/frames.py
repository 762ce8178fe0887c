"""The frames of a run: the state after one action, with its events, its place in the story and its
verdicts.
"""

from collections.abc import Iterator, Set

from msgspec import Struct

from sim_engine.cluster.state import ClusterState, ConsumedRecord
from sim_engine.events import Event, EventSubject
from sim_engine.events.consumer import ReadReplaced
from sim_engine.events.run import PropertyViolated, Started
from sim_engine.identifiers import (
    FIRST_FRAME,
    FIRST_OFFSET,
    NO_LEADER,
    FrameNumber,
    Offset,
    TopicPartition,
)
from sim_engine.invariants import History, Verdict, evaluate, observe, start_history
from sim_engine.invariants.clients import record_instead
from sim_engine.records import Record
from sim_engine.simulation.message_moves import MessageMove
from sim_engine.simulation.transition import Transition
from sim_engine.story import START, Act, Place, headline_of, marks_of, place_after
from sim_engine.versions import Profile


class Frame(Struct, frozen=True, gc=False, kw_only=True):
    """The state after one action, and its events.

    Frames are numbered in the order of their creation, across branches. `depth` counts the actions
    from the start along this frame's branch; `item` is the entry of the scenario's steps that
    created it, null for a user's step; `place` is its position in the story. `events` are in causal
    order; `headline` is the index of the most important one. `moves` are the messages sent,
    delivered and lost, in order, including those without a frame before or after the action.
    """

    frame: FrameNumber
    parent: FrameNumber | None
    depth: int
    item: int | None
    place: Place
    action: dict[str, object] | None
    events: tuple[Event, ...]
    headline: int
    moves: tuple[MessageMove, ...]
    cluster: ClusterState
    history: History
    verdicts: tuple[Verdict, ...]


def first_frame(cluster: ClusterState, profile: Profile) -> Frame:
    """The frame of the initial state."""
    history = start_history(cluster)
    started = Started(
        kafka=profile.kafka,
        control=profile.control,
        brokers=tuple(broker.broker_id for broker in cluster.brokers),
    )
    return Frame(
        frame=FIRST_FRAME,
        parent=None,
        depth=0,
        item=None,
        place=START,
        action=None,
        events=(started,),
        headline=0,
        moves=(),
        cluster=cluster,
        history=history,
        verdicts=evaluate(history, cluster, FIRST_FRAME, ()),
    )


def next_frame(
    before: Frame,
    number: FrameNumber,
    act: Act,
    action: dict[str, object] | None,
    transition: Transition,
    said: Set[int],
) -> Frame:
    """The frame after `before` that an action of an act creates.

    `action` is its document; None if the frame has none. `said` are the indexes in the scenario's
    steps of the notes and questions that are shown. A property that this action violates adds an
    event after those of the transition.
    """
    cluster, events = transition.cluster, transition.events
    history = observe(before.history, before.cluster, cluster, number)
    verdicts = evaluate(history, cluster, number, before.verdicts)
    fallen = tuple(
        _violated_event(verdict)
        for verdict, old in zip(verdicts, before.verdicts, strict=True)
        if verdict.status == "violated" and old.status != "violated"
    )
    # A replaced read has a mark, too, but starts no step of the story: step numbers are in links.
    marks = marks_of((happened.kind, happened.variant) for happened in (*events, *fallen))
    told = (*events, *fallen, *_replaced_reads(before.cluster, cluster))
    return Frame(
        frame=number,
        parent=before.frame,
        depth=before.depth + 1,
        item=act.item,
        place=place_after(before.place, act, marks, said),
        action=action,
        events=told,
        headline=headline_of(told),
        moves=transition.moves,
        cluster=cluster,
        history=history,
        verdicts=verdicts,
    )


def _violated_event(verdict: Verdict) -> Event:
    evidence = verdict.evidence
    # For the current leader, the event that it was elected would be misleading.
    leads = evidence.get("leader") in (evidence.get("replicas") or ())
    told_of_leaders = verdict.name in ("StrongIsr", "LeaderCandidateCompleteness")
    return PropertyViolated(
        variant=f"{verdict.name}.leading" if leads and told_of_leaders else verdict.name,
        property=verdict.name,
        partition=evidence.get("partition"),
        replicas=tuple(evidence.get("replicas") or ()),
        offsets=tuple(evidence.get("offsets") or ()),
        values=tuple(str(record["value"]) for record in evidence.get("records") or ()),
        leader=evidence.get("leader"),
        subject=EventSubject(
            partition=evidence.get("partition"),
            replicas=tuple(evidence.get("replicas") or ()),
            offsets=tuple(evidence.get("offsets") or ()),
        ),
    )


def _replaced_reads(before: ClusterState, after: ClusterState) -> Iterator[Event]:
    """For each consumer and partition, the reads for which the leader now has other records."""
    reads = before.clients.consumed
    if not reads or (before.brokers is after.brokers and before.controller is after.controller):
        return
    found: dict[tuple[str, TopicPartition], dict[Offset, tuple[ConsumedRecord, Record]]] = {}
    partitions = {read.partition for read in reads}
    unchanged_below = {name: _unchanged_below(before, after, name) for name in partitions}
    for read in reads:
        if read.offset < unchanged_below[read.partition]:
            continue
        instead = record_instead(after, read)
        if instead is not None and record_instead(before, read) is None:
            own = found.setdefault((read.consumer, read.partition), {})
            own[read.offset] = (read, instead)
    for (consumer, partition), replaced in found.items():
        yield ReadReplaced(
            partition=partition,
            consumer=consumer,
            leader=after.controller.partition(partition).leader,
            values=tuple(read.value for read, _ in replaced.values()),
            offsets=tuple(replaced),
            instead=tuple(record.value for _, record in replaced.values()),
            subject=EventSubject(partition=partition, offsets=tuple(replaced)),
        )


def _unchanged_below(
    before: ClusterState, after: ClusterState, partition: TopicPartition
) -> Offset:
    """An offset below which the leader has the records that the leader had before.

    A leader nearly always only appends: then the many reads of a long run need no comparison.
    """
    leader = after.controller.partition(partition).leader
    if leader == NO_LEADER or leader != before.controller.partition(partition).leader:
        return FIRST_OFFSET
    old, new = before.replica(leader, partition).log, after.replica(leader, partition).log
    same_start = old.log_start_offset == new.log_start_offset
    if same_start and old.records == new.records[: len(old.records)]:
        return old.log_end_offset
    return FIRST_OFFSET
