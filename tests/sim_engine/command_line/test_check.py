"""`highwater check`: what it prints, where, and with what exit status."""

import json

from sim_engine.command_line import main
from sim_engine.command_line.check import endings_of
from sim_engine.releases import MODELLED
from sim_engine.scenario_reader.reader import load_shipped


def test_check_holds_a_file_under_every_version_that_it_names(loss, capsys):
    status = main(["check", str(loss), "--json"])
    results = json.loads(capsys.readouterr().out)

    assert status == 0
    assert [result["kafka"] for result in results] == ["0.10.2", "1.1", "2.0.1", "3.9"]
    assert all(result["holds"] and result["differences"] == [] for result in results)
    assert {result["file"] for result in results} == {str(loss)}


def test_check_prints_failed_expectations_with_their_place(failing, capsys):
    status = main(["check", str(failing), "--json"])
    results = json.loads(capsys.readouterr().out)

    assert status == 1
    assert [result["holds"] for result in results] == [True, False]
    assert results[1]["differences"] == [
        {"step": 16, "where": "/steps/16/expect/leader", "expected": 2, "got": 1}
    ]

    main(["check", str(failing)])
    assert (
        f"{failing}:31:15: Kafka 2.0.1: /steps/16/expect/leader: expected 2, got 1"
        in capsys.readouterr().out.splitlines()
    )


def test_invalid_input_is_reported_on_standard_error_one_line_for_each_problem(wrong, capsys):
    status = main(["run", str(wrong), "--json"])
    output = capsys.readouterr()

    assert status == 2
    assert output.out == ""
    assert output.err == (
        f"{wrong}:14:21: /steps/7/crash/broker: there is no broker 9; brokers are 1, 2\n"
    )


def test_of_several_files_the_worst_decides_and_the_others_are_checked(
    loss, failing, wrong, capsys
):
    assert main(["check", str(loss), str(failing)]) == 1
    assert main(["check", str(wrong), str(failing), str(loss), "--json"]) == 2

    output = capsys.readouterr()
    assert str(loss) in output.out
    assert output.err.startswith(f"{wrong}:14:21: ")


def test_a_file_of_garbage_is_one_line(tmp_path, capsys):
    path = tmp_path / "garbage.yaml"
    path.write_bytes(b"[" * 100_000)

    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_violations_are_of_the_properties_that_an_expectation_names():
    """StrongIsr is violated with the record, but no expectation of this scenario names it."""
    lost, kept = endings_of(load_shipped("follower-bounce-five-records"))

    assert (lost.violated, lost.releases) == (("NoAckedRecordLost",), ((MODELLED[0], "0.10.2.2"),))
    assert (kept.violated, kept.releases) == ((), (("0.11.0.0", MODELLED[-1]),))


def test_endings_are_of_every_release_that_can_perform_the_steps():
    """Kafka 3.1 and 3.2 are not on the menu, and lose the record too. Under 4.0 there is no
    ZooKeeper.
    """
    lost = endings_of(load_shipped("unclean-election"))[1]
    zookeeper = endings_of(load_shipped("zombie-leader-is-refused"))

    assert lost.releases == (("0.11.0.0", "3.2.3"), ("3.9.0", MODELLED[-1]))
    assert [ending.releases for ending in zookeeper] == [((MODELLED[0], "3.9.2"),)]
