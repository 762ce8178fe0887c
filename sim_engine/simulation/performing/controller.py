"""What the controller does: notice brokers, elect, reorder, and see a broker off."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import (
    AskElection,
    BeginShutdown,
    Config,
    EndShutdown,
    Notice,
    ReassignReplicas,
    TakeOverController,
)
from sim_engine.cluster.start import effective, with_settings
from sim_engine.cluster.state import ClusterState
from sim_engine.events.controller import ConfigChanged, ProtocolLevelChanged
from sim_engine.events.election import PreferredLeadersChecked, UncleanLeadersChecked
from sim_engine.events.process import ShutdownStarted
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.controller import kraft as kraft_controller
from sim_engine.protocol.controller import zookeeper as zookeeper_controller
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.controller.state import ControllerOutcome
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.releases import find_level, level_reached, new_records_between
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.metadata_publishing import publish_everything
from sim_engine.simulation.performing.late_metadata import is_metadata_held
from sim_engine.simulation.performing.processes import stop_process
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn
from sim_engine.versions import LevelName, dotted, levels_of, rules_by_name


def session_has_ended(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller still takes a broker for live that it does not hear of any more, or
    that has started anew since it registered."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if not registered.live or registered.fenced:
        return False
    gone = not broker.running or not cluster.reaches_controller(broker_id)
    return gone or broker.incarnation != registered.incarnation


def bounce_is_unseen(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has started anew and the controller, which never saw it gone, will not see
    it by itself: up to 2.1 a ZooKeeper controller compares ids alone (KIP-380)."""
    broker = cluster.broker(broker_id)
    registered = cluster.controller.broker(broker_id)
    return (
        cluster.profile.control == "zookeeper"
        and not cluster.profile.rules.broker_generations
        and registered.live
        and broker.running
        and cluster.reaches_controller(broker_id)
        and broker.incarnation != registered.incarnation
    )


def broker_is_back(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker runs and reaches the controller, which does not count on it yet."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if broker.process != "running" or not cluster.reaches_controller(broker_id):
        return False
    if has_not_read_its_registration(cluster, broker_id):
        return False
    return not registered.live or registered.fenced or registered.incarnation != broker.incarnation


def has_not_read_its_registration(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has registered and the record of it is held back: it stays fenced until it
    has read that far, whatever its heartbeats say (`BrokerHeartbeatManager`)."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    return (
        is_metadata_held(cluster, broker_id)
        and registered.incarnation == broker.incarnation
        and broker.metadata_offset < registered.broker_epoch
    )


def is_unnoticed(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether there is anything about a broker that the controller has yet to notice."""
    return session_has_ended(cluster, broker_id) or broker_is_back(cluster, broker_id)


def notice(turn: Turn, action: Notice) -> None:
    """The controller notices one thing that became of a broker, and acts on it.

    A session that has ended comes first; a broker that came back is registered, and under KRaft
    unfenced by a further notice, once it has read the metadata log.
    """
    broker_id = action.broker
    cluster = turn.cluster
    if session_has_ended(cluster, broker_id):
        apply_controller_outcome(turn, _session_ended(cluster, broker_id))
        turn.cluster = replace(
            turn.cluster,
            messages=tuple(
                message
                for message in turn.cluster.messages
                if message.receiver != broker_id or message.kind not in ZOOKEEPER_COMMANDS
            ),
        )
    elif broker_is_back(cluster, broker_id):
        _welcome(turn, broker_id)
    elif has_not_read_its_registration(cluster, broker_id):
        raise RefusedError("registration_unread", broker=broker_id)
    elif not cluster.reaches_controller(broker_id) and cluster.broker(broker_id).running:
        raise RefusedError("already_noticed", broker=broker_id)
    else:
        raise RefusedError("nothing_to_notice", broker=broker_id)


def _session_ended(cluster: ClusterState, broker_id: BrokerId) -> ControllerOutcome:
    act = (
        kraft_controller.broker_fenced
        if cluster.profile.control == "kraft"
        else zookeeper_controller.session_expired
    )
    return act(cluster.controller, broker_id, cluster.profile, cluster.policies())


def _welcome(turn: Turn, broker_id: BrokerId) -> None:
    cluster = turn.cluster
    broker = cluster.broker(broker_id)
    registered = cluster.controller.broker(broker_id)
    if cluster.profile.control == "zookeeper":
        apply_controller_outcome(
            turn,
            zookeeper_controller.broker_joined(
                cluster.controller,
                broker_id,
                broker.incarnation,
                broker.broker_epoch,
                cluster.profile,
                cluster.policies(),
            ),
        )
    elif registered.incarnation != broker.incarnation:
        apply_controller_outcome(
            turn,
            kraft_controller.broker_registered(
                cluster.controller,
                broker_id,
                broker.incarnation,
                broker.previous_broker_epoch,
                cluster.profile,
                cluster.policies(),
            ),
        )
        publish_everything(turn, broker_id)
    else:
        apply_controller_outcome(
            turn,
            kraft_controller.broker_unfenced(
                cluster.controller, broker_id, cluster.profile, cluster.policies()
            ),
        )


def fail_controller(turn: Turn, action: TakeOverController) -> None:
    """The controller, a broker without replicas, fails and another takes over.

    Commands of the old one that are on their way can still arrive, and are refused by whoever has
    heard of the new one; requests to it are lost and sent anew.
    """
    cluster = turn.cluster
    if cluster.profile.control == "kraft":
        raise RefusedError("controller_is_a_quorum", rule="CONTROLLER-EPOCH")
    apply_controller_outcome(
        turn,
        zookeeper_controller.take_over(cluster.controller, cluster.profile, cluster.policies()),
    )
    for message in cluster.messages:
        if message.kind in ("alter_partition_request", "alter_partition_response"):
            lose(turn, message)


def elect(turn: Turn, action: AskElection) -> None:
    """An administrator asks for an election of one partition.

    Brokers of a KRaft cluster answer that with an error until 3.1 (`KafkaApis`).
    """
    name, kind = action.partition, action.kind
    cluster = turn.cluster
    if not cluster.profile.rules.kraft_elects_on_request:
        _require_zookeeper(cluster, "KAFKA-13162", "elect")
    controller = cluster.controller
    registration = controller.partition(name)
    rules = kraft_controller if cluster.profile.control == "kraft" else zookeeper_controller
    if kind == "preferred":
        outcome = rules.elect_preferred(controller, name, cluster.profile, cluster.policies())
        if outcome is None:
            raise RefusedError(
                "preferred_not_eligible",
                rule="ELECTION-PREFERRED",
                partition=name,
                broker=registration.preferred_leader,
            )
        apply_controller_outcome(turn, outcome)
        return
    if registration.leader != NO_LEADER:
        raise RefusedError("leader_is_valid", partition=name, leader=registration.leader)
    if (
        kind == "unclean"
        and not cluster.profile.rules.unclean_election_on_request
        and not cluster.settings_of(name).unclean_leader_election_enable
    ):
        raise RefusedError("unclean_disabled", rule="ELECTION-UNCLEAN", partition=name)
    outcome = rules.elect_asked(
        controller,
        name,
        cluster.profile,
        cluster.policies(),
        unclean=kind == "unclean",
    )
    if outcome is None:
        raise RefusedError(
            "no_eligible_replica",
            rule="ELECTION-CLEAN",
            partition=name,
            isr=list(registration.isr),
        )
    apply_controller_outcome(turn, outcome)


def _require_zookeeper(cluster: ClusterState, rule: str, step: str) -> None:
    """Refuse what a KRaft cluster of this release does not know yet."""
    if cluster.profile.control == "kraft":
        raise RefusedError("unknown_to_kraft", rule=rule, kafka=cluster.profile.kafka, step=step)


def reassign(turn: Turn, action: ReassignReplicas) -> None:
    """Give a partition other replicas, or the same ones in another order.

    Under ZooKeeper a broker that is added must be live, and before KIP-455 (2.4) a move under way
    cannot be replaced by another. A KRaft controller reassigns nothing before 3.0.
    """
    cluster = turn.cluster
    if not cluster.profile.rules.partition_change_builder:
        _require_zookeeper(cluster, "KAFKA-12803", "reassign")
    name, replicas = action.partition, action.replicas
    registration = cluster.controller.partition(name)
    assignment = assignment_of(registration)
    if replicas == assignment.target:
        raise RefusedError("same_replicas", partition=name, replicas=list(replicas))
    if cluster.profile.control == "zookeeper":
        _require_movable(cluster, registration, replicas)
    rules = kraft_controller if cluster.profile.control == "kraft" else zookeeper_controller
    only_order = not assignment.in_progress and set(replicas) == set(registration.replicas)
    act = rules.reorder_replicas if only_order else rules.reassign
    apply_controller_outcome(
        turn, act(cluster.controller, name, replicas, cluster.profile, cluster.policies())
    )


def _require_movable(
    cluster: ClusterState, registration: PartitionRegistration, replicas: tuple[BrokerId, ...]
) -> None:
    name = registration.partition
    if (
        assignment_of(registration).in_progress
        and not cluster.profile.rules.reassignment_can_be_replaced
    ):
        raise RefusedError("reassignment_in_progress", rule="REASSIGNMENT", partition=name)
    for broker_id in replicas:
        added = broker_id not in registration.replicas
        if added and not cluster.controller.broker(broker_id).live:
            raise RefusedError(
                "new_replica_not_live", rule="REASSIGNMENT", partition=name, broker=broker_id
            )


def begin_shutdown(turn: Turn, action: BeginShutdown) -> None:
    """A broker asks to stop: the controller moves its leaderships and takes it out of every ISR."""
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
    if broker.process != "running":
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    turn.put_broker(replace(broker, process="shutting_down"))
    turn.say(ShutdownStarted(broker=broker_id))
    cluster = turn.cluster
    if not effective(cluster)["controlled.shutdown.enable"]:
        return
    if session_has_ended(cluster, broker_id) or not cluster.reaches_controller(broker_id):
        return
    act = (
        kraft_controller.begin_controlled_shutdown
        if cluster.profile.control == "kraft"
        else zookeeper_controller.controlled_shutdown
    )
    apply_controller_outcome(
        turn, act(cluster.controller, broker_id, cluster.profile, cluster.policies())
    )


def end_shutdown(turn: Turn, action: EndShutdown) -> None:
    """The broker writes its files and ends; the controller sees its session close at once.

    Under KRaft the controller has let it stop before: that is told first.
    """
    broker_id = action.broker
    if turn.cluster.broker(broker_id).process != "shutting_down":
        raise RefusedError(
            "broker_not_running",
            broker=broker_id,
            state=turn.cluster.broker(broker_id).process,
        )
    reached = turn.cluster.reaches_controller(broker_id)
    before = len(turn.events)
    stop_process(turn, broker_id)
    cluster = turn.cluster
    registered = cluster.controller.broker(broker_id)
    if not reached or not registered.live or registered.fenced:
        return
    if cluster.profile.control == "zookeeper":
        apply_controller_outcome(
            turn,
            zookeeper_controller.session_expired(
                cluster.controller, broker_id, cluster.profile, cluster.policies()
            ),
        )
        return
    stopped = turn.events[before:]
    del turn.events[before:]
    apply_controller_outcome(
        turn,
        kraft_controller.end_controlled_shutdown(
            cluster.controller, broker_id, cluster.profile, cluster.policies()
        ),
    )
    turn.say(*stopped)


def check_preferred_leaders(turn: Turn) -> None:
    """The controller's rebalance: where the preferred replica could lead and does not, it will.

    A ZooKeeper controller does so for a broker only if more than
    `leader.imbalance.per.broker.percentage` of those that prefer it are led elsewhere. A KRaft
    controller does not look before 3.2.
    """
    cluster = turn.cluster
    if not cluster.profile.rules.kraft_balances_leaders:
        _require_zookeeper(cluster, "KAFKA-13682", "preferred_leader_check")
    turn.say(PreferredLeadersChecked())
    kraft = cluster.profile.control == "kraft"
    rules = kraft_controller if kraft else zookeeper_controller
    for registration in cluster.controller.partitions:
        if registration.leader in (NO_LEADER, registration.preferred_leader):
            continue
        if not kraft and not _is_imbalanced(cluster, registration.preferred_leader):
            continue
        outcome = rules.elect_preferred(
            turn.cluster.controller,
            registration.partition,
            cluster.profile,
            cluster.policies(),
        )
        if outcome is not None:
            apply_controller_outcome(turn, outcome)


def _is_imbalanced(cluster: ClusterState, broker_id: BrokerId) -> bool:
    preferring = [
        registration
        for registration in cluster.controller.partitions
        if registration.preferred_leader == broker_id
    ]
    elsewhere = [registration for registration in preferring if registration.leader != broker_id]
    percentage = effective(cluster)["leader.imbalance.per.broker.percentage"]
    assert isinstance(percentage, int), "the reader checked the type"
    return 100 * len(elsewhere) > percentage * len(preferring)


def _elect_where_nobody_leads(turn: Turn, topic: str | None) -> None:
    """A ZooKeeper controller elects for who has no live leader, in one topic or in all."""
    cluster = turn.cluster
    for registration in cluster.controller.partitions:
        leads = (
            registration.leader != NO_LEADER and cluster.controller.broker(registration.leader).live
        )
        if leads or topic not in (None, registration.partition.rpartition("-")[0]):
            continue
        outcome = zookeeper_controller.elect_asked(
            turn.cluster.controller,
            registration.partition,
            cluster.profile,
            cluster.policies(),
            unclean=False,
        )
        if outcome is not None:
            apply_controller_outcome(turn, outcome)


def check_leaderless_partitions(turn: Turn) -> None:
    """The KRaft controller's pass every five minutes: who may be elected uncleanly is (3.9 on)."""
    cluster = turn.cluster
    if not cluster.profile.rules.unclean_election_by_setting:
        raise RefusedError(
            "unknown_to_version",
            rule="KAFKA-12670",
            kafka=cluster.profile.kafka,
            step="unclean_leader_check",
        )
    turn.say(UncleanLeadersChecked())
    policies = cluster.policies()
    for registration in cluster.controller.partitions:
        if registration.leader != NO_LEADER:
            continue
        if not policies[registration.partition].unclean_leader_election_enable:
            continue
        outcome = kraft_controller.elect_asked(
            turn.cluster.controller,
            registration.partition,
            cluster.profile,
            policies,
            unclean=True,
        )
        if outcome is not None:
            apply_controller_outcome(turn, outcome)


def _change_level(turn: Turn, name: LevelName, wanted: str) -> None:
    """The cluster begins to speak another level of the protocol, and rules come or go with it.

    Under KRaft that is a FeatureLevelRecord in the metadata log (KIP-584, KIP-778); the controller
    refuses to go back below a level that brought records. Under ZooKeeper every broker was
    restarted with another inter.broker.protocol.version. Here all begin at once.
    """
    profile = turn.cluster.profile
    if name != profile.level_name:
        raise RefusedError("level_of_other_control", name=dotted(profile.level_name))
    setting = dotted(name)
    lowest, highest = levels_of(profile.version, profile.control)
    level = find_level(wanted)
    if not (level_reached(level, lowest) and level_reached(highest, level)):
        raise RefusedError(
            "level_not_spoken",
            rule="PROTOCOL-LEVEL",
            name=setting,
            level=level,
            kafka=profile.kafka,
            lowest=lowest,
            highest=highest,
        )
    before = profile.level
    goes_back = level_reached(before, level)
    kraft = name == "metadata_version"
    if level == before:
        raise RefusedError("level_spoken_already", name=setting, level=level)
    if kraft and goes_back and new_records_between(level, before):
        raise RefusedError(
            "level_cannot_go_back",
            rule="PROTOCOL-LEVEL",
            name=setting,
            level=level,
            before=before,
            because=new_records_between(level, before)[-1],
        )
    after = profile.at_level(level)
    was_on, is_on = rules_by_name(profile), rules_by_name(after)
    opened = [rule for rule in is_on if is_on[rule] and not was_on[rule]]
    closed = [rule for rule in is_on if was_on[rule] and not is_on[rule]]
    turn.cluster = with_settings(replace(turn.cluster, profile=after))
    turn.say(
        ProtocolLevelChanged(
            variant=_level_change(goes_back=goes_back, changes_rules=bool(opened or closed)),
            sources=("KIP-778", "MetadataVersion") if kraft else ("MetadataVersion",),
            name=setting,
            before=before,
            level=level,
            opened=tuple(opened),
            closed=tuple(closed),
        )
    )
    if kraft:
        apply_controller_outcome(
            turn,
            kraft_controller.feature_level_changed(
                turn.cluster.controller, level, after, turn.cluster.policies()
            ),
        )


def _level_change(
    *, goes_back: bool, changes_rules: bool
) -> Literal["raised", "raised_only", "lowered", "lowered_only"]:
    if changes_rules:
        return "lowered" if goes_back else "raised"
    return "lowered_only" if goes_back else "raised_only"


def change_config(turn: Turn, action: Config) -> None:
    """A setting changes while the cluster runs, or the level of the protocol does.

    Another min.insync.replicas clears the eligible leader replicas (KAFKA-16540). Where unclean
    election is switched on, a ZooKeeper controller elects at once for who has no leader
    (KAFKA-6526, for a topic KAFKA-6835); a KRaft controller waits for its next look.
    """
    topic, changed = action.topic, action.settings
    for level_name, level in action.levels.items():
        _change_level(turn, level_name, level)
    cluster = turn.cluster
    if topic is None:
        configs = {**dict(cluster.configs), **changed}
        cluster = replace(cluster, configs=tuple(sorted(configs.items())))
    else:
        cluster = replace(
            cluster,
            topic_configs=tuple(
                (name, tuple(sorted({**dict(configs), **changed}.items())))
                if name == topic
                else (name, configs)
                for name, configs in cluster.topic_configs
            ),
        )
    turn.cluster = with_settings(cluster)
    for name, value in changed.items():
        turn.say(
            ConfigChanged(
                variant=None if topic is None else "topic",
                name=name,
                value=value,
                topic=topic,
            )
        )
    if "min.insync.replicas" in changed and cluster.profile.rules.eligible_leader_replicas:
        apply_controller_outcome(
            turn,
            kraft_controller.min_isr_changed(
                turn.cluster.controller, topic, cluster.profile, turn.cluster.policies()
            ),
        )
    if changed.get("unclean.leader.election.enable") is True:
        rules = cluster.profile.rules
        elects = (
            rules.enabling_unclean_elects
            if topic is None
            else rules.enabling_unclean_on_topic_elects
        )
        if cluster.profile.control == "zookeeper" and elects:
            _elect_where_nobody_leads(turn, topic)
