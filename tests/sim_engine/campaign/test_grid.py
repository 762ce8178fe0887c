import pytest

from sim_engine import ScenarioError, read_grid_text
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


def test_a_list_of_rates_is_an_axis_and_one_rate_is_none() -> None:
    slow, fast = cells_of(faults={"crash": [0.01, 0.1], "pause": {"rate": 1, "duration_ms": 5}})

    assert settings_of(slow)["faults.crash"] == 0.01
    assert settings_of(fast)["faults.crash"] == 0.1
    assert "faults.pause" not in settings_of(slow)
    assert dict(slow.faults)["pause"].duration_ms == 5


def test_a_grid_without_faults_has_the_default_failure_model() -> None:
    kinds = {kind for kind, _ in one_cell().faults}

    assert {"crash", "power_loss", "rack_power_loss", "disk_loss", "late_metadata"} <= kinds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid: 1\nkafka: [0.10]\n", "g.yaml:2:9: /kafka/0: a version must be a string"),
        ("grid: 1\nacks: [2]\n", "g.yaml:2:8: /acks/0: acks must be all, 1 or 0"),
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
    ],
)
def test_what_is_wrong_with_a_grid_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_grid_text(text, filename="g.yaml")

    assert message in str(raised.value)
