"""What outcomes do: the files that a process writes when it ends, and two in order."""

import pytest

from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, FrameNumber
from sim_engine.protocol.replica import Outcome, PendingIsr
from sim_engine.records import Record
from sim_engine.simulation.effects.brokers import apply_outcome
from sim_engine.simulation.working_copy import WorkingCopy
from tests.sim_engine.builders import B1, B2, PARTITION, cluster


@pytest.mark.parametrize(
    ("how", "process", "clean", "checkpoint"),
    [
        ("halt", "failed", False, 0),
        ("exit", "failed", True, 2),
        ("hang", "shutting_down", False, 0),
    ],
)
def test_a_broker_that_exits_writes_its_files_and_one_that_halts_or_hangs_does_not(
    how, process, clean, checkpoint
):
    state = cluster({1: "m1 m2", 2: "m1 m2"}, kafka="0.10.1", high_watermarks={2: 2})
    work = WorkingCopy(state, frame=FrameNumber(1))

    apply_outcome(work, Outcome(replica=state.replica(B2, PARTITION), process_ends=how))

    broker = work.cluster.broker(B2)
    assert (broker.process, broker.clean_shutdown) == (process, clean)
    assert broker.replicas[0].checkpoint_high_watermark == checkpoint


@pytest.mark.parametrize(
    "single",
    [
        {"process_ends": "halt"},
        {"isr_write": PendingIsr(kind="expand", isr=(B1, B2), replicas=(B2,))},
        {"duplicate": Record(FIRST_OFFSET, FIRST_EPOCH, "m1", "m1")},
    ],
    ids=lambda single: next(iter(single)),
)
def test_two_outcomes_in_order_lose_nothing_of_which_there_is_only_one(single):
    replica = cluster({1: "m1", 2: "m1"}).replica(B2, PARTITION)
    one, other = Outcome(replica=replica, **single), Outcome(replica=replica)

    assert one.then(other) == other.then(one) == one
    with pytest.raises(AssertionError):
        one.then(one)
