"""The state that the records of a metadata log lead to, and how a recording writes them."""

from backend.recording.metadata_log import ControllerView, MetadataRecord
from sim_engine.identifiers import BrokerId

UNCHANGED = {
    "leader": -2, "isr": None, "replicas": None, "removing_replicas": None,
    "adding_replicas": None, "leader_recovery_state": -1, "eligible_leader_replicas": None,
    "last_known_elr": None, "topic_id": "T", "partition_id": 0,
}  # fmt: skip
CREATED = MetadataRecord(
    "PartitionRecord",
    {
        **UNCHANGED, "leader": 2, "isr": [2, 1], "replicas": [2, 1], "removing_replicas": [],
        "adding_replicas": [], "leader_recovery_state": 0, "leader_epoch": 0, "partition_epoch": 0,
    },
)  # fmt: skip
TOPIC = MetadataRecord("TopicRecord", {"name": "t", "topic_id": "T"})


def change(**fields: object) -> MetadataRecord:
    return MetadataRecord("PartitionChangeRecord", {**UNCHANGED, **fields})


def registration(broker: int, **fields: object) -> MetadataRecord:
    return MetadataRecord(
        "BrokerRegistrationChangeRecord",
        {"broker_id": broker, "fenced": 0, "in_controlled_shutdown": 0, **fields},
    )


def test_a_change_names_only_what_it_changes_and_the_epochs_after_it() -> None:
    view = ControllerView("t")
    view.apply([TOPIC, CREATED])
    view.begin()

    view.apply([TOPIC, CREATED, change(isr=[1], leader=1), change(eligible_leader_replicas=[2])])

    assert view.written == [
        {"record": "PartitionChangeRecord", "leader": 1, "isr": [1], "leader_epoch": 1,
         "partition_epoch": 1},
        {"record": "PartitionChangeRecord", "elr": [2], "leader_epoch": 1, "partition_epoch": 2},
    ]  # fmt: skip
    assert view.partition is not None
    assert (view.partition.leader, view.partition.isr, view.partition.elr) == (1, [1], [2])
    assert view.partition.leader_recovery_state == 0


def test_other_partitions_and_an_election_of_the_same_leader() -> None:
    view = ControllerView("t")

    view.apply([TOPIC, CREATED, change(partition_id=1, leader=1), change(leader=2)])

    assert view.partition is not None
    assert (view.partition.leader, view.partition.leader_epoch) == (2, 1)
    assert view.partition.partition_epoch == 1


def test_a_cleared_elr_changes_no_epoch() -> None:
    view = ControllerView("t")
    clear = MetadataRecord("ClearElrRecord", {"topic_name": "t"})

    view.apply([TOPIC, CREATED, change(eligible_leader_replicas=[1], last_known_elr=[1]), clear])

    assert view.partition is not None
    assert (view.partition.elr, view.partition.last_known_elr) == ([], [])
    assert view.partition.partition_epoch == 1


def test_what_the_controller_notices_of_brokers() -> None:
    view = ControllerView("t")
    register = MetadataRecord("RegisterBrokerRecord", {"broker_id": 1, "fenced": True})

    view.apply([register, registration(1, fenced=-1), registration(1, in_controlled_shutdown=1)])

    told = [(one.registered, one.fenced, one.in_controlled_shutdown) for one in view.noticed]
    assert told == [(True, None, None), (False, False, None), (False, None, True)]
    assert not view.brokers[BrokerId(1)].fenced
