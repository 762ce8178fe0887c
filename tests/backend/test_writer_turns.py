"""Two processes that share an SQLite file: each is `WriterTurns` with locks on the same files."""

import asyncio
from fcntl import LOCK_NB, LOCK_SH, flock
from pathlib import Path

import pytest

from backend.database.writer_turns import WriterTurns
from backend.http.errors import UnavailableError


class _Queue:
    """Writers that note when each had its turn. All turns last until `may_end`."""

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.may_end = asyncio.Event()
        self.at_once = 0

    async def write(self, name: str, process: WriterTurns) -> None:
        async with process.turn():
            self.at_once += 1
            assert self.at_once == 1
            self.turns.append(name)
            await self.may_end.wait()
            self.at_once -= 1

    async def has_begun(self) -> None:
        while not self.turns:
            await asyncio.sleep(0)


async def test_a_process_with_many_writing_transactions_takes_turns_with_the_other(tmp_path: Path):
    turns: list[str] = []
    left = {"busy": 6, "quiet": 2}
    processes = {name: WriterTurns(tmp_path / "x.db") for name in left}

    async def write(name: str, other: str) -> None:
        async with processes[name].turn():
            turns.append(name)
            left[name] -= 1
            # The turn lasts until the other process, if it has a writer, is the next.
            while left[other] and not _is_locked(tmp_path / "x.db-next"):
                await asyncio.sleep(0)

    await asyncio.gather(
        *(write("busy", "quiet") for _ in range(6)), *(write("quiet", "busy") for _ in range(2))
    )

    assert turns == ["busy", "quiet", "busy", "quiet", "busy", "busy", "busy", "busy"]
    for process in processes.values():
        process.close()


def _is_locked(path: Path) -> bool:
    with path.open() as file:
        try:
            flock(file, LOCK_SH | LOCK_NB)
        except BlockingIOError:
            return True
    return False


async def test_a_transaction_that_waits_too_long_gets_an_error_and_holds_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    queue, slow, other = _Queue(), WriterTurns(tmp_path / "x.db"), WriterTurns(tmp_path / "x.db")
    writer = asyncio.create_task(queue.write("slow", slow))
    await queue.has_begun()
    monkeypatch.setattr("backend.database.writer_turns._WAITS_S", 0.02)

    for _ in range(2):
        with pytest.raises(UnavailableError):
            async with other.turn():
                pass
    queue.may_end.set()
    await writer

    async with other.turn(), asyncio.timeout(30):
        pass
    slow.close()
    other.close()


async def test_a_writer_that_is_cancelled_while_it_waits_holds_nothing(tmp_path: Path):
    queue, slow, other = _Queue(), WriterTurns(tmp_path / "x.db"), WriterTurns(tmp_path / "x.db")
    writer = asyncio.create_task(queue.write("slow", slow))
    await queue.has_begun()
    waiting = asyncio.create_task(queue.write("cancelled", other))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    queue.may_end.set()
    await writer

    await asyncio.gather(queue.write("a", slow), queue.write("b", other))
    assert sorted(queue.turns) == ["a", "b", "slow"]
    slow.close()
    other.close()


async def test_the_locks_of_a_closed_process_are_free(tmp_path: Path):
    killed, other = WriterTurns(tmp_path / "x.db"), WriterTurns(tmp_path / "x.db")
    turn = killed.turn()
    await turn.__aenter__()

    killed.close()

    async with asyncio.timeout(30), other.turn():
        pass
    await turn.__aexit__(None, None, None)
    other.close()


async def test_without_a_place_for_the_locks_only_the_writers_of_a_process_wait(tmp_path: Path):
    queue, turns = _Queue(), WriterTurns(tmp_path / "no such folder" / "x.db")
    queue.may_end.set()

    await asyncio.gather(*(queue.write("a", turns) for _ in range(3)))

    assert queue.turns == ["a"] * 3
