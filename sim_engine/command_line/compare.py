"""`compare`: finds where two versions of a run, or two scenarios, diverge."""

import argparse
import json
from collections.abc import Iterator, Sequence

from sim_engine.command_line.program import (
    HOLDS,
    Commands,
    WrongInputError,
    add_command,
    print_json,
)
from sim_engine.command_line.scenarios import find_scenario, play
from sim_engine.command_line.value_text import plain
from sim_engine.documents import ComparisonDocument, comparison_document
from sim_engine.simulation.timeline import Timeline


def add_compare(commands: Commands) -> None:
    """Add `compare FILE --kafka A --kafka B`, or `--with FILE`: finds where two runs diverge."""
    parser = add_command(
        commands, "compare", _compare, "find where two versions or scenarios diverge"
    )
    parser.add_argument(
        "scenario", metavar="FILE|ID", help="a file, or the id of a shipped scenario"
    )
    parser.add_argument(
        "--kafka",
        metavar="V",
        action="append",
        default=[],
        help="a Kafka version; required twice, or with --with optional once",
    )
    parser.add_argument(
        "--with",
        dest="other",
        metavar="FILE|ID",
        help="compare with this scenario, under the same version and controller",
    )


def _compare(options: argparse.Namespace) -> int:
    if options.other is None:
        one, other = _two_versions(options)
        names = [f"Kafka {run.profile.kafka} ({run.profile.control})" for run in (one, other)]
    else:
        one, other = _two_scenarios(options)
        names = [options.scenario, options.other]
    document = comparison_document(one, other)
    if options.json:
        print_json(document)
        return HOLDS
    if options.other is not None:
        print(f"Kafka {one.profile.kafka} ({one.profile.control})")
    for line in _parting(document, names):
        print(line)
    return HOLDS


def _two_versions(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) != 2:
        raise WrongInputError(
            "compare needs two versions, --kafka A --kafka B, or another scenario, --with FILE|ID"
        )
    scenario = find_scenario(options.scenario)
    one, other = (play(scenario, kafka, None, name=options.scenario) for kafka in options.kafka)
    return one, other


def _two_scenarios(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) > 1:
        raise WrongInputError("compare --with accepts one version, used for both scenarios")
    scenario, other = find_scenario(options.scenario), find_scenario(options.other)
    kafka = options.kafka[0] if options.kafka else None
    run = play(scenario, kafka, None, name=options.scenario)
    profile = run.profile
    return run, play(other, profile.kafka, profile.control, name=options.other)


def _parting(document: ComparisonDocument, names: Sequence[str]) -> Iterator[str]:
    if document.start:
        yield f"{names[0]} and {names[1]} start with different {', '.join(document.start)}"
    parting = document.parting
    if parting is not None:
        yield f"{names[0]} and {names[1]} take different steps"
        frames, steps = (parting.frame_a, parting.frame_b), (parting.steps_a, parting.steps_b)
        for name, frame, done in zip(names, frames, steps, strict=True):
            yield f"  {name}, up to frame {frame}:"
            lines = [json.dumps(step, ensure_ascii=False) for step in done]
            yield from (f"    {line}" for line in lines or ["no more steps"])
    if document.where is None:
        yield f"{names[0]} and {names[1]} do not differ"
    else:
        yield f"{names[0]} and {names[1]} diverge {_ended(document, names)}"
        yield f"  {document.where}"
        yield f"  {names[0]}, frame {document.frame_a}: {plain(document.a)}"
        yield f"  {names[1]}, frame {document.frame_b}: {plain(document.b)}"
    loss, found = document.loss, document.property
    for one_sided in (loss, None if found == loss else found):
        if one_sided is not None:
            name = names["ab".index(one_sided.violated_in)]
            since = one_sided.first_frame
            yield f"{one_sided.name} is violated only in {name}, since frame {since}"


def _ended(document: ComparisonDocument, names: Sequence[str]) -> str:
    """The description of the steps after which runs diverge, by their numbers in one file or in two
    files.
    """
    items = (document.item, document.item_b)
    if items == (None, None):
        return "at the start"
    if document.parting is None:
        return f"at the end of step {items[0]}"
    ended = [
        f"step {item} of {name}"
        for item, name in zip(items, names, strict=True)
        if item is not None
    ]
    return f"at the end of {', '.join(ended)}"
