"""`import`: converts the output of a real cluster's tools to a scenario that starts from its state.
`assess`: what the next failure of each sort does to each partition of a real cluster.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from sim_engine.assessment.assessment import (
    AssessedCellResult,
    Assessment,
    KindAssessment,
    brokers_of,
    sorted_cells,
    why_of,
)
from sim_engine.assessment.cases import FAILURES
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes, RefusedPartitions
from sim_engine.assessment.report import about, known_way, searched, title, under
from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import (
    ClusterFile,
    ParsedState,
    Problems,
    UnreadableError,
)
from sim_engine.command_line import FAILS, HOLDS, print_json, run_by
from sim_engine.documents.assessment import AssessedSearch
from sim_engine.error_texts import WrongInputError, WrongValueError
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.languages import DEFAULT_LANGUAGE, say
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.source import shown
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
    _add_paths(parser, "+")
    parser.add_argument(
        "--topic", metavar="NAME", action="append", default=[], help="only this topic; repeatable"
    )


def _add_paths(parser: argparse.ArgumentParser, number: Literal["+", "*"]) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs=number,
        help="output of Kafka's tools, checkpoint files, brokers' data directories; - reads "
        "standard input",
    )
    parser.add_argument("--kafka", metavar="V", help="the cluster's Kafka version")


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


# --- assess ---------------------------------------------------------------------------------------


_MOST_NAMES = 2


def declare_assess(parser: argparse.ArgumentParser) -> None:
    """Declare `assess PATH…`: exit status 1 if one failure can lose acknowledged records."""
    run_by(parser, _assess)
    _add_paths(parser, "*")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a setting of all topics, acks (all, 1, 0), elr (on, off) or control; repeatable",
    )
    parser.add_argument(
        "--down",
        metavar="2,3",
        action="append",
        default=[],
        help="brokers that are down; of others that nothing shows to be up, the worse case counts",
    )
    parser.add_argument(
        "--rack",
        metavar="BROKER=RACK",
        action="append",
        default=[],
        help="the rack of a broker, whose brokers lose power together; repeatable",
    )
    parser.add_argument(
        "--search",
        metavar="SECONDS",
        type=float,
        help="also search the worst partition for a loss by several failures, each question in at "
        "most so much processor time (20 decides most)",
    )
    parser.add_argument(
        "--search-of",
        metavar="PARTITION",
        action="append",
        default=[],
        help="search this partition instead, for example orders-3; repeatable",
    )


def _assess(options: argparse.Namespace) -> int:
    if not options.paths:
        raise WrongInputError("assess needs a PATH; see assess --help")
    files = [file for path in options.paths for file in files_at(path)]
    if not files:
        raise WrongInputError(
            f"{options.paths[0]}:1:1: the folder has no file that a broker writes"
        )
    problems = Problems()
    try:
        parsed = read_files(files, problems)
        problems.stop()
    except UnreadableError as error:
        raise WrongInputError(str(error)) from None
    return assess_state(parsed, options)


def assess_state(parsed: ParsedState, options: argparse.Namespace) -> int:
    """Print the assessment of what was read, by the command's options, and return the exit
    status.
    """
    changes = Changes(
        kafka=options.kafka,
        settings=dict(_setting(text) for text in options.set),
        down=frozenset(broker for text in options.down for broker in _brokers(text)),
        racks=dict(_rack(text) for text in options.rack),
    )
    if options.search_of and options.search is None:
        raise WrongInputError("--search-of needs --search SECONDS")
    if options.search is not None and not options.search > 0:
        raise WrongInputError("--search must be greater than 0")
    try:
        assessment = Assessment(parsed, changes)
    except (UnreadableError, UnknownVersionError) as error:
        raise WrongInputError(str(error)) from None
    except WrongValueError as error:
        raise WrongInputError(f"--set: {error}") from None
    for name in options.search_of:
        if assessment.find(name) is None:
            raise WrongInputError(f"--search-of: the input has no partition '{shown(name)}'")
    for notice in notices(assessment, down="--down", racks="--rack"):
        print(notice, file=sys.stderr)
    for _ in assessment.compute():
        pass
    searches = list(searches_of(assessment, options.search_of, options.search))
    if options.json:
        print_json(assessment.document(searches))
    else:
        print("\n".join(assessment_lines(assessment, searches)))
    is_found = any(one.outcome == "found" for one in searches)
    return FAILS if assessment.may_lose or is_found else HOLDS


def notices(assessment: Assessment, *, down: str, racks: str) -> Iterator[str]:
    """What of the input or of the changes the assessment does not use or know, a line each. `down`
    and `racks` are what the caller calls these changes.
    """
    printed = assessment.printed
    for name, brokers in ((down, printed.changes.down), (racks, printed.changes.racks)):
        for broker in sorted(set(brokers) - set(printed.brokers)):
            yield f"{name}: the input has no broker {broker}"
    for refused in printed.refused:
        yield f"{refused.problem}; {_not_judged(refused)}"
    for statement in (*printed.unexplained, *printed.parsed.unknown, *printed.parsed.not_used):
        place = "" if not statement.file else f"{statement.file}:{statement.line or 1}:1: "
        yield f"{place}{statement.text()}"


def searches_of(
    assessment: Assessment, partitions: Sequence[str], seconds: float | None
) -> Iterator[AssessedSearch]:
    """The searches of some partitions, by default of the worst one; none without a limit of
    time. An interrupt ends them with what is known by then.
    """
    if seconds is None:
        return
    for name in partitions or [str(assessment.worst_first()[0].example.name)]:
        search = assessment.search(name)
        assert search is not None, "its name was checked"
        search.run(seconds, time.process_time, watch=lambda: None)
        document = search.document()
        yield from document.searches
        if document.is_interrupted:
            return


def _rack(text: str) -> tuple[BrokerId, str]:
    broker, equals, rack = text.partition("=")
    if not equals or not broker.isascii() or not broker.isdigit():
        raise WrongInputError(f"--rack must look like 1=a, not '{shown(text)}'")
    return BrokerId(int(broker)), rack


def _not_judged(refused: RefusedPartitions) -> str:
    alike = len(refused.names) - 1
    return "not judged" if not alike else f"not judged, nor are {alike} partitions like it"


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise WrongInputError(f"--set must look like min.insync.replicas=2, not '{text}'")
    return name, value


def _brokers(text: str) -> Iterator[BrokerId]:
    for word in text.split(","):
        if not (word.isascii() and word.isdigit()):
            raise WrongInputError(f"--down must look like 2,3, not '{text}'")
        yield BrokerId(int(word))


def assessment_lines(assessment: Assessment, searches: Sequence[AssessedSearch]) -> Iterator[str]:
    """The verdict, a table of the kinds of partitions, the worst first, a sentence for each cell
    that does not keep everything, the known ways to lose records there, and what was searched.
    """
    page = page_document(assessment)
    yield title(page, DEFAULT_LANGUAGE)
    yield about(page, DEFAULT_LANGUAGE)
    yield ""
    yield under(page, DEFAULT_LANGUAGE)
    yield ""
    kinds = assessment.worst_first()
    heads = ["partition", "leader, ISR, min", *(_words(failure) for failure in FAILURES)]
    rows = [_row(kind) for kind in kinds]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
    for kind in kinds:
        yield from _sentences(kind)
    for number, film in enumerate(page.known_losses, 1):
        if number == 1:
            yield ""
            yield f"{say(DEFAULT_LANGUAGE, 'interface/assess', 'films')}:"
        yield f"  {number}. {known_way(film, DEFAULT_LANGUAGE)}"
    if searches:
        yield ""
    yield from (searched(one, DEFAULT_LANGUAGE) for one in searches)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _row(kind: KindAssessment) -> list[str]:
    return [_called(kind), _state(kind), *(_verdict(cell) for _, cell in sorted_cells(kind))]


def _verdict(cell: AssessedCellResult) -> str:
    if not cell.result.applies:
        return "–"
    return _words(cell.result.verdict or "undecided")


def _called(kind: KindAssessment) -> str:
    first, *others = [str(partition.name) for partition in kind.kind.partitions]
    shown = ", ".join([first, *others[: _MOST_NAMES - 1]])
    left = len(others) - (_MOST_NAMES - 1)
    return f"{shown} and {left} more" if left > 0 else shown


def _state(kind: KindAssessment) -> str:
    leader = "no leader" if kind.leader == NO_LEADER else f"leader {kind.leader}"
    isr = ",".join(map(str, kind.isr)) or "–"
    elr = f", ELR {','.join(map(str, kind.kind.about.elr))}" if kind.kind.about.elr else ""
    return f"{leader}, ISR {isr} of {len(kind.kind.about.replicas)}, min {kind.min_isr}{elr}"


def _sentences(kind: KindAssessment) -> Iterator[str]:
    """A sentence for all failures about which it is true, with the brokers that they strike."""
    failures: dict[str, list[str]] = {}
    for failure, cell in sorted_cells(kind):
        if cell.result.verdict == "keeps":
            continue
        brokers = brokers_of(kind, kind.example, cell)
        of = "" if failure == "isolated_leader" else "of "
        struck = f" {of}{', '.join(map(str, brokers))}" if brokers else ""
        sentence = why_of(kind, kind.example, cell).text()
        failures.setdefault(sentence, []).append(f"{_words(failure)}{struck}")
    if failures:
        yield ""
        yield _called(kind)
    for sentence, named in failures.items():
        yield f"  {'; '.join(named)}: {sentence}"
