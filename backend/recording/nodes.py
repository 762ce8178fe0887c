"""The processes of a cluster: one JVM for each broker, and one for the controller: a KRaft
controller, or ZooKeeper with a broker that has no replicas.

All of them are in the process group of a watchdog, which ends the group as soon as the pipe to this
program closes: also if this program is killed. They all hold the pipe of a sweeper, outside the
group, which deletes their files as soon as none of them runs.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path

from backend.recording.failures import failure
from backend.recording.frames import Network, NetworkError
from backend.recording.recordable import ZK_CONTROLLER
from backend.recording.releases import NoKafkaError, class_path, java
from sim_engine.conformance.recording import KRAFT_CONTROLLER
from sim_engine.error_texts import Words
from sim_engine.identifiers import BrokerId
from sim_engine.releases import at_least, number_of
from sim_engine.versions import Control

_BOOT_S = 300
_TICK_MS = 6_000
_MOST_TICKS = 20
"""ZooKeeper allows sessions of 2 to 20 ticks."""
_STOP_S = 60
_ADVERTISES = (3, 9)
"""From 3.9, a controller names its address in responses, and brokers prefer it (KIP-853)."""
_NO_ADMIN_SERVER = "-Dzookeeper.admin.enableServer=false"
"""From 3.5 ZooKeeper also listens at port 8080, at which only one of two recordings could."""
_MEMORY = ("-Xms48m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
_WATCHDOG = 'trap "" TERM INT HUP; cat >/dev/null; kill -KILL 0'
_SWEEPER = 'trap "" TERM INT HUP; cat >/dev/null; rm -rf "$0"'
_LOGGING = """log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=[%d] %p %m (%c)%n
"""
_SMALL = {
    "log.cleaner.dedupe.buffer.size": "2097152",
    "num.io.threads": "3",
    "num.network.threads": "2",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "auto.create.topics.enable": "false",
}
"""Settings that make a broker small, and that no recording depends on."""


class Cluster:
    """The processes of one run. Every node is reached through the network's forwarders, except by
    this program.
    """

    def __init__(
        self,
        release: str,
        control: Control,
        brokers: tuple[BrokerId, ...],
        configs: Mapping[str, object],
        own_configs: Mapping[BrokerId, Mapping[str, object]],
        level: str | None = None,
    ) -> None:
        self.release = release
        self.control = control
        self.brokers = brokers
        self.network = Network()
        self._java, self._classes = java(), class_path(release)
        self.folder = Path(tempfile.mkdtemp(prefix="highwater-record-"))
        self.ports: dict[int, int] = {}
        """Where each node itself listens."""
        self.zookeeper_port = free_port()
        self._configs = configs
        self._own_configs = own_configs
        self._level = level
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._sweeper: subprocess.Popen[bytes] | None = None

    @property
    def has_zookeeper(self) -> bool:
        """Whether the controller is a broker that registers at ZooKeeper."""
        return self.control == "zookeeper"

    @property
    def nodes(self) -> tuple[int, ...]:
        """The controller's node, and the brokers."""
        return (ZK_CONTROLLER if self.has_zookeeper else KRAFT_CONTROLLER, *self.brokers)

    async def open(self) -> None:
        """Start the controller's node; the brokers follow. Raises `NoKafkaError`."""
        self._watchdog = _guard(_WATCHDOG)
        self._sweeper = _guard(_SWEEPER, str(self.folder))
        (self.folder / "log4j.properties").write_text(_LOGGING)
        forwarded = {}
        for node in self.nodes:
            self.ports[node] = free_port()
            forwarded[node] = await self.network.forward_to(node, self.ports[node])
        for node in self.nodes:
            self._write_settings(node, forwarded)
        if self.has_zookeeper:
            await self._start_zookeeper()
            await self.start(ZK_CONTROLLER)
        else:
            await self._format()
            await self.start(BrokerId(KRAFT_CONTROLLER))

    async def close(self) -> None:
        """End every process and delete their files."""
        await self.network.close()
        for process in self._processes.values():
            process.kill()
            await asyncio.to_thread(process.wait)
        for guard in (self._watchdog, self._sweeper):
            if guard is not None:
                await asyncio.to_thread(guard.communicate)
        shutil.rmtree(self.folder, ignore_errors=True)

    def data_folder(self, node: int) -> Path:
        """Where a node keeps its logs."""
        return self.folder / f"broker-{node}"

    def runs(self, node: int) -> bool:
        """Whether a node's process runs, frozen or not."""
        process = self._processes.get(node)
        return process is not None and process.poll() is None

    async def start(self, node: int) -> bool:
        """Start a node, and wait until it accepts connections; False if its process ends before.
        Raises `NoKafkaError`.
        """
        settings = self.folder / f"node-{node}.properties"
        self._processes[node] = self._run(f"node-{node}", "kafka.Kafka", str(settings))
        until = time.monotonic() + _BOOT_S
        while time.monotonic() < until:
            if not self.runs(node):
                return False
            if await _accepts(self.ports[node]):
                return True
            await asyncio.sleep(0.1)
        printed = self.last_line(f"node-{node}")
        raise NoKafkaError(
            failure("node_late", node=node, release=self.release, seconds=_BOOT_S, printed=printed)
        )

    async def kill(self, node: int) -> None:
        """SIGKILL."""
        self._processes[node].kill()
        await asyncio.to_thread(self._processes[node].wait)

    async def stop(self, node: int) -> None:
        """SIGTERM: a controlled shutdown, to the end of the process. Raises `NoKafkaError`."""
        self._processes[node].terminate()
        try:
            await asyncio.to_thread(self._processes[node].wait, _STOP_S)
        except subprocess.TimeoutExpired:
            raise NoKafkaError(failure("stop_late", broker=node, seconds=_STOP_S)) from None

    def pause(self, node: int) -> None:
        """SIGSTOP."""
        self._processes[node].send_signal(signal.SIGSTOP)

    def resume(self, node: int) -> None:
        """SIGCONT."""
        self._processes[node].send_signal(signal.SIGCONT)

    def check_connections(self) -> None:
        """Raise `NetworkError` if a node was reached by anything but the other nodes, through the
        forwarder. Where there is no /proc, only what the forwarders see is checked.
        """
        self.network.check()
        nodes = {port: node for node, port in self.ports.items()}
        for node, process in self._processes.items():
            for port in _connected_ports(process.pid):
                if port in nodes:
                    raise NetworkError(failure("past_forwarder", node=node, other=nodes[port]))

    def last_line(self, name: str) -> Words:
        """The last line that a process has printed."""
        lines = (self.folder / f"{name}.log").read_text(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else failure("printed_nothing")

    def _run(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        assert self._watchdog is not None, "open() has started it"
        held = None if self._sweeper is None else self._sweeper.stdin
        command = [
            self._java,
            *_MEMORY,
            _NO_ADMIN_SERVER,
            f"-Dlog4j.configuration=file:{self.folder / 'log4j.properties'}",
            "-cp",
            self._classes,
            *arguments,
        ]
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603  # Java, and no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                process_group=self._watchdog.pid,
                pass_fds=() if held is None else (held.fileno(),),
            )

    async def _start_zookeeper(self) -> None:
        self._processes[0] = self._run(
            "zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain",
            str(self.zookeeper_port), str(self.folder / "zookeeper"), self._tick_ms(),
        )  # fmt: skip
        until = time.monotonic() + _BOOT_S
        while self.runs(0) and time.monotonic() < until:
            if await _accepts(self.zookeeper_port):
                return
            await asyncio.sleep(0.1)
        raise NoKafkaError(failure("zookeeper_down", printed=self.last_line("zookeeper")))

    def _tick_ms(self) -> str:
        """ZooKeeper's tick that allows the brokers' sessions, in ms."""
        session_ms = self._configs.get("zookeeper.session.timeout.ms", 0)
        assert isinstance(session_ms, int), "the reader of the scenario checked"
        return str(max(_TICK_MS, session_ms // _MOST_TICKS))

    def _write_settings(self, node: int, forwarded: Mapping[int, int]) -> None:
        settings: dict[str, object] = {**_SMALL, "log.dirs": self.data_folder(node)}
        if self.has_zookeeper:
            settings |= {
                "broker.id": node,
                "zookeeper.connect": f"127.0.0.1:{self.zookeeper_port}",
                "listeners": f"PLAINTEXT://127.0.0.1:{self.ports[node]}",
                "advertised.listeners": f"PLAINTEXT://127.0.0.1:{forwarded[node]}",
            }
        else:
            is_controller = node == KRAFT_CONTROLLER
            name = "CONTROLLER" if is_controller else "PLAINTEXT"
            settings |= {
                "node.id": node,
                "process.roles": "controller" if is_controller else "broker",
                "controller.listener.names": "CONTROLLER",
                "controller.quorum.voters": (
                    f"{KRAFT_CONTROLLER}@127.0.0.1:{forwarded[KRAFT_CONTROLLER]}"
                ),
                "listeners": f"{name}://127.0.0.1:{self.ports[node]}",
                "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "metadata.max.idle.interval.ms": 0,  # no records when nothing happens
                "initial.broker.registration.timeout.ms": _BOOT_S * 1000,
            }
            if is_controller and at_least(number_of(self.release), _ADVERTISES):
                settings["advertised.listeners"] = f"{name}://127.0.0.1:{forwarded[node]}"
            if not is_controller:
                settings["advertised.listeners"] = f"PLAINTEXT://127.0.0.1:{forwarded[node]}"
        settings |= {**self._configs, **self._own_configs.get(BrokerId(node), {})}
        text = "".join(f"{name}={_written(value)}\n" for name, value in settings.items())
        (self.folder / f"node-{node}.properties").write_text(text)

    async def _format(self) -> None:
        """Give every node its cluster id; the controller's gets the levels of the features too."""
        cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=").lstrip("-_")
        settings = self.folder / f"node-{KRAFT_CONTROLLER}.properties"
        level = [] if self._level is None else ["--release-version", self._level]
        tool = self._run(
            "format", "kafka.tools.StorageTool", "format", "--cluster-id",
            cluster_id.ljust(22, "A"), "--config", str(settings), *level,
        )  # fmt: skip
        self._processes[-1] = tool
        if await asyncio.to_thread(tool.wait, _BOOT_S) != 0:
            raise NoKafkaError(
                failure("not_formatted", release=self.release, printed=self.last_line("format"))
            )
        properties = (self.data_folder(KRAFT_CONTROLLER) / "meta.properties").read_text()
        written = dict(line.split("=", 1) for line in properties.splitlines() if "=" in line)
        for broker in self.brokers:
            self.data_folder(broker).mkdir()
            (self.data_folder(broker) / "meta.properties").write_text(
                f"version=1\ncluster.id={written['cluster.id']}\nnode.id={broker}\n"
            )


def _guard(script: str, *arguments: str) -> "subprocess.Popen[bytes]":
    """A shell in a process group of its own, which acts when its pipe closes."""
    return subprocess.Popen(  # noqa: S603  # the scripts above alone
        ["/bin/sh", "-c", script, *arguments], stdin=subprocess.PIPE, process_group=0
    )


def needs_zookeeper(release: str) -> bool:
    """Whether a release has no KRaft that is fit for use: before 3.3."""
    return not at_least(number_of(release), (3, 3))


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _connected_ports(process: int) -> Iterator[int]:
    """The ports at the other ends of a process's connections."""
    folder = Path(f"/proc/{process}")
    with contextlib.suppress(FileNotFoundError):  # it has ended, or there is no /proc
        sockets = {_target(one) for one in (folder / "fd").iterdir()}
        for table in ("tcp", "tcp6"):
            for line in (folder / "net" / table).read_text().splitlines()[1:]:
                cells = line.split()
                if f"socket:[{cells[9]}]" in sockets:
                    yield int(cells[2].rpartition(":")[2], 16)


def _target(link: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        return os.readlink(link)
    return "a file that was closed meanwhile"


async def _accepts(port: int) -> bool:
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        return True
    return False


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
