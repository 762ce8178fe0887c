"""Changes of settings at run time (cluster, topic or broker), and of the protocol level."""

from collections.abc import Mapping
from typing import Literal

from sim_engine.actions import Config
from sim_engine.cluster.state import Configs, ConfigValue
from sim_engine.events.controller import ConfigChanged, ProtocolLevelChanged
from sim_engine.identifiers import BrokerId
from sim_engine.releases import find_level, level_reached, new_records_between
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.performing.partitions import elect_where_nobody_leads
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import ChangesSettings
from sim_engine.simulation.refusal import RefusedError
from sim_engine.versions import LevelName, dotted, levels_of, rules_by_name

MIN_ISR = "min.insync.replicas"


def _change_level(work: ChangesSettings, name: LevelName, wanted: str) -> None:
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
    written = work.cluster.controller_kind.feature_level_changed(
        work.cluster.controller, level, after, work.cluster.policies()
    )
    if written is not None:
        apply_controller_outcome(work, written)


def _forget_min_isr_of_brokers(work: ChangesSettings) -> None:
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


def change_config(work: ChangesSettings, action: Config) -> None:
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
                variant=None if topic is None else "topic",
                name=name,
                value=value,
                topic=topic,
            )
        )
    kind = cluster.controller_kind
    if MIN_ISR in changed:
        written = kind.min_isr_changed(
            work.cluster.controller, topic, cluster.profile, work.cluster.policies()
        )
        if written is not None:
            apply_controller_outcome(work, written)
    enables = changed.get("unclean.leader.election.enable") is True
    if enables and kind.elects_when_unclean_is_enabled(
        cluster.profile.rules, for_topic=topic is not None
    ):
        elect_where_nobody_leads(work, topic)


def _change_broker(
    work: ChangesSettings, broker_id: BrokerId, changed: Mapping[str, ConfigValue]
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


PERFORMED: tuple[Entry, ...] = (performs(Config, change_config),)
