"""The initial state that equals a moment of a run."""

from msgspec import structs

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import BrokerRegistration
from sim_engine.scenario_reader.document import BrokerSpec, BrokerState, PartitionSpec, Scenario
from sim_engine.simulation.timeline import Timeline


def start_of(timeline: Timeline, cluster: ClusterState) -> Scenario | None:
    """The scenario whose frame 0 has this cluster's controller state, with the same logs as
    before; None if a broker is shutting down or a new order of replicas waits, which a start does
    not express.
    """
    if any(one.reorders_replicas for one in cluster.controller.partitions):
        return None
    states: dict[BrokerId, BrokerState] = {}
    for registered in cluster.controller.brokers:
        process = cluster.broker(registered.broker_id).process
        if registered.in_controlled_shutdown or process == "shutting_down":
            return None
        states[registered.broker_id] = _state(cluster, registered)
    before = timeline.scenario
    topics = tuple(
        structs.replace(
            topic,
            configs=dict(dict(cluster.topic_configs).get(topic.name, ())),
            partitions=tuple(
                _partition(cluster, f"{topic.name}-{number}")
                for number in range(len(topic.partitions))
            ),
        )
        for topic in before.topics
    )
    return structs.replace(
        before,
        kafka=cluster.profile.kafka,
        control=cluster.profile.control,
        brokers=tuple(BrokerSpec(id=broker, state=state) for broker, state in states.items()),
        configs=dict(cluster.configs),
        topics=topics,
        steps=(),
    )


def _state(cluster: ClusterState, registered: BrokerRegistration) -> BrokerState:
    if registered.active:
        return "running"
    fences = cluster.controller_kind.fences_brokers
    return "fenced" if fences and cluster.broker(registered.broker_id).alive else "stopped"


def _partition(cluster: ClusterState, name: str) -> PartitionSpec:
    (one,) = (one for one in cluster.controller.partitions if one.partition == name)
    return PartitionSpec(
        replicas=one.replicas,
        leader=one.leader,
        leader_epoch=one.leader_epoch,
        partition_epoch=one.partition_epoch,
        isr=one.isr,
        elr=one.elr,
        last_known_elr=one.last_known_elr,
        adding=one.adding_replicas,
        removing=one.removing_replicas,
    )
