"""Properties of leaders and of the controller that elects them."""

from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch
from sim_engine.invariants.observation import PartitionObservation
from sim_engine.invariants.verdicts import PropertyResult


def leader_in_isr(partition: PartitionObservation) -> PropertyResult:
    """The controller's leader is in the controller's ISR.

    Not exercised without a leader. Source: LeaderInIsr of the KIP-320 specification.
    """
    registration = partition.registration
    if registration.leader == NO_LEADER or registration.leader in registration.isr:
        return "holds"
    return {
        "partition": partition.name,
        "replicas": [registration.leader],
        "offsets": [],
        "records": [],
        "acked_frame": None,
        "leader_epoch": registration.leader_epoch,
        "isr": list(registration.isr),
    }


def one_leader_per_epoch(partition: PartitionObservation) -> PropertyResult:
    """No two live brokers are leader of a partition in the same leader epoch.

    Leaders of different epochs may exist at the same time; the older one has been deposed. Source:
    KIP-320, fencing by leader epoch.
    """
    leaders: dict[LeaderEpoch, BrokerId] = {}
    for host in partition.hosts:
        if host.replica.leading is None or not host.broker.alive:
            continue
        epoch = host.replica.leader_epoch
        if epoch in leaders:
            return {
                "partition": partition.name,
                "replicas": [leaders[epoch], host.broker_id],
                "offsets": [],
                "records": [],
                "acked_frame": None,
                "leader_epoch": epoch,
            }
        leaders[epoch] = host.broker_id
    return "holds"


def replication_quorum_superset(partition: PartitionObservation) -> PropertyResult:
    """The maximal ISR of the current leader contains the controller's ISR.

    Otherwise the high watermark could pass a replica that may be elected cleanly. Source:
    ReplicationQuorumSupersetProperty of the KIP-966 specification; KIP-497.
    """
    if partition.leader is None:
        return "not_exercised"
    leading = partition.leader.replica.leading
    assert leading is not None, "the legitimate leader has the state of a leader"
    outside = [
        broker_id
        for broker_id in partition.registration.isr
        if broker_id not in leading.maximal_isr
    ]
    if not outside:
        return "holds"
    return {
        "partition": partition.name,
        "replicas": outside,
        "offsets": [],
        "records": [],
        "acked_frame": None,
        "broker": partition.leader.broker_id,
        "leader_epoch": partition.registration.leader_epoch,
        "isr": list(partition.registration.isr),
        "maximal_isr": list(leading.maximal_isr),
    }
