"""The program: its commands, and its response to invalid ones."""

import json
import signal
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest
from jsonschema import Draft202012Validator

from sim_engine.command_line import main


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "no-such-scenario"], "no-such-scenario: no such file or shipped scenario"),
        (["run", "folder/mine.yaml"], "folder/mine.yaml: no such file\n"),
        (["run", "kip-101-data-los"], "did you mean kip-101-data-loss?"),
        (["run", "LOSS", "--kafka", "0.8.1"], "Kafka 0.8.1 is older than 0.8.2.0"),
        (["run", "LOSS", "--kafka", "new"], "'new' is not a Kafka version"),
        (["run", "LOSS", "--control", "kraft"], "Kafka 0.10.2 does not support kraft"),
        (["compare", "LOSS", "--kafka", "2.0.1"], "compare needs two versions"),
        (["compare", "LOSS", "--with", "no-such"], "no-such: no such file or shipped scenario"),
        (
            ["compare", "LOSS", "--with", "s27", "--kafka", "1.0", "--kafka", "1.1"],
            "compare --with accepts one version",
        ),
        (["check"], "required"),
        (["schema", "cluster"], "invalid choice"),
        (["dance"], "invalid choice: 'dance' (choose from run, describe,"),
        (["runn"], "invalid choice: 'runn'; did you mean run?"),
        (["help", "serch"], "did you mean search?"),
        ([], "required"),
    ],
)
def test_a_wrong_command_is_wrong_input(loss, capsys, arguments, told):
    status = main([str(loss) if argument == "LOSS" else argument for argument in arguments])
    output = capsys.readouterr()

    assert status == 2
    assert output.out == ""
    assert told in output.err


def given(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["check"],
        ["describe"],
        ["compare", "--kafka", "0.10.2", "--kafka", "0.11"],
        ["search", "--property", "LogMatching", "--max-depth", "1"],
        ["shrink", "--property", "NoAckedRecordLost"],
        ["compare", "--with", "-"],
    ],
)
def test_a_scenario_is_read_from_standard_input(loss, capsys, monkeypatch, arguments):
    command, *options = arguments
    given(monkeypatch, loss.read_bytes())

    status = main([command, "-", *options])
    from_input = capsys.readouterr()

    assert (status, from_input.err) == (0, "")
    main([command, str(loss), *[str(loss) if one == "-" else one for one in options]])
    from_file = capsys.readouterr().out.replace(str(loss), "-")
    if command != "search":  # which prints how long it took
        assert from_input.out == from_file


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"id: [\n", "-:2:1: /: "),
        (b"\xff", "-:1:1: /: the file is not UTF-8"),
        (b"#" * 300_000, "-:1:1: /: "),
        (b"", "-:1:1: /: "),
    ],
)
def test_wrong_standard_input_is_an_error_with_its_place(capsys, monkeypatch, content, told):
    given(monkeypatch, content)

    assert main(["run", "-"]) == 2
    assert capsys.readouterr().err.startswith(told)


@pytest.mark.parametrize("document", [[], ["scenario"], ["run"]])
def test_schemas_are_printed(capsys, document):
    assert main(["schema", *document]) == 0
    Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


def test_the_list_of_commands_is_printed_without_loading_the_engine():
    program = "import sys; from backend.cli import run; run(['--help']); print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    loaded = done.stdout.splitlines()[-1].split()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("sim_engine.")}
    assert rooms == {"command_line", "error_texts", "identifiers", "languages"}


ENDED = """
import os, signal
from sim_engine.command_line import as_program

def command():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except KeyboardInterrupt:
        print("kept")
        raise
    return 0

signal.signal(signal.SIGINT, signal.{inherited})
raise SystemExit(as_program(command))
"""


@pytest.mark.parametrize("inherited", ["default_int_handler", "SIG_IGN"])
def test_sigterm_ends_a_command_as_an_interrupt_does(inherited):
    """A script's command in the background ignores SIGINT."""
    done = subprocess.run(
        [sys.executable, "-c", ENDED.format(inherited=inherited)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, "kept\n", "")


def test_the_module_runs_as_a_program(loss):
    result = subprocess.run(
        [sys.executable, "-m", "sim_engine", "check", str(loss)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")


def test_the_list_has_the_violations_of_each_scenario_by_version(capsys):
    assert main(["list"]) == 0

    lines = capsys.readouterr().out.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("s26 "))
    assert lines[first + 1].strip() == "NoAckedRecordLost, StrongIsr: up to 0.10.2"
    assert lines[first + 2].strip() == "all hold: from 0.11"


def test_the_list_as_json_has_the_violations_under_each_checked_release(capsys):
    assert main(["list", "--json"]) == 0

    listed = {one["alias"]: one for one in json.loads(capsys.readouterr().out)}
    assert listed["s26"]["verdicts"]["0.10.2"] == ["NoAckedRecordLost", "StrongIsr"]
    assert listed["s26"]["verdicts"]["0.11"] == []


@pytest.mark.parametrize(
    ("settings", "is_terminal", "is_coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_only_a_terminal_that_wants_colour_gets_it(
    loss, capsys, monkeypatch, settings, is_terminal, is_coloured
):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)

    main(["run", str(loss)])

    printed = capsys.readouterr().out
    assert ("\x1b[1;31mNoAckedRecordLost is violated" in printed) == is_coloured
    assert ("\x1b" in printed) == is_coloured


def test_the_help_of_a_search_names_its_defaults_properties_and_examples(capsys):
    assert main(["help", "search"]) == 0

    help_text = " ".join(capsys.readouterr().out.split())
    assert "maximum number of steps (default: 12)" in help_text
    assert "maximum number of states (default: 200000)" in help_text
    assert "AckedRecordAtRisk" in help_text
    assert "examples: python -m sim_engine search mine.yaml --property" in help_text
