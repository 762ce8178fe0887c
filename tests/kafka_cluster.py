"""Real Kafka clusters for tests: brokers from the published jars of a release, on free ports, with
their data in a temporary folder.

Maven downloads the jars once. A test that needs a cluster is skipped,
with the reason, where there is no Java or no Maven, or where the jars cannot be had.
"""

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.recording.nodes import free_port
from backend.recording.releases import class_path, java

_MEMORY = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
_BOOT_S = 120
_SMALL = {
    "broker.heartbeat.interval.ms": "500",
    "broker.session.timeout.ms": "3000",
    "controlled.shutdown.enable": "true",
    "group.initial.rebalance.delay.ms": "0",
    "initial.broker.registration.timeout.ms": "120000",
    "log.cleaner.dedupe.buffer.size": "2097152",
    "log.initial.task.delay.ms": "100",
    "num.io.threads": "2",
    "num.network.threads": "2",
    "num.partitions": "1",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "replica.lag.time.max.ms": "5000",
    "transaction.state.log.num.partitions": "1",
}
_OLD = {"zookeeper.session.timeout.ms": "6000", "log.cleaner.dedupe.buffer.size": "2097152"}


@dataclass
class KafkaCluster:
    """A cluster whose brokers can be killed and started again. Broker 1 is also the controller, or
    there is ZooKeeper beside.
    """

    release: str
    folder: Path
    settings: Mapping[str, str]
    controller_port: int
    ports: dict[int, dict[str, int]] = field(default_factory=dict)
    """The port of each listener, by broker."""
    processes: dict[int, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @classmethod
    @contextlib.contextmanager
    def started(
        cls,
        release: str,
        *,
        brokers: int = 1,
        listeners: Sequence[str] = (),
        settings: Mapping[str, str] | None = None,
        scram: Sequence[str] = (),
    ) -> Iterator["KafkaCluster"]:
        """Run a cluster inside the block. `listeners` are names of security protocols, beside
        PLAINTEXT; `scram` are users as `kafka-storage format` takes them.
        """
        java()
        class_path(release)
        folder = Path(tempfile.mkdtemp(prefix="highwater-kafka-"))
        cluster = cls(release, folder, settings or {}, free_port())
        try:
            if cluster.is_old:
                cluster._start_zookeeper()
            for broker in range(1, brokers + 1):
                names = ("PLAINTEXT", *listeners)
                cluster.ports[broker] = {name: free_port() for name in names}
                cluster._write_settings(broker, brokers)
            if not cluster.is_old:
                cluster._format(scram)
            for broker in cluster.ports:
                cluster.start(broker, wait=False)
            for broker in cluster.ports:
                cluster.wait_for(broker)
            yield cluster
        finally:
            for process in cluster.processes.values():
                process.kill()
                process.wait()
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def is_old(self) -> bool:
        """Whether the release needs ZooKeeper."""
        return int(self.release.split(".")[0]) < 3

    @property
    def asks_zookeeper(self) -> bool:
        """Whether its tools do, which opens a session there (before KIP-377)."""
        return self.release < "2.2"

    def bootstrap(self, listener: str = "PLAINTEXT") -> str:
        """The addresses of all brokers."""
        return ",".join(f"localhost:{ports[listener]}" for ports in self.ports.values())

    def start(self, broker: int, *, wait: bool = True) -> None:
        """Start a broker that does not run."""
        settings = self.folder / f"broker-{broker}.properties"
        self.processes[broker] = self._java(f"broker-{broker}", "kafka.Kafka", str(settings))
        if wait:
            self.wait_for(broker)

    def kill(self, broker: int) -> None:
        """End the process of a broker as a crash does."""
        self.processes[broker].kill()
        self.processes[broker].wait()

    def wait_for(self, broker: int) -> None:
        """Wait until a broker accepts connections."""
        port = self.ports[broker]["PLAINTEXT"]
        until = time.monotonic() + _BOOT_S
        while time.monotonic() < until:
            if self.processes[broker].poll() is not None:
                break
            with contextlib.suppress(OSError), socket.create_connection(("localhost", port), 1):
                return
            time.sleep(0.2)
        log = (self.folder / f"broker-{broker}.log").read_text(errors="replace")[-3000:]
        raise AssertionError(f"broker {broker} of Kafka {self.release} does not start:\n{log}")

    def tool(self, main_class: str, *arguments: str) -> str:
        """Run one of Kafka's own tools, and return what it prints."""
        command = ["java", "-Xmx128m", *_MEMORY[1:], "-cp", class_path(self.release), main_class]
        done = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, f"{main_class}: {done.stdout}{done.stderr}"
        return done.stdout

    def topics(self, *arguments: str) -> str:
        """Run `kafka-topics`, by the first broker that runs, and return what it prints."""
        if self.asks_zookeeper:
            server = ("--zookeeper", f"localhost:{self.controller_port}")
        else:
            server = ("--bootstrap-server", self.bootstrap())
        is_older = self.release < "3.6"
        name = "kafka.admin.TopicCommand" if is_older else "org.apache.kafka.tools.TopicCommand"
        return self.tool(name, *server, *arguments)

    def produce(self, topic: str, count: int) -> None:
        """Write records that every member of the ISR acknowledges."""
        self.tool(
            "org.apache.kafka.tools.ProducerPerformance", "--topic", topic, "--num-records",
            str(count), "--record-size", "10", "--throughput", "-1", "--producer-props", "acks=all",
            "linger.ms=0", f"bootstrap.servers={self.bootstrap()}",
        )  # fmt: skip

    def data_folder(self, broker: int) -> Path:
        """Where a broker keeps its logs."""
        return self.folder / f"data-{broker}"

    def _java(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        logging = self.folder / "log4j.properties"  # of the releases with log4j 1
        logging.write_text(
            "log4j.rootLogger=ERROR, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n"
            "log4j.appender.out.layout=org.apache.log4j.SimpleLayout\n"
        )
        command = [
            "java",
            *_MEMORY,
            f"-Dlog4j.configuration=file:{logging}",
            "-cp",
            class_path(self.release),
            *arguments,
        ]
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)

    def _start_zookeeper(self) -> None:
        data = self.folder / "zookeeper"
        self.processes[0] = self._java(
            "zookeeper", "-Dzookeeper.admin.enableServer=false",
            "org.apache.zookeeper.server.ZooKeeperServerMain", str(self.controller_port), str(data),
        )  # fmt: skip
        until = time.monotonic() + _BOOT_S
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                socket.create_connection(("localhost", self.controller_port), 1).close()
                return
            time.sleep(0.2)
        raise AssertionError("ZooKeeper does not start")

    def _write_settings(self, broker: int, brokers: int) -> None:
        ports = self.ports[broker]
        listeners = [f"{name}://localhost:{port}" for name, port in ports.items()]
        protocols = [f"{name}:{name}" for name in ports]
        settings = {
            "log.dirs": str(self.data_folder(broker)),
            "inter.broker.listener.name": "PLAINTEXT",
            "default.replication.factor": str(min(brokers, 3)),
        }
        if self.is_old:
            settings |= {
                **_OLD,
                "broker.id": str(broker),
                "zookeeper.connect": f"127.0.0.1:{self.controller_port}",
                "offsets.topic.replication.factor": "1",
            }
        else:
            protocols.append("CONTROLLER:PLAINTEXT")
            if broker == 1:
                listeners.append(f"CONTROLLER://localhost:{self.controller_port}")
            settings |= {
                **_SMALL,
                "process.roles": "broker,controller" if broker == 1 else "broker",
                "node.id": str(broker),
                "controller.quorum.voters": f"1@localhost:{self.controller_port}",
                "controller.listener.names": "CONTROLLER",
            }
        settings |= {
            "listeners": ",".join(listeners),
            "listener.security.protocol.map": ",".join(protocols),
            **self.settings,
        }
        text = "".join(f"{name}={value}\n" for name, value in settings.items())
        (self.folder / f"broker-{broker}.properties").write_text(text)

    def _format(self, scram: Sequence[str]) -> None:
        cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if cluster_id.startswith("-"):
            cluster_id = f"A{cluster_id[1:]}"
        users = [word for user in scram for word in ("--add-scram", user)]
        self.tool(
            "kafka.tools.StorageTool", "format", "--cluster-id", cluster_id, "--config",
            str(self.folder / "broker-1.properties"), *users,
        )  # fmt: skip
        for broker in self.ports:
            if broker != 1:  # what the format adds beyond this is of the controller
                self.data_folder(broker).mkdir()
                (self.data_folder(broker) / "meta.properties").write_text(
                    f"version=1\ncluster.id={cluster_id}\nnode.id={broker}\n"
                )
