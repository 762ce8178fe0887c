"""A counterexample of a search, played as a run plays it.

A search computes with states that leave out what makes no difference. What it reports does not
depend on whether that is right: a counterexample is reported only if the engine itself, with the
checks of a run, comes to the violation.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from sim_engine.actions.steps import Deliver, Drop, Fetch, Happening
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.relevance import separates, waits_for
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.invariants.observation import Verdicts, observe
from sim_engine.invariants.safety import evaluate
from sim_engine.narration import RefusedError
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS, Answer, Message
from sim_engine.simulation.fetch_rounds import delivery_of
from sim_engine.simulation.performing.messages import matching, why_undeliverable
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Frame

_UNLIMITED = 1 << 30


def confirmed_steps(
    start: Frame, steps: Iterable[Happening], is_sought: Callable[[Verdicts, ClusterState], bool]
) -> tuple[Happening, ...] | None:
    """The steps as a run plays them after a frame; None if a run does not come to what is sought
    with them, or refuses one of them.

    Responses that nobody waits for are no part of a search's states, but in a run they are before
    later ones of their kind. Their deliveries are added, and a loss passes over them.
    """
    played: list[Happening] = []
    frame, is_found = start, is_sought(start.verdicts, start.cluster)
    try:
        for step in steps:
            for one in in_a_run(step, frame.cluster):
                frames = _frames_of(one, frame)
                is_found = is_found or any(is_sought(one.verdicts, one.cluster) for one in frames)
                frame = frames[-1]
                played.append(one)
    except RefusedError:
        return None
    return tuple(played) if is_found else None


def _frames_of(step: Happening, before: Frame) -> list[Frame]:
    """The given frame and those that a step adds, with what properties read of them. Raises
    `RefusedError` if the step is not possible.
    """
    execution = StepExecution(before.cluster, FrameNumber(before.frame + 1), _UNLIMITED)
    execute_step(execution, step)
    frames = [before]
    for executed in execution.executed:
        was, now = frames[-1], executed.transition.cluster
        number = FrameNumber(was.frame + 1)
        history = observe(was.history, was.cluster, now, number)
        verdicts = evaluate(history, now, number, was.verdicts)
        frames.append(replace(was, frame=number, cluster=now, history=history, verdicts=verdicts))
    # As in a run, the last frame has the changes that were made without one.
    frames[-1] = replace(frames[-1], cluster=execution.cluster)
    return frames


def in_a_run(step: Happening, cluster: ClusterState) -> list[Happening]:
    """A step of a search as a run plays it."""
    if isinstance(step, Fetch):
        return [*map(delivery_of, _unawaited_at(step.broker, cluster)), step]
    if not isinstance(step, Deliver | Drop):
        return [step]
    if step.kind in ZOOKEEPER_COMMANDS:
        return [*map(delivery_of, _updates_before(step, cluster)), step]
    before = list(takewhile(partial(is_unawaited, cluster), matching(cluster, step)))
    if isinstance(step, Drop):
        return [replace(step, nth=len(before) + 1) if before else step]
    return [*map(delivery_of, before), step]


def _unawaited_at(broker_id: BrokerId, cluster: ClusterState) -> Iterator[Message]:
    """The responses that nobody waits for and that arrive at a broker before all others of their
    kind.
    """
    arriving = [one for one in cluster.messages if one.receiver == broker_id and not one.held]
    for delivery in dict.fromkeys(map(delivery_of, arriving)):
        yield from takewhile(partial(is_unawaited, cluster), matching(cluster, delivery))


def _updates_before(step: Deliver | Drop, cluster: ClusterState) -> list[Message]:
    """Each UpdateMetadata that precedes a different command in the queue of a broker: a search
    leaves it out if it makes no difference.
    """
    commands = matching(cluster, step)
    possible = any(why_undeliverable(cluster, command) is None for command in commands)
    if possible or not commands or step.kind == "update_metadata":
        return []
    queue = [
        message
        for message in cluster.messages
        if message.receiver == step.to
        and message.kind in ZOOKEEPER_COMMANDS
        and message.controller_epoch == commands[0].controller_epoch
    ]
    return list(takewhile(lambda message: message.kind == "update_metadata", queue))


def is_unawaited(cluster: ClusterState, message: Message) -> bool:
    """Whether a message is a response that nobody waits for and whose place does not matter."""
    return (
        isinstance(message.payload, Answer)
        and not message.held
        and not waits_for(cluster.broker(message.receiving_broker), message)
        and not any(
            other.id < message.id and separates(message, other) for other in cluster.messages
        )
    )
