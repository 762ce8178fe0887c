"""A lesson's expectations for a range of releases hold in each, including patch releases."""

from sim_engine import Scenario, list_shipped
from sim_engine.actions import Expect
from sim_engine.command_line.check import judge_under
from sim_engine.release_groups import newest_of_groups
from sim_engine.releases import releases_within
from tests.tables import for_each


@for_each("scenario", list_shipped, lambda one: one.id)
def test_a_story_ends_as_expected_in_every_release_that_its_ranges_admit(
    scenario: Scenario,
) -> None:
    ranges = [
        text
        for step in scenario.steps
        if isinstance(step.step, Expect)
        for text in step.step.kafka or ()
    ]
    admitted = {kafka for text in ranges for kafka in newest_of_groups(releases_within(text))}

    for kafka in sorted(admitted):
        result = judge_under(scenario, kafka)
        assert result.holds, f"{kafka}: {result.differences[0]}"
