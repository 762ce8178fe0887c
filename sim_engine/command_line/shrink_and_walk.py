"""`shrink` and `walk`: shrink failures, and search for them with random schedules."""

import argparse
import sys
from collections import Counter

from msgspec.structs import replace

from sim_engine.command_line.program import (
    FAILS,
    HOLDS,
    Commands,
    WrongInputError,
    add_command,
    print_json,
)
from sim_engine.command_line.scenarios import find_scenario, start
from sim_engine.exploration import (
    GOALS,
    NothingToShrinkError,
    check_schedule,
    random_schedule,
    shrink,
    shrink_failure,
    violates,
)
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.writer import scenario_document, scenario_text


def add_shrink(commands: Commands) -> None:
    """Add `shrink FILE --property NAME`: prints the scenario with the fewest steps that still
    violates the property.
    """
    parser = add_command(commands, "shrink", _shrink, "find the shortest scenario that still fails")
    parser.add_argument(
        "scenario", metavar="FILE|ID", help="a file, or the id of a shipped scenario"
    )
    parser.add_argument(
        "--property", metavar="NAME", required=True, help="the property that the scenario violates"
    )
    parser.add_argument(
        "--kafka", metavar="V", help="use this Kafka version instead of the scenario's"
    )


def add_walk(commands: Commands) -> None:
    """Add `walk --runs N`: exit status 1 if a random schedule violates a guarantee."""
    parser = add_command(commands, "walk", _walk, "run random schedules and check the invariants")
    parser.add_argument("--runs", metavar="N", type=int, default=100, help="number of schedules")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed of the first schedule"
    )
    parser.add_argument("--kafka", metavar="V", help="only this version")
    parser.add_argument("--control", metavar="C", help="only zookeeper or kraft")


def _shrink(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    profile = start(scenario, options.kafka, None, name=options.scenario).profile
    chosen = replace(scenario, kafka=profile.kafka, control=profile.control)
    try:
        shortest = shrink(chosen, violates(options.property))
    except ValueError as error:
        raise WrongInputError(str(error)) from None
    except NothingToShrinkError:
        raise WrongInputError(
            f"{options.scenario}: /steps: {options.property} is not violated under Kafka "
            f"{profile.kafka} ({profile.control}); there is nothing to shrink"
        ) from None
    if options.json:
        print_json(scenario_document(shortest))
    else:
        print(scenario_text(shortest), end="")
    return HOLDS


def _walk(options: argparse.Namespace) -> int:
    if options.runs < 1 or options.seed < 0:
        raise WrongInputError("--runs must be at least 1, and --seed at least 0")
    goals: Counter[str] = Counter()
    frames = 0
    seeds = range(options.seed, options.seed + options.runs)
    for seed in seeds:
        try:
            schedule = random_schedule(seed, kafka=options.kafka, control=options.control)
        except ScenarioError as error:
            raise WrongInputError("; ".join(p.message for p in error.problems)) from None
        except UnknownVersionError as error:
            raise WrongInputError(str(error)) from None
        trial = check_schedule(schedule)
        goals.update(trial.goals)
        frames += trial.frames
        if trial.failure is not None:
            shortest = shrink_failure(schedule, trial.failure)
            print(f"seed {seed}: {trial.failure}", file=sys.stderr)
            if options.json:
                print_json(scenario_document(shortest))
            else:
                print(scenario_text(shortest), end="")
            return FAILS
    if options.json:
        print_json({"runs": options.runs, "frames": frames, "reached": dict(sorted(goals.items()))})
        return HOLDS
    print(f"{options.runs} schedules, {frames} frames: no violation")
    for goal in GOALS:
        print(f"{goals[goal]:>7}  {goal}")
    return HOLDS
