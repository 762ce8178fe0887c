"""`highwater record`: with real brokers, and what goes wrong without them."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from backend.cli import run
from backend.commands import record as command
from backend.recording import nodes, releases
from backend.recording import record as recorder
from backend.recording.frames import NetworkError
from backend.recording.releases import NoKafkaError, class_path, java
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordedTopic
from sim_engine.conformance.replay import conform
from sim_engine.identifiers import BrokerId

SMOKE = """\
id: smoke
kafka: "4.3.1"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [2, 1]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - fetch: {broker: 1}
  - fetch: {broker: 1, drop: response}
  - settle: {}
  - shutdown: {broker: 2}
"""


@pytest.fixture
def smoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "smoke.yaml").write_text(SMOKE)
    return tmp_path


def jars_or_skip(release: str) -> None:
    try:
        java()
        class_path(release)
    except NoKafkaError as reason:
        pytest.skip(str(reason))


def differences(path: Path) -> list[str]:
    return [str(one) for one in conform(read_recording(json.loads(path.read_text())))]


def test_real_brokers_carry_out_a_scenario_as_the_engine_does(smoke: Path) -> None:
    jars_or_skip("4.3.1")

    status = run(["record", "smoke.yaml", "--once", "-o", "smoke.json"])

    assert status == 0
    assert differences(smoke / "smoke.json") == []
    document = json.loads((smoke / "smoke.json").read_text())
    assert document["recorded"]["recordings_agreeing"] == 1
    logs = [
        [len(step["saw"]["brokers"][broker]["log"]) for broker in "12"]
        for step in document["steps"]
        if "saw" in step
    ]
    assert logs[:3] == [[0, 0], [0, 1], [1, 1]]
    assert document["steps"][-1]["saw"]["leader"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "release", "is_lost"),
    [
        ("kip-101-data-loss", "0.10.2.2", True),
        ("kip-101-data-loss", "0.11.0.3", False),
        ("tests/conformance/schedules/late-answer-from-empty.yaml", "3.9.0", True),
        ("tests/conformance/schedules/late-answer-from-empty.yaml", "3.9.1", False),
    ],
)
def test_a_known_loss_is_recorded_again(
    repository: Path, tmp_path: Path, scenario: str, release: str, *, is_lost: bool
) -> None:
    jars_or_skip(release)
    path = repository / scenario
    output = tmp_path / "recorded.json"

    status = run(
        ["record", str(path) if path.exists() else scenario, "--kafka", release, "-o", str(output)]
    )

    assert status == 0
    assert differences(output) == []
    seen = [one["saw"] for one in json.loads(output.read_text())["steps"] if "saw" in one]
    state = seen[-1]
    kept = {row[2] for broker in state["brokers"].values() for row in broker["log"]}
    assert ({"m1", "m2"} & kept == {"m1", "m2"} & _sent(output)) is not is_lost


def _sent(output: Path) -> set[str]:
    steps = json.loads(output.read_text())["steps"]
    return {value for step in steps for value in step["do"].get("produce", {}).get("values", ())}


def test_a_step_that_cannot_be_recorded_starts_nothing(
    smoke: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (smoke / "smoke.yaml").write_text(SMOKE + "  - slow: {broker: 1, ms: 5}\n")
    monkeypatch.setattr(recorder, "Cluster", None)

    assert run(["record", "smoke.yaml", "-o", "a.json"]) == 2

    errors = capsys.readouterr().err
    assert "step 6, slow: the format of recordings has no such step" in errors
    assert [one.name for one in smoke.iterdir()] == ["smoke.yaml"]


def test_what_is_missing_is_one_line(
    smoke: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def errors_of(*arguments: str) -> str:
        assert run(["record", "smoke.yaml", "-o", "a.json", *arguments]) == 2
        errors = capsys.readouterr().err.splitlines()
        assert len([line for line in errors if not line.startswith("run ")]) == 1
        return errors[-1]

    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(smoke))
    assert "need Java 17" in errors_of()
    assert [one.name for one in smoke.iterdir()] == ["smoke.yaml"]
    assert "9.9.9" in errors_of("--kafka", "9.9.9")
    (smoke / "smoke.yaml").write_text("control: kraft\n" + SMOKE)
    assert "Kafka 2.0.1 has no controller 'kraft'" in errors_of("--kafka", "2.0.1")
    assert "registers the port at which it listens" in errors_of("--kafka", "2.8.2")
    assert "nowhere: no such folder" in errors_of("-o", "nowhere/a.json")
    monkeypatch.setattr(command, "_LIBRARIES", ("kafka", "no_such_library"))
    assert "pip install 'highwater-kafka[connect]'" in errors_of()


def test_what_was_recorded_is_kept_in_a_file_that_says_so(
    smoke: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> recorder.WrittenRecording:
        partial = recorder.WrittenRecording(
            conformance=1, id="a", title="a", shows="", remarks=[], kafka="4.3.1",
            control="kraft", brokers=[], configs={}, steps=[],
            topic=RecordedTopic(name="t", partitions=[]),
        )  # fmt: skip
        raise recorder.PartlyRecordedError("step 3: it did not settle", partial)

    monkeypatch.setattr(recorder, "record", fails)

    assert run(["record", "smoke.yaml", "-o", "a.json"]) == 2

    assert capsys.readouterr().err == (
        "step 3: it did not settle; what was recorded is in a.partial.json\n"
    )
    assert json.loads((smoke / "a.partial.json").read_text())["kafka"] == "4.3.1"
    assert not (smoke / "a.json").exists()


GOES_PAST = """
import socket, sys, time
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))):
    print("connected", flush=True)
    time.sleep(100)
"""


def test_a_connection_past_the_forwarder_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/net/tcp").exists():
        pytest.skip("there is no /proc")
    monkeypatch.setattr(nodes, "java", lambda: "java")
    monkeypatch.setattr(nodes, "class_path", lambda _release: ".")
    cluster = nodes.Cluster("4.3.1", "kraft", (BrokerId(1),), {}, {})
    with socket.create_server(("127.0.0.1", 0)) as controller:
        cluster.ports[100] = controller.getsockname()[1]
        with subprocess.Popen(
            [sys.executable, "-c", GOES_PAST, str(cluster.ports[100])], stdout=subprocess.PIPE
        ) as broker:
            assert broker.stdout is not None
            cluster._processes[1] = broker
            broker.stdout.readline()
            with pytest.raises(NetworkError, match="node 1 is connected to node 100 past the"):
                cluster.check_connections()
            broker.kill()
    cluster.check_connections()
    cluster.folder.rmdir()


NEVER_ENDS = """
import asyncio
from backend.recording import nodes
nodes.java = lambda: {script!r}
nodes.class_path = lambda _release: "."
cluster = nodes.Cluster("3.9.1", "zookeeper", (1,), {{}}, {{}})
print(cluster.folder, flush=True)
asyncio.run(cluster.open())
"""


def test_neither_a_node_that_writes_nor_its_folder_outlives_a_command_that_is_killed(
    repository: Path, tmp_path: Path
) -> None:
    fake = tmp_path / "java"
    fake.write_text(
        f"#!/bin/sh\necho $$ > {tmp_path}/pid\n"
        "write() { while :; do mkdir -p $1; i=$(((i + 1) % 99)); : > $1/$i; done; }\n"
        "write a & write b & write c & write d\n"
    )
    fake.chmod(0o755)
    program = subprocess.Popen(
        [sys.executable, "-c", NEVER_ENDS.format(script=str(fake))],
        cwd=repository, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    folder = Path(program.stdout.readline().strip())
    until = time.monotonic() + 20
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < until
        time.sleep(0.05)
    node = int((tmp_path / "pid").read_text())

    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdout.close()

    while _lives(node) or folder.exists():
        assert time.monotonic() < until, "the node or its folder is still there"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_release_has_the_controller_that_is_fit_for_it() -> None:
    from sim_engine.scenario_reader.reader import load_shipped

    scenario = load_shipped("kip-101-data-loss")

    assert recorder.control_of(scenario, "0.10.2.2") == "zookeeper"
    assert recorder.control_of(scenario, "2.8.2") == "zookeeper"
    assert recorder.control_of(scenario, "3.9.1") == "kraft"
    assert releases.cache_folder().parts[-2:] == ("highwater", "kafka")
