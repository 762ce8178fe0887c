"""What a shared run comes to, in one flat row: what the summaries count."""

from collections.abc import Mapping
from typing import Any

from sim_engine.actions import STEPS, Shutdown, name_of
from sim_engine.cluster.clients import ProducedRecord
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.protocol.events import Event
from sim_engine.simulation.timeline import Frame, Timeline

FAULT_KINDS = (*(name_of(kind) for kind in STEPS if kind.fault), "unclean_election")
"""What counts as a fault: each action of that kind, and each unclean election."""


def facts_document(timeline: Timeline, at: int) -> dict[str, Any]:
    """One row about the branch through frame `at`, to its end."""
    path = timeline.branch(at)
    last = timeline.frames[path[-1]]
    cluster = last.cluster
    faults = dict.fromkeys(FAULT_KINDS, 0)
    acked = [record for record in cluster.clients.produced if record.outcome == "acked"]
    lost = _lost(last, acked)
    lost_at = _first_loss(last, lost)
    last_fault: str | None = None
    unclean = 0
    for number in path:
        frame = timeline.frames[number]
        kinds = list(frame.action or {})
        if kinds == [name_of(Shutdown)] and not _says(frame.events, "ShutdownStarted"):
            kinds = []
        elections = sum(
            happened.kind == "LeaderElected" and happened.variant == "unclean"
            for happened in frame.events
        )
        unclean += elections
        happened_now = [
            kind for kind in kinds if kind in faults and not _says(frame.events, "ActionRefused")
        ]
        happened_now.extend(["unclean_election"] * elections)
        for kind in happened_now:
            faults[kind] += 1
            if lost_at is None or number <= lost_at:
                last_fault = kind
    registration = cluster.controller.partitions[0]
    settings = cluster.settings_of(registration.partition)
    lost_all = sum(record.acks == "all" for record in lost)
    return {
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "engine": ENGINE_VERSION,
        "scenario_id": timeline.scenario.id,
        "title_en": timeline.scenario.title["en"],
        "title_zh": timeline.scenario.title["zh"],
        "replication_factor": len(registration.replicas),
        "brokers": len(cluster.brokers),
        "partitions": len(cluster.partitions),
        "min_insync_replicas": settings.min_insync_replicas,
        "unclean": settings.unclean_leader_election_enable,
        "steps": last.depth,
        "acked_all": sum(record.acks == "all" for record in acked),
        "acked_1": sum(record.acks == 1 for record in acked),
        "lost_all": lost_all,
        "lost_1": sum(record.acks == 1 for record in lost),
        "faults": faults,
        "last_fault_before_loss": last_fault if lost_at is not None else None,
        "unclean_elections": unclean,
        "exercised": bool(acked) and any(faults.values()),
        "acked_loss": lost_all > 0,
    }


def _says(events: tuple[Event, ...], kind: str) -> bool:
    return any(happened.kind == kind for happened in events)


def _lost(last: Frame, acked: list[ProducedRecord]) -> list[ProducedRecord]:
    """The acknowledged records that a leader was elected without, or that are on no broker."""
    witnesses = {
        record["id"]
        for verdict in last.verdicts
        if verdict.name == "NoAckedRecordLost" and verdict.status == "violated"
        for record in _records(verdict.evidence)
    }
    return [record for record in acked if record.lost_frame is not None or record.id in witnesses]


def _records(evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    records = evidence.get("records")
    return records if isinstance(records, list) else []


def _first_loss(last: Frame, lost: list[ProducedRecord]) -> int | None:
    """The frame in which the first acknowledged record was lost, as far as the run tells."""
    frames = [record.lost_frame for record in lost if record.lost_frame is not None]
    for verdict in last.verdicts:
        if verdict.name == "NoAckedRecordLost" and verdict.first_frame is not None:
            frames.append(verdict.first_frame)
    return min(frames) if frames else None
