"""`import`: converts the output of a real cluster's tools to a scenario that starts
from its state.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.command_line.program import HOLDS, print_json, run_by
from sim_engine.error_texts.wrong_input import WrongInputError
from sim_engine.json_types import JsonObject
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.writer import scenario_document, scenario_text

_MOST_BYTES = 64 * 1024 * 1024
_FROM_FOLDERS = (
    "meta.properties",
    "leader-epoch-checkpoint",
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
)
_STANDARD_INPUT = "-"


def declare_import(parser: argparse.ArgumentParser) -> None:
    """Declare `import PATH…`: prints the scenario to standard output, and the assumptions to
    standard error.
    """
    run_by(parser, _import)
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="output of Kafka's tools, checkpoint files, brokers' data directories; - reads "
        "standard input",
    )
    parser.add_argument("--kafka", metavar="V", help="the cluster's Kafka version")
    parser.add_argument(
        "--topic", metavar="NAME", action="append", default=[], help="only this topic; repeatable"
    )


def _import(options: argparse.Namespace) -> int:
    files = [file for path in options.paths for file in files_at(path)]
    if not files:
        raise WrongInputError(
            f"{options.paths[0]}:1:1: the folder has no file that a broker writes; give a "
            "broker's data directory (log.dirs)"
        )
    try:
        imported = import_cluster(files, kafka=options.kafka, topics=options.topic)
    except (UnreadableError, UnknownVersionError) as error:
        raise WrongInputError(str(error)) from None
    print_imported(imported, as_json=options.json)
    return HOLDS


def print_imported(imported: ImportedCluster, *, as_json: bool) -> None:
    """Print the scenario, or everything as one document, to standard output, and to standard error
    what the scenario does not have of the input.
    """
    for statement in (*imported.unknown, *imported.not_used, *imported.differences):
        place = "" if not statement.file else f"{statement.file}:{statement.line or 1}:1: "
        print(f"{place}{statement.text()}", file=sys.stderr)
    if as_json:
        print_json(import_document(imported))
    else:
        print(scenario_text(imported.scenario), end="")


def import_document(imported: ImportedCluster) -> JsonObject:
    """Everything as one document."""
    release = imported.release
    why = " ".join(statement.text() for statement in release.why)
    return {
        "scenario": scenario_document(imported.scenario),
        "kafka": {"from": release.oldest, "to": release.newest, "why": why},
        "not_known": [statement.text() for statement in imported.unknown],
        "not_used": [
            {
                "file": statement.file,
                "from_line": statement.line,
                "to_line": statement.last_line,
                "why": statement.text(),
            }
            for statement in imported.not_used
        ],
        "differences": [difference.text() for difference in imported.differences],
    }


def files_at(name: str) -> Iterator[ClusterFile]:
    """The files at a path: a file, standard input, or a broker's files below a folder."""
    path = Path(name)
    if name == _STANDARD_INPUT:
        yield ClusterFile(name, sys.stdin.buffer.read(_MOST_BYTES))
        return
    if not path.is_dir():
        yield ClusterFile(name, _content(path))
        return
    try:
        below = sorted(path.rglob("*"))
    except OSError as error:
        raise WrongInputError(f"{name}:1:1: the folder cannot be read: {error.strerror}") from None
    for file in below:
        if _is_wanted(file) and file.is_file():
            yield ClusterFile(str(file), _content(file))


def _is_wanted(file: Path) -> bool:
    """Whether a file of a data directory is needed; the metadata log has a different format."""
    if file.parent.name.startswith("__"):
        return False
    return file.name in _FROM_FOLDERS or (file.suffix == ".log" and file.stem.isdigit())


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise WrongInputError(f"{path}:1:1: the file cannot be read: {error.strerror}") from None
    if len(content) > _MOST_BYTES:
        raise WrongInputError(f"{path}:1:1: the file is larger than {_MOST_BYTES} bytes")
    return content
