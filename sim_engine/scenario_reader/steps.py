"""The second half of a scenario: what is done, said and expected, one step at a time.

`STEP_KINDS` is the whole syntax: one method a kind, each giving the step's arguments back in the
form that the engine takes. What only a state can tell, such as whether a broker is up, is not
looked at here: a step that cannot run then is refused when its turn comes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sim_engine.configs import INT_MAX
from sim_engine.identifiers import CONTROLLER, NO_LEADER
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.applicability import CONDITION_KEYS
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.cluster_layout import (
    MAX_BROKERS,
    check_broker,
    check_broker_key,
    check_rack,
    check_replica,
    read_broker_list,
    read_configs,
)
from sim_engine.scenario_reader.cluster_version import (
    check_level_exists,
    check_version_ranges,
    read_condition,
)
from sim_engine.scenario_reader.document import PartitionSpec, Step
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.starting_logs import (
    MAX_RECORDS,
    VALUE_RULE,
    is_record_value,
    read_epoch_pairs,
    split_records,
)
from sim_engine.versions import LEVEL_NAMES, LevelName, Profile, dotted

MAX_STEPS = 10_000
MAX_MS = 24 * 60 * 60 * 1000
MAX_NOTE_CHARACTERS = 2_000
MAX_ANSWER_CHARACTERS = 300
MAX_ANSWERS = 9

MESSAGE_KINDS = (
    "fetch_request",
    "fetch_response",
    "offsets_for_leader_epoch_request",
    "offsets_for_leader_epoch_response",
    "list_offsets_request",
    "list_offsets_response",
    "leader_and_isr",
    "stop_replica",
    "update_metadata",
    "metadata_record",
    "alter_partition_request",
    "alter_partition_response",
    "isr_change_notification",
    "heartbeat",
    "heartbeat_response",
)
METADATA = "metadata"
"""What a step may call the metadata log, which the controller alone writes."""

FROM_CONTROLLER = (METADATA, "metadata_record", "leader_and_isr", "stop_replica", "update_metadata")
"""Kinds of which it need not be said where they come from."""

TIMER_KINDS = (
    "isr_expiration",
    "high_watermark_checkpoint",
    "recovery_point_checkpoint",
    "flush",
    "isr_change_propagation",
    "heartbeat",
    "session_timeout",
    "preferred_leader_check",
    "unclean_leader_check",
    "long_poll",
    "fetch_backoff",
    "produce_timeout",
)
CONTROLLER_TIMER_KINDS = ("preferred_leader_check", "unclean_leader_check")
PROPERTY_NAMES = (
    "NoAckedRecordLost",
    "LogMatching",
    "WeakIsr",
    "StrongIsr",
    "LeaderInIsr",
    "OneLeaderPerEpoch",
    "HighWatermarkWithinLog",
    "MonotonicLeaderHighWatermark",
    "EpochsIncrease",
    "LeaderCompleteness",
    "LeaderCandidateCompleteness",
    "EligibleLeaderCompleteness",
    "ReplicationQuorumSuperset",
    "ConsistentRead",
)
EXPECTATION_KEYS = (
    "partition",
    "kafka",
    "leader",
    "leader_epoch",
    "partition_epoch",
    "isr",
    "elr",
    "replicas",
    "violated",
    "holds",
    "lost",
    "acked",
    "errors",
    "read",
    "refused",
)
PARTITION_KEYS = ("leader", "leader_epoch", "partition_epoch", "isr", "elr", "replicas")
"""What an expectation says about one partition, which it names where there are several."""

_CLIENT_NAME = re.compile(r"[A-Za-z0-9._-]{1,32}")
_ERROR_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,63}")


class StepReader:
    """Reads steps against one cluster: its brokers, partitions, release and clients so far.

    `earlier_clients` is whether a client that a step names must have acted in an earlier step, as
    in a file; a single action over HTTP may follow others that the document does not know.
    """

    def __init__(
        self,
        checker: Checker,
        *,
        brokers: Sequence[int],
        partitions: Mapping[str, PartitionSpec],
        profile: Profile | None,
        topics: Sequence[str],
        earlier_clients: bool = True,
    ) -> None:
        self._checker = checker
        self._brokers = brokers
        self._partitions = partitions
        self._profile = profile
        self._topics = topics
        self._earlier_clients = earlier_clients
        self._producers: list[str] = []
        self._assigned: dict[str, set[int]] = {}
        """Who has been given a replica of a partition by the steps so far."""
        self._consumers: list[str] = []

    def read_all(self, value: object) -> tuple[Step, ...]:
        """`steps`, of which a scenario has at most `MAX_STEPS`."""
        steps: list[Step] = []
        if isinstance(value, list) and len(value) > MAX_STEPS:
            self._checker.report(
                "/steps",
                f"a scenario has at most {MAX_STEPS} steps, not {len(value)}",
                code="too_many_events",
            )
            return ()
        items = self._checker.items(value, "/steps", what="steps", most=MAX_STEPS)
        for index, item in enumerate(items):
            step = self.read(item, pointer("/steps", index))
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def read(self, value: object, where: str, *, only_actions: bool = False) -> Step | None:
        """One step. With `only_actions` a note, a question or an expectation is wrong."""
        if not isinstance(value, dict):
            self._checker.report(
                where,
                f"a step is a mapping such as {{crash: {{broker: 1}}}}, not {kind_of(value)}",
                code="wrong_type",
            )
            return None
        kinds = [key for key in value if key != "refused"]
        if len(kinds) != 1:
            said = ", ".join(shown(key) for key in kinds[:4])
            self._checker.report(
                where,
                f"a step says one thing, and this says {said}" if kinds else "a step is empty",
            )
            return None
        kind = kinds[0]
        inner = pointer(where, kind)
        reader = STEP_KINDS.get(kind)
        if reader is None:
            self._checker.unknown_name(kind, inner, tuple(STEP_KINDS), what="step")
            return None
        is_words = kind in ("note", "ask", "expect")
        if only_actions and is_words:
            self._checker.report(inner, f"{kind} is nothing that happens; it stands in a file")
            return None
        arguments = value[kind]
        refused: bool | tuple[str, ...] = False
        if not is_words:
            refused, arguments = self._read_refused(value, arguments, where, inner)
            if only_actions and refused is not False:
                self._checker.report(inner, "refused belongs to a file, not to an action")
        elif "refused" in value:
            self._checker.unknown_name("refused", pointer(where, "refused"), (kind,), what="key")
        return Step(kind=kind, arguments=reader(self, arguments, inner), refused=refused)

    def _read_refused(
        self, step: Mapping[str, Any], arguments: object, where: str, inner: str
    ) -> tuple[bool | tuple[str, ...], object]:
        """Take `refused` out of a step, where it may stand among the arguments or beside them."""
        given: list[tuple[object, str]] = []
        if "refused" in step:
            given.append((step["refused"], pointer(where, "refused")))
        if isinstance(arguments, dict) and "refused" in arguments:
            given.append((arguments["refused"], pointer(inner, "refused")))
            arguments = {key: item for key, item in arguments.items() if key != "refused"}
        if not given:
            return False, arguments
        if len(given) > 1:
            self._checker.report(given[0][1], "refused is here twice", at_key=True)
        value, place = given[0]
        if isinstance(value, bool):
            return value, arguments
        return check_version_ranges(self._checker, value, place, what="refused"), arguments

    # What clients do.

    def _produce(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value,
            where,
            known=("to", "values", "acks", "as", "broker", "idempotent", "sequence", "timeout_ms"),
            required=("to", "values"),
        )
        arguments: dict[str, Any] = {}
        if "to" in given:
            arguments["to"] = self._partition(given["to"], pointer(where, "to"))
        if "values" in given:
            arguments["values"] = self._values(given["values"], pointer(where, "values"), least=1)
        arguments["acks"] = self._acks(given.get("acks", "all"), pointer(where, "acks"))
        name = self._client(given.get("as", "p1"), pointer(where, "as"))
        if name not in self._producers:
            self._producers.append(name)
        arguments["as"] = name
        if "broker" in given:
            arguments["broker"] = self._broker(given["broker"], pointer(where, "broker"))
        if "timeout_ms" in given:
            arguments["timeout_ms"] = self._ms(given, "timeout_ms", where, lowest=1)
        idempotent_where = pointer(where, "idempotent")
        if "idempotent" in given and self._checker.switch(
            given["idempotent"], idempotent_where, what="idempotent"
        ):
            arguments["idempotent"] = True
            if arguments["acks"] != "all":
                self._checker.report(
                    idempotent_where, f"idempotence needs acks: all, not {arguments['acks']}"
                )
        if "sequence" in given:
            sequence_where = pointer(where, "sequence")
            arguments["sequence"] = self._checker.integer(
                given["sequence"], sequence_where, 0, INT_MAX, what="sequence"
            )
            if "idempotent" not in arguments:
                self._checker.report(
                    sequence_where, "only the batches of idempotent: true have a sequence"
                )
            elif len(arguments.get("values", ())) > 1:
                self._checker.report(sequence_where, "a sequence is that of one value")
        return arguments

    def _retry(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("as",), required=("as",))
        return self._known_client(given, where, self._producers, what="producer")

    def _refresh(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("as",), required=("as",))
        clients = [*self._producers, *self._consumers]
        return self._known_client(given, where, clients, what="client")

    def _consume(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value,
            where,
            known=("partition", "as", "broker", "rack", "max", "isolation"),
            required=("partition",),
        )
        arguments: dict[str, Any] = {}
        if "partition" in given:
            arguments["partition"] = self._partition(
                given["partition"], pointer(where, "partition")
            )
        name = self._client(given.get("as", "c1"), pointer(where, "as"))
        if name not in self._consumers:
            self._consumers.append(name)
        arguments["as"] = name
        if "broker" in given:
            arguments["broker"] = self._broker(given["broker"], pointer(where, "broker"))
        if "rack" in given:
            arguments["rack"] = check_rack(self._checker, given["rack"], pointer(where, "rack"))
            if "broker" in given:
                self._checker.report(
                    pointer(where, "rack"), "who names a broker is sent nowhere by its rack"
                )
        if "max" in given:
            arguments["max"] = self._checker.integer(
                given["max"], pointer(where, "max"), 1, MAX_RECORDS, what="max"
            )
        if "isolation" in given:
            arguments["isolation"] = self._checker.one_of(
                given["isolation"],
                pointer(where, "isolation"),
                ("read_uncommitted", "read_committed"),
                what="isolation",
            )
        return arguments

    # What followers and messages do.

    def _fetch(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value,
            where,
            known=("broker", "partition", "records", "only", "drop"),
            required=("broker",),
        )
        arguments = self._follower(given, where)
        for key, word in (("only", "truncation"), ("drop", "response")):
            if key in given:
                arguments[key] = self._checker.one_of(
                    given[key], pointer(where, key), (word,), what=key
                )
        return arguments

    def _send_fetch(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value, where, known=("broker", "partition", "records"), required=("broker",)
        )
        return self._follower(given, where)

    def _message(self, value: object, where: str) -> dict[str, Any]:
        return self._named_message(value, where, ("kind", "from", "to", "partition"))

    def _deliver(self, value: object, where: str) -> dict[str, Any]:
        known = ("kind", "from", "to", "partition", "records", "skip")
        arguments = self._named_message(value, where, known)
        given = value if isinstance(value, dict) else {}
        kind = arguments.get("kind")
        if "records" in given:
            records_where = pointer(where, "records")
            arguments["records"] = self._checker.integer(
                given["records"], records_where, 1, MAX_RECORDS, what="records"
            )
            if kind != "metadata_record" or arguments.get("from") != CONTROLLER:
                self._checker.report(
                    records_where, "only records of the metadata log arrive several at once"
                )
            elif "partition" in given:
                self._checker.report(
                    pointer(where, "partition"), "the metadata log is one for all partitions"
                )
        skip_where = pointer(where, "skip")
        if "skip" in given and self._checker.switch(given["skip"], skip_where, what="skip"):
            arguments["skip"] = True
            if kind != "leader_and_isr":
                self._checker.report(skip_where, "only a leader_and_isr can be skipped")
        return arguments

    def _named_message(self, value: object, where: str, known: Sequence[str]) -> dict[str, Any]:
        """Which message. The controller's own need not say where they come from."""
        kind = value.get("kind") if isinstance(value, dict) else None
        commands = kind in FROM_CONTROLLER
        required = ("kind", "to") if commands else ("kind", "from", "to")
        given = self._arguments(value, where, known=known, required=required)
        arguments: dict[str, Any] = {}
        if commands:
            given = {"kind": kind, "from": CONTROLLER} | given
        if kind == METADATA:
            given["kind"] = "metadata_record"
            if given["from"] != CONTROLLER:
                self._checker.report(
                    pointer(where, "from"), f"the metadata log comes from {CONTROLLER}"
                )
        if "kind" in given:
            arguments["kind"] = self._checker.one_of(
                given["kind"], pointer(where, "kind"), MESSAGE_KINDS, what="a message's kind"
            )
        arguments |= self._link(given, where)
        if "partition" in given:
            arguments["partition"] = self._partition(
                given["partition"], pointer(where, "partition")
            )
        return arguments

    def _timer(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value, where, known=("broker", "kind", "partition", "follower"), required=("kind",)
        )
        arguments: dict[str, Any] = {}
        kind = self._checker.one_of(
            given.get("kind", TIMER_KINDS[0]),
            pointer(where, "kind"),
            TIMER_KINDS,
            what="a timer's kind",
        )
        if given.get("broker") == CONTROLLER and kind in CONTROLLER_TIMER_KINDS:
            arguments["broker"] = CONTROLLER
        elif "broker" in given:
            arguments["broker"] = self._broker(given["broker"], pointer(where, "broker"))
        elif "kind" in given and kind not in CONTROLLER_TIMER_KINDS:
            self._checker.report(where, f"timer {kind} needs broker", code="missing")
        arguments["kind"] = kind
        if "partition" in given:
            arguments["partition"] = self._partition(
                given["partition"], pointer(where, "partition")
            )
        if "follower" in given:
            arguments["follower"] = self._broker(given["follower"], pointer(where, "follower"))
        return arguments

    # What becomes of brokers and links.

    def _one_broker(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("broker",), required=("broker",))
        if "broker" not in given:
            return {}
        return {"broker": self._broker(given["broker"], pointer(where, "broker"))}

    def _boot(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("broker", "session"), required=("broker",))
        arguments: dict[str, Any] = {}
        if "broker" in given:
            arguments["broker"] = self._broker(given["broker"], pointer(where, "broker"))
        if "session" in given:
            arguments["session"] = self._checker.one_of(
                given["session"], pointer(where, "session"), ("kept",), what="session"
            )
        return arguments

    def _power_loss(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("broker", "keep"), required=("broker",))
        arguments: dict[str, Any] = {}
        broker = None
        if "broker" in given:
            broker = self._broker(given["broker"], pointer(where, "broker"))
            arguments["broker"] = broker
        if "keep" not in given:
            return arguments
        keep_where = pointer(where, "keep")
        kept: dict[str, int] = {}
        for name, offset in self._checker.mapping(given["keep"], keep_where, what="keep").items():
            inner = pointer(keep_where, name)
            partition = self._partition(name, inner)
            replicas = self._replicas(partition)
            if broker is not None and replicas and broker not in replicas:
                self._checker.report(
                    inner, f"broker {broker} has no replica of {name}", code="unknown_reference"
                )
            kept[name] = self._checker.integer(offset, inner, 0, 10**9, what="a log end offset")
        return arguments | {"keep": kept}

    def _cut(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("from", "to"), required=("from", "to"))
        return self._link(given, where)

    def _heal(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("from", "to", "broker"))
        if "broker" in given and ("from" in given or "to" in given):
            self._checker.report(
                where, "heal mends one direction (from, to) or all links of a broker, not both"
            )
        elif "broker" in given:
            return self._one_broker(given, where)
        elif set(given) != {"from", "to"}:
            self._checker.report(where, "heal needs from and to, or broker", code="missing")
        return self._link(given, where)

    def _isolate(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("broker", "from"), required=("broker", "from"))
        arguments = (
            self._one_broker({key: item for key, item in given.items() if key == "broker"}, where)
            if "broker" in given
            else {}
        )
        if "from" in given:
            arguments["from"] = self._checker.one_of(
                given["from"], pointer(where, "from"), (CONTROLLER, "brokers", "all"), what="from"
            )
        return arguments

    def _slow(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("broker", "ms"), required=("broker", "ms"))
        arguments: dict[str, Any] = {}
        if "broker" in given:
            arguments["broker"] = self._broker(given["broker"], pointer(where, "broker"))
        if "ms" in given:
            arguments["ms"] = self._ms(given, "ms", where, lowest=0)
        return arguments

    # What the controller and administrators do.

    def _elect(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value,
            where,
            known=("partition", "kind", "leader"),
            required=("partition", "kind"),
        )
        arguments: dict[str, Any] = {}
        partition = ""
        if "partition" in given:
            partition = self._partition(given["partition"], pointer(where, "partition"))
            arguments["partition"] = partition
        if "kind" in given:
            arguments["kind"] = self._checker.one_of(
                given["kind"],
                pointer(where, "kind"),
                ("clean", "preferred", "unclean"),
                what="an election's kind",
            )
        if "leader" in given:
            leader_where = pointer(where, "leader")
            broker = self._broker(given["leader"], leader_where)
            arguments["leader"] = broker
            if broker in self._brokers:
                check_replica(
                    self._checker,
                    broker,
                    leader_where,
                    self._replicas(partition),
                    what="the leader",
                )
        return arguments

    def _reassign(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value, where, known=("partition", "replicas"), required=("partition", "replicas")
        )
        arguments: dict[str, Any] = {}
        partition = ""
        if "partition" in given:
            partition = self._partition(given["partition"], pointer(where, "partition"))
            arguments["partition"] = partition
        if "replicas" in given:
            replicas_where = pointer(where, "replicas")
            replicas = read_broker_list(
                self._checker, given["replicas"], replicas_where, self._brokers, what="replicas"
            )
            arguments["replicas"] = list(replicas)
            self._assigned.setdefault(partition, set()).update(replicas)
        return arguments

    def _config(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where)
        arguments: dict[str, Any] = {}
        if "topic" in given:
            topic_where = pointer(where, "topic")
            topic = self._checker.string(given["topic"], topic_where, what="topic")
            if topic and self._topics and topic not in self._topics:
                self._checker.unknown_name(topic, topic_where, self._topics, what="topic")
            arguments["topic"] = topic
        settings = {name: item for name, item in given.items() if name != "topic"}
        levels = self._levels(settings, where, of_topic="topic" in given)
        if isinstance(value, dict) and not settings and not levels:
            self._checker.report(
                where, "config needs a setting, such as min.insync.replicas: 2", code="missing"
            )
        return (
            arguments
            | levels
            | read_configs(
                self._checker,
                settings,
                where,
                level="topic" if "topic" in given else "broker",
                profile=self._profile,
            )
        )

    def _levels(
        self, settings: dict[str, Any], where: str, *, of_topic: bool
    ) -> dict[LevelName, str]:
        """Take the level of the protocol out of settings, under its own or Kafka's spelling.

        Whether the release can speak it is decided when the step's turn comes.
        """
        levels: dict[LevelName, str] = {}
        for name in LEVEL_NAMES:
            for written in (name, dotted(name)):
                if written not in settings:
                    continue
                inner = pointer(where, written)
                level = check_level_exists(self._checker, settings.pop(written), inner)
                if of_topic:
                    self._checker.report(
                        inner, f"{written} is of the whole cluster, not of a topic"
                    )
                elif level is not None:
                    levels[name] = level
        return levels

    def _transaction(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("as", "do"), required=("as", "do"))
        arguments: dict[str, Any] = {}
        if "do" in given:
            arguments["do"] = self._checker.one_of(
                given["do"], pointer(where, "do"), ("begin", "commit", "abort"), what="do"
            )
        if arguments.get("do") != "begin":
            return self._known_client(given, where, self._producers, what="producer") | arguments
        if "as" in given:
            name = self._client(given["as"], pointer(where, "as"))
            if name not in self._producers:
                self._producers.append(name)
            arguments = {"as": name, **arguments}
        return arguments

    def _fail_controller(self, value: object, where: str) -> dict[str, Any]:
        self._arguments(value, where, known=())
        return {}

    # Time.

    def _advance(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=("ms",), required=("ms",))
        return {"ms": self._ms(given, "ms", where, lowest=1)} if "ms" in given else {}

    def _settle(self, value: object, where: str) -> dict[str, Any]:
        self._arguments(value, where, known=())
        return {}

    # The author's words.

    def _note(self, value: object, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            return dict(self._checker.text(value, where, what="a note", most=MAX_NOTE_CHARACTERS))
        given = self._arguments(value, where, known=(*LANGUAGES, *CONDITION_KEYS))
        words = self._checker.words_of(given, where, what="a note", most=MAX_NOTE_CHARACTERS)
        return {**words, **read_condition(self._checker, given, where)}

    def _ask(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(
            value,
            where,
            known=(*LANGUAGES, "answers", "correct", *CONDITION_KEYS),
            required=("answers", "correct"),
        )
        if not given:
            return {}
        asked: dict[str, Any] = dict(
            self._checker.words_of(given, where, what="a question", most=MAX_NOTE_CHARACTERS)
        )
        answers_where = pointer(where, "answers")
        answers = self._checker.items(
            given.get("answers", ["", ""]), answers_where, what="answers", least=2, most=MAX_ANSWERS
        )
        asked["answers"] = [
            self._checker.text(
                answer, pointer(answers_where, index), what="an answer", most=MAX_ANSWER_CHARACTERS
            )
            for index, answer in enumerate(answers)
        ]
        asked["correct"] = self._checker.integer(
            given.get("correct", 0),
            pointer(where, "correct"),
            0,
            max(len(answers) - 1, 0),
            what="correct, the number of the right answer counted from 0,",
        )
        return {**asked, **read_condition(self._checker, given, where)}

    def _expect(self, value: object, where: str) -> dict[str, Any]:
        given = self._arguments(value, where, known=EXPECTATION_KEYS)
        if isinstance(value, dict) and not set(given) - {"partition", "kafka"}:
            self._checker.report(where, "an expectation needs something to hold", code="missing")
        expected: dict[str, Any] = {}
        partition = next(iter(self._partitions), "") if len(self._partitions) == 1 else ""
        if "partition" in given:
            partition = self._partition(given["partition"], pointer(where, "partition"))
            expected["partition"] = partition
        elif len(self._partitions) > 1 and any(key in given for key in PARTITION_KEYS):
            first = next(iter(self._partitions))
            self._checker.report(
                where,
                f"there are several partitions; say which, as in partition: {first}",
                code="missing",
            )
        replicas = self._replicas(partition)
        if "kafka" in given:
            expected["kafka"] = list(
                check_version_ranges(
                    self._checker, given["kafka"], pointer(where, "kafka"), what="kafka"
                )
            )
        for key, item in given.items():
            if key not in ("partition", "kafka") and key in EXPECTATION_KEYS:
                expected[key] = self._expected(key, item, pointer(where, key), replicas)
        return expected

    def _expected(self, key: str, value: object, where: str, replicas: Sequence[int]) -> Any:
        checker = self._checker
        if key == "leader":
            if value == NO_LEADER and not isinstance(value, bool):
                return NO_LEADER
            return check_replica(checker, value, where, replicas, what="the leader (or -1)")
        if key in ("leader_epoch", "partition_epoch"):
            return checker.integer(value, where, 0, INT_MAX, what=key)
        if key in ("isr", "elr"):
            members = checker.items(value, where, what=key, most=MAX_BROKERS)
            return [
                check_replica(
                    checker, member, pointer(where, index), replicas, what=f"a member of {key}"
                )
                for index, member in enumerate(members)
            ]
        if key == "replicas":
            return self._expected_replicas(value, where, replicas)
        if key in ("violated", "holds"):
            return [
                checker.one_of(item, pointer(where, index), PROPERTY_NAMES, what="a property")
                for index, item in enumerate(
                    checker.items(value, where, what=key, most=len(PROPERTY_NAMES))
                )
            ]
        if key in ("lost", "acked"):
            return self._values(value, where)
        if key == "errors":
            return {
                name: None
                if error is None
                else checker.matching(
                    error,
                    pointer(where, name),
                    _ERROR_NAME,
                    what="an error",
                    right="one of Kafka's names, such as NOT_ENOUGH_REPLICAS",
                )
                for name, error in checker.mapping(value, where, what=key).items()
            }
        if key == "read":
            return {
                name: self._values(values, pointer(where, name))
                for name, values in checker.mapping(value, where, what=key).items()
            }
        return checker.switch(value, where, what="refused")

    def _expected_replicas(
        self, value: object, where: str, replicas: Sequence[int]
    ) -> dict[str, Any]:
        checker = self._checker
        expected: dict[str, Any] = {}
        for key, item in checker.mapping(value, where, what="replicas").items():
            inner = pointer(where, key)
            if check_broker_key(checker, key, inner, replicas, what="replicas") is None:
                continue
            given = checker.mapping(
                item, inner, what="a replica", known=("log", "leo", "hw", "epochs")
            )
            held: dict[str, Any] = {}
            if "log" in given:
                log_where = pointer(inner, "log")
                words = split_records(checker, given["log"], log_where)
                if sum(count or 1 for _, count, _ in words) > MAX_RECORDS:
                    checker.report(
                        log_where, f"a log has at most {MAX_RECORDS} records", code="out_of_range"
                    )
                held["log"] = given["log"]
            for name in ("leo", "hw"):
                if name in given:
                    held[name] = (
                        None
                        if given[name] is None
                        else checker.integer(given[name], pointer(inner, name), 0, 10**9, what=name)
                    )
            if "epochs" in given:
                held["epochs"] = (
                    None
                    if given["epochs"] is None
                    else [
                        list(pair)
                        for pair in read_epoch_pairs(
                            checker, given["epochs"], pointer(inner, "epochs")
                        )
                    ]
                )
            expected[key] = held
        return expected

    # What many steps have in common.

    def _arguments(
        self,
        value: object,
        where: str,
        *,
        known: Sequence[str] | None = None,
        required: Sequence[str] = (),
    ) -> dict[str, Any]:
        kind = where.rpartition("/")[2]
        return self._checker.mapping(value, where, what=kind, known=known, required=required)

    def _broker(self, value: object, where: str) -> int | None:
        return check_broker(self._checker, value, where, self._brokers)

    def _endpoint(self, value: object, where: str) -> int | str | None:
        if value == CONTROLLER:
            return CONTROLLER
        if isinstance(value, str):
            self._checker.report(
                where, f"an endpoint is a broker or {CONTROLLER}, not {shown(value)}"
            )
            return None
        return self._broker(value, where)

    def _link(self, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        ends = {
            end: self._endpoint(given[end], pointer(where, end))
            for end in ("from", "to")
            if end in given
        }
        if len(ends) == 2 and ends["from"] is not None and ends["from"] == ends["to"]:
            self._checker.report(
                pointer(where, "to"), f"from and to are two places, both are {ends['to']}"
            )
        return ends

    def _follower(self, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The broker whose follower asks; the partition and how much, where that is said."""
        arguments: dict[str, Any] = {}
        if "records" in given:
            arguments["records"] = self._checker.integer(
                given["records"], pointer(where, "records"), 1, MAX_RECORDS, what="records"
            )
        broker = None
        if "broker" in given:
            broker = self._broker(given["broker"], pointer(where, "broker"))
            arguments["broker"] = broker
        named = list(self._partitions)
        if "partition" in given:
            partition = self._partition(given["partition"], pointer(where, "partition"))
            arguments["partition"] = partition
            named = [partition] if partition else []
        if (
            broker is not None
            and named
            and not any(broker in self._replicas(name) for name in named)
        ):
            self._checker.report(
                pointer(where, "broker"),
                f"broker {broker} has no replica of {', '.join(named)}",
                code="unknown_reference",
            )
        return arguments

    def _partition(self, value: object, where: str) -> str:
        name = self._checker.string(value, where, what="a partition")
        if isinstance(value, str) and self._partitions and name not in self._partitions:
            known = ", ".join(self._partitions)
            self._checker.report(
                where,
                f"there is no partition {shown(name)}; partitions are {known}",
                code="unknown_reference",
            )
            return ""
        return name

    def _replicas(self, partition: str) -> tuple[int, ...]:
        """Who may have a replica of a partition by now: assigned at the start, or since."""
        found = self._partitions.get(partition)
        if found is None:
            return ()
        known = self._assigned.get(partition, set()) if self._earlier_clients else self._brokers
        since = set(known) - set(found.replicas)
        return (*found.replicas, *sorted(since))

    def _client(self, value: object, where: str) -> str:
        return self._checker.matching(
            value,
            where,
            _CLIENT_NAME,
            what="a client's name",
            right="1 to 32 of A-Z a-z 0-9 . _ -",
        )

    def _known_client(
        self, given: Mapping[str, Any], where: str, clients: Sequence[str], *, what: str
    ) -> dict[str, Any]:
        if "as" not in given:
            return {}
        inner = pointer(where, "as")
        name = self._client(given["as"], inner)
        if name and self._earlier_clients and name not in clients:
            known = f"{what}s so far are {', '.join(clients)}" if clients else "there is none yet"
            self._checker.report(
                inner,
                f"there is no {what} {name} before this step; {known}",
                code="unknown_reference",
            )
        return {"as": name}

    def _acks(self, value: object, where: str) -> int | str:
        if value == "all" or (value == -1 and not isinstance(value, bool)):
            return "all"
        if isinstance(value, bool) or value not in (0, 1) or isinstance(value, float):
            self._checker.report(where, f"acks is all, 1 or 0, not {kind_of(value)}")
            return "all"
        return int(value)

    def _ms(self, given: Mapping[str, Any], key: str, where: str, *, lowest: int) -> int:
        return self._checker.integer(given[key], pointer(where, key), lowest, MAX_MS, what=key)

    def _values(self, value: object, where: str, *, least: int = 0) -> list[str]:
        values: list[str] = []
        for index, item in enumerate(
            self._checker.items(value, where, what="values", least=least, most=MAX_RECORDS)
        ):
            inner = pointer(where, index)
            text = self._checker.string(item, inner, what="a value")
            if isinstance(item, str) and not is_record_value(text):
                self._checker.report(
                    inner, f"a value is {VALUE_RULE}, not {shown(text) or 'empty'}"
                )
            values.append(text)
        return values


STEP_KINDS: Mapping[str, Callable[[StepReader, object, str], dict[str, Any]]] = {
    "produce": StepReader._produce,
    "retry": StepReader._retry,
    "refresh": StepReader._refresh,
    "transaction": StepReader._transaction,
    "consume": StepReader._consume,
    "fetch": StepReader._fetch,
    "send_fetch": StepReader._send_fetch,
    "deliver": StepReader._deliver,
    "drop": StepReader._message,
    "hold": StepReader._message,
    "release": StepReader._message,
    "timer": StepReader._timer,
    "crash": StepReader._one_broker,
    "power_loss": StepReader._power_loss,
    "disk_loss": StepReader._one_broker,
    "shutdown": StepReader._one_broker,
    "pause": StepReader._one_broker,
    "resume": StepReader._one_broker,
    "detect": StepReader._one_broker,
    "start": StepReader._one_broker,
    "boot": StepReader._boot,
    "cut": StepReader._cut,
    "heal": StepReader._heal,
    "isolate": StepReader._isolate,
    "slow": StepReader._slow,
    "elect": StepReader._elect,
    "reassign": StepReader._reassign,
    "config": StepReader._config,
    "fail_controller": StepReader._fail_controller,
    "advance": StepReader._advance,
    "run": StepReader._advance,
    "settle": StepReader._settle,
    "note": StepReader._note,
    "ask": StepReader._ask,
    "expect": StepReader._expect,
}
"""Every step that a scenario may hold, in the order in which the format describes them."""
