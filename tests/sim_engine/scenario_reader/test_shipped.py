"""Every shipped scenario meets its expectations in every version that it covers."""

import json

from sim_engine.command_line import main
from sim_engine.scenario_reader.reader import list_shipped
from tests.tables import for_each


@for_each("scenario", list_shipped, lambda scenario: scenario.id)
def test_a_shipped_scenario_meets_its_expectations_in_every_version_that_it_names(scenario, capsys):
    status = main(["check", scenario.id, "--json"])

    results = json.loads(capsys.readouterr().out)
    assert [result for result in results if not result["holds"]] == []
    assert status == 0


def test_a_scenario_that_does_not_hold_is_seen(tmp_path, capsys):
    text = (
        'id: wrong\nkafka: "3.9"\nbrokers: [1, 2]\n'
        "topics: [{name: t, partitions: [{replicas: [1, 2]}]}]\n"
        "steps: [{settle: {}}, {expect: {leader: 2}}]\n"
    )
    (tmp_path / "wrong.yaml").write_text(text)

    assert main(["check", str(tmp_path / "wrong.yaml"), "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)[0]["holds"]
