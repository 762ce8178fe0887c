"""`highwater record`: real Kafka brokers carry out a scenario, and what was read after each step is
written as a recording, which `highwater conform` replays.
"""

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.json import encode, format

from sim_engine.command_line import HOLDS
from sim_engine.command_line.run import find_scenario
from sim_engine.error_texts import WrongInputError
from sim_engine.releases import UnknownVersionError, release_number

if TYPE_CHECKING:
    from backend.recording.record import WrittenRecording

_LIBRARIES = ("kafka", "kazoo")


def record(scenario: str, kafka: str | None, once: bool, output: Path) -> int:
    """Record a scenario and return the exit status. Raises `WrongInputError`, after what was
    recorded so far has been written to a file whose name contains `partial`.
    """
    need_clients()
    # The optional clients are imported when the command runs.
    from backend.recording import record as recorder
    from backend.recording.releases import NoKafkaError

    found = find_scenario(scenario)
    release = exact_release(kafka or found.kafka)
    if not output.parent.is_dir():
        raise WrongInputError(f"{output.parent}: no such folder")
    recording = recorder.record(found, release, runs=1 if once else 2, progress=_progress)
    try:
        _write(output, asyncio.run(recording))
    except NoKafkaError as error:
        raise WrongInputError(str(error)) from None
    except recorder.PartlyRecordedError as error:
        kept = ""
        if error.recorded is not None:
            partial = output.with_name(f"{output.stem}.partial.json")
            _write(partial, error.recorded)
            kept = f"; what was recorded is in {partial}"
        raise WrongInputError(f"{error}{kept}") from None
    return HOLDS


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


def _progress(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
