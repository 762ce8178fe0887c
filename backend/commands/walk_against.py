"""`highwater walk --against`: random schedules on real Kafka brokers and in the engine."""

import asyncio
import resource
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins
from msgspec.json import encode

from backend.commands.outcome import print_result
from backend.commands.record import exact_release, need_clients
from sim_engine.command_line import FAILS, HOLDS, INTERRUPTED
from sim_engine.conformance.recording import VERBS
from sim_engine.error_texts import WrongInputError
from sim_engine.exploration.schedules import GOALS
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.writer import scenario_document, scenario_text
from sim_engine.versions import CONTROL_TITLES, Control, controls_of

if TYPE_CHECKING:
    from backend.recorded_walks.walk import Walked
    from backend.recording.record import WrittenRecording


def walk_against(
    against: str,
    runs: int,
    seed: int,
    control: str | None,
    shrink_runs: int,
    keep: Path | None,
    as_json: bool,
) -> int:
    """Compare `runs` random schedules with real brokers, and return the exit status: 1 if one
    differs. Raises `WrongInputError` for bad input, and if there are no brokers.
    """
    if runs < 1 or seed < 0 or shrink_runs < 0:
        raise WrongInputError("--runs must be at least 1, and --seed and --shrink-runs at least 0")
    if keep is not None and not keep.is_dir():
        raise WrongInputError(f"{keep}: no such folder")
    need_clients()
    # The optional clients are imported when the command runs.
    from backend.recorded_walks.walk import walk

    release, chosen = _release(against, control)
    status = HOLDS
    done: list[Walked] = []
    try:
        for one in walk(
            range(seed, seed + runs), release, chosen, _record, most_recordings=shrink_runs
        ):
            done.append(one)
            _keep(keep, one)
            if keep is not None:  # after each, so that a kill loses no count
                night = encode(_document(release, chosen, done, cpu_seconds()))
                (keep / f"night-{release}-{chosen}-{seed}.json").write_bytes(night)
            shown = sys.stderr if as_json else sys.stdout
            shown.write(f"{_line(one)}\n")
            shown.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    cpu_s = cpu_seconds()
    words = "\n".join(
        [*_summary(release, chosen, done), f"CPU: {cpu_s:.0f} s ({cpu_s / 3600:.3f} hours)"]
    )
    print_result(words, _document(release, chosen, done, cpu_s), as_json=as_json)
    if any(one.outcome == "differs" for one in done):
        return FAILS
    if done and all(one.outcome == "not_recorded" for one in done):
        raise WrongInputError(f"no schedule was recorded: {done[0].reason}")
    return status


def cpu_seconds() -> float:
    """The processor time of this process and of every broker that has ended, in s."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _release(named: str, control: str | None) -> tuple[str, Control]:
    """The exact release, and the controller that its brokers are started with."""
    from backend.recording.nodes import needs_zookeeper
    from backend.recording.releases import NoKafkaError, jars_of, java

    release = exact_release(named)
    possible = controls_of(release)
    chosen: Control = "zookeeper" if needs_zookeeper(release) else "kraft"
    if control is not None:
        found = next((one for one in possible if one == control), None)
        if found is None:
            raise WrongInputError(
                f"Kafka {release} has no controller {control!r}; it has {', '.join(possible)}"
            )
        chosen = found
    try:
        java()
        jars_of(release)
    except NoKafkaError as error:
        raise WrongInputError(str(error)) from None
    return release, chosen


def _record(scenario: Scenario, release: str) -> "WrittenRecording":
    """Record a schedule once. Raises `NoRecordingError`."""
    from backend.recorded_walks.walk import NoRecordingError
    from backend.recording.plan import NotRecordableError
    from backend.recording.record import PartlyRecordedError, RecordingInterruptedError, record
    from backend.recording.releases import NoKafkaError

    try:
        return asyncio.run(record(scenario, release, runs=1))
    except RecordingInterruptedError:
        raise KeyboardInterrupt from None
    except (NoKafkaError, NotRecordableError, PartlyRecordedError) as error:
        raise NoRecordingError(str(error)) from None


def _keep(folder: Path | None, one: "Walked") -> None:
    """Write the schedule and its recording, of one that differs the shortest, for a reader and for
    `scripts/write walks`.
    """
    from backend.recording.record import recording_document

    if folder is None:
        return
    name = f"walk-{one.seed}-{one.schedule.kafka}"
    schedule = one.schedule if one.shortest is None else one.shortest
    (folder / f"{name}.yaml").write_text(scenario_text(schedule), encoding="utf-8")
    if one.compared is not None:
        recording = recording_document(one.compared.recording)
        (folder / f"{name}.json").write_bytes(encode(recording))


def _line(one: "Walked") -> str:
    said = f"seed {one.seed}: {one.outcome.replace('_', ' ')}"
    if one.reason is not None:
        return f"{said}: {one.reason}"
    if one.compared is not None:
        said += f", {one.compared.values['equal']:,} equal values"
    return said


def _summary(release: str, control: Control, done: list["Walked"]) -> list[str]:
    lines = []
    for one in done:
        if one.compared is not None and one.outcome in ("differs", "unstable"):
            lines.append(f"\nseed {one.seed} {one.outcome}:")
            lines += [f"  {difference}" for difference in one.compared.differences]
        if one.shortest is not None:
            lines.append(scenario_text(one.shortest))
    outcomes = Counter(one.outcome for one in done)
    values = _total(done, "values")
    counted = ", ".join(
        f"{count} {outcome.replace('_', ' ')}" for outcome, count in sorted(outcomes.items())
    )
    lines.append(
        f"Kafka {release}, {CONTROL_TITLES[control]}: {len(done)} schedules: {counted or 'none'}"
    )
    lines.append(f"{values['equal']:,} equal values, {values['not_held']:,} not compared")
    exercised = _total(done, "exercised")
    for kind in ("verb", "rule", "goal"):
        named = [one for one in exercised if one.startswith(f"{kind} ")]
        lines.append(f"{kind}s exercised:")
        lines += [f"{exercised[one]:>7}  {one.removeprefix(f'{kind} ')}" for one in sorted(named)]
    lines += [f"      0  {one}" for one in _never(exercised)]
    return lines


def _never(exercised: Counter[str]) -> list[str]:
    """The verbs and goals that no schedule exercised."""
    expected = [*(f"verb {name}" for name in VERBS), *(f"goal {goal}" for goal in GOALS)]
    return [one for one in expected if one not in exercised]


def _total(done: list["Walked"], name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in done:
        if one.compared is not None:
            total.update(getattr(one.compared, name))
    return total


def _document(
    release: str, control: Control, done: list["Walked"], cpu_s: float
) -> dict[str, object]:
    exercised = _total(done, "exercised")
    return {
        "kafka": release,
        "control": control,
        "values": dict(_total(done, "values")),
        "exercised": dict(sorted(exercised.items())),
        "never_exercised": _never(exercised),
        "schedules": [
            {
                "seed": one.seed,
                "outcome": one.outcome,
                "reason": one.reason,
                "differences": []
                if one.compared is None
                else to_builtins(one.compared.differences),
                "shortest": None if one.shortest is None else scenario_document(one.shortest),
            }
            for one in done
        ],
        "cpu_s": round(cpu_s),
    }
