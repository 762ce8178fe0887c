"""`highwater connect`: the state of a live cluster, as `highwater import` prints it; with
`--watch`, again and again, and with `--open` in a page that this program serves.
"""

import argparse
import asyncio
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from msgspec import to_builtins
from msgspec.json import encode

from backend.watches.watch import Watch, keep_reading
from sim_engine.cluster_import.assembly import ImportedCluster, assemble
from sim_engine.cluster_import.logs import changes_between
from sim_engine.cluster_import.parsed_state import ParsedState, UnreadableError
from sim_engine.command_line import HOLDS
from sim_engine.command_line.clusters import assess_state, import_document, print_imported
from sim_engine.error_texts import WrongInputError
from sim_engine.json_types import JsonObject
from sim_engine.releases import UnknownVersionError

_LIBRARY = "kafka"
_CLEAR = "\x1b[H\x1b[2J"
_MOST_CHANGES = 8
_MOST_LOGS = 200
"""Partitions whose offsets a watched cluster is asked for, those in an unusual state first."""


def connect(
    bootstrap: str,
    config: Path | None,
    kafka: str | None,
    topic: Collection[str],
    watch: bool,
    interval: float,
    open_page: bool,
    port: int,
    database_url: str | None,
    as_json: bool,
) -> int:
    """Read a cluster and print it. Returns the exit status; with `watch`, only an interrupt ends
    it. Raises `WrongInputError`.
    """
    if open_page and not watch:
        raise WrongInputError("--open shows what --watch reads: give both")
    if open_page:
        reads_all = reader(bootstrap, config, topic, whole=True, most_logs=_MOST_LOGS)
        return _show(Watch(bootstrap, interval, kafka), reads_all, port, database_url)
    read = reader(bootstrap, config, topic)
    state = read()
    if watch:
        _watch(read, state, kafka, topic, interval, as_json=as_json)
    try:
        imported = _imported(bootstrap, state, kafka, topic)
    except WrongInputError:  # also of a cluster that changed between two answers
        imported = _imported(bootstrap, read(), kafka, topic)
    print_imported(imported, as_json=as_json)
    return HOLDS


def assess(options: argparse.Namespace) -> int:
    """Assess a live cluster by the options of `highwater assess`, and return the exit status.
    Raises `WrongInputError`.
    """
    if options.paths:
        raise WrongInputError("--connect reads a live cluster: name no PATH beside it")
    state = reader(options.connect, options.config, (), whole=True)()
    for statement in state.unknown:
        sys.stderr.write(f"{statement.text()}\n")
    return assess_state(state, options)


def _show(
    watch: Watch, read: Callable[[], ParsedState], port: int, database_url: str | None
) -> int:
    """Serve the page of a watched cluster until an interrupt. The first reading has to succeed:
    until then, a wrong address or a wrong password is an error of the command. Raises
    `WrongInputError`.
    """
    from backend.commands.serve import show_page

    def read_or_why() -> ParsedState | str:
        try:
            return read()
        except WrongInputError as error:
            return str(error)

    watch.begin()
    watch.add(read())
    stop = threading.Event()
    # A daemon: a request in progress does not keep the program.
    reading = threading.Thread(
        target=keep_reading, args=(watch, read_or_why, stop), kwargs={"waits": True}, daemon=True
    )
    try:
        return show_page(watch, "/watch", port, database_url, begin=reading.start)
    finally:
        stop.set()


def reader(
    bootstrap: str,
    config: Path | None,
    topics: Collection[str],
    *,
    whole: bool = False,
    most_logs: int = 0,
) -> Callable[[], ParsedState]:
    """A function that reads the cluster once, outside an event loop. Raises `WrongInputError`, as
    it does itself.
    """
    if find_spec(_LIBRARY) is None:
        raise WrongInputError(
            "this needs a Kafka client, which is not installed: "
            "pip install 'highwater-kafka[connect]'"
        )
    # The optional client is imported when the command runs.
    from backend.cluster_connection.connection import read_addresses
    from backend.cluster_connection.errors import ConnectionFailedError
    from backend.cluster_connection.properties import ClientSettings, read_properties_file
    from backend.cluster_connection.reading import read_cluster

    def read() -> ParsedState:
        try:
            reading = read_cluster(addresses, client, topics, whole=whole, most_logs=most_logs)
            return asyncio.run(reading)
        except ConnectionFailedError as error:
            raise WrongInputError(str(error)) from None

    try:
        addresses = read_addresses(bootstrap)
        client = (
            ClientSettings()
            if config is None
            else read_properties_file(str(config), config.read_text(encoding="utf-8"))
        )
    except ConnectionFailedError as error:
        raise WrongInputError(str(error)) from None
    except UnicodeDecodeError:
        raise WrongInputError(f"{config}:1:1: the file is not UTF-8") from None
    if client.unused:
        sys.stderr.write(f"{config}: not used: {', '.join(client.unused)}\n")
    return read


def _imported(
    bootstrap: str, state: ParsedState, kafka: str | None, topics: Collection[str]
) -> ImportedCluster:
    try:
        return assemble(state, kafka=kafka, topics=topics)
    except UnreadableError as error:
        reasons = "\n".join(f"{bootstrap}: {problem.message}" for problem in error.problems)
        raise WrongInputError(reasons) from None
    except UnknownVersionError as error:
        raise WrongInputError(str(error)) from None


def _watch(
    read: Callable[[], ParsedState],
    state: ParsedState,
    kafka: str | None,
    topics: Collection[str],
    interval: float,
    *,
    as_json: bool,
) -> NoReturn:
    """Show the cluster until an interrupt. On a terminal the table is drawn anew; elsewhere what
    changed is printed, or with `as_json` one document a line. A cluster that cannot be read is
    shown as that, and asked again.
    """
    from backend.cluster_connection.watching import partition_table

    is_terminal = sys.stdout.isatty() and not as_json
    changes: deque[str] = deque(maxlen=_MOST_CHANGES)
    failure: str | None = None
    if not is_terminal and not as_json:
        sys.stdout.write("\n".join([_now(), *partition_table(state)]) + "\n")
    while True:
        if as_json:
            document = _document(state, kafka, topics) if failure is None else {"error": failure}
            sys.stdout.buffer.write(encode(to_builtins({"at": _now(), **document})) + b"\n")
        elif is_terminal:
            size = shutil.get_terminal_size()
            head = _now() if failure is None else f"{_now()}  not read: {failure}"
            lines = [
                head,
                "",
                *partition_table(state, size.lines - _MOST_CHANGES - 3),
                "",
                *changes,
            ]
            sys.stdout.write(_CLEAR + "\n".join(line[: size.columns] for line in lines) + "\n")
        sys.stdout.flush()
        time.sleep(interval)
        before, failed_before = state, failure
        try:
            state, failure = read(), None
            new = [one.text() for one in changes_between(before, state)]
        except WrongInputError as error:
            failure = str(error)
            new = [] if failure == failed_before else [failure]
        stamped = [f"{_now()[11:19]} {line}" for line in new]
        changes.extend(stamped)
        if not is_terminal and not as_json:
            sys.stdout.write("".join(f"{line}\n" for line in stamped))


def _document(state: ParsedState, kafka: str | None, topics: Collection[str]) -> JsonObject:
    """What `import --json` prints; if the engine cannot be in this state, the error."""
    try:
        return import_document(_imported("cluster", state, kafka, topics))
    except WrongInputError as error:
        return {"error": str(error)}


def _now() -> str:
    return datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
