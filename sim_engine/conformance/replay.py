"""Does what a recording did, as it did it, and holds what it saw.

When the controller notices a broker is recorded, not computed; everything that follows from it is
the engine's own doing.
"""

from collections.abc import Callable, Iterator, Mapping

from sim_engine.class_tables import OwnClass
from sim_engine.conformance import (
    broker_verbs,
    client_verbs,
    controller_verbs,
    network_verbs,
    verbs,
)
from sim_engine.conformance.compare_clients import compare_clients
from sim_engine.conformance.compare_metadata import (
    compare_metadata_records,
    created_record,
    written_records,
)
from sim_engine.conformance.compare_state import compare_state
from sim_engine.conformance.controller_verbs import notice_as_recorded
from sim_engine.conformance.difference import Compared, Difference, compared, difference
from sim_engine.conformance.recording import Recording
from sim_engine.conformance.replay_state import Replay
from sim_engine.conformance.settling import come_to_rest
from sim_engine.simulation.play import LimitReachedError
from sim_engine.simulation.refusal import RefusedError

VERB_FUNCTIONS: Mapping[type[verbs.Verb], Callable[[Replay, OwnClass], None]] = {
    verbs.CreateTopic: controller_verbs.create_topic,
    verbs.Produce: client_verbs.produce,
    verbs.Answer: client_verbs.answer,
    verbs.Transaction: client_verbs.transaction,
    verbs.Consume: client_verbs.consume,
    verbs.OffsetsForLeaderEpoch: client_verbs.offsets_for_leader_epoch,
    verbs.Kill: broker_verbs.kill,
    verbs.SessionEnd: broker_verbs.session_end,
    verbs.DeleteFile: broker_verbs.delete_file,
    verbs.PowerLoss: broker_verbs.power_loss,
    verbs.Stop: broker_verbs.stop,
    verbs.Start: broker_verbs.start,
    verbs.Freeze: broker_verbs.freeze,
    verbs.Thaw: broker_verbs.thaw,
    verbs.Wait: controller_verbs.wait,
    verbs.Elect: controller_verbs.elect,
    verbs.Reassign: controller_verbs.reassign,
    verbs.CutOff: network_verbs.cut_off,
    verbs.Reconnect: network_verbs.reconnect,
    verbs.Network: network_verbs.network,
    verbs.Fetch: network_verbs.fetch,
}
"""How the engine does what each verb did."""


def conform(recording: Recording) -> list[Difference]:
    """Replay a recording; give every difference, in the order of its steps.

    Where the engine refuses what was done on the real cluster, that is the last difference.
    """
    return [
        difference(number, one)
        for number, compared_values in enumerate(replay_steps(Replay(recording)))
        for one in compared_values
        if one.standing == "differs"
    ]


def replay_steps(replay: Replay) -> Iterator[list[Compared]]:
    """Do the steps one after another; give what was read after each, beside what the engine has.

    Where the engine refuses what was done on the real cluster, that is all of the last step.
    """
    for number in range(len(replay.recording.steps)):
        try:
            yield list(_do(replay, number))
        except (RefusedError, LimitReachedError) as error:
            why = error.code if isinstance(error, RefusedError) else error.limit
            yield [
                compared(f"do/{replay.step.name}", "done on the real cluster", f"refused: {why}")
            ]
            return


def _do(replay: Replay, number: int) -> Iterator[Compared]:
    """Do one step, let the cluster come to rest as the real one did, and compare."""
    step = replay.begin(number)
    first_frame = len(replay.play.played)
    VERB_FUNCTIONS[type(step.verb)](replay, step.verb)
    for noticed in step.noticed:
        notice_as_recorded(replay, noticed)
    come_to_rest(replay)
    played = replay.play.played[first_frame:]
    written = written_records(played)
    if number == 0:
        written.insert(0, created_record(replay.created))
    yield from compare_clients(replay)
    yield from compare_metadata_records(replay.recording, number, written)
    yield from compare_state(
        replay.recording,
        number,
        replay.cluster,
        tuple(one.transition.cluster for one in played),
    )
