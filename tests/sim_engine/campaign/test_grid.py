import pytest

from sim_engine.campaign.grid_reader import read_grid_document, read_grid_text
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.versions import resolve_profile
from tests.sim_engine.campaign.cells import cells_of, one_cell, settings_of


def test_every_combination_of_the_axes_is_a_cell_and_the_last_axis_changes_first() -> None:
    cells = cells_of(
        kafka=["2.1", "3.9"],
        acks=["all", 1],
        configs={"min.insync.replicas": [1, 2]},
        faults={"crash": 0.01},
    )

    assert [cell.number for cell in cells] == list(range(8))
    assert settings_of(cells[1]) == {
        "kafka": "2.1",
        "control": "zookeeper",
        "acks": "all",
        "replication_factor": 3,
        "min.insync.replicas": 2,
    }
    assert settings_of(cells[-1])["control"] == "kraft"


def test_a_point_that_no_kafka_can_be_is_kept_with_its_reason() -> None:
    grid = read_grid_text(
        'grid: 1\nkafka: ["2.1", "3.9"]\ncontrol: [zookeeper, kraft]\nfaults: {crash: 0.01}\n'
    )

    assert len(grid.cells) == 3
    (impossible,) = grid.impossible
    assert dict(impossible.settings)["kafka"] == "2.1"
    assert "does not support kraft" in impossible.reason


ELR = "eligible.leader.replicas.version"


def test_a_feature_level_switches_its_rule_only_where_it_is_not_the_default() -> None:
    cells = cells_of(kafka=["3.9", "4.0", "4.1"], features={ELR: [0, 1]}, faults={"crash": 0.01})

    found = [(cell.kafka, settings_of(cell)[ELR], dict(cell.rules)) for cell in cells]
    assert found == [
        ("3.9", 0, {}),
        ("4.0", 0, {}),
        ("4.0", 1, {"KIP-966": True}),
        ("4.1", 0, {"KIP-966": False}),
        ("4.1", 1, {}),
    ]
    levels = [
        resolve_profile(cell.kafka, rules=dict(cell.rules)).rules.eligible_leader_replicas
        for cell in cells
    ]
    assert levels == [False, False, True, False, True]


@pytest.mark.parametrize(("kafka", "title"), [("2.1", "ZooKeeper"), ("3.9", "KRaft")])
def test_a_feature_that_a_release_does_not_have_has_only_level_0(kafka: str, title: str) -> None:
    grid = read_grid_document({"grid": 1, "kafka": [kafka, "4.1"], "features": {ELR: [0, 1]}})

    assert [settings_of(cell)[ELR] for cell in grid.cells if cell.kafka == kafka] == [0]
    (impossible,) = grid.impossible
    assert dict(impossible.settings) == {
        "kafka": kafka,
        "acks": "all",
        "replication_factor": 3,
        ELR: 1,
    }
    assert impossible.reason == (
        f"Kafka {kafka} under {title} has no {ELR}: it exists from 4.0, under KRaft"
    )


def test_a_list_of_rates_is_an_axis_and_one_rate_is_none() -> None:
    slow, fast = cells_of(faults={"crash": [0.01, 0.1], "pause": {"rate": 1, "duration_ms": 5}})

    assert settings_of(slow)["faults.crash"] == 0.01
    assert settings_of(fast)["faults.crash"] == 0.1
    assert "faults.pause" not in settings_of(slow)
    assert dict(slow.faults)["pause"].duration_ms == 5


def test_a_grid_without_faults_has_the_default_failure_model() -> None:
    kinds = {kind for kind, _ in one_cell().faults}

    assert {"crash", "power_loss", "rack_power_loss", "disk_loss", "late_metadata"} <= kinds


WRONG_GRIDS = [
    ("grid: 1\nkafka: [0.10]\n", "g.yaml:2:9: /kafka/0: a version must be a string"),
    (
        "grid: 1\nbudget: [crash=1, fire=1]\n",
        'g.yaml:2:19: /budget/1: a budget must look like "crash=1,produce=2" and may name crash,',
    ),
    ("grid: 1\nacks: [all, 2]\n", "g.yaml:2:13: /acks/1: acks must be all, 1 or 0"),
    ("grid: 1\nfaults: {crahs: 1}\n", "/faults/crahs: there is no fault crahs; did you mean"),
    ("grid: 1\nfaults: {crash: -1}\n", "/faults/crash: a rate must be from 0 to 10"),
    ("grid: 1\nsteps: 0\n", "g.yaml:2:8: /steps: steps must be from 1 to 500, not 0"),
    ("grid: 1\ncrash: 1\n", "/crash: there is no key crash"),
    ("kafka: ['3.9']\n", "the grid needs grid"),
    ("grid: 1\nacks: [all, all]\n", "/acks: an axis must not have a value twice"),
    (
        "grid: 1\nconfigs: {min.insync.replicas: [1, 0]}\n",
        "g.yaml:2:32: /configs/min.insync.replicas: min.insync.replicas cannot be 0",
    ),
    (
        'grid: 1\nkafka: ["2.1"]\ncontrol: [kraft]\n',
        "/kafka: kafka cannot be 2.1: Kafka 2.1 does not support kraft",
    ),
    (
        f'grid: 1\nkafka: ["3.9"]\nfeatures: {{{ELR}: [0, 1]}}\n',
        f"g.yaml:3:46: /features/{ELR}: {ELR} cannot be 1: Kafka 3.9 under KRaft has no {ELR}",
    ),
    (
        f"grid: 1\nfeatures: {{{ELR}: [2]}}\n",
        f"/features/{ELR}/0: a feature's level must be from 0 to 1, not 2",
    ),
    ("grid: 1\nfeatures: {elr: 1}\n", f"there is no feature elr; features are {ELR}"),
    (
        f"grid: 1\nfeatures: {{{ELR}: 0}}\nrules: {{KIP-966: true}}\n",
        f"/features/{ELR}: {ELR} switches the rule KIP-966: give only one of them",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG_GRIDS)
def test_an_error_in_a_grid_has_its_place(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_grid_text(text, filename="g.yaml")

    (problem,) = str(raised.value).splitlines()
    assert message in problem
