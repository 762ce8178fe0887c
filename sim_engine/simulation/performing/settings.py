"""Settings that change while a cluster runs, of all or of one topic, and the protocol level."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import Config
from sim_engine.cluster.start import with_settings
from sim_engine.events.controller import ConfigChanged, ProtocolLevelChanged
from sim_engine.releases import find_level, level_reached, new_records_between
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.performing.partitions import elect_where_nobody_leads
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn
from sim_engine.versions import LevelName, dotted, levels_of, rules_by_name


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
    written = turn.cluster.controller_kind.feature_level_changed(
        turn.cluster.controller, level, after, turn.cluster.policies()
    )
    if written is not None:
        apply_controller_outcome(turn, written)


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
    kind = cluster.controller_kind
    if "min.insync.replicas" in changed:
        written = kind.min_isr_changed(
            turn.cluster.controller, topic, cluster.profile, turn.cluster.policies()
        )
        if written is not None:
            apply_controller_outcome(turn, written)
    enables = changed.get("unclean.leader.election.enable") is True
    if enables and kind.elects_when_unclean_is_enabled(
        cluster.profile.rules, for_topic=topic is not None
    ):
        elect_where_nobody_leads(turn, topic)


PERFORMED: tuple[Entry, ...] = (performs(Config, change_config),)
