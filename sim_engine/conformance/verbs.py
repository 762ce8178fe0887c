"""The operations on a real cluster: one struct for each verb of a recording, with its arguments.

The reader rejects any other verb or argument, so nothing is skipped silently.
"""

from typing import Literal

from msgspec import Struct, field

from sim_engine.identifiers import Acks, BrokerId, LeaderEpoch, Offset

Session = Literal["ended", "kept"]
"""ZooKeeper: whether the broker's session was ended with the process, so that the controller
detected it, or still existed.
"""

Frames = Literal["request", "response"]
"""Selects the messages of an API that are held, released or dropped."""


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One verb with its arguments."""


class CreateTopic(Verb, frozen=True, kw_only=True):
    """The topic is created with this assignment, which `topic` of the recording repeats."""

    replicas: object = None
    configs: dict[str, object] = {}
    brokers_up: list[BrokerId] | None = None
    """The brokers that were running when the topic was created; null: all of them."""


class Produce(Verb, frozen=True, kw_only=True):
    """A producer sends values, each in a separate request, to `broker` or to the leader (null).

    Without `wait`, a later `answer` receives the response, or `produced_later` records it.
    `timeout_ms` is the request's. `sequence` is given for idempotent and transactional producers.
    """

    broker: BrokerId | None
    values: list[str]
    acks: Acks | Literal[-1]
    timeout_ms: int
    wait: bool = True
    retry: bool = False
    idempotent: bool = False
    transactional: bool = False
    sequence: int | None = None
    producer_id_epoch_sequence: tuple[int, int, int] | None = None
    """Resend a batch with its original producer id, epoch and sequence number."""


class Answer(Verb, frozen=True, kw_only=True):
    """The producer receives the response to an earlier request."""

    value: str


class Transaction(Verb, frozen=True, kw_only=True):
    """The transactional producer adds the partition to its transaction, or ends it."""

    add_partition: bool = False
    end: Literal["commit", "abort"] | None = None


class Consume(Verb, frozen=True, kw_only=True):
    """A consumer reads from `offset` at a broker: see `consumed_from` of the step."""

    broker: BrokerId
    offset: Offset


class OffsetsForLeaderEpoch(Verb, frozen=True, kw_only=True):
    """A client requests the ends of leader epochs from a broker: see `answers` of the step."""

    broker: BrokerId
    epochs: list[LeaderEpoch] = []
    asked: object = None
    current_leader_epoch: LeaderEpoch | None = None


class Kill(Verb, frozen=True, kw_only=True):
    """SIGKILL."""

    broker: BrokerId
    session: Session | None = None


class SessionEnd(Verb, frozen=True, kw_only=True):
    """The znode of a dead or frozen broker is removed."""

    broker: BrokerId


class DeleteFile(Verb, frozen=True, kw_only=True):
    """A checkpoint file of a dead broker is deleted."""

    broker: BrokerId
    file: Literal["replication-offset-checkpoint"]


class PowerLoss(Verb, frozen=True, kw_only=True):
    """SIGKILL, and the log is truncated to its first `keep` records."""

    broker: BrokerId
    keep: int
    session: Session | None = None


class Stop(Verb, frozen=True, kw_only=True):
    """SIGTERM: a controlled shutdown."""

    broker: BrokerId


class Start(Verb, frozen=True, kw_only=True):
    """The process of a broker starts, or those of several brokers at the same time."""

    broker: BrokerId | None = None
    brokers: list[BrokerId] = []

    def broker_ids(self) -> list[BrokerId]:
        """Every broker that starts."""
        return self.brokers if self.broker is None else [self.broker]


class Freeze(Verb, frozen=True, kw_only=True):
    """SIGSTOP."""

    broker: BrokerId


class Thaw(Verb, frozen=True, kw_only=True):
    """SIGCONT."""

    broker: BrokerId


class Until(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The condition that ended a wait. The changes that the controller detected by then are in
    `noticed` of the step.
    """

    leader: BrokerId | None = None
    fenced: list[BrokerId] | Literal["all"] | None = None
    isr: list[BrokerId] | None = None
    isr_shrinks: bool = False
    answered: str | None = None
    """The value whose request received a response."""


class Wait(Verb, frozen=True, kw_only=True):
    """Time passes: for a number of milliseconds, or until a condition is true."""

    ms: int | None = None
    until: Until | None = None


class Elect(Verb, frozen=True, kw_only=True):
    """An administrator requests an election."""

    kind: Literal["preferred", "unclean"]


class Reassign(Verb, frozen=True, kw_only=True):
    """An administrator reassigns the partition to other replicas, or to the same in a different
    order; null cancels the reassignment in progress.
    """

    replicas: list[BrokerId] | None


class ChangeConfig(Verb, frozen=True, kw_only=True):
    """An administrator changes dynamic settings: of `topic`, of `broker` alone, or of the whole
    cluster. Whether the controller has read them shows only in what it does.
    """

    topic: str | None = None
    broker: BrokerId | None = None
    settings: dict[str, object]


class CutOff(Verb, frozen=True, kw_only=True):
    """A broker's connections to the controller are closed and refused."""

    broker: BrokerId
    from_: Literal["controller"] = field(name="from", default="controller")


class Reconnect(Verb, frozen=True, kw_only=True):
    """A broker's connections to the controller are allowed again."""

    broker: BrokerId
    to: Literal["controller"] = "controller"


class Network(Verb, frozen=True, kw_only=True):
    """Messages of one kind between two brokers are held, released or dropped, or a broker is cut
    off from ZooKeeper.

    `from` sends the API's requests, and `to` receives them.
    """

    hold: Frames | None = None
    release: Frames | None = None
    drop: Frames | None = None
    api: str | None = None
    from_: BrokerId | None = field(name="from", default=None)
    to: BrokerId | None = None
    cut: Literal["zookeeper"] | None = None
    heal: Literal["zookeeper"] | None = None
    broker: BrokerId | None = None


class Fetch(Verb, frozen=True, kw_only=True):
    """Exactly `rounds` held fetch requests of `broker` are delivered to the leader `from`.

    With `response: held`, the last response stays held in flight.
    """

    broker: BrokerId
    from_: BrokerId = field(name="from")
    rounds: int
    response: Literal["delivered", "held"]


class RecordedAction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The operation of one step: exactly one of these verbs."""

    create_topic: CreateTopic | None = None
    produce: Produce | None = None
    answer: Answer | None = None
    transaction: Transaction | None = None
    consume: Consume | None = None
    offsets_for_leader_epoch: OffsetsForLeaderEpoch | None = None
    kill: Kill | None = None
    session_end: SessionEnd | None = None
    delete_file: DeleteFile | None = None
    power_loss: PowerLoss | None = None
    stop: Stop | None = None
    start: Start | None = None
    freeze: Freeze | None = None
    thaw: Thaw | None = None
    wait: Wait | None = None
    elect: Elect | None = None
    reassign: Reassign | None = None
    config: ChangeConfig | None = None
    cut_off: CutOff | None = None
    reconnect: Reconnect | None = None
    network: Network | None = None
    fetch: Fetch | None = None
