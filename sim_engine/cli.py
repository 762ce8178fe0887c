"""The command line: run, check, list, compare, search, shrink, walk, conform, schema.

Exit status: 0 it ran and all holds, 1 something does not, 2 the input is wrong; of several files
the highest. Results go to standard output, what is wrong with the input to standard error, one
problem a line.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from sim_engine.conformance import (
    Difference,
    Recording,
    RecordingError,
    conform,
    read_recording,
)
from sim_engine.documents import frame_document, run_document
from sim_engine.documents.comparison import comparison_document
from sim_engine.documents.library import library_page, told_endings
from sim_engine.documents.versions import versions_page, versions_table
from sim_engine.exploration import (
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GOALS,
    GRAIN,
    NothingToShrinkError,
    SearchOptions,
    random_schedule,
    search,
    shrink,
    shrink_failure,
    try_schedule,
    violates,
)
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import sentence
from sim_engine.protocol.events import Event
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.applicability import title_under
from sim_engine.scenario_reader.document import Problem, Scenario, ScenarioError
from sim_engine.scenario_reader.expectations import (
    FrameSummary,
    Verdict,
    judge,
    properties_held,
    versions_to_check,
    written_log,
)
from sim_engine.scenario_reader.reader import (
    list_shipped,
    load_shipped,
    read_scenario_file,
    read_source_file,
)
from sim_engine.scenario_reader.schema import run_schema, scenario_schema
from sim_engine.scenario_reader.source import shown
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.scenario_reader.to_yaml import scenario_text
from sim_engine.simulation.step_expansion import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import (
    UnknownRuleError,
    list_versions,
)

HOLDS = 0
FAILS = 1
WRONG_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one command and give its exit status."""
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else WRONG_INPUT
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ScenarioError as error:
        return _wrong_input(str(error))
    except _WrongInputError as error:
        return _wrong_input(str(error))


class _WrongInputError(Exception):
    """An option or a name that is wrong; the message is the line that the user reads."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sim_engine",
        description="Simulate how Apache Kafka replicates, version by version.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = _command(commands, "run", _run, "run a scenario and say what happened")
    run.add_argument("scenario", metavar="FILE|ID", help="a file, or a shipped scenario")
    run.add_argument("--kafka", metavar="V", help="the version, instead of the scenario's own")
    run.add_argument("--control", metavar="C", help="zookeeper or kraft, for releases with both")
    run.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the sentences"
    )
    check = _command(commands, "check", _check, "hold scenarios to their expectations")
    check.add_argument("scenarios", metavar="FILE", nargs="+", help="files, or shipped scenarios")
    listing = _command(commands, "list", _list, "list the scenarios that are shipped")
    listing.add_argument(
        "--markdown", action="store_true", help="print the whole page, docs/scenarios.md"
    )
    compare = _command(commands, "compare", _compare, "find where two versions or scenarios part")
    compare.add_argument("scenario", metavar="FILE|ID", help="a file, or a shipped scenario")
    compare.add_argument(
        "--kafka",
        metavar="V",
        action="append",
        default=[],
        help="give this twice; with --with once, or not at all for the scenario's own",
    )
    compare.add_argument(
        "--with",
        dest="other",
        metavar="FILE|ID",
        help="another scenario, under the same version and controller",
    )
    look = _command(commands, "search", _search, "look for a failure after a scenario's steps")
    look.add_argument("scenario", metavar="FILE|ID", help="a file, or a shipped scenario")
    look.add_argument("--property", metavar="NAME", required=True, help="what must not fall")
    look.add_argument("--kafka", metavar="V", help="the version, instead of the scenario's own")
    look.add_argument("--max-depth", metavar="N", type=int, default=12, help="steps at most")
    look.add_argument("--budget", metavar="crash=1,…", help="how often each fault may happen")
    look.add_argument("--seconds", metavar="S", type=float, default=60.0, help="time at most")
    shorten = _command(commands, "shrink", _shrink, "find the shortest scenario that still fails")
    shorten.add_argument("scenario", metavar="FILE|ID", help="a file, or a shipped scenario")
    shorten.add_argument("--property", metavar="NAME", required=True, help="what it violates")
    shorten.add_argument("--kafka", metavar="V", help="the version, instead of the scenario's own")
    walk = _command(commands, "walk", _walk, "hold random schedules to what must always be true")
    walk.add_argument("--runs", metavar="N", type=int, default=100, help="how many schedules")
    walk.add_argument("--seed", metavar="N", type=int, default=0, help="the first one's seed")
    walk.add_argument("--kafka", metavar="V", help="only this version, instead of any")
    walk.add_argument("--control", metavar="C", help="only zookeeper or kraft")
    conform = _command(commands, "conform", _conform, "replay recordings of real clusters")
    conform.add_argument("recordings", metavar="RECORDING", nargs="+", help="recorded runs")
    versions = _command(commands, "versions", _versions, "say which rule arrived when")
    versions.add_argument(
        "--markdown", action="store_true", help="print the whole page, docs/versions.md"
    )
    schema = commands.add_parser("schema", help="print a JSON Schema")
    schema.set_defaults(command=_schema)
    schema.add_argument("document", choices=("scenario", "run"), nargs="?", default="scenario")
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    function: Callable[[argparse.Namespace], int],
    help_text: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
    parser.set_defaults(command=function)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


# --- the commands ----------------------------------------------------------------------------


def _run(options: argparse.Namespace) -> int:
    scenario = _find_scenario(options.scenario)
    timeline = _play(scenario, options.kafka, options.control, name=options.scenario)
    if options.json:
        _print_json(run_document(timeline))
    else:
        for line in _told(timeline, options.lang):
            print(line)
    return HOLDS


def _check(options: argparse.Namespace) -> int:
    status = HOLDS
    results: list[dict[str, Any]] = []
    for name in options.scenarios:
        try:
            scenario = _find_scenario(name)
            verdicts = [judge_under(scenario, kafka, name) for kafka in versions_to_check(scenario)]
        except (ScenarioError, _WrongInputError) as error:
            status = max(status, _wrong_input(str(error)))
            continue
        if not all(verdict.holds for verdict in verdicts):
            status = max(status, FAILS)
        results += [{"file": name, **verdict.document()} for verdict in verdicts]
        if not options.json:
            for line in _judgement(name, verdicts):
                print(line)
    if options.json:
        _print_json(results)
    return status


def _list(options: argparse.Namespace) -> int:
    scenarios = list_shipped()
    if options.json:
        _print_json(
            [
                {
                    "id": scenario.id,
                    "alias": scenario.alias,
                    "title": scenario.title,
                    "kafka": scenario.kafka,
                    "verdicts": list_verdicts(scenario),
                }
                for scenario in scenarios
            ]
        )
        return HOLDS
    if options.markdown:
        endings = {scenario.id: list_verdicts(scenario) for scenario in scenarios}
        print(library_page(scenarios, endings), end="")
        return HOLDS
    width = max((len(scenario.id) for scenario in scenarios), default=0)
    for scenario in scenarios:
        alias = scenario.alias or ""
        print(f"{alias:<5} {scenario.id:<{width}}  {scenario.kafka:<7} {scenario.title['en']}")
        for line in told_endings(list_verdicts(scenario)):
            print(f"{'':<5} {'':<{width}}  {line}")
    return HOLDS


def list_verdicts(scenario: Scenario) -> dict[str, list[str]]:
    """What a scenario violates in each version that it is checked under, as `expect` would say it.

    That is over the three properties that every expectation holds, and those that an expectation of
    the scenario names.
    """
    verdicts: dict[str, list[str]] = {}
    for kafka in versions_to_check(scenario):
        timeline = _play(scenario, kafka, None, name=scenario.id)
        verdicts[kafka] = [
            name for name in properties_held(scenario) if _status(timeline, name) == "violated"
        ]
    return verdicts


def _compare(options: argparse.Namespace) -> int:
    if options.other is None:
        one, other = _two_versions(options)
        names = [f"Kafka {run.profile.kafka} ({run.profile.control})" for run in (one, other)]
    else:
        one, other = _two_scenarios(options)
        names = [options.scenario, options.other]
    document = comparison_document(one, other)
    if options.json:
        _print_json(document)
        return HOLDS
    if options.other is not None:
        print(f"Kafka {one.profile.kafka} ({one.profile.control})")
    for line in _parting(document, names):
        print(line)
    return HOLDS


def _two_versions(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) != 2:
        raise _WrongInputError(
            "compare needs two versions, --kafka A --kafka B, or another scenario, --with FILE|ID"
        )
    scenario = _find_scenario(options.scenario)
    one, other = (_play(scenario, kafka, None, name=options.scenario) for kafka in options.kafka)
    return one, other


def _two_scenarios(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) > 1:
        raise _WrongInputError("compare --with takes one version: both scenarios run under it")
    scenario, other = _find_scenario(options.scenario), _find_scenario(options.other)
    kafka = options.kafka[0] if options.kafka else None
    run = _play(scenario, kafka, None, name=options.scenario)
    profile = run.profile
    return run, _play(other, profile.kafka, profile.control, name=options.other)


def _search(options: argparse.Namespace) -> int:
    scenario = _find_scenario(options.scenario)
    timeline = _play(scenario, options.kafka, None, name=options.scenario)
    if options.max_depth < 1 or options.seconds <= 0:
        raise _WrongInputError("--max-depth is at least 1, and --seconds is above 0")
    search_options = SearchOptions(
        property=options.property,
        max_depth=options.max_depth,
        budget=DEFAULT_BUDGET if options.budget is None else _budget(options.budget),
        seconds=options.seconds,
    )
    began = time.monotonic()
    try:
        found = search(timeline.frames[timeline.head], search_options, time.monotonic)
    except ValueError as error:
        raise _WrongInputError(str(error)) from None
    document = {
        "property": options.property,
        "verdict": found.verdict,
        "grain": GRAIN,
        "depth": found.depth,
        "states": found.states,
        "transitions": found.transitions,
        "seconds": round(time.monotonic() - began, 3),
        "scenario": None,
    }
    if found.verdict == "violated":
        written = scenario_document(scenario)
        written["kafka"] = timeline.profile.kafka
        written["steps"] = [*written["steps"], *found.steps]
        document["scenario"] = written
    if options.json:
        _print_json(document)
    else:
        print(
            f"{found.verdict}: {options.property}, depth {found.depth}, {found.states} states, "
            f"{found.transitions} transitions, {document['seconds']} s"
        )
        for step in found.steps:
            print(f"  - {json.dumps(step, ensure_ascii=False)}")
    return FAILS if found.verdict == "violated" else HOLDS


def _budget(text: str) -> dict[str, int]:
    """`crash=1,power_loss=1` as numbers."""
    budget: dict[str, int] = {}
    for part in text.split(","):
        kind, equals, count = part.partition("=")
        if not equals or not count.isdigit():
            raise _WrongInputError(
                f"--budget is written as crash=1,power_loss=1, not '{shown(part)}'; faults are "
                + ", ".join(FAULT_KINDS)
            )
        budget[kind] = int(count)
    return budget


def _shrink(options: argparse.Namespace) -> int:
    scenario = _find_scenario(options.scenario)
    profile = _timeline(scenario, options.kafka, None, name=options.scenario).profile
    chosen = replace(scenario, kafka=profile.kafka, control=profile.control)
    try:
        shortest = shrink(chosen, violates(options.property))
    except ValueError as error:
        raise _WrongInputError(str(error)) from None
    except NothingToShrinkError:
        raise _WrongInputError(
            f"{options.scenario}: /steps: {options.property} is not violated under Kafka "
            f"{profile.kafka} ({profile.control}); there is nothing to shrink"
        ) from None
    if options.json:
        _print_json(scenario_document(shortest))
    else:
        print(scenario_text(shortest), end="")
    return HOLDS


def _walk(options: argparse.Namespace) -> int:
    if options.runs < 1 or options.seed < 0:
        raise _WrongInputError("--runs is at least 1, and --seed at least 0")
    goals: Counter[str] = Counter()
    frames = 0
    seeds = range(options.seed, options.seed + options.runs)
    for seed in seeds:
        try:
            schedule = random_schedule(seed, kafka=options.kafka, control=options.control)
        except ScenarioError as error:
            raise _WrongInputError("; ".join(p.message for p in error.problems)) from None
        except UnknownVersionError as error:
            raise _WrongInputError(str(error)) from None
        trial = try_schedule(schedule)
        goals.update(trial.goals)
        frames += trial.frames
        if trial.failure is not None:
            shortest = shrink_failure(schedule, trial.failure)
            print(f"seed {seed}: {trial.failure}", file=sys.stderr)
            if options.json:
                _print_json(scenario_document(shortest))
            else:
                print(scenario_text(shortest), end="")
            return FAILS
    if options.json:
        _print_json(
            {"runs": options.runs, "frames": frames, "reached": dict(sorted(goals.items()))}
        )
        return HOLDS
    print(f"{options.runs} schedules, {frames} frames: all that must hold held")
    for goal in GOALS:
        print(f"{goals[goal]:>7}  {goal}")
    return HOLDS


def _conform(options: argparse.Namespace) -> int:
    status = HOLDS
    results: list[dict[str, Any]] = []
    for name in options.recordings:
        try:
            recording, differences = _replayed(name)
        except (ScenarioError, _WrongInputError) as error:
            status = max(status, _wrong_input(str(error)))
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
        _print_json(results)
    return status


def _replayed(name: str) -> tuple[Recording, list[Difference]]:
    source = read_source_file(Path(name))
    try:
        recording = read_recording(source.document)
        return recording, conform(recording)
    except RecordingError as error:
        line, column = source.place(error.where) or (1, 1)
        raise _WrongInputError(
            f"{name}:{line}:{column}: {error.where or '/'}: {error.message}"
        ) from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        # The format has no checker of its own: a key or a shape that it takes for granted is off.
        raise _WrongInputError(
            f"{name}:1:1: /: this is no whole recording: {type(error).__name__} at "
            f"{shown(str(error))}"
        ) from error


def _versions(options: argparse.Namespace) -> int:
    if options.json:
        _print_json(list_versions())
    else:
        print(versions_page() if options.markdown else versions_table(), end="")
    return HOLDS


def _schema(options: argparse.Namespace) -> int:
    _print_json(run_schema() if options.document == "run" else scenario_schema())
    return HOLDS


# --- running ---------------------------------------------------------------------------------


def _find_scenario(name: str) -> Scenario:
    """A scenario by file name, or by the id or alias of a shipped one."""
    path = Path(name)
    if path.exists():
        return read_scenario_file(path)
    try:
        return load_shipped(name)
    except KeyError:
        names = [
            known
            for scenario in list_shipped()
            for known in (scenario.id, scenario.alias)
            if known is not None
        ]
        close = get_close_matches(name, names, n=1)
        right = f"; did you mean {close[0]}?" if close else "; `list` says what is shipped"
        raise _WrongInputError(
            f"{name}:1:1: /: there is no such file and no such shipped scenario{right}"
        ) from None


def _play(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """All steps of a scenario under a version; its own controller where the version had it."""
    timeline = _timeline(scenario, kafka, control, name=name)
    try:
        timeline.run_all()
    except LimitReachedError as error:
        problem = Problem(
            where="/steps", message=f"the run has more than {error.value} {error.limit}"
        )
        raise ScenarioError((problem,), filename=name) from None
    return timeline


def _timeline(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """The start of a scenario under a version."""
    try:
        return Timeline(scenario, kafka=kafka, control=control)
    except (UnknownVersionError, UnknownRuleError) as error:
        raise _WrongInputError(f"{name}: {error}") from None


def judge_under(scenario: Scenario, kafka: str, name: str = "") -> Verdict:
    """Play a scenario under a release and hold it to its expectations; `name` is for errors."""
    timeline = _play(scenario, kafka, None, name=name)
    frames = [
        FrameSummary(
            frame=frame.frame,
            item=frame.item,
            event_kinds=tuple(happened.kind for happened in frame.events),
        )
        for frame in timeline.frames
    ]
    return judge(scenario, kafka, frames, lambda number: frame_document(timeline, number))


def _status(timeline: Timeline, name: str) -> str | None:
    for verdict in timeline.frames[timeline.head].verdicts:
        if verdict.name == name:
            return verdict.status
    return None


# --- for people ------------------------------------------------------------------------------


def _told(timeline: Timeline, language: str) -> Iterator[str]:
    """A run as text: every frame with its sentences, then what everybody holds."""
    scenario = timeline.scenario
    profile = timeline.profile
    title = title_under(scenario, profile.kafka, profile.control)
    yield f"{title[language]} ({scenario.id})"
    yield f"Kafka {profile.kafka}, {profile.control}, {len(timeline.frames)} frames"
    yield ""
    item: int | None = None
    for frame in timeline.frames:
        if frame.item != item and frame.item is not None:
            item = frame.item
            yield f"{item:>5}  {json.dumps(_step(scenario, item), ensure_ascii=False)}"
        for happened in frame.events[:1]:
            yield f"       {frame.frame:>4}  {_said(happened, language)}"
        for happened in frame.events[1:]:
            yield f"             {_said(happened, language)}"
    yield ""
    document = frame_document(timeline, timeline.head)
    yield from _final(document["state"])
    for name, verdict in document["properties"].items():
        if verdict["status"] == "violated":
            yield f"{name} is violated since frame {verdict['first_frame']}"


def _step(scenario: Scenario, item: int) -> dict[str, Any]:
    step = scenario.steps[item]
    return {step.kind: step.arguments}


def _said(happened: Event, language: str) -> str:
    return sentence(happened.kind, happened.variant, happened.numbers, language)


def _final(state: Mapping[str, Any]) -> Iterator[str]:
    for partition, registration in state["partitions"].items():
        yield (
            f"{partition}  leader {registration['leader']}, "
            f"leader epoch {registration['leader_epoch']}, ISR {_plain(registration['isr'])}"
        )
        for broker, replica in state["replicas"][partition].items():
            cache = replica["epoch_cache"]
            epochs = "" if cache is None else f", epochs {_plain([_pair(pair) for pair in cache])}"
            yield (
                f"  broker {broker}  {replica['broker_state']} {replica['role']}  "
                f"[{written_log(replica['log'])}]  log end {replica['log_end_offset']}, "
                f"high watermark {_plain(replica['high_watermark'])}{epochs}"
            )
    for produced in state["clients"]["produced"]:
        error = f" {produced['error']}" if produced["error"] else ""
        lost = f", lost in frame {produced['lost_frame']}" if produced["lost_frame"] else ""
        yield (
            f"{produced['value']}  from {produced['as']} to {produced['partition']}, "
            f"acks={produced['acks']}: {produced['outcome']}{error}{lost}"
        )


def _judgement(name: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.holds:
            yield f"{name}: Kafka {verdict.kafka}: holds"
        for difference in verdict.differences:
            yield f"{name}: Kafka {verdict.kafka}: {difference}"


def _parting(document: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    if document["start"]:
        yield f"{names[0]} and {names[1]} start with other {', '.join(document['start'])}"
    parting = document["parting"]
    if parting is not None:
        yield f"{names[0]} and {names[1]} do different steps"
        for side, name in zip("ab", names, strict=True):
            yield f"  {name}, up to frame {parting[f'frame_{side}']}:"
            done = [json.dumps(step, ensure_ascii=False) for step in parting[f"steps_{side}"]]
            yield from (f"    {line}" for line in done or ["nothing more"])
    if document["where"] is None:
        yield f"{names[0]} and {names[1]} do not differ"
    else:
        yield f"{names[0]} and {names[1]} part {_ended(document, names)}"
        yield f"  {document['where']}"
        for side, name in zip("ab", names, strict=True):
            yield f"  {name}, frame {document[f'frame_{side}']}: {_plain(document[side])}"
    found = document["property"]
    if found is not None:
        name = names["ab".index(found["violated_in"])]
        yield f"{found['name']} is violated only in {name}, since frame {found['first_frame']}"


def _ended(document: Mapping[str, Any], names: Sequence[str]) -> str:
    """After which steps, by their numbers in the file, or in either of two files."""
    items = (document["item"], document["item_b"])
    if items == (None, None):
        return "at the start"
    if document["parting"] is None:
        return f"at the end of step {items[0]}"
    ended = [
        f"step {item} of {name}"
        for item, name in zip(items, names, strict=True)
        if item is not None
    ]
    return f"at the end of {', '.join(ended)}"


def _plain(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value) or "–"
    return str(value)


def _pair(pair: Sequence[int]) -> str:
    return f"{pair[0]}→{pair[1]}"


def _print_json(document: object) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2))


def _wrong_input(message: str) -> int:
    print(message, file=sys.stderr)
    return WRONG_INPUT
