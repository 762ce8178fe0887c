"""Settings that change under KRaft: what the controller writes about them in the metadata log."""

from sim_engine.protocol.controller.kraft.eligible_leader_replicas import elr_cleared_event
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.state import Controller, ControllerOutcome, Policies
from sim_engine.versions import Profile


def feature_level_changed(
    controller: Controller, level: str, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """An administrator has raised or lowered the metadata.version (`FeatureControlManager`)."""
    update = KRaftUpdate(controller, profile, policies)
    update.change_feature_level(level)
    return update.outcome()


def min_isr_changed(
    controller: Controller, topic: str | None, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """min.insync.replicas of a topic, or of all, is another: who was eligible is no longer known.

    No partition epoch moves: a ClearElrRecord speaks of a topic (KAFKA-16540). Null without
    eligible leader replicas.
    """
    if not profile.rules.eligible_leader_replicas:
        return None
    update = KRaftUpdate(controller, profile, policies)
    for before, after in update.clear_elr(topic):
        if before.elr:
            update.events.append(elr_cleared_event(before, after))
    return update.outcome()
