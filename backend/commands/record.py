"""`highwater record`: real Kafka brokers carry out a scenario, and what was read after each step is
written as a recording, which `highwater conform` replays. With `--open`, both show it in a page.
"""

import argparse
import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.json import encode, format

from backend.recording.failures import RecordingFailedError, failure
from sim_engine.command_line import HOLDS, WRONG_INPUT
from sim_engine.command_line.check import read_recording_file
from sim_engine.command_line.run import find_scenario
from sim_engine.conformance.recording import RecordingError
from sim_engine.error_texts import WrongInputError
from sim_engine.releases import UnknownVersionError, release_number

if TYPE_CHECKING:
    from backend.recording.record import Moment, WrittenRecording
    from sim_engine.scenario_reader.document import Scenario

_PAGE = "/watch/recording"
_LIBRARIES = ("kafka", "kazoo")


def record(
    scenario: str,
    kafka: str | None,
    once: bool,
    output: Path,
    open_page: bool,
    port: int,
    database_url: str | None,
) -> int:
    """Record a scenario and return the exit status; with `open_page`, only an interrupt ends it.
    Raises `WrongInputError`, after what was recorded so far has been written to a file whose name
    contains `partial`.
    """
    need_clients()
    # The optional clients are imported when the command runs.
    from backend.recording import record as recorder

    found = find_scenario(scenario)
    release = exact_release(kafka or found.kafka)
    if not output.parent.is_dir():
        raise WrongInputError(f"{output.parent}: no such folder")
    runs = 1 if once else 2
    if open_page:
        return _record_in_page(found, release, runs, output, port, database_url)
    try:
        _carry_out(recorder.record(found, release, runs=runs, progress=_progress), output)
    except RecordingFailedError as error:
        raise WrongInputError(str(error)) from None
    return HOLDS


def show(options: argparse.Namespace) -> int:
    """Show a kept recording beside the engine, by the options of `highwater conform`, until an
    interrupt. Raises `WrongInputError`.
    """
    if len(options.recordings) != 1:
        raise WrongInputError("--open shows one recording")
    from backend.commands.serve import show_page
    from backend.watches.mirror import Mirror
    from sim_engine.conformance.fidelity import recording_titles

    document, recording = read_recording_file(options.recordings[0])
    file = recording.file
    titles = recording_titles(file.id, str(document.get("title", file.id)))
    mirror = Mirror(titles, file.kafka, last=len(file.steps) - 1)
    mirror.show(document)
    return show_page(mirror, _PAGE, options.port, options.database_url)


def _record_in_page(
    scenario: "Scenario", release: str, runs: int, output: Path, port: int, database_url: str | None
) -> int:
    """Record while a page shows it. The recorder has a thread and a loop of its own; an interrupt
    ends it, and what was recorded so far is kept.
    """
    from backend.commands.serve import show_page
    from backend.recording import record as recorder
    from backend.recording.releases import NoKafkaError, class_path
    from backend.watches.mirror import Mirror

    try:
        planned = recorder.prepare(scenario, release)
        class_path(release)
    except NoKafkaError as error:
        raise WrongInputError(str(error)) from None
    mirror = Mirror(scenario.title, release, last=len(planned.steps) - 1, runs=runs)
    begun = threading.Event()
    interrupt: list[Callable[[], object]] = []
    failures: list[str] = []

    def progress(moment: "Moment") -> None:
        _progress(moment)
        mirror.at(moment.run, moment.step)

    async def on_read(recording: "WrittenRecording") -> None:
        # In a thread: the loop passes on what the brokers send each other.
        try:
            await asyncio.to_thread(mirror.show, recorder.recording_document(recording))
        except RecordingError as error:  # the brokers did what the engine does not model
            _print(f"not shown: {error.where}: {error.message}")

    async def made() -> "WrittenRecording":
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None, "asyncio.run made one"
        interrupt.append(partial(loop.call_soon_threadsafe, task.cancel))
        begun.set()
        return await recorder.record(
            scenario, release, runs=runs, progress=progress, on_read=on_read
        )

    def carry_out() -> None:
        try:
            _carry_out(made(), output)
        except RecordingFailedError as error:
            failures.append(str(error))
            mirror.fail(error.reason)
            _print(str(error))
        except Exception as error:  # a defect, whose traceback the thread prints
            failures.append(str(error))
            mirror.fail(failure("defect", error=f"{type(error).__name__}: {error}"))
            raise
        else:
            mirror.finish(output.name)
            _print(f"{output} is written; Ctrl-C ends the page")

    thread = threading.Thread(target=carry_out)
    status = HOLDS
    with suppress(KeyboardInterrupt):
        status = show_page(mirror, _PAGE, port, database_url, begin=thread.start)
    if thread.is_alive():
        begun.wait()
        interrupt[0]()
        thread.join()
    return WRONG_INPUT if failures else status


def _carry_out(recording: "Coroutine[None, None, WrittenRecording]", output: Path) -> None:
    """Make a recording and write it. Raises `RecordingFailedError`, after what was recorded so
    far has been written, whose file it names.
    """
    from backend.recording.record import PartlyRecordedError

    try:
        _write(output, asyncio.run(recording))
    except PartlyRecordedError as error:
        if error.recorded is None:
            raise
        file = output.with_name(f"{output.stem}.partial.json")
        _write(file, error.recorded)
        reason = failure("partly_kept", reason=error.reason, file=str(file))
        raise RecordingFailedError(reason) from None


def need_clients() -> None:
    """Raise `WrongInputError` unless the clients that real brokers are asked with are installed."""
    if any(find_spec(library) is None for library in _LIBRARIES):
        raise WrongInputError(
            "this needs clients of Kafka and ZooKeeper, which are not installed: "
            "pip install 'highwater-kafka[connect]'"
        )


def exact_release(named: str) -> str:
    """A release as its jars are named. Raises `WrongInputError` for one that the engine does not
    know.
    """
    try:
        return ".".join(map(str, release_number(named)))
    except UnknownVersionError as error:
        raise WrongInputError(str(error)) from None


def _write(path: Path, recording: "WrittenRecording") -> None:
    from backend.recording.record import recording_document

    path.write_bytes(format(encode(recording_document(recording)), indent=1) + b"\n")


def _progress(moment: "Moment") -> None:
    _print(str(moment))


def _print(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
