"""The controller's actions: it detects brokers, lets them shut down and fails over; it elects
leaders, on request or by itself, and reassigns replicas; and it applies changes of settings
(cluster, topic or broker) and of the protocol level.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.class_tables import for_class
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState, Configs, ConfigValue
from sim_engine.events.base import Event
from sim_engine.events.controller import (
    ConfigChanged,
    PreferredLeadersChecked,
    ProtocolLevelChanged,
    UncleanLeadersChecked,
)
from sim_engine.events.process import ShutdownStarted
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition, topic_of
from sim_engine.narration import RefusedError
from sim_engine.protocol.controller.state import (
    BrokerStart,
    ControllerOutcome,
    ControllerTask,
    ReassignmentRefusal,
    election_rule,
)
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS, PartitionRegistration
from sim_engine.releases import find_level, level_reached, new_records_between
from sim_engine.simulation.effects.messages import apply_controller_outcome, lose, remove
from sim_engine.simulation.performing.brokers import require_process, stop_process
from sim_engine.simulation.performing.messages import is_metadata_held, waiting_records
from sim_engine.simulation.working_copy import (
    ActsAsController,
    AppliesOutcomes,
    ChangesConditions,
    ChangesNetwork,
)
from sim_engine.versions import LevelName, dotted, levels_of, rules_by_name


def broker_session_has_ended(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller still considers a broker alive that it has lost contact with, or that
    has restarted since it registered.
    """
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if not registered.live or registered.fenced:
        return False
    gone = not broker.running or not cluster.reaches_controller(broker_id)
    return gone or broker.incarnation != registered.incarnation


def bounce_is_unseen(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has restarted and the controller did not detect that it was down, and will
    not detect the restart.
    """
    broker = cluster.broker(broker_id)
    registered = cluster.controller.broker(broker_id)
    return (
        broker.incarnation != registered.incarnation
        and registered.live
        and broker.running
        and cluster.reaches_controller(broker_id)
        and cluster.controller_kind.overlooks_restarts(cluster.profile.rules)
    )


def broker_is_back(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker is running and reaches the controller, but is not considered alive yet."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if broker.process != "running" or not cluster.reaches_controller(broker_id):
        return False
    if is_behind_in_metadata(cluster, broker_id):
        return False
    return not registered.live or registered.fenced or registered.incarnation != broker.incarnation


def is_behind_in_metadata(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a fenced broker has registered and what it must read first is held: it stays fenced
    until it has read the record of its registration; up to 3.2, all that is committed (KAFKA-13959;
    `BrokerHeartbeatManager.calculateNextBrokerState`).
    """
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if not registered.fenced or registered.incarnation != broker.incarnation:
        return False
    if not is_metadata_held(cluster, broker_id):
        return False
    if cluster.profile.rules.registration_read_is_enough:
        return broker.metadata_offset < registered.broker_epoch
    return bool(waiting_records(cluster, broker_id))


def is_unnoticed(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller has not detected a broker's current state yet."""
    return broker_session_has_ended(cluster, broker_id) or broker_is_back(cluster, broker_id)


def detection_is_awaited(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller will detect a broker's state by itself, and partitions wait for it:
    the broker is in an ISR, or has returned. An end of the session of a broker that is in no ISR
    changes no partition, and a restart that the controller overlooks stays undetected.
    """
    if bounce_is_unseen(cluster, broker_id):
        return False
    return not broker_session_has_ended(cluster, broker_id) or any(
        broker_id in (registration.leader, *registration.isr)
        for registration in cluster.controller.partitions
    )


def notice(work: ActsAsController, action: steps.Notice) -> None:
    """The controller detects one change of a broker's state and reacts to it.

    An expired session comes first. A broker that has returned is registered and, under KRaft,
    unfenced by another detection after it has read the metadata log.
    """
    broker_id = action.broker
    cluster = work.cluster
    if broker_session_has_ended(cluster, broker_id):
        ended = cluster.controller_kind.broker_session_ended(cluster.situation(), broker_id)
        apply_controller_outcome(work, ended)
        _drop_commands(work, broker_id)
    elif broker_is_back(cluster, broker_id):
        apply_controller_outcome(work, _welcome(cluster, cluster.broker(broker_id)))
    elif cluster.broker(broker_id).running and is_behind_in_metadata(cluster, broker_id):
        raise RefusedError("registration_unread", broker=broker_id)
    elif not cluster.reaches_controller(broker_id) and cluster.broker(broker_id).running:
        raise RefusedError("already_noticed", broker=broker_id)
    else:
        raise RefusedError("nothing_to_notice", broker=broker_id)


def _drop_commands(work: ChangesNetwork, broker_id: BrokerId) -> None:
    """With a broker's session end the commands that a ZooKeeper controller has queued for it
    (`ControllerChannelManager.removeBroker`).
    """
    for message in work.cluster.messages:
        if message.receiver == broker_id and message.kind in ZOOKEEPER_COMMANDS:
            remove(work, message, "lost")


def _welcome(cluster: ClusterState, broker: Broker) -> ControllerOutcome:
    start = BrokerStart(
        broker_id=broker.broker_id,
        incarnation=broker.incarnation,
        broker_epoch=broker.broker_epoch,
        previous_broker_epoch=broker.previous_broker_epoch,
        metadata_offset=broker.metadata_offset,
    )
    return cluster.controller_kind.broker_returned(cluster.situation(), start)


def fail_controller(work: ActsAsController, action: steps.TakeOverController) -> None:
    """The controller fails and another one takes over. It is a broker without replicas.

    Commands of the old controller in flight can still arrive; brokers that know the new one reject
    them. Requests to the old controller are lost and sent again.
    """
    cluster = work.cluster
    outcome = cluster.controller_kind.take_over(cluster.situation())
    if outcome is None:
        raise RefusedError("controller_is_a_quorum", rule="CONTROLLER-EPOCH")
    apply_controller_outcome(work, outcome)
    for message in cluster.messages:
        if message.kind in ("alter_partition_request", "alter_partition_response"):
            lose(work, message)


def begin_shutdown(work: ActsAsController, action: steps.BeginShutdown) -> None:
    """A broker requests a controlled shutdown: the controller moves its leaderships and removes it
    from every ISR.
    """
    broker_id = action.broker
    broker = require_process(work.cluster, broker_id, "running")
    work.put_broker(replace(broker, process="shutting_down"))
    work.say(ShutdownStarted(broker=broker_id))
    cluster = work.cluster
    if not effective(cluster, broker=broker_id)["controlled.shutdown.enable"]:
        return
    if broker_session_has_ended(cluster, broker_id) or not cluster.reaches_controller(broker_id):
        return
    begun = cluster.controller_kind.begin_controlled_shutdown(cluster.situation(), broker_id)
    apply_controller_outcome(work, begun)


def end_shutdown(work: AppliesOutcomes, action: steps.EndShutdown) -> None:
    """The broker writes its files and exits; the controller immediately detects that its session is
    closed.

    If a broker waits for the controller's permission to stop, the controller's decisions are
    reported first.
    """
    broker_id = action.broker
    require_process(work.cluster, broker_id, "shutting_down")
    reached = work.cluster.reaches_controller(broker_id)
    before = len(work.events)
    stop_process(work, broker_id)
    cluster = work.cluster
    registered = cluster.controller.broker(broker_id)
    if not reached or not registered.live or registered.fenced:
        return
    kind = cluster.controller_kind
    stopped: tuple[Event, ...] = work.hold_back(before) if kind.grants_shutdowns else ()
    apply_controller_outcome(work, kind.end_controlled_shutdown(cluster.situation(), broker_id))
    _drop_commands(work, broker_id)
    work.say(*stopped)


def elect(work: ActsAsController, action: steps.AskElection) -> None:
    """An administrator requests an election for one partition.

    Up to 3.1, brokers of a KRaft cluster respond with an error (`KafkaApis`).
    """
    name, kind = action.partition, action.kind
    cluster = work.cluster
    _require_supported(cluster, "elect")
    registration = cluster.controller.partition(name)
    if kind == "preferred":
        outcome = cluster.controller_kind.elect_preferred(cluster.situation(), name)
        if outcome is None:
            raise RefusedError(
                "preferred_not_eligible",
                rule="ELECTION-PREFERRED",
                partition=name,
                broker=registration.preferred_leader,
            )
        apply_controller_outcome(work, outcome)
        return
    elr = cluster.profile.rules.eligible_leader_replicas
    if registration.leader != NO_LEADER:
        raise RefusedError("leader_is_valid", partition=name, leader=registration.leader)
    if (
        kind == "unclean"
        and not cluster.profile.rules.unclean_election_on_request
        and not cluster.settings_of(name).unclean_leader_election_enable
    ):
        rule = election_rule("ELECTION-UNCLEAN", elr=elr)
        raise RefusedError("unclean_disabled", rule=rule, partition=name)
    outcome = cluster.controller_kind.elect_on_request(
        cluster.situation(), name, unclean=kind == "unclean"
    )
    if outcome is None:
        raise RefusedError(
            "no_eligible_replica",
            rule=election_rule("ELECTION-CLEAN", elr=elr),
            partition=name,
            isr=list(registration.isr),
        )
    apply_controller_outcome(work, outcome)


def _require_supported(cluster: ClusterState, task: ControllerTask) -> None:
    """Refuse an operation that a KRaft cluster of this release does not support yet."""
    issue = cluster.controller_kind.why_unsupported(task, cluster.profile.rules)
    if issue is not None:
        raise RefusedError("unknown_to_kraft", rule=issue, kafka=cluster.profile.kafka, step=task)


def reassign(work: ActsAsController, action: steps.ReassignReplicas) -> None:
    """Reassign a partition to other replicas, reorder them, or cancel a reassignment.

    A KRaft controller does not support reassignment before 3.0.
    """
    cluster = work.cluster
    _require_supported(cluster, "reassign")
    name = action.partition
    outcome = cluster.controller_kind.reassign(cluster.situation(), name, action.replicas)
    if not isinstance(outcome, ReassignmentRefusal):
        apply_controller_outcome(work, outcome)
    elif outcome.broker is None:
        raise RefusedError(outcome.code, rule="REASSIGNMENT", partition=name)
    else:
        raise RefusedError(outcome.code, rule="REASSIGNMENT", partition=name, broker=outcome.broker)


def check_preferred_leaders(work: ActsAsController) -> None:
    """The controller's leader rebalance: elect preferred leaders that are available and not the
    leader.

    A ZooKeeper controller does so for a broker only if more than
    `leader.imbalance.per.broker.percentage` of its preferred partitions have another leader, and up
    to 3.3 for none while a partition is being reassigned. A KRaft controller does not do this
    before 3.2.
    """
    cluster = work.cluster
    _require_supported(cluster, "preferred_leader_check")
    kind = cluster.controller_kind
    if not kind.rebalances_now(cluster.controller, cluster.profile.rules):
        work.say(PreferredLeadersChecked(variant="reassigning", rule="KAFKA-10149"))
        return
    work.say(PreferredLeadersChecked())
    for registration in cluster.controller.partitions:
        if not _is_balanced_away(cluster, registration):
            continue
        elected = kind.elect_preferred(work.cluster.situation(), registration.partition)
        apply_controller_outcome(work, elected)


def may_elect_preferred(cluster: ClusterState) -> bool:
    """Whether the controller's leader rebalance would elect a leader now."""
    kind, rules = cluster.controller_kind, cluster.profile.rules
    if kind.why_unsupported("preferred_leader_check", rules) is not None:
        return False
    return kind.rebalances_now(cluster.controller, rules) and any(
        _is_balanced_away(cluster, registration)
        and registration.preferred_leader in registration.isr
        and cluster.controller.broker(registration.preferred_leader).active
        for registration in cluster.controller.partitions
    )


def _is_balanced_away(cluster: ClusterState, registration: PartitionRegistration) -> bool:
    """Whether the leader rebalance tries to move a partition's leadership."""
    preferred = registration.preferred_leader
    if registration.leader in (NO_LEADER, preferred):
        return False
    by_broker = cluster.controller_kind.balances_by_broker
    return not by_broker or _is_imbalanced(cluster, preferred)


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


def elect_where_nobody_leads(work: ActsAsController, topic: str | None) -> None:
    """Unclean election was enabled for one topic or for all: a controller that does not wait for
    its next check elects leaders for partitions without a live leader.
    """
    cluster = work.cluster
    for registration in cluster.controller.partitions:
        leads = (
            registration.leader != NO_LEADER and cluster.controller.broker(registration.leader).live
        )
        if leads or topic not in (None, topic_of(registration.partition)):
            continue
        _elect_if_possible(work, registration.partition, unclean=False)


def may_elect_uncleanly(cluster: ClusterState) -> bool:
    """Whether the KRaft controller's check for leaderless partitions would elect a leader now."""
    if not cluster.profile.rules.unclean_election_by_setting:
        return False
    return any(
        cluster.controller_kind.elect_on_request(
            cluster.situation(), registration.partition, unclean=True
        )
        for registration in cluster.controller.partitions
        if registration.leader == NO_LEADER
        and cluster.settings_of(registration.partition).unclean_leader_election_enable
    )


def check_leaderless_partitions(work: ActsAsController) -> None:
    """The KRaft controller's check every `unclean.leader.election.interval.ms`, five minutes by
    default: elect unclean leaders where this is allowed (from 3.9).
    """
    cluster = work.cluster
    if not cluster.profile.rules.unclean_election_by_setting:
        raise RefusedError(
            "unknown_to_version"
            if cluster.controller_kind.has_metadata_log
            else "unknown_to_zookeeper",
            rule="KAFKA-12670",
            kafka=cluster.profile.kafka,
            step="unclean_leader_check",
        )
    work.say(UncleanLeadersChecked())
    for registration in cluster.controller.partitions:
        name = registration.partition
        allows = cluster.settings_of(name).unclean_leader_election_enable
        if registration.leader == NO_LEADER and allows:
            _elect_if_possible(work, name, unclean=True)


def _elect_if_possible(work: ActsAsController, partition: TopicPartition, *, unclean: bool) -> None:
    kind, situation = work.cluster.controller_kind, work.cluster.situation()
    apply_controller_outcome(work, kind.elect_on_request(situation, partition, unclean=unclean))


MIN_ISR = "min.insync.replicas"


def _change_level(work: ChangesConditions, name: LevelName, wanted: str) -> None:
    """Change the protocol level of the cluster, which enables or disables rules.

    Under KRaft that is a FeatureLevelRecord in the metadata log (KIP-584, KIP-778); the controller
    rejects a downgrade below a level that added records. Under ZooKeeper every broker must be
    restarted with the new inter.broker.protocol.version; here all brokers change at the same time.
    """
    profile = work.cluster.profile
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
    work.put_profile(after)
    if after.rules.eligible_leader_replicas and not profile.rules.eligible_leader_replicas:
        _forget_min_isr_of_brokers(work)
    work.say(
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
    kind = work.cluster.controller_kind
    apply_controller_outcome(work, kind.feature_level_changed(work.cluster.situation(), level))


def _forget_min_isr_of_brokers(work: ChangesConditions) -> None:
    """With eligible leader replicas, no broker has a min.insync.replicas of its own: enabling the
    feature removes it (`ConfigurationControlManager`, KIP-966).
    """
    for broker in work.cluster.brokers:
        kept = tuple((name, value) for name, value in broker.configs if name != MIN_ISR)
        if kept != broker.configs:
            work.put_broker_configs(broker.broker_id, kept)


def _level_change(
    *, goes_back: bool, changes_rules: bool
) -> Literal["raised", "raised_only", "lowered", "lowered_only"]:
    if changes_rules:
        return "lowered" if goes_back else "raised"
    return "lowered_only" if goes_back else "raised_only"


def change_config(work: ChangesConditions, action: steps.Config) -> None:
    """Change a setting or the protocol level at run time.

    A changed min.insync.replicas clears the eligible leader replicas (KAFKA-16540). If unclean
    election is enabled, a ZooKeeper controller immediately elects leaders for leaderless partitions
    (KAFKA-6526, for a topic KAFKA-6835); a KRaft controller waits for its next check, or for the
    next broker that returns. A setting of one broker concerns only that broker: the controller
    does not read it.
    """
    topic, changed = action.topic, action.settings
    for level_name, level in action.levels.items():
        _change_level(work, level_name, level)
    cluster = work.cluster
    if action.broker is not None:
        _change_broker(work, action.broker, changed)
        return
    if topic is None:
        work.put_configs(_with_changed(cluster.configs, changed), cluster.topic_configs)
    else:
        work.put_configs(
            cluster.configs,
            tuple(
                (name, _with_changed(configs, changed) if name == topic else configs)
                for name, configs in cluster.topic_configs
            ),
        )
    for name, value in changed.items():
        work.say(
            ConfigChanged(
                variant=None if topic is None else "topic", name=name, value=value, topic=topic
            )
        )
    kind = cluster.controller_kind
    if MIN_ISR in changed:
        apply_controller_outcome(work, kind.min_isr_changed(work.cluster.situation(), topic))
    enables = changed.get("unclean.leader.election.enable") is True
    if enables and kind.elects_when_unclean_is_enabled(
        cluster.profile.rules, for_topic=topic is not None
    ):
        elect_where_nobody_leads(work, topic)


def _change_broker(
    work: ChangesConditions, broker_id: BrokerId, changed: Mapping[str, ConfigValue]
) -> None:
    """Change settings of one broker. The periods of its timers change with its next start.

    With eligible leader replicas, Kafka refuses min.insync.replicas there
    (`ConfigurationControlManager`, KAFKA-16540).
    """
    if MIN_ISR in changed and work.cluster.profile.rules.eligible_leader_replicas:
        raise RefusedError("min_isr_of_one_broker", rule="KIP-966", broker=broker_id)
    broker = work.cluster.broker(broker_id)
    work.put_broker_configs(broker_id, _with_changed(broker.configs, changed))
    for name, value in changed.items():
        work.say(
            ConfigChanged(variant="broker", name=name, value=value, topic=None, broker=broker_id)
        )


def _with_changed(configs: Configs, changed: Mapping[str, ConfigValue]) -> Configs:
    return tuple(sorted({**dict(configs), **changed}.items()))


PERFORMED = (
    for_class(steps.Notice, notice),
    for_class(steps.TakeOverController, fail_controller),
    for_class(steps.BeginShutdown, begin_shutdown),
    for_class(steps.EndShutdown, end_shutdown),
    for_class(steps.AskElection, elect),
    for_class(steps.ReassignReplicas, reassign),
    for_class(steps.Config, change_config),
)
