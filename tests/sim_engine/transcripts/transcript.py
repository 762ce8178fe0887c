"""Transcripts of the protocol: what a cluster does at each step, in a text file.

A transcript consists of blocks with an empty line between them. A block has comments, a step as a
scenario file has it, a line `----`, and then what the engine did: each message or action with the
sentences of its events, and whatever changed of what the controller has registered for a partition
and of what its replicas know. `cluster` begins a new cluster, with one topic unless it says
otherwise. `again` tells everything since then in another version.

`pytest tests/sim_engine/transcripts --rewrite` writes what the engine does now. Review that.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.narration import sentence_of, step_label
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.simulation.timeline import Frame, Timeline

RULE = "----"


@dataclass(frozen=True)
class Block:
    """`comments` and `command` are written by hand, `output` by the engine."""

    comments: tuple[str, ...]
    command: str
    output: tuple[str, ...]

    def text(self) -> str:
        lines = (*self.comments, *((self.command, RULE) if self.command else ()), *self.output)
        return "\n".join(lines) + "\n"


def read(text: str) -> list[Block]:
    return [_block(part.strip("\n").splitlines()) for part in text.split("\n\n") if part.strip()]


def _block(lines: list[str]) -> Block:
    comments = tuple(line for line in lines if line.startswith("#"))
    rest = lines[len(comments) :]
    end = rest.index(RULE) if RULE in rest else len(rest)
    return Block(comments, " ".join(rest[:end]), tuple(rest[end + 1 :]))


def written(blocks: list[Block]) -> str:
    return "\n".join(block.text() for block in blocks)


def play(blocks: list[Block]) -> list[Block]:
    """The same story with what the engine does now."""
    told: list[Block] = []
    story: Story | None = None
    for block in blocks:
        output: list[str] = []
        if block.command:
            name, _, arguments = block.command.partition(" ")
            given = yaml.safe_load(f"{{{arguments}}}")
            if name == "cluster":
                story = Story(given)
                output = story.start()
            else:
                assert story is not None, "a story begins with a cluster"
                output = story.again(given) if name == "again" else story.step(block.command)
        told.append(Block(block.comments, block.command, tuple(output)))
    return told


class Story:
    """One cluster, and the steps that it has done."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.steps: list[str] = []
        self.timeline = Timeline(read_scenario_document(_document(**given)))
        self._shown: dict[tuple[str, int], str] = {}

    def step(self, command: str) -> list[str]:
        """Perform a step; a step that is not possible there says why."""
        self.steps.append(command)
        name, _, arguments = command.partition(" ")
        step = read_step({name: yaml.safe_load(f"{{{arguments}}}")}, self.timeline.scenario)
        first = len(self.timeline.frames)
        self.timeline.run_step(None, step)
        return [
            line
            for frame in self.timeline.frames[first:]
            for line in (*_told(frame), *self.changed_states(frame))
        ]

    def again(self, given: dict[str, Any]) -> list[str]:
        """The same steps in another version."""
        other = Story({**self.given, **given})
        output = other.start()
        for command in self.steps:
            output += [f"> {command}", *other.step(command)]
        return output

    def start(self) -> list[str]:
        """The state before the first step."""
        return list(self.changed_states(self.timeline.frames[0]))

    def changed_states(self, frame: Frame) -> Iterator[str]:
        """The lines of the state that are not as they were last shown."""
        cluster = frame.cluster
        for registration in cluster.controller.partitions:
            lines = {0: _registered(registration)}
            for broker in sorted(registration.replicas):
                replica = cluster.broker(broker).replica(registration.partition)
                lines[broker] = f"  {broker} {_replica(replica)}"
            for place, line in lines.items():
                if self._shown.get((registration.partition, place)) != line:
                    yield line
                self._shown[registration.partition, place] = line


def _document(**given: Any) -> dict[str, Any]:
    brokers = given.pop("brokers", [1, 2, 3])
    replicas = given.pop("replicas", brokers)
    topics = [{"name": "t", "partitions": [{"replicas": replicas}]}]
    return {"id": "story", "brokers": brokers, "topics": topics, **given}


def _told(frame: Frame) -> Iterator[str]:
    assert frame.action is not None, "only the start has no action"
    yield step_label(frame.action, "en")
    yield from (f"    {sentence_of(happened, 'en')}" for happened in frame.events)


def _registered(registration: PartitionRegistration) -> str:
    """What the controller has stored, or the znode has."""
    leader = "no leader" if registration.leader == NO_LEADER else f"leader {registration.leader}"
    parts = [
        f"{leader} in epoch {registration.leader_epoch}",
        f"partition epoch {registration.partition_epoch}",
        f"replicas {_list(registration.replicas)}",
        f"ISR {_list(registration.isr)}",
    ]
    for name in ("elr", "last_known_elr", "adding_replicas", "removing_replicas"):
        if brokers := getattr(registration, name):
            parts.append(f"{name.replace('_', ' ')} {_list(brokers)}")
    return f"{registration.partition}: {', '.join(parts)}"


def _replica(replica: Replica | None) -> str:
    """Role, epoch, log with the epochs of the records, and high watermark."""
    if replica is None:
        return "has no replica"
    if replica.role == "none":
        return f"is down: {_log(replica)}"
    follows = "waits" if replica.leader == NO_LEADER else f"follows {replica.leader}"
    does = "leads" if replica.role == "leader" else follows
    return f"{does} in epoch {replica.leader_epoch}: {_log(replica)} HW {replica.high_watermark}"


def _log(replica: Replica) -> str:
    records = (
        record.value if record.epoch is None else f"{record.value}/{record.epoch}"
        for record in replica.log.records
    )
    return f"[{' '.join(records)}]"


def _list(brokers: tuple[BrokerId, ...]) -> str:
    return " ".join(map(str, brokers)) or "empty"
