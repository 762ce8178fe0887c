"""`search`: searches for a failure after a scenario's steps, within a budget of faults."""

import argparse
import json
import time
from collections.abc import Mapping

from sim_engine.command_line.program import (
    FAILS,
    HOLDS,
    Commands,
    WrongInputError,
    add_command,
    print_json,
)
from sim_engine.command_line.scenarios import find_scenario, play
from sim_engine.exploration import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    GRAINS,
    SearchOptions,
    SearchReport,
    read_budget,
    search_report,
)
from sim_engine.scenario_reader.source import shown


def add_search(commands: Commands) -> None:
    """Add `search FILE --property NAME`: exit status 1 if a violation is found."""
    parser = add_command(
        commands, "search", _search, "search for a failure after a scenario's steps"
    )
    parser.add_argument(
        "scenario", metavar="FILE|ID", help="a file, or the id of a shipped scenario"
    )
    parser.add_argument("--property", metavar="NAME", required=True, help="the property to violate")
    parser.add_argument(
        "--kafka", metavar="V", help="use this Kafka version instead of the scenario's"
    )
    parser.add_argument(
        "--max-depth", metavar="N", type=int, default=12, help="maximum number of steps"
    )
    parser.add_argument(
        "--grain",
        choices=GRAINS,
        default=GRAINS[0],
        help="the unit of the search: a user's step (step), or each message (message)",
    )
    parser.add_argument(
        "--budget",
        metavar="crash=1,…",
        help=f"maximum number of each fault, of elections, of epochs: {', '.join(BUDGET_NAMES)}",
    )
    parser.add_argument(
        "--states", metavar="N", type=int, default=200_000, help="maximum number of states"
    )
    parser.add_argument("--seconds", metavar="S", type=float, default=60.0, help="maximum time")


def _search(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    timeline = play(scenario, options.kafka, None, name=options.scenario)
    if options.max_depth < 1 or options.states < 1 or options.seconds <= 0:
        raise WrongInputError(
            "--max-depth and --states must be at least 1, and --seconds greater than 0"
        )
    search_options = SearchOptions(
        property=options.property,
        grain=options.grain,
        max_depth=options.max_depth,
        max_states=options.states,
        budget=DEFAULT_BUDGET if options.budget is None else _budget(options.budget),
        seconds=options.seconds,
    )
    began = time.monotonic()
    try:
        report = search_report(timeline, timeline.head, search_options, time.monotonic)
    except ValueError as error:
        raise WrongInputError(str(error)) from None
    document = report.document(search_options, time.monotonic() - began)
    if options.json:
        print_json(document)
    else:
        _print(report, document)
    return FAILS if report.result.verdict == "violated" else HOLDS


def _print(report: SearchReport, document: Mapping[str, object]) -> None:
    found = report.result
    exhausted = ", nothing left to try" if found.complete else ""
    print(
        f"{found.verdict}: {document['property']}, depth {found.depth}, {found.states} states, "
        f"{found.transitions} transitions, {document['seconds']} s{exhausted}"
    )
    if report.scenario is None:
        for step in found.steps:
            print(f"  - {json.dumps(step, ensure_ascii=False)}")
        return
    for done in report.scenario["steps"]:
        print(f"  - {json.dumps(done, ensure_ascii=False)}")
    for prevention in report.prevented_by:
        print(f"prevented by {json.dumps(prevention, ensure_ascii=False)}")
    if report.point_of_no_return is not None:
        print(f"point of no return: frame {report.point_of_no_return}")


def _budget(text: str) -> dict[str, int]:
    try:
        return read_budget(text)
    except ValueError as error:
        raise WrongInputError(
            f"--budget must look like crash=1,power_loss=1, not '{shown(error.args[0])}'; it may"
            f" name {', '.join(BUDGET_NAMES)}"
        ) from None
