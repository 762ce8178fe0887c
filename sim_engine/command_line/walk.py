"""`walk`: runs random schedules and checks the invariants."""

import argparse
import sys
from collections import Counter

from sim_engine.command_line.program import FAILS, HOLDS, INTERRUPTED, print_json, run_by
from sim_engine.error_texts.wrong_input import WrongInputError
from sim_engine.exploration.schedule_check import check_schedule, shrink_failure
from sim_engine.exploration.schedules import GOALS, random_schedule
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.writer import scenario_document, scenario_text


def declare_walk(parser: argparse.ArgumentParser) -> None:
    """Declare `walk --runs N`: exit status 1 if a random schedule violates a guarantee."""
    run_by(parser, _walk)
    parser.add_argument("--runs", metavar="N", type=int, default=100, help="number of schedules")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed of the first schedule"
    )
    parser.add_argument("--kafka", metavar="V", help="only this version")
    parser.add_argument("--control", metavar="C", help="only zookeeper or kraft")


def _walk(options: argparse.Namespace) -> int:
    if options.runs < 1 or options.seed < 0:
        raise WrongInputError("--runs must be at least 1, and --seed at least 0")
    goals: Counter[str] = Counter()
    frames = 0
    seeds = range(options.seed, options.seed + options.runs)
    runs, status = 0, HOLDS
    try:
        for seed in seeds:
            schedule = _schedule(seed, options)
            trial = check_schedule(schedule)
            if trial.failure is not None:
                shortest = shrink_failure(schedule, trial.failure)
                print(f"seed {seed}: {trial.failure}", file=sys.stderr)
                if options.json:
                    print_json(scenario_document(shortest))
                else:
                    print(scenario_text(shortest), end="")
                return FAILS
            goals.update(trial.goals)
            frames += trial.frames
            runs += 1
    except KeyboardInterrupt:
        status = INTERRUPTED
    if options.json:
        print_json({"runs": runs, "frames": frames, "reached": dict(sorted(goals.items()))})
        return status
    print(f"{runs} schedules, {frames} frames: no violation")
    for goal in GOALS:
        print(f"{goals[goal]:>7}  {goal}")
    return status


def _schedule(seed: int, options: argparse.Namespace) -> Scenario:
    try:
        return random_schedule(seed, kafka=options.kafka, control=options.control)
    except ScenarioError as error:
        raise WrongInputError("; ".join(p.message for p in error.problems)) from None
    except UnknownVersionError as error:
        raise WrongInputError(str(error)) from None
