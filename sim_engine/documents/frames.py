"""A frame, the choices after it, and a whole run as plain data."""

import hashlib
from typing import Any

import msgspec

from sim_engine.documents.changes import list_changes
from sim_engine.documents.state import record_document, state_document
from sim_engine.events import Event
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.invariants import Verdict
from sim_engine.simulation.timeline import Timeline

_canonical = msgspec.json.Encoder(order="deterministic")


def event_document(happened: Event) -> dict[str, Any]:
    """One event, with what its sentence needs."""
    document: dict[str, Any] = {"kind": happened.kind}
    if happened.variant is not None:
        document["variant"] = happened.variant
    where = happened.where()
    evidence: dict[str, Any] = {}
    if where.partition is not None:
        evidence["partition"] = where.partition
    for name in ("replicas", "offsets", "frames"):
        values = getattr(where, name)
        if values:
            evidence[name] = list(values)
    if where.records:
        evidence["records"] = [record_document(record) for record in where.records]
    return {
        **document,
        "numbers": happened.numbers(),
        "rule": happened.rule,
        "sources": list(happened.sources),
        "evidence": evidence,
    }


def properties_document(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Every property with its status and, where violated, where and by what evidence."""
    return {
        verdict.name: {
            "status": verdict.status,
            "first_frame": verdict.first_frame,
            "evidence": verdict.evidence,
        }
        for verdict in verdicts
    }


def frame_document(timeline: Timeline, number: int) -> dict[str, Any]:
    """One frame. Raises `IndexError` for a number that no frame has."""
    frame = timeline.frames[number]
    parent = None if frame.parent is None else timeline.frames[frame.parent]
    return {
        "frame": frame.frame,
        "parent": frame.parent,
        "depth": frame.depth,
        "item": frame.item,
        "action": frame.action,
        "events": [event_document(happened) for happened in frame.events],
        "headline": frame.headline,
        "changes": [] if parent is None else list_changes(parent.cluster, frame.cluster),
        "state": state_document(frame.cluster),
        "properties": properties_document(frame.verdicts),
    }


def choices_document(timeline: Timeline, after: int) -> list[dict[str, Any]]:
    """What can happen after a frame, and what cannot and why."""
    return [
        {
            "step": choice.step,
            "actor": choice.actor,
            "enabled": choice.enabled,
            "reason": choice.reason,
            "reason_code": choice.reason_code,
            "reason_numbers": dict(choice.reason_numbers),
        }
        for choice in timeline.choices(after)
    ]


def run_document(timeline: Timeline) -> dict[str, Any]:
    """A run that has been done, as `run --json` prints it."""
    last = timeline.frames[timeline.head]
    return {
        "scenario": timeline.scenario.id,
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "engine": ENGINE_VERSION,
        "frames": len(timeline.frames),
        "digest": run_digest(timeline),
        "final": state_document(last.cluster),
        "properties": properties_document(last.verdicts),
    }


def run_digest(timeline: Timeline) -> str:
    """The SHA-256 of all frames in canonical JSON: the same for the same run on any machine."""
    digest = hashlib.sha256()
    for number in range(len(timeline.frames)):
        digest.update(_canonical.encode(frame_document(timeline, number)))
        digest.update(b"\n")
    return digest.hexdigest()
