"""What `pip install ./dist/highwater_kafka-….whl` gives: a wheel is built, installed, and used."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import urllib.error
import urllib.request
import zipfile
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest

from backend.runs.files import ENDINGS
from sim_engine.scenario_reader.document import SCHEMA_FILE
from sim_engine.scenario_reader.schema import scenario_schema
from tests.service_process import Server

pytestmark = pytest.mark.slow
LESSON = "kip-101-data-loss"
NOTICES = (
    "LICENSE",
    "frontend/dist/assets/licenses.txt",
    "frontend/dist/assets/licenses-embed.txt",
    "frontend/dist/embed/licenses.txt",
    "frontend/dist-server/licenses.txt",
    "frontend/dist-server/fonts/LICENSE-inter",
    "frontend/dist-server/fonts/LICENSE-noto-sans-sc",
)


def build(repository: Path, folder: Path, target: str) -> Path:
    """The wheel or the source distribution of a tree."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=repository, env=environment(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    [made] = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(repository, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed program, in an environment that uses this environment's libraries."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = place / "bin" / "python"
    subprocess.run(
        [*uv(), "pip", "install", "--quiet", "--no-deps", "--python", str(python), str(wheel)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    ours = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    # A folder named in a .pth file is not searched for .pth files: the editable project stays out.
    borrowed = Path(ours.stdout.strip()) / "borrowed.pth"
    borrowed.write_text(sysconfig.get_path("purelib") + "\n")
    # The name that `uvx highwater-kafka` starts; the other script is the same program.
    return place / "bin" / "highwater-kafka"


def uv() -> list[str]:
    return [str(Path(sys.executable).parent / "uv")]


def environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HIGHWATER_", "PYTHON"))
    }


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A user's project, with folders of the same names as ours."""
    for name in ("backend", "sim_engine", "alembic"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('somebody else is here')\n")
    return tmp_path


def answer(address: str, body: Any = None) -> tuple[int, bytes]:
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, sent, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_the_wheel_has_one_package_and_everything_that_serves(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"highwater_kafka"}
    for needed in (
        "frontend/dist/index.html",
        "frontend/dist/docs.html",
        "frontend/dist/search.json.gz",
        "frontend/dist-server/figure.js",
        "alembic/env.py",
        "docs/index.md",
        "CHANGELOG.md",
        "docs/images/loss.svg",
    ):
        assert f"highwater_kafka/parts/{needed}" in names
    assert [name for name in names if ".dist-info/sboms/" in name]
    with zipfile.ZipFile(wheel) as archive:
        schema = json.loads(archive.read(f"highwater_kafka/{SCHEMA_FILE}"))
    assert schema == scenario_schema()
    for notice in NOTICES:
        assert [name for name in names if name.endswith(f".dist-info/licenses/{notice}")], notice
    assert not [name for name in names if "__pycache__" in name or name.endswith(".db")]


def test_its_metadata_names_the_project_and_where_it_runs(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        said = message_from_string(archive.read(name).decode())

    assert said["Author"] == "Highwater"
    assert set(said.get_all("License-File", [])) == set(NOTICES)
    kinds = {one.partition(" :: ")[0] for one in said.get_all("Classifier", [])}
    assert kinds >= {"Operating System", "Programming Language", "Natural Language"}
    # No registry has it: an extra lists its packages, and does not ask for this one again.
    assert not [one for one in said.get_all("Requires-Dist", []) if one.startswith("highwater")]


def test_the_npm_package_has_the_element_and_its_license(repository: Path, tmp_path: Path):
    subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", str(tmp_path)],
        cwd=repository / "frontend" / "packages" / "element",
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    [made] = tmp_path.glob("highwater-replay-*.tgz")

    with tarfile.open(made) as archive:
        license_file = archive.extractfile("package/LICENSE")
        assert license_file is not None
        assert license_file.read() == (repository / "LICENSE").read_bytes()
        assert "package/dist/element.js" in archive.getnames()
        # Its address is the one that the schema gives as its own.
        schema = archive.extractfile(f"package/{SCHEMA_FILE}")
        assert schema is not None
        about = json.loads((repository / "frontend/packages/element/package.json").read_text())
        major = about["version"].partition(".")[0]
        assert json.loads(schema.read())["$id"] == (
            f"https://unpkg.com/{about['name']}@{major}/{SCHEMA_FILE}"
        )


def test_the_source_distribution_builds_the_same_wheel(
    repository: Path, wheel: Path, tmp_path: Path
):
    with tarfile.open(build(repository, tmp_path / "source", "sdist")) as archive:
        archive.extractall(tmp_path / "tree", filter="data")
    [tree] = (tmp_path / "tree").iterdir()

    again = build(tree, tmp_path / "again", "wheel")

    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_without_the_pages_nothing_is_built(repository: Path, tmp_path: Path):
    source = tmp_path / "tree"
    (source / "scripts").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/build_hook.py"):
        (source / name).write_bytes((repository / name).read_bytes())

    with pytest.raises(subprocess.CalledProcessError) as failed:
        build(source, tmp_path / "out", "wheel")

    assert "frontend/dist/index.html is missing" in failed.value.stderr


def test_what_is_installed_serves_draws_and_stores(installed: Path, elsewhere: Path):
    with Server(elsewhere, program=[str(installed)], environment=environment()) as server:
        address = server.address
        assert answer(f"{address}/readyz")[0] == 200
        for page in ("/", f"/lessons/{LESSON}", "/embed/v1.js", "/docs/explanation/fidelity"):
            assert answer(address + page)[0] == 200, page
        status, licenses = answer(f"{address}/assets/licenses.txt")
        assert status == 200
        assert b"## svelte - " in licenses
        status, picture = answer(f"{address}/lessons/{LESSON}.png")
        assert (status, picture[:4]) == (200, b"\x89PNG")
        assert answer(f"{address}/api/v1/scenarios/{LESSON}")[0] == 200
        status, session = answer(f"{address}/api/v1/sessions", {"scenario_id": LESSON})
        assert status == 201, session

    assert (elsewhere / "highwater.db").is_file()


def test_what_is_installed_runs_lessons(installed: Path, elsewhere: Path):
    done = subprocess.run(
        [str(installed), "check", LESSON],
        cwd=elsewhere, env=environment(), check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_a_job_of_the_analytics_is_found(installed: Path, elsewhere: Path):
    done = subprocess.run(
        [str(installed), "campaign", "--help"],
        cwd=elsewhere, env=environment(), check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "GRID" in done.stdout


def run_installed(
    installed: Path, elsewhere: Path, *words: str, given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the installed Python in a user's folder."""
    return subprocess.run(
        [str(installed.parent / "python"), *words],
        cwd=elsewhere, env=environment(), input=given, check=False, capture_output=True,
    )  # fmt: skip


IN_A_NOTEBOOK = """
import asyncio, os, sys
import highwater_kafka

async def cell():
    run = highwater_kafka.run(MINE)
    for ending in ENDINGS:
        assert run.save(f"run.{ending}").stat().st_size > 100, ending
    shown = run._repr_mimebundle_()
    assert "<iframe srcdoc=" in shown["text/html"] and "<svg" in shown["image/svg+xml"]
    assert highwater_kafka.compare("s26", kafka=("0.10.2", "0.11")).differs
    assert highwater_kafka.search(MINE, max_depth=1, states=50).verdict
    assert highwater_kafka.assess(TOPICS, kafka="3.9").partitions
    return run

run = asyncio.run(cell())
assert not [path for path in sys.path if "parts" in path]
assert "PYTHONPATH" not in os.environ
print(highwater_kafka.__version__, run.violated)
"""
MINE = """\
id: mine
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - settle: {}
"""
TOPICS = """\
Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs:
\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2
"""


def test_what_is_installed_runs_and_draws_in_a_notebook(installed: Path, elsewhere: Path):
    """Whose folder has packages with the names of ours, which it has not imported."""
    program = f"MINE, TOPICS, ENDINGS = {MINE!r}, {TOPICS!r}, {ENDINGS!r}\n{IN_A_NOTEBOOK}"

    done = run_installed(installed, elsewhere, "-c", program)

    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b"0.1.0 []\n"
    assert done.stderr == b""
    picture = (elsewhere / "run.png").read_bytes()
    assert picture.startswith(b"\x89PNG")


def test_a_module_of_the_user_with_one_of_our_names_is_named(installed: Path, tmp_path: Path):
    (tmp_path / "backend.py").write_text("")
    program = "import backend, highwater_kafka; highwater_kafka.run('s26')"

    done = run_installed(installed, tmp_path, "-c", program)

    assert done.returncode == 1
    assert b"HighwaterError: another module named backend is imported" in done.stderr


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_installed_renders_standard_input(installed: Path, elsewhere: Path, ending: str):
    words = ("-m", "highwater_kafka", "render", "-", "--lang", "zh", "-o", f"out.{ending}")

    done = run_installed(installed, elsewhere, *words, given=MINE.encode())

    assert (done.returncode, done.stderr) == (0, b"")
    assert (elsewhere / f"out.{ending}").stat().st_size > 100


# Hides modules, as if they were not installed.
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({hidden!r}))
sys.argv[0] = "highwater"
from highwater_kafka.__main__ import main
sys.exit(main())
"""
SPARK = (
    "pyspark", "pyarrow", "pandas", "numpy", "scipy", "statsmodels",
    "adbc_driver_manager", "adbc_driver_postgresql", "adbc_driver_sqlite",
)  # fmt: skip


@pytest.mark.parametrize(
    ("hidden", "command", "told"),
    [
        (SPARK, ["summarize"], "pip install 'highwater-kafka[spark]'"),
        (SPARK, ["campaign", "grid.yaml", "--plan"], "pip install 'highwater-kafka[spark]'"),
        (SPARK, ["campaign", "replay", "x", "y"], "pip install 'highwater-kafka[spark]'"),
        (SPARK, ["search-grid", "g.yaml", "--out", "x"], "pip install 'highwater-kafka[spark]'"),
        (("kafka",), ["connect", "localhost:1"], "pip install 'highwater-kafka[connect]'"),
        (("kafka",), ["assess", "--connect", "x:1"], "pip install 'highwater-kafka[connect]'"),
        (("kazoo",), ["record", "s26", "-o", "x"], "pip install 'highwater-kafka[connect]'"),
        (("quickjs",), ["render", "s26", "-o", "a.svg"], "pip install quickjs-ng"),
        (("quickjs",), ["render", "s26", "-o", "a.html"], "pip install quickjs-ng"),
    ],
)
def test_what_is_not_installed_is_named_in_one_line(
    installed: Path, elsewhere: Path, hidden: tuple[str, ...], command: list[str], told: str
):
    done = run_installed(installed, elsewhere, "-c", WITHOUT.format(hidden=hidden), *command)

    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "command", [["run", "s26"], ["render", "s26", "-o", "full.svg"], ["assess", "topics.txt"]]
)
def test_a_full_disk_is_one_line(installed: Path, elsewhere: Path, command: list[str]):
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    (elsewhere / "topics.txt").write_text(TOPICS)
    (elsewhere / "full.svg").symlink_to("/dev/full")

    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [str(installed), *command],
            cwd=elsewhere, env=environment(), check=False, stdout=full, stderr=subprocess.PIPE,
        )  # fmt: skip

    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr
