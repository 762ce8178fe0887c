"""Replays a recording on the engine and compares the recorded values after each step.

The times at which the controller detects changes of brokers are taken from the recording.
Everything that follows from them is computed by the engine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import to_builtins

from sim_engine.class_tables import for_class
from sim_engine.conformance import recording as verbs
from sim_engine.conformance import verb_replay
from sim_engine.conformance.compare import (
    Compared,
    Comparison,
    Difference,
    compare_clients,
    compare_metadata_records,
    compare_state,
    compared,
    created_record,
    written_records,
)
from sim_engine.conformance.recording import Recording
from sim_engine.conformance.replay_state import Replay, wait_until_idle
from sim_engine.conformance.verb_replay import notice_as_recorded
from sim_engine.narration import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError

VERB_FUNCTIONS: Mapping[type[object], Callable[[Replay, object], None]] = dict(
    (
        for_class(verbs.CreateTopic, verb_replay.create_topic),
        for_class(verbs.Produce, verb_replay.produce),
        for_class(verbs.Answer, verb_replay.answer),
        for_class(verbs.Transaction, verb_replay.transaction),
        for_class(verbs.Consume, verb_replay.consume),
        for_class(verbs.OffsetsForLeaderEpoch, verb_replay.offsets_for_leader_epoch),
        for_class(verbs.Kill, verb_replay.kill),
        for_class(verbs.SessionEnd, verb_replay.session_end),
        for_class(verbs.DeleteFile, verb_replay.delete_file),
        for_class(verbs.PowerLoss, verb_replay.power_loss),
        for_class(verbs.DiskLoss, verb_replay.disk_loss),
        for_class(verbs.Stop, verb_replay.stop),
        for_class(verbs.Start, verb_replay.start),
        for_class(verbs.Freeze, verb_replay.freeze),
        for_class(verbs.Thaw, verb_replay.thaw),
        for_class(verbs.Wait, verb_replay.wait),
        for_class(verbs.Elect, verb_replay.elect),
        for_class(verbs.Reassign, verb_replay.reassign),
        for_class(verbs.Config, verb_replay.change_config),
        for_class(verbs.CutOff, verb_replay.cut_off),
        for_class(verbs.Reconnect, verb_replay.reconnect),
        for_class(verbs.CutLink, verb_replay.cut_link),
        for_class(verbs.HealLink, verb_replay.heal_link),
        for_class(verbs.Network, verb_replay.network),
        for_class(verbs.Fetch, verb_replay.fetch),
    )
)
"""The function that replays each verb."""


def conform(recording: Recording) -> list[Difference]:
    """Replay a recording and return every difference, in the order of its steps.

    If the engine refuses an action of the recording, this is the last difference.
    """
    return differences(replay_steps(Replay(recording)))


def differences(steps: Iterable[list[Compared]]) -> list[Difference]:
    """The values of `replay_steps` that differ."""
    return [
        Difference(
            step=number,
            where=one.where,
            expected=to_builtins(one.recorded),
            got=to_builtins(one.engine),
        )
        for number, compared_values in enumerate(steps)
        for one in compared_values
        if one.standing == "differs"
    ]


def replay_steps(replay: Replay) -> Iterator[list[Compared]]:
    """Replay the steps one after another, and yield the recorded values after each with the
    engine's values.

    If the engine refuses an action of the recording, the last step contains only this.
    """
    for number in range(len(replay.recording.steps)):
        try:
            yield _do(replay, number)
        except (RefusedError, LimitReachedError) as error:
            why = error.code if isinstance(error, RefusedError) else error.limit
            yield [
                compared(
                    f"do/{replay.step.name}", "possible on the real cluster", f"refused: {why}"
                )
            ]
            return


def _do(replay: Replay, number: int) -> list[Compared]:
    """Replay one step, let the cluster settle as the real one did, and compare."""
    step = replay.begin(number)
    first_frame = len(replay.execution.executed)
    VERB_FUNCTIONS[type(step.verb)](replay, step.verb)
    for noticed in step.noticed:
        notice_as_recorded(replay, noticed)
    wait_until_idle(replay)
    executed = replay.execution.executed[first_frame:]
    written = written_records(executed)
    if number == 0:
        written.insert(0, created_record(replay.created))
    comparison = Comparison(replay.recording, number)
    compare_clients(comparison, replay)
    compare_metadata_records(comparison, written)
    moments = tuple(one.transition.cluster for one in executed)
    compare_state(comparison, replay.cluster, moments)
    return comparison.compared
