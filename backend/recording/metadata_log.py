"""The metadata log of a KRaft controller, from its segments on disk: its records, and the state
that they lead to.

The schemas of the records are those in the release's own jar, so a field that a release added is
read without a change here.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from kafka.protocol.data_container import DataContainer
from kafka.protocol.schemas import StructField
from kafka.protocol.schemas.fields.codecs import UnsignedVarInt32
from kafka.record import MemoryRecords
from msgspec import Struct, to_builtins

from backend.recording.releases import jars_of
from sim_engine.conformance.recording import NoticedBroker, PartitionRecord
from sim_engine.identifiers import BrokerId, LeaderEpoch

_COMMENT = re.compile(r"(?m)^\s*//.*$")
_FOLDER = "common/metadata/"
_NO_CHANGE = -2
"""The leader of a PartitionChangeRecord that does not change it."""


class MetadataRecord(Struct, frozen=True):
    """One record: its name in the schemas, such as `TopicRecord`, and its fields."""

    name: str
    fields: dict[str, object]


class PartitionState(Struct, kw_only=True):
    """The state of the watched partition according to the controller."""

    leader: BrokerId
    leader_epoch: int
    partition_epoch: int
    isr: list[BrokerId]
    replicas: list[BrokerId]
    adding: list[BrokerId]
    removing: list[BrokerId]
    elr: list[BrokerId]
    last_known_elr: list[BrokerId]
    leader_recovery_state: int


class BrokerState(Struct):
    """The registration of a broker."""

    fenced: bool
    in_controlled_shutdown: bool = False


class Schemas:
    """The forms of the records of a release, by their keys."""

    def __init__(self, release: str) -> None:
        (jar,) = jars_of(release).glob("kafka-metadata-*.jar")
        self._by_key: dict[int, tuple[str, StructField | None]] = {}
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                if name.startswith(_FOLDER) and name.endswith("Record.json"):
                    schema = json.loads(_COMMENT.sub("", archive.read(name).decode()))
                    self._by_key[schema["apiKey"]] = schema["name"], _form(schema)

    def record(self, value: bytes) -> MetadataRecord | None:
        """The record in a value; None for one without fields."""
        data = io.BytesIO(value)
        _frame, key, version = (UnsignedVarInt32.decode(data) for _ in range(3))
        name, form = self._by_key[key]
        if form is None:
            return None
        decoded = form.decode(data, version=version, compact=True, tagged=True)
        return MetadataRecord(name, decoded.to_dict())


def _form(schema: dict[str, object]) -> StructField | None:
    if not schema["fields"]:
        return None
    form = StructField(schema)
    form.set_data_class(type(str(schema["name"]), (DataContainer,), {"_struct": form}))
    return form


def read_metadata_log(schemas: Schemas, folder: Path) -> list[MetadataRecord]:
    """All records of a controller's log, without NoOpRecords."""
    return list(_records(schemas, folder / "__cluster_metadata-0"))


def _records(schemas: Schemas, folder: Path) -> Iterator[MetadataRecord]:
    for segment in sorted(folder.glob("*.log")):
        batches = MemoryRecords(segment.read_bytes())
        while batches.has_next():
            batch = batches.next_batch()
            for one in () if batch.is_control_batch else batch:
                record = schemas.record(bytes(one.value))
                if record is not None:
                    yield record


class ControllerView:
    """The state that records lead to (`ReplicationControlManager.replay`, `ClusterControlManager`),
    and what each of them is in a recording.
    """

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._topic_id: object = None
        self.partition: PartitionState | None = None
        self.brokers: dict[BrokerId, BrokerState] = {}
        self.seen = 0
        """How many records were applied."""
        self.noticed: list[NoticedBroker] = []
        self.written: list[dict[str, object]] = []
        """What the records since `begin` are in a recording."""

    def begin(self) -> None:
        """Begin a step."""
        self.noticed, self.written = [], []

    def apply(self, records: list[MetadataRecord]) -> None:
        """Apply the records that were not applied yet."""
        for record in records[self.seen :]:
            self._apply(record.name, record.fields)
        self.seen = len(records)

    def _apply(self, name: str, fields: dict[str, object]) -> None:
        match name:
            case "TopicRecord" if fields["name"] == self._topic:
                self._topic_id = fields["topic_id"]
            case "PartitionRecord" if self._is_watched(fields):
                self._create(fields)
            case "PartitionChangeRecord" if self._is_watched(fields):
                self._change(fields)
            case "ClearElrRecord" if fields["topic_name"] in ("", self._topic):
                if self.partition is not None:
                    self.partition.elr = self.partition.last_known_elr = []
            case "RegisterBrokerRecord":
                self._register(fields)
            case "BrokerRegistrationChangeRecord":
                self._change_registration(fields)
            case _:
                return

    def _is_watched(self, fields: dict[str, object]) -> bool:
        return fields["topic_id"] == self._topic_id and fields["partition_id"] == 0

    def _create(self, fields: dict[str, object]) -> None:
        self.partition = PartitionState(
            leader=_id(fields["leader"]),
            leader_epoch=_number(fields["leader_epoch"]),
            partition_epoch=_number(fields["partition_epoch"]),
            isr=_ids(fields["isr"]),
            replicas=_ids(fields["replicas"]),
            adding=_ids(fields["adding_replicas"]),
            removing=_ids(fields["removing_replicas"]),
            elr=_ids(fields.get("eligible_leader_replicas")),
            last_known_elr=_ids(fields.get("last_known_elr")),
            leader_recovery_state=_number(fields.get("leader_recovery_state", 0)),
        )
        self._write(
            PartitionRecord(
                record="PartitionRecord", leader=self.partition.leader, isr=self.partition.isr
            )
        )

    def _change(self, fields: dict[str, object]) -> None:
        state = self.partition
        assert state is not None, "a change follows its partition"
        changed: dict[str, object] = {}
        for name, field in (
            ("isr", "isr"),
            ("replicas", "replicas"),
            ("removing", "removing_replicas"),
            ("adding", "adding_replicas"),
            ("elr", "eligible_leader_replicas"),
            ("last_known_elr", "last_known_elr"),
        ):
            if fields.get(field) is not None:
                changed[name] = _ids(fields[field])
        if fields["leader"] != _NO_CHANGE:
            changed["leader"] = fields["leader"]
            state.leader_epoch += 1
        recovery = _number(fields.get("leader_recovery_state", -1))
        if recovery >= 0:
            changed["leader_recovery_state"] = recovery
        state.partition_epoch += 1
        for name, value in changed.items():
            setattr(state, name, value)
        self._write(PartitionRecord(record="PartitionChangeRecord", **changed))  # type: ignore[arg-type]

    def _write(self, record: PartitionRecord) -> None:
        assert self.partition is not None, "its record was just applied"
        epochs = {
            "leader_epoch": LeaderEpoch(self.partition.leader_epoch),
            "partition_epoch": self.partition.partition_epoch,
        }
        self.written.append({**to_builtins(record), **epochs})

    def _register(self, fields: dict[str, object]) -> None:
        broker = _id(fields["broker_id"])
        fenced = bool(fields.get("fenced", True))
        self.brokers[broker] = BrokerState(fenced, bool(fields.get("in_controlled_shutdown")))
        self.noticed.append(NoticedBroker(broker=broker, registered=True))
        self.written.append({"record": "RegisterBrokerRecord", "broker": broker, "fenced": fenced})

    def _change_registration(self, fields: dict[str, object]) -> None:
        broker = _id(fields["broker_id"])
        state = self.brokers[broker]
        changed: dict[str, bool] = {}
        if fields.get("fenced"):
            changed["fenced"] = state.fenced = _number(fields["fenced"]) > 0
        if fields.get("in_controlled_shutdown"):
            changed["in_controlled_shutdown"] = state.in_controlled_shutdown = True
        if changed:
            self.noticed.append(NoticedBroker(broker=broker, **changed))
        self.written.append(
            {"record": "BrokerRegistrationChangeRecord", "broker": broker, **changed}
        )


def _number(value: object) -> int:
    assert isinstance(value, int), "the schema says so"
    return value


def _id(value: object) -> BrokerId:
    return BrokerId(_number(value))


def _ids(value: object) -> list[BrokerId]:
    assert value is None or isinstance(value, list), "the schema says so"
    return [_id(one) for one in value or ()]
