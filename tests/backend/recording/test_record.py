"""`highwater record`: with real brokers, and what goes wrong without them."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from backend.cli import run
from backend.commands import record as command
from backend.commands import serve, walk_against
from backend.recording import nodes, releases
from backend.recording import record as recorder
from backend.recording.carrying_out import NotRecordedError
from backend.recording.failures import failure
from backend.recording.frames import NetworkError
from backend.recording.plan import PlannedVerb
from backend.recording.releases import NoKafkaError, class_path, java
from backend.watches.mirror import Mirror
from sim_engine.command_line.run import find_scenario
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordedState, RecordedTopic, StepInFile
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
        raise recorder.PartlyRecordedError(failure("interrupted"), partial)

    monkeypatch.setattr(recorder, "record", fails)

    assert run(["record", "smoke.yaml", "-o", "a.json"]) == 2

    printed = capsys.readouterr().err
    assert printed == "interrupted; what was recorded is in a.partial.json\n"
    assert json.loads((smoke / "a.partial.json").read_text())["kafka"] == "4.3.1"
    assert not (smoke / "a.json").exists()


class Played:
    """Brokers of a recording that only its plan moves: `stuck` is the step that does not settle."""

    stuck: int | None = None
    features: ClassVar[dict[str, int]] = {}
    remarks: ClassVar[list[str]] = []

    def __init__(self, *_: object) -> None:
        self.done = 0

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def step(self, planned: PlannedVerb) -> StepInFile:
        if self.done == self.stuck:
            raise NotRecordedError(failure("not_settled", seconds=60))
        self.done += 1
        await asyncio.sleep(0)
        saw = READ if planned.reads else None
        return StepInFile(do={"wait": {"ms": self.done}}, saw=saw)


READ = RecordedState(
    leader=None, leader_epoch=None, partition_epoch=None, isr=None, consumable_end=None,
    consumed=None, brokers={},
)  # fmt: skip


@pytest.fixture
def played(smoke: Path, monkeypatch: pytest.MonkeyPatch) -> type[Played]:
    class One(Played): ...

    monkeypatch.setattr(recorder, "Cluster", lambda *_: None)
    monkeypatch.setattr(recorder, "Execution", One)
    monkeypatch.setattr(releases, "class_path", lambda _release: ".")
    return One


class Shown:
    """A page in place of the browser's: it waits for the end of the recording, or interrupts."""

    def __init__(self, until: str = "finished") -> None:
        self.until = until
        self.mirror: Mirror | None = None

    def __call__(self, mirror: Mirror, *_: object, begin: Callable[[], None]) -> int:
        self.mirror = mirror
        begin()
        limit = time.monotonic() + 20
        while self.news["stage"] not in (self.until, "failed") or not self.news["recorded"]:
            assert time.monotonic() < limit
            time.sleep(0.01)
        raise KeyboardInterrupt

    @property
    def news(self) -> dict[str, Any]:
        assert self.mirror is not None
        document: dict[str, Any] = self.mirror.document()
        return document


def test_a_recording_is_shown_while_it_is_made_and_kept_at_its_end(
    smoke: Path, played: type[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown()
    monkeypatch.setattr(serve, "show_page", shown)

    assert run(["record", "smoke.yaml", "-o", "a.json", "--open"]) == 0

    document = json.loads((smoke / "a.json").read_text())
    assert document["recorded"]["recordings_agreeing"] == 2
    assert shown.news["file"] == "a.json"
    assert (shown.news["run"], len(shown.news["recorded"])) == (2, len(document["steps"]))


def test_a_recording_that_fails_in_a_page_keeps_its_steps_and_says_so(
    smoke: Path,
    played: type[Played],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = Shown()
    monkeypatch.setattr(serve, "show_page", shown)
    played.stuck = 4

    assert run(["record", "smoke.yaml", "-o", "a.json", "--open"]) == 2

    message = (
        "step 4: the cluster did not settle within 60 s; what was recorded is in a.partial.json"
    )
    assert (shown.news["stage"], shown.news["failure"]) == (
        "failed",
        {
            "en": message,
            "zh": "步骤 4：集群未能在 60 秒内稳定下来；已录制的内容在 a.partial.json 中",
        },
    )
    assert message in capsys.readouterr().err
    assert len(json.loads((smoke / "a.partial.json").read_text())["steps"]) == 4


def test_an_interrupt_keeps_what_was_recorded(
    smoke: Path, played: type[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waits_at_3(self: Played, planned: PlannedVerb) -> StepInFile:
        if self.done == 3:
            await asyncio.sleep(100)
        return await Played.step(self, planned)

    monkeypatch.setattr(played, "step", waits_at_3)
    monkeypatch.setattr(serve, "show_page", Shown(until="recording"))

    began = time.monotonic()
    assert run(["record", "smoke.yaml", "-o", "a.json", "--open"]) == 2

    assert time.monotonic() - began < 20
    assert not (smoke / "a.json").exists()
    partial = json.loads((smoke / "a.partial.json").read_text())
    assert 1 <= len(partial["steps"]) <= 3


def test_an_interrupt_ends_a_night_and_is_no_schedule_to_try_again(
    smoke: Path, played: type[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_interrupted(*_: object) -> StepInFile:
        raise asyncio.CancelledError

    monkeypatch.setattr(played, "step", is_interrupted)

    with pytest.raises(KeyboardInterrupt):
        walk_against._record(find_scenario("smoke.yaml"), "4.3.1")


def test_a_second_run_that_fails_keeps_the_first(
    smoke: Path, played: type[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[Played] = []

    def second_is_stuck(*_: object) -> Played:
        runs.append(played())
        played.stuck = None if len(runs) == 1 else 2
        return runs[-1]

    monkeypatch.setattr(recorder, "Execution", second_is_stuck)

    assert run(["record", "smoke.yaml", "-o", "a.json"]) == 2

    steps = json.loads((smoke / "a.partial.json").read_text())["steps"]
    assert len(steps) == runs[0].done > 2


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
