"""`conform`: recordings of real clusters, replayed."""

import argparse
from pathlib import Path

from msgspec import to_builtins

from sim_engine.command_line.program import (
    FAILS,
    HOLDS,
    Commands,
    WrongInputError,
    add_command,
    print_json,
    wrong_input,
)
from sim_engine.conformance import (
    Difference,
    Recording,
    RecordingError,
    conform,
    read_recording,
)
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_source_file


def add_conform(commands: Commands) -> None:
    """Add `conform RECORDING…`: exit status 1 if a replay differs."""
    parser = add_command(commands, "conform", _conform, "replay recordings of real clusters")
    parser.add_argument(
        "recordings", metavar="RECORDING", nargs="+", help="files with recorded runs"
    )


def _conform(options: argparse.Namespace) -> int:
    status = HOLDS
    results: list[dict[str, object]] = []
    for name in options.recordings:
        try:
            recording, differences = _replayed(name)
        except (ScenarioError, WrongInputError) as error:
            status = max(status, wrong_input(str(error)))
            continue
        if differences:
            status = max(status, FAILS)
        results.append(
            {
                "file": name,
                "kafka": recording.kafka,
                "holds": not differences,
                "differences": [to_builtins(difference) for difference in differences],
            }
        )
        if not options.json:
            print(f"{name}: {differences[0] if differences else 'holds'}")
    if options.json:
        print_json(results)
    return status


def _replayed(name: str) -> tuple[Recording, list[Difference]]:
    source = read_source_file(Path(name))
    try:
        recording = read_recording(source.document)
        return recording, conform(recording)
    except RecordingError as error:
        line, column = source.place(error.where) or (1, 1)
        raise WrongInputError(
            f"{name}:{line}:{column}: {error.where or '/'}: {error.message}"
        ) from None
