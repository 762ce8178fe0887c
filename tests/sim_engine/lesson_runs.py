"""What every shipped lesson does in every release, from playing each run once.

Several tests ask about all of these runs: whether expectations are met, how a lesson ends, and
where its words stand in another state than under its own release.
"""

from functools import cache
from typing import NamedTuple

from sim_engine.command_line.check import endings_of, judge_run
from sim_engine.configs import release_groups
from sim_engine.curriculum import Ending
from sim_engine.releases import find_release, number_of
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.expectations import CheckResult, versions_to_check
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.version import profile_for
from sim_engine.versions import Control
from tests.sim_engine.documents.words_by_version import Differences, differences_of
from tests.sim_engine.runs import Run, play


class LessonRuns(NamedTuple):
    """What the runs of a lesson come to."""

    checked: tuple[CheckResult, ...]
    endings: tuple[Ending, ...]
    words: tuple[Differences, ...]


@cache
def lesson_runs() -> dict[str, LessonRuns]:
    """By the id of the lesson."""
    return {scenario.id: _runs_of(scenario) for scenario in list_shipped()}


def _runs_of(scenario: Scenario) -> LessonRuns:
    @cache
    def run_as(newest: str, control: Control | None) -> Run:
        return play(scenario, newest, control)

    def run(_: Scenario, kafka: str, control: Control | None = None) -> Run:
        """Under the newest release that behaves the same."""
        newest = _newest_like(kafka)
        return run_as(newest, control or profile_for(scenario, newest).control)

    versions = versions_to_check(scenario)
    return LessonRuns(
        checked=tuple(judge_run(run(scenario, kafka), kafka) for kafka in versions),
        endings=endings_of(scenario, run),
        words=tuple(differences_of(scenario, run)),
    )


@cache
def _newest_like(kafka: str) -> str:
    number = find_release(kafka).number
    return next(group[-1] for group in release_groups() if number in map(number_of, group))
