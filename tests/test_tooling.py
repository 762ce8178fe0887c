"""The repository's tools, as used by developers and tests."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import asyncpg
import pytest

from tests.hosts.__main__ import status_of


@pytest.mark.postgres
async def test_private_postgres_gives_every_test_an_empty_database(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)

    tables = await connection.fetchval(
        "select count(*) from information_schema.tables where table_schema = 'public'"
    )
    await connection.close()

    assert tables == 0


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        (["right", "absent"], 0),
        (["right", "wrong"], 1),
        (["wrong", "absent"], 1),
        (["absent", "absent"], 1),
    ],
)
def test_hosts_of_which_none_was_tested_are_no_success(
    outcomes: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(outcomes) == status
    assert ("nothing was tested" in capsys.readouterr().err) == (set(outcomes) == {"absent"})


def test_a_missing_tool_fails_the_test_and_states_what_to_do(tmp_path: Path) -> None:
    result = run_browser_probe(tmp_path, allow_missing=False)

    assert result.returncode == 1
    assert "run scripts/ensure-tool chromium" in result.stdout
    assert "HIGHWATER_ALLOW_MISSING=1" in result.stdout


def test_a_missing_tool_skips_the_test_where_that_is_allowed(tmp_path: Path) -> None:
    result = run_browser_probe(tmp_path, allow_missing=True)

    assert result.returncode == 0
    assert "1 skipped" in result.stdout
    assert "Chromium is not installed" in result.stdout


def run_browser_probe(folder: Path, *, allow_missing: bool) -> subprocess.CompletedProcess[str]:
    """Runs one test that needs Chromium, on a machine that seems to have none."""
    probe = folder / "test_probe.py"
    probe.write_text(
        "from tests.conftest import chromium_executable  # noqa: F401\n\n"
        "def test_probe(chromium_executable):\n    pass\n"
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HIGHWATER_", "PYTEST_")) and name != "CHROMIUM"
    }
    environment |= {"PATH": str(folder)}
    if allow_missing:
        environment["HIGHWATER_ALLOW_MISSING"] = "1"
    repository = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "pytest", str(probe), "-ra", "-p", "no:playwright"]
    command += ["-p", "no:cacheprovider", "-c", str(repository / "pyproject.toml")]
    return subprocess.run(
        command, env=environment, cwd=repository, capture_output=True, text=True, check=False
    )


def commands_without_sha256sum(folder: Path, **fakes: str) -> str:
    """A folder with the commands of a system like macOS, and these scripts in place of others."""
    folder.mkdir()
    for name in ("bash", "sh", "cat", "cksum", "cut", "dirname", "env", "find", "sort", "xargs"):
        (folder / name).symlink_to(str(shutil.which(name)))
    for name, script in fakes.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("stamp", ["", "of another lock\n"])
def test_an_old_lock_is_not_taken_for_the_installed_one_without_sha256sum(
    repository: Path, tmp_path: Path, stamp: str
):
    for name in ("requirements", "scripts", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    for name in ("service", "bootstrap"):
        (tmp_path / f"requirements/{name}.txt").write_text(name)
    (tmp_path / ".venv/bin/highwater").touch(mode=0o755)
    (tmp_path / ".venv/.installed-service").write_text(stamp)
    script = shutil.copy(repository / "scripts/ensure-python", tmp_path / "scripts")
    path = commands_without_sha256sum(tmp_path / "bin")

    def ensure() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [script, "service"], env={"PATH": path, "PYTHON": "no-python"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    done = ensure()
    assert done.returncode == 1, "it goes on to install, and finds no Python"
    assert "'no-python' was not found" in done.stderr
    assert "sha256sum" not in done.stderr

    locked = "servicebootstrap"
    now = subprocess.run(["cksum"], input=locked, capture_output=True, text=True, check=True)
    (tmp_path / ".venv/.installed-service").write_text(now.stdout)
    assert ensure().returncode == 0


def test_old_packages_of_the_frontend_are_not_taken_for_the_installed_ones_without_sha256sum(
    repository: Path, tmp_path: Path
):
    for name in ("frontend/node_modules", "scripts", "sim_engine/languages"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("package.json", "package-lock.json", ".npmrc", "node_modules/.installed"):
        (tmp_path / "frontend" / name).touch()
    script = shutil.copy(repository / "scripts/ensure-frontend", tmp_path / "scripts")
    path = commands_without_sha256sum(tmp_path / "bin", node="exit 0", npm='echo "npm $1"')

    def ensure() -> list[str]:
        done = subprocess.run(
            [script, "packages"], env={"PATH": path}, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return done.stdout.splitlines()

    assert ensure() == ["Installing the frontend's packages …", "npm ci"]
    assert ensure() == []


def test_a_flag_of_the_build_reaches_every_part_and_a_failure_ends_it(
    repository: Path, tmp_path: Path
):
    build = json.loads((repository / "frontend/package.json").read_text())["scripts"]["build"]
    parts = {one.name for one in (repository / "frontend").glob("vite*.config.ts")}

    def built(vite: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "vite").write_text(f"#!/bin/sh\n{vite}\n")
        (tmp_path / "vite").chmod(0o755)
        return subprocess.run(  # as npm appends what follows --
            ["sh", "-c", f"{build} --logLevel error"],
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    lines = built('echo "$*"').stdout.splitlines()
    assert {line.split()[2] for line in lines} == parts
    assert all(line.endswith("--logLevel error") for line in lines)
    assert built('case "$*" in *docs*) exit 3;; esac').returncode == 3


def script(path: Path) -> ModuleType:
    """A script whose name has no suffix, as a module."""
    loader = SourceFileLoader(f"{path.name}_script", str(path))
    module = module_from_spec(spec_from_loader(loader.name, loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


@pytest.fixture
def release(repository: Path) -> ModuleType:
    return script(repository / "scripts/release")


def test_the_notes_of_a_release_are_its_part_of_the_changelog(release: ModuleType) -> None:
    notes = release._notes("0.1.0")

    assert notes.startswith("# Highwater 0.1.0\n\nThe first release")
    assert "\n## " not in notes
    with pytest.raises(release.ReleaseError, match="nothing about 9"):
        release._notes("9.9.9")


def test_a_file_of_the_wheel_that_the_source_distribution_lacks_is_found(
    release: ModuleType, tmp_path: Path
) -> None:
    wheel, source = tmp_path / "a.whl", tmp_path / "a.tar.gz"
    (tmp_path / "kept").write_text("")
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("highwater_kafka/parts/docs/kept", "")
        archive.writestr("highwater_kafka-0.1.0.dist-info/METADATA", "")
    for name, problem in (("docs/kept", None), ("docs/other", "docs/kept")):
        with tarfile.open(source, "w:gz") as archive:
            archive.add(tmp_path / "kept", f"highwater_kafka-0.1.0/{name}")
        if problem is None:
            release._check_source(wheel, source)
        else:
            with pytest.raises(release.ReleaseError, match=problem):
                release._check_source(wheel, source)


def test_sizes_prints_a_name_its_figure_and_its_limit(
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = script(repository / "scripts/sizes")
    stored = (repository / "scripts/sizes.toml").read_text(encoding="utf-8")
    limits = tmp_path / "sizes.toml"
    limits.write_text(re.sub(r"most = \d+", "most = 1", stored), encoding="utf-8")
    monkeypatch.setattr(sizes, "STORED", limits)
    monkeypatch.setattr(sys, "argv", ["sizes", "--all"])

    assert sizes.main() == 1

    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line]
    assert {"tests, lines", "sim_engine/protocol"} <= {name for name, _, _ in rows}
    assert all(now.isdigit() and limit == "1" for _, now, limit in rows)
