"""The run itself: its start, time, refused steps, and property violations."""

from typing import Literal, TypedDict

from msgspec import to_builtins

from sim_engine.events.base import Case, Event, EventNumber, Rank, by_variant
from sim_engine.identifiers import Acks, BrokerId, Endpoint, Offset, TopicPartition
from sim_engine.versions import Control


class Started(Event, frozen=True, gc=False, kw_only=True):
    """A run begins, with a cluster of one Kafka release."""

    kafka: str
    control: Control
    brokers: tuple[BrokerId, ...]


class TimeAdvanced(Event, frozen=True, gc=False, kw_only=True):
    """Virtual time advances by `ms` milliseconds."""

    rank = Rank.LAST
    implied_by = (Event,)

    ms: int


class Settled(Event, frozen=True, gc=False, kw_only=True):
    """All pending work is done, and it changed no log, ISR or leader."""


class RecordedStepUnseen(Event, frozen=True, gc=False, kw_only=True):
    """A step of a recording changes nothing that a frame contains, for example a hold on later
    messages.
    """


class DidNotSettle(Event, frozen=True, gc=False, kw_only=True):
    """The cluster is still busy after `ms` milliseconds of virtual time, and the step stops
    waiting."""

    rank = Rank.UNSETTLED

    ms: int


class PropertyViolated(Event, frozen=True, gc=False, kw_only=True):
    """A property is violated. The variant is the property's name, with ".leading" if the violation
    concerns the leader instead of a candidate. `leader` is null if the evidence contains none.
    """

    rank = Rank.LAST
    cases = by_variant(
        NoAckedRecordLost=Case(rank=Rank.LOSS, mark="loss"),
        AckedRecordAtRisk=Case(rank=Rank.RISK, mark="at_risk"),
        ConsistentRead=Case(rank=Rank.WRONG_READ, mark="surprise"),
        LogMatching=Case(rank=Rank.DIVERGENCE, mark="divergence"),
    )

    variant: str
    property: str
    partition: TopicPartition | None
    replicas: tuple[BrokerId, ...]
    offsets: tuple[Offset, ...]
    values: tuple[str, ...]
    leader: BrokerId | None


RefusalCode = Literal[
    "already_cut",
    "already_noticed",
    "broker_already_running",
    "broker_not_paused",
    "broker_not_running",
    "cancel_needs_unclean_election",
    "cannot_reach_controller",
    "cannot_reach_zookeeper",
    "controller_is_a_quorum",
    "earlier_message_first",
    "election_was_unclean",
    "fetcher_ending",
    "fetcher_failed",
    "fetching_stopped",
    "is_leader",
    "keep_above_log_end",
    "keep_below_flushed",
    "leader_is_valid",
    "leader_not_elected",
    "leader_not_told",
    "leader_unknown",
    "level_cannot_go_back",
    "level_not_spoken",
    "level_of_other_control",
    "level_spoken_already",
    "link_cut",
    "log_full",
    "marker_needs_isr",
    "message_held",
    "message_not_held",
    "metadata_held_already",
    "metadata_is_read_again",
    "new_replica_not_live",
    "no_eligible_replica",
    "no_eligible_replica_left",
    "no_follower_reads",
    "no_idempotence",
    "no_isr_notifications",
    "no_leader",
    "no_link_cut",
    "no_message_of_partition",
    "no_metadata_log",
    "no_other_broker",
    "no_parked_fetch",
    "no_producer",
    "no_reassignment",
    "no_session_left",
    "no_such_message",
    "no_transaction",
    "no_transactions",
    "not_a_replica",
    "not_cut",
    "not_truncating",
    "nothing_happened",
    "nothing_in_its_place",
    "nothing_pending",
    "nothing_to_notice",
    "nothing_to_retry",
    "preferred_not_eligible",
    "reassignment_cannot_be_cancelled",
    "reassignment_fails",
    "reassignment_in_progress",
    "receiver_down",
    "registration_unread",
    "request_in_flight",
    "timer_not_running",
    "too_few_messages",
    "too_few_records",
    "transaction_needs_acks_all",
    "transaction_open",
    "transaction_unanswered",
    "min_isr_of_one_broker",
    "unclean_disabled",
    "unknown_to_kraft",
    "unknown_to_version",
    "unknown_to_zookeeper",
]
"""Reason code → why a step is refused."""

RefusalNumbers = TypedDict(
    "RefusalNumbers",
    {
        "acks": Acks,
        "because": str,
        "before": str,
        "broker": BrokerId,
        "elected": BrokerId,
        "failed": list[BrokerId],
        "flushed": Offset,
        "from": Endpoint,
        "highest": str,
        "isr": list[BrokerId],
        "kafka": str,
        "keep": Offset,
        "kind": str,
        "leader": BrokerId,
        "level": str,
        "limit": int,
        "log_end_offset": Offset,
        "lowest": str,
        "min_insync_replicas": int,
        "name": str,
        "nth": int,
        "partition": TopicPartition,
        "producer": str,
        "records": int,
        "replicas": list[BrokerId],
        "state": str,
        "step": str,
        "to": Endpoint | Literal["brokers", "all"],
        "values": list[str],
        "waiting": int,
        "wanted": BrokerId,
    },
    total=False,
)
"""The values that a refusal's text may use. Each reason provides its own."""


class ActionRefused(Event, frozen=True, gc=False, kw_only=True):
    """A step of a scenario is refused. The variant is the reason's code. `reason` is its English
    text, filled in from `given`."""

    rank = Rank.REFUSED

    variant: RefusalCode
    reason: str
    given: RefusalNumbers

    def numbers(self) -> dict[str, EventNumber]:
        """The values given, the reason, its code and its rule."""
        own = super().numbers()
        del own["given"]
        given: dict[str, EventNumber] = to_builtins(self.given)
        return {**given, **own, "reason_code": self.variant, "rule": self.rule}
