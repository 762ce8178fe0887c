import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analytics.__main__ import main
from analytics.campaigns.sample_sizes import runs_for_difference, runs_for_precision, upper_bound

GRID = 'grid: 1\nkafka: ["3.9"]\nfaults: {crash: 0.1}\nsteps: 4\n'


def grid_file(folder: Path, text: str = GRID) -> str:
    file = folder / "grid.yaml"
    file.write_text(text)
    return str(file)


def test_a_wrong_grid_is_status_2_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["campaign", grid_file(tmp_path, "grid: 1\nsteps: 0\n"), "--out", str(tmp_path)])

    assert status == 2
    assert "grid.yaml:2:8: /steps: steps must be from 1 to 500" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["campaign", str(tmp_path / "none.yaml"), "--plan"])

    assert status == 2
    assert capsys.readouterr().err.startswith("highwater campaign: ")


def test_rows_need_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", grid_file(tmp_path)]) == 2
    assert "--out FOLDER is missing" in capsys.readouterr().err


def test_a_plan_states_what_a_number_of_runs_can_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", grid_file(tmp_path), "--runs", "1000", "--plan"]) == 0

    printed = capsys.readouterr().out
    assert "1 cells × 1,000 runs = 1,000 runs" in printed
    assert "at most 0.3682%" in printed


def test_a_plan_as_json_has_the_numbers_of_the_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # There was no KRaft before 2.8.
    grid = grid_file(
        tmp_path, GRID.replace('["3.9"]', '["2.1", "3.9"]\ncontrol: [zookeeper, kraft]')
    )

    assert main(["campaign", grid, "--runs", "1000", "--plan", "--json"]) == 0

    plan = json.loads(capsys.readouterr().out)
    assert (plan["cells"], plan["runs_per_cell"], plan["runs"]) == (3, 1_000, 3_000)
    assert plan["no_loss_at_most"] == pytest.approx(upper_bound(1_000))
    assert [one["rate"] for one in plan["rates"]] == [0.1, 0.01, 0.001]
    assert plan["rates"][1]["runs_for_precision"] == runs_for_precision(0.01)
    [impossible] = plan["impossible"]
    assert (impossible["settings"]["kafka"], impossible["settings"]["control"]) == ("2.1", "kraft")

    assert main(["campaign", grid, "--runs", "1000", "--plan"]) == 0
    printed = capsys.readouterr().out
    assert "3 cells × 1,000 runs = 3,000 runs" in printed
    assert f"left out: kafka=2.1, control=kraft: {impossible['reason']}" in printed


def test_the_sample_sizes_are_those_of_the_exact_interval() -> None:
    assert upper_bound(1_000) == pytest.approx(1 - 0.025 ** (1 / 1_000))
    # For a rate of 1 % the exact interval needs about 10,000 runs for ± 20 %.
    assert 9_500 < runs_for_precision(0.01) < 10_500
    assert runs_for_difference(0.02, 0.01, 10) > runs_for_difference(0.02, 0.01, 1)
    assert runs_for_difference(0.1, 0.05, 1) < runs_for_difference(0.01, 0.005, 1)


@pytest.mark.slow
@pytest.mark.spark
def test_a_finished_campaign_is_one_json_object_and_one_line_for_each_stage(
    repository: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    # So few runs that faults and settings predict losses without exception.
    grid = grid_file(tmp_path, 'grid: 1\nkafka: ["0.10.2", "3.9"]\nacks: [all, 1]\nsteps: 10\n')
    command = [sys.executable, "-m", "backend.cli", "campaign", grid, "--json"]

    done = subprocess.run(
        [*command, "--runs", "8", "--out", str(out), "--master", "local-cluster[1,1,1024]"],
        cwd=repository, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(repository)},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    summary = json.loads((out / "_summary.json").read_text())
    assert (said["folder"], said["summary"]) == (str(out), str(out / "_summary.json"))
    assert (said["cells"], said["played"]) == (4, 32)
    for name in ("campaign", "engine", "runs_per_cell", "runs", "exercised", "lost", "digest"):
        assert said[name] == summary[name], name
    assert [line.split()[0] for line in done.stderr.splitlines()] == [
        "measured", "started", "played", "wrote",
    ]  # fmt: skip
    assert f"digest {said['digest'][:16]}" in done.stderr
    reasons = {one["reason"] for one in summary["odds"]["terms"]}
    assert "separated" in reasons, summary["odds"]


def test_the_installed_command_passes_everything_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "backend.cli", "campaign", "replay", str(tmp_path), "0:0"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr == f"highwater campaign: {tmp_path} has no campaign\n"
