"""When two runs agree, and what they may differ in."""

import pytest

from backend.recording.agreement import DisagreementError, agreed
from sim_engine.conformance.recording import (
    ProduceResult,
    RecordedBroker,
    RecordedState,
    StepInFile,
)
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


def step(
    *,
    isr: tuple[int, ...] = (1, 2),
    checkpoint: int = 1,
    records: list[dict[str, object]] | None = None,
    outcome: str = "acked",
) -> StepInFile:
    broker = RecordedBroker(
        process="running",
        clean_shutdown=False,
        log=[],
        leader_epoch_checkpoint=[],
        high_watermark_checkpoint=Offset(checkpoint),
        recovery_point_checkpoint=None,
    )
    saw = RecordedState(
        leader=BrokerId(1),
        leader_epoch=LeaderEpoch(0),
        partition_epoch=0,
        isr=[BrokerId(one) for one in isr],
        consumable_end=None,
        consumed=None,
        brokers={BrokerId(1): broker},
    )
    produced = [ProduceResult(value="a", outcome=outcome)]  # type: ignore[arg-type]
    return StepInFile(do={}, saw=saw, metadata_records=records, produced=produced)


def joins(*isrs: list[int]) -> list[dict[str, object]]:
    return [{"record": "PartitionChangeRecord", "isr": isr} for isr in isrs]


def registered(*brokers: int) -> list[dict[str, object]]:
    return [{"record": "RegisterBrokerRecord", "broker": broker} for broker in brokers]


def test_equal_runs_agree_on_everything() -> None:
    timing = agreed([step(), step()], [step(), step()])

    assert (timing.fields, timing.places, timing.isr_in_any_order_at_steps) == ([], [], [])


def test_files_that_timers_write_may_differ_at_their_place() -> None:
    timing = agreed([step(), step()], [step(), step(checkpoint=2)])

    assert timing.places == ["steps/1/saw/brokers/1/high_watermark_checkpoint"]


def test_a_race_of_joining_replicas_is_an_order_and_not_a_set() -> None:
    one, other = joins([1, 2], [1, 2, 3]), joins([1, 3], [1, 3, 2])

    timing = agreed([step(isr=(1, 2, 3), records=one)], [step(isr=(1, 3, 2), records=other)])

    assert timing.isr_in_any_order_at_steps == [0]
    with pytest.raises(DisagreementError, match="step 0"):
        agreed([step(records=one)], [step(records=joins([1, 2], [1, 2, 4]))])
    with pytest.raises(DisagreementError, match="step 0, saw/isr"):
        agreed([step(isr=(1, 2))], [step(isr=(1, 3))])


def test_brokers_may_register_in_any_order() -> None:
    timing = agreed([step(records=registered(1, 2))], [step(records=registered(2, 1))])

    assert timing.fields == ["metadata_records"]
    with pytest.raises(DisagreementError):
        agreed([step(records=registered(1, 2))], [step(records=registered(1))])


def test_what_clients_are_told_must_agree() -> None:
    with pytest.raises(DisagreementError, match="step 0, produced"):
        agreed([step()], [step(outcome="failed")])
