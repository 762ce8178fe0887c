"""`highwater compare`: what it prints, where, and with what exit status."""

import json

from sim_engine.command_line import main
from tests.sim_engine.command_line.conftest import LOSS


def test_compare_finds_where_two_versions_part(loss, capsys):
    status = main(["compare", str(loss), "--kafka", "0.10.2", "--kafka", "2.0.1", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert document["item"] == 9
    assert document["where"] == "/replicas/t-0/1/log"
    assert (document["a"], document["b"]) == ("m1", "m1 m2")
    assert document["property"]["name"] == "NoAckedRecordLost"
    assert document["property"]["violated_in"] == "a"
    assert document["loss"] == document["property"]
    assert [step["item"] for step in document["steps"]] == list(range(15))


def test_compare_reports_that_nothing_differs(loss, capsys):
    assert main(["compare", str(loss), "--kafka", "2.0.1", "--kafka", "2.0.1"]) == 0
    assert "do not differ" in capsys.readouterr().out

    main(["compare", str(loss), "--kafka", "2.0.1", "--kafka", "2.0.1", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert [document[key] for key in ("item", "where", "a", "b", "frame_a", "frame_b")] == [
        None
    ] * 6
    assert document["property"] is None
    assert document["loss"] is None


def test_compare_prints_the_loss_before_the_property_that_only_one_side_violates(loss, capsys):
    versions = ["--kafka", "0.10.2", "--kafka", "0.11"]

    main(["compare", "unnoticed-bounce", *versions])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "violated" in line] == [
        "NoAckedRecordLost is violated only in Kafka 0.10.2 (zookeeper), since frame 36",
        "WeakIsr is violated only in Kafka 0.10.2 (zookeeper), since frame 21",
    ]

    main(["compare", str(loss), *versions])
    assert capsys.readouterr().out.count("is violated only in") == 1


def test_compare_compares_two_files_under_one_version(loss, tmp_path, capsys):
    path = tmp_path / "no-vote.yaml"
    path.write_text(LOSS.replace("unclean, leader: 1", "preferred"), encoding="utf-8")

    status = main(["compare", str(loss), "--with", str(path), "--kafka", "0.11", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert (document["kafka_a"], document["kafka_b"]) == ("0.11", "0.11")
    assert [step["elect"]["kind"] for step in document["parting"]["steps_a"]] == ["unclean"]
    assert [step["elect"]["kind"] for step in document["parting"]["steps_b"]] == ["preferred"]
    assert (document["item"], document["item_b"]) == (12, 12)


def test_compare_names_the_first_steps_that_only_one_scenario_does(capsys):
    assert main(["compare", "s54", "--with", "s54b"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Kafka 3.9 (kraft)"
    assert lines[1] == "s54 and s54b take different steps"
    assert [line.rpartition(", ")[2] for line in lines if '"deliver"' in line] == [
        '"records": 3}}',
        '"records": 1}}',
        '"records": 2}}',
    ]
    assert "s54 and s54b diverge at the end of step 16 of s54, step 17 of s54b" in lines
    assert "  s54, frame 42: pending" in lines
    assert "  s54b, frame 43: failed" in lines
    assert "WeakIsr is violated only in s54, since frame 49" in lines


def test_compare_holds_both_scenarios_to_one_version(capsys):
    assert main(["compare", "s54", "--with", "s54b", "--kafka", "2.8"]) == 0

    told = capsys.readouterr().out
    assert told.startswith("Kafka 2.8 (kraft)")
    assert "s54 and s54b do not differ" in told
