"""Every shipped scenario meets its expectations in every version that it covers."""

import json

from sim_engine.command_line import main
from sim_engine.scenario_reader.expectations import versions_to_check
from sim_engine.scenario_reader.reader import list_shipped, load_shipped
from tests.sim_engine.lesson_runs import lesson_runs
from tests.tables import for_each


@for_each("scenario", list_shipped, lambda scenario: scenario.id)
def test_a_shipped_scenario_meets_its_expectations_in_every_version_that_it_names(scenario):
    checked = lesson_runs()[scenario.id].checked

    assert [result.kafka for result in checked] == versions_to_check(scenario)
    assert [result for result in checked if not result.holds] == []


def test_the_command_checks_a_shipped_scenario(capsys):
    assert main(["check", "s26", "--json"]) == 0

    results = json.loads(capsys.readouterr().out)
    expectations = [one for result in results for one in result.pop("expectations")]
    expected = [result.document() for result in lesson_runs()[load_shipped("s26").id].checked]
    assert results == [{"file": "s26", **result} for result in expected]
    assert expectations
    assert [one for one in expectations if one["failures"]] == []


def test_a_scenario_that_does_not_hold_is_seen(tmp_path, capsys):
    text = (
        'id: wrong\nkafka: "3.9"\nbrokers: [1, 2]\n'
        "topics: [{name: t, partitions: [{replicas: [1, 2]}]}]\n"
        "steps: [{settle: {}}, {expect: {leader: 2}}]\n"
    )
    (tmp_path / "wrong.yaml").write_text(text)

    assert main(["check", str(tmp_path / "wrong.yaml"), "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)[0]["holds"]
