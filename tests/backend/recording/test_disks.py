"""What is read from a broker's folder, and what a power loss leaves of it."""

import struct
from pathlib import Path

import pytest
from kafka.record.memory_records import MemoryRecordsBuilder

from backend.recording.disks import lose_disk, read_disk, truncate_log


def batch(offset: int, value: str, magic: int) -> bytes:
    builder = MemoryRecordsBuilder(magic, 0, 1000)
    builder.append(0, None, value.encode())
    builder.close()
    content = bytearray(builder.buffer())
    content[0:8] = offset.to_bytes(8, "big")
    if magic == 2:
        content[12:16] = (offset // 2).to_bytes(4, "big")
    return bytes(content)


def marker(offset: int, *, commits: bool) -> bytes:
    """The marker that ends a transaction: the key has a version and a kind."""
    builder = MemoryRecordsBuilder(
        2, 0, 1000, transactional=True, producer_id=1, producer_epoch=0, base_sequence=0
    )
    builder.append(0, struct.pack(">hh", 0, commits), bytes(6))
    builder.close()
    content = bytearray(builder.buffer())
    content[0:8] = offset.to_bytes(8, "big")
    content[12:16] = (offset // 2).to_bytes(4, "big")
    content[22] |= 0x20
    return bytes(content)


def folder_of(path: Path, magic: int) -> Path:
    replica = path / "broker-1/t-0"
    replica.mkdir(parents=True)
    values = [batch(offset, f"m{offset}", magic) for offset in range(3)]
    (replica / "00000000000000000000.log").write_bytes(b"".join(values))
    (replica / "00000000000000000000.index").write_bytes(b"")
    (path / "broker-1/replication-offset-checkpoint").write_text("0\n2\nt 0 2\nu 0 9\n")
    (path / "broker-1/meta.properties").write_text("version=1\ncluster.id=A\nnode.id=1\n")
    return path / "broker-1"


def test_a_folder_is_read_as_a_recording_has_it(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 2)
    (folder / "t-0/leader-epoch-checkpoint").write_text("0\n2\n0 0\n1 2\n")
    (folder / ".kafka_cleanshutdown").touch()

    disk = read_disk(folder, "t-0", has_epochs=True)

    assert disk.log == [[0, 0, "m0"], [1, 0, "m1"], [2, 1, "m2"]]
    assert disk.leader_epoch_checkpoint == [[0, 0], [1, 2]]
    assert disk.high_watermark_checkpoint == 2
    assert disk.recovery_point_checkpoint is None
    assert disk.clean_shutdown


def test_a_marker_is_read_with_its_kind(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 2)
    with (folder / "t-0/00000000000000000000.log").open("ab") as segment:
        segment.write(marker(3, commits=True) + marker(4, commits=False))

    disk = read_disk(folder, "t-0", has_epochs=True)

    assert disk.log is not None
    assert disk.log[3:] == [[3, 1, None, "commit"], [4, 2, None, "abort"]]


def test_a_lost_disk_keeps_the_ids_alone(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 2)

    lose_disk(folder)

    assert [one.name for one in folder.iterdir()] == ["meta.properties"]
    assert "cluster.id=A" in (folder / "meta.properties").read_text()
    assert read_disk(folder, "t-0", has_epochs=True).log is None


def test_before_0_11_there_are_no_epochs(tmp_path: Path) -> None:
    disk = read_disk(folder_of(tmp_path, 1), "t-0", has_epochs=False)

    assert disk.log == [[0, None, "m0"], [1, None, "m1"], [2, None, "m2"]]
    assert disk.leader_epoch_checkpoint is None
    assert not disk.clean_shutdown


def test_a_broker_without_a_replica_has_no_log(tmp_path: Path) -> None:
    disk = read_disk(folder_of(tmp_path, 2), "u-1", has_epochs=True)

    assert (disk.log, disk.leader_epoch_checkpoint) == (None, None)


@pytest.mark.parametrize("magic", [1, 2])
@pytest.mark.parametrize("keep", [0, 2, 3])
def test_a_power_loss_keeps_the_first_records_and_the_checkpoints(
    tmp_path: Path, magic: int, keep: int
) -> None:
    folder = folder_of(tmp_path, magic)

    truncate_log(folder, "t-0", keep)

    disk = read_disk(folder, "t-0", has_epochs=magic == 2)
    assert [row[2] for row in disk.log or ()] == ["m0", "m1", "m2"][:keep]
    assert disk.high_watermark_checkpoint == 2
    assert list((folder / "t-0").glob("*.index")) == []
