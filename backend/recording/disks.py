"""What is on a broker's disk, by the importer's readers of segments and checkpoints."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from kafka.record import MemoryRecords
from msgspec import Struct

from backend.recording.asking import content_of
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems
from sim_engine.conformance.recording import Row
from sim_engine.identifiers import Offset

_OF_BROKER = (
    "meta.properties",
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
)
_EPOCHS = "leader-epoch-checkpoint"
_CLEAN = ".kafka_cleanshutdown"
_MOST_TRIES = 20


class Disk(Struct, frozen=True, kw_only=True):
    """The folder of one broker, as a recording contains it. `log` is null without a replica."""

    log: list[Row] | None
    leader_epoch_checkpoint: list[list[int]] | None
    high_watermark_checkpoint: Offset | None
    recovery_point_checkpoint: Offset | None
    clean_shutdown: bool


def read_disk(folder: Path, partition: str, *, has_epochs: bool) -> Disk:
    """Read a broker's folder while it may write: a file that is replaced meanwhile is read again.

    Raises `UnreadableError` for files that are none of Kafka's.
    """
    for _ in range(_MOST_TRIES):
        try:
            return _read(folder, partition, has_epochs=has_epochs)
        except FileNotFoundError:
            continue
    return _read(folder, partition, has_epochs=has_epochs)


def _read(folder: Path, partition: str, *, has_epochs: bool) -> Disk:
    replica = folder / partition
    names = [folder / name for name in _OF_BROKER]
    if replica.is_dir():
        names += [*sorted(replica.glob("*.log")), replica / _EPOCHS]
    files = [
        ClusterFile(f"{folder.name}/{name.relative_to(folder)}", name.read_bytes())
        for name in names
        if name.exists() and name.stat().st_size
    ]
    problems = Problems()
    parsed = [log for log in read_files(files, problems).logs if str(log.partition) == partition]
    problems.stop()
    markers = {
        offset: kind
        for segment in sorted(replica.glob("*.log"))
        for offset, kind in _markers(segment.read_bytes())
    }
    rows: list[Row] = [
        [offset, record.epoch, *markers.get(offset, [record.value])]
        for log in parsed
        for offset, record in sorted(log.records.items())
    ]
    epochs = [list(entry) for log in parsed if log.epochs is not None for entry in log.epochs]
    exists = replica.is_dir()
    return Disk(
        log=rows if exists else None,
        leader_epoch_checkpoint=epochs if exists and has_epochs else None,
        high_watermark_checkpoint=_last([log.high_watermark for log in parsed]),
        recovery_point_checkpoint=_last([log.recovery_point for log in parsed]),
        clean_shutdown=(folder / _CLEAN).exists(),
    )


def _markers(segment: bytes) -> Iterator[tuple[int, Row]]:
    """The transaction markers in a segment, by their offsets."""
    batches = MemoryRecords(segment)
    while batches.has_next():
        batch = batches.next_batch()
        if batch.magic > 1 and batch.is_control_batch:
            yield from ((one.offset, content_of(one)) for one in batch)


def lose_disk(folder: Path) -> None:
    """Delete everything that a broker has on its disk except the ids of the cluster, the broker and
    the directory, without which it does not start.
    """
    properties = (folder / "meta.properties").read_text()
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "meta.properties").write_text(properties)


def _last(offsets: list[Offset | None]) -> Offset | None:
    return next((one for one in reversed(offsets) if one is not None), None)


def truncate_log(folder: Path, partition: str, keep: int) -> None:
    """Lose everything but the first records of a log, as a power loss does: indexes too.

    Each record is a batch of its own (the recorder wrote them so).
    """
    for segment in sorted((folder / partition).glob("*.log")):
        content = segment.read_bytes()
        position = 0
        while position + 12 <= len(content):
            if keep == 0:
                break
            position += 12 + int.from_bytes(content[position + 8 : position + 12], "big")
            keep -= 1
        segment.write_bytes(content[:position])
    for pattern in ("*.index", "*.timeindex", "*.snapshot"):
        for file in (folder / partition).glob(pattern):
            file.unlink()
    (folder / _CLEAN).unlink(missing_ok=True)
