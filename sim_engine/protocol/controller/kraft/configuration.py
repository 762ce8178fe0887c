"""Changes of settings under KRaft: the records that the controller writes about them."""

from sim_engine.protocol.controller.kraft.eligible_leader_replicas import elr_cleared_event
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.state import Controller, ControllerOutcome, Policies
from sim_engine.versions import Profile


def feature_level_changed(
    controller: Controller, level: str, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Write the metadata.version that an administrator has raised or lowered
    (`FeatureControlManager`).
    """
    update = KRaftUpdate(controller, profile, policies)
    update.change_feature_level(level)
    return update.outcome()


def min_isr_changed(
    controller: Controller, topic: str | None, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Clear the eligible leader replicas after a change of min.insync.replicas, for one topic or,
    if `topic` is None, for all.

    No partition epoch changes, because a ClearElrRecord is about a topic (KAFKA-16540). None in
    releases without eligible leader replicas.
    """
    if not profile.rules.eligible_leader_replicas:
        return None
    update = KRaftUpdate(controller, profile, policies)
    for before, after in update.clear_elr(topic):
        if before.elr:
            update.events.append(elr_cleared_event(before, after))
    return update.outcome()
