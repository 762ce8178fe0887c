"""Digests of what the engine does, to show that a change of its code does not change its behaviour.

    python -m tests.behaviour_digests FILE             every scenario, 2,000 random schedules
    python -m tests.behaviour_digests FILE --sample    every scenario twice, 120 schedules
    python -m tests.behaviour_digests FILE --against OLD

A digest covers all frames of a run: their actions, events, states and properties. Every shipped
scenario is played under every version that its release and controller name, then without one. FILE
is a JSON object of digests by run; with `--against`, the runs that differ from OLD are printed, and
the exit status is 1 if there are any. A run that cannot be played has the error's name instead.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from sim_engine.documents.frames import frame_document
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, controls_of

SCHEDULES = 2_000
SAMPLED_SCHEDULES = 120
_ENCODER = msgspec.json.Encoder(order="sorted")

Run = tuple[str, str, str]
"""A scenario's id, or `random` with a seed; a release and a controller, or two empty strings."""


def digest(run: Run) -> tuple[str, str]:
    """A run's name, and its digest or the name of the error that prevents it."""
    name = " ".join(part for part in run if part)
    try:
        timeline = _timeline(run)
        timeline.run_all()
    except Exception as error:
        return name, type(error).__name__
    found = hashlib.sha256()
    for number in range(len(timeline.frames)):
        found.update(_ENCODER.encode(frame_document(timeline, FrameNumber(number))))
    return name, found.hexdigest()[:20]


def runs(*, sample: bool) -> Iterator[Run]:
    """The runs to compare; of a sample, each scenario under one release and without one."""
    for place, scenario in enumerate(sorted(_shipped())):
        sampled = (PROFILE_NAMES[place * 7 % len(PROFILE_NAMES)],)
        for release in sampled if sample else PROFILE_NAMES:
            controls = controls_of(release)
            for control in controls[:1] if sample else controls:
                yield scenario, release, control
        yield scenario, "", ""
    for seed in range(SAMPLED_SCHEDULES if sample else SCHEDULES):
        yield "random", str(seed), ""


def _timeline(run: Run) -> Timeline:
    name, release, control = run
    if name == "random":
        return Timeline(random_schedule(int(release)))
    scenario = _shipped()[name]
    return Timeline(scenario, release, control) if release else Timeline(scenario)


@cache
def _shipped() -> dict[str, Scenario]:
    return {scenario.id: scenario for scenario in list_shipped()}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.behaviour_digests")
    parser.add_argument("file", type=Path, help="where to write the digests")
    parser.add_argument("--sample", action="store_true", help="fewer runs, in some seconds")
    parser.add_argument("--against", type=Path, help="an earlier file to compare with")
    return parser.parse_args()


def main() -> int:
    """Write the digests, compare them if asked, and return the exit status."""
    asked = _arguments()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        found = dict(pool.imap_unordered(digest, runs(sample=asked.sample), chunksize=8))
    text = json.dumps(found, indent=0, sort_keys=True)
    asked.file.write_text(text, encoding="utf-8")
    print(f"{len(found)} runs, digest {hashlib.sha256(text.encode()).hexdigest()[:16]}")
    if asked.against is None:
        return 0
    before = json.loads(asked.against.read_text(encoding="utf-8"))
    differ = sorted(name for name in {*found, *before} if found.get(name) != before.get(name))
    print("\n".join(differ) or "none differs")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
