"""`import` on the command line: the scenario on one stream, the assumptions on the other."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from sim_engine.command_line import main
from sim_engine.scenario_reader.reader import read_scenario_text

REAL = Path(__file__).parent / "real" / "4.1.1"


def test_the_scenario_and_the_assumptions_are_printed(capsys, tmp_path):
    status = main(["import", str(REAL / "topics.txt"), str(REAL / "data-2")])

    out, err = capsys.readouterr()
    assert status == 0
    assert read_scenario_text(out).topics[1].name == "t"
    assert "does not contain the release. Kafka 4.4 is assumed" in err
    assert "No tool prints these" in err
    made = tmp_path / "made.yaml"
    made.write_text(out, encoding="utf-8")
    assert main(["check", str(made)]) == 0


def test_json_is_the_same_scenario_and_what_is_known_of_it(capsys):
    assert main(["import", str(REAL / "topics.txt"), "--json", "--kafka", "4.1.1"]) == 0

    document = json.loads(capsys.readouterr().out)
    scenario = document["scenario"]
    assert scenario["kafka"] == "4.1.1"
    assert [topic["name"] for topic in scenario["topics"]] == ["orders", "t"]
    assert document["kafka"] == {"from": "4.1.1", "to": "4.1.1", "why": ""}
    assert any("No tool prints these" in text for text in document["not_known"])
    assert (document["not_used"], document["differences"]) == ([], [])


def test_the_releases_that_match_are_a_range_with_its_reasons(capsys, tmp_path):
    path = tmp_path / "topics.txt"
    path.write_text(
        "Topic:t\tPartitionCount:1\tReplicationFactor:1\tConfigs:\n"
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
        "[2024-03-11 10:23:41,882] INFO nothing of a partition\n"
        "[2024-03-11 10:23:41,883] INFO something\n",
        encoding="utf-8",
    )

    assert main(["import", str(path), "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["kafka"]["from"] == "0.8.2"
    assert document["kafka"]["to"] == document["scenario"]["kafka"] == "2.3"
    assert "no space after Topic:" in document["kafka"]["why"]
    (unused,) = document["not_used"]
    assert (unused["file"], unused["from_line"], unused["to_line"]) == (str(path), 3, 4)


def test_only_a_topic(capsys):
    assert main(["import", str(REAL / "topics.txt"), "--topic", "t"]) == 0

    assert "orders" not in capsys.readouterr().out


def test_standard_input_is_a_path_called_dash(capsys, monkeypatch):
    text = (REAL / "topics.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text)))

    assert main(["import", "-"]) == 0

    assert "name: orders" in capsys.readouterr().out


def test_each_unreadable_line_is_an_error_with_its_file_and_line(capsys, tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text("Topic: t\nhello\n", encoding="utf-8")

    status = main(["import", str(path)])

    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert (status, out) == (2, "")
    assert [line.startswith(f"{path}:{n}:1: ") for n, line in enumerate(lines, 1)] == [True, True]


@pytest.mark.parametrize(
    ("name", "content", "right"),
    [
        ("latin.txt", b"Topic: caf\xe9\n", ":1:1: this is not text in UTF-8"),
        ("missing.txt", None, ":1:1: the file cannot be read"),
        ("folder", "", ":1:1: the folder has no file that a broker writes"),
    ],
)
def test_what_cannot_be_read_at_all_is_one_error(capsys, tmp_path, name, content, right):
    path = tmp_path / name
    if content == "":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    assert main(["import", str(path)]) == 2

    assert right in capsys.readouterr().err


def test_a_release_that_never_was_is_wrong_input(capsys):
    assert main(["import", str(REAL / "topics.txt"), "--kafka", "9.9"]) == 2

    assert "9.9" in capsys.readouterr().err
