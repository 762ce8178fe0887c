"""The state of a real cluster: read from the output of Kafka's tools or from the cluster itself, as
the start of runs, and with what one failure does to it.
"""

import copy
import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from highwater_kafka.api.inputs import caller_errors, check_release, is_text
from highwater_kafka.api.runs import Json, Run, plain_json, run
from highwater_kafka.errors import HighwaterError
from sim_engine.assessment.assessment import Assessment as AssessedCluster
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.assembly import ImportedCluster, assemble
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, ParsedState, Problems
from sim_engine.command_line.clusters import assessment_lines, files_at, import_document, notices
from sim_engine.identifiers import BrokerId

Printed: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""Output of Kafka's tools: its text (more than one line), or the paths of files and of brokers'
data directories."""


class Cluster:
    """The state of a real cluster, at the moment when it was printed or read."""

    def __init__(self, parsed: ParsedState, kafka: str | None, topics: Collection[str]) -> None:
        self._parsed = parsed
        self._kafka = kafka
        self._topics = topics

    @classmethod
    def from_text(
        cls, text: str, *, kafka: str | None = None, topics: Collection[str] = ()
    ) -> "Cluster":
        """Read the output of Kafka's tools, such as `kafka-topics --describe`. `kafka` is the
        cluster's release, if it is known; `topics` limits it to these. Raises HighwaterError, which
        names each line that cannot be read.

        >>> cluster = highwater_kafka.Cluster.from_text('''
        ... Topic: orders  PartitionCount: 1  ReplicationFactor: 2  Configs:
        ...   Topic: orders  Partition: 0  Leader: 1  Replicas: 1,2  Isr: 1,2
        ... ''', kafka="3.9")
        >>> cluster.scenario["topics"][0]["name"]
        'orders'
        >>> cluster.run([{"settle": {}}]).final["partitions"]["orders-0"]["leader"]
        1
        """
        return cls._read([ClusterFile("text", text)], kafka, topics)

    @classmethod
    def from_files(
        cls, *paths: str | os.PathLike[str], kafka: str | None = None, topics: Collection[str] = ()
    ) -> "Cluster":
        """Read files with the output of Kafka's tools, checkpoint files, or brokers' data
        directories. Raises HighwaterError.
        """
        with caller_errors():
            files = [file for path in paths for file in files_at(os.fspath(path))]
        if not files:
            raise HighwaterError("none of these has a file that a broker or a tool of Kafka writes")
        return cls._read(files, kafka, topics)

    @classmethod
    def connect(
        cls,
        bootstrap: str,
        *,
        config: str | os.PathLike[str] | None = None,
        kafka: str | None = None,
        topics: Collection[str] = (),
    ) -> "Cluster":
        """Read a live cluster, which is not changed. `bootstrap` is the HOST:PORT of a broker, and
        `config` a file `client.properties` as Kafka's tools read it. Needs the extra `connect`.
        Raises HighwaterError if it is missing, or if the cluster cannot be read.
        """
        from backend.commands.connect import reader

        properties = None if config is None else Path(config)
        with caller_errors():
            read = reader(bootstrap, properties, topics, whole=True)
            # In a thread of its own: a notebook's thread runs an event loop already.
            with ThreadPoolExecutor(1) as thread:
                return cls(thread.submit(read).result(), kafka, topics)

    @classmethod
    def _read(
        cls, files: Sequence[ClusterFile], kafka: str | None, topics: Collection[str]
    ) -> "Cluster":
        check_release(kafka)
        problems = Problems()
        with caller_errors():
            parsed = read_files(files, problems)
            problems.stop()
        return cls(parsed, kafka, topics)

    def __repr__(self) -> str:
        names = ", ".join(topic["name"] for topic in self.scenario["topics"])
        return f"<Cluster of Kafka {self.scenario['kafka']}, topics: {names}>"

    @cached_property
    def _imported(self) -> ImportedCluster:
        with caller_errors():
            # It completes what was read.
            return assemble(copy.deepcopy(self._parsed), kafka=self._kafka, topics=self._topics)

    @cached_property
    def document(self) -> Json:
        """What `highwater import --json` prints: `scenario`, `kafka`, `not_known`, `not_used` and
        `differences`. Raises HighwaterError if a scenario has no room for the cluster; `topics`
        limits it.
        """
        return plain_json(import_document(self._imported))

    @property
    def scenario(self) -> Json:
        """A scenario that starts in the state of the cluster, without steps."""
        scenario: Json = self.document["scenario"]
        return scenario

    def run(self, steps: Sequence[Mapping[str, object]], *, kafka: str | None = None) -> Run:
        """Play steps on the cluster: `[{"settle": {}}]`. Raises HighwaterError."""
        return run({**self.scenario, "steps": list(steps)}, kafka=kafka)

    def assess(
        self,
        *,
        settings: Mapping[str, object] | None = None,
        down: Collection[int] = (),
        racks: Mapping[int, str] | None = None,
    ) -> "Assessment":
        """State what one failure of each sort does to each partition: `assess`."""
        changes = Changes(
            kafka=self._kafka,
            settings={name: _written(value) for name, value in (settings or {}).items()},
            down=frozenset(_broker(broker) for broker in down),
            racks={_broker(broker): rack for broker, rack in (racks or {}).items()},
        )
        with caller_errors():
            assessed = AssessedCluster(copy.deepcopy(self._parsed), changes)
        for _ in assessed.compute():
            pass
        return Assessment(assessed)


def _broker(value: object) -> BrokerId:
    if not isinstance(value, int):
        raise HighwaterError(f"a broker is a number, not {value!r}")
    return BrokerId(value)


def _written(value: object) -> str:
    """A setting as it is written in a file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Assessment:
    """What one failure of each sort does to each partition of a cluster."""

    def __init__(self, assessed: AssessedCluster) -> None:
        self._assessed = assessed

    def __repr__(self) -> str:
        found = "\n".join(assessment_lines(self._assessed, []))
        return "\n".join([found, "", *self.notices]) if self.notices else found

    @cached_property
    def document(self) -> Json:
        """What `highwater assess --json` prints."""
        return plain_json(self._assessed.document())

    @cached_property
    def notices(self) -> list[str]:
        """What of the input or of the changes was not used, or is not known, a sentence each."""
        return list(notices(self._assessed, down="down", racks="racks"))

    @property
    def partitions(self) -> list[Json]:
        """The partitions, the most threatened first, each with the verdict of each failure in
        `next`.
        """
        partitions: list[Json] = self.document["partitions"]
        return partitions

    @property
    def may_lose(self) -> bool:
        """Whether one failure can lose acknowledged records, or whether that is undecided."""
        return self._assessed.may_lose


def assess(
    cluster: Cluster | Printed,
    *,
    kafka: str | None = None,
    settings: Mapping[str, object] | None = None,
    down: Collection[int] = (),
    racks: Mapping[int, str] | None = None,
) -> Assessment:
    """State what one failure of each sort does to each partition of a cluster, with everything that
    can follow without a second one. The cluster is a `Cluster`, the output of Kafka's tools as
    text, or the path or paths of files. `settings` are settings of all topics, also `acks` and
    `elr`; `down` are the brokers that are down; `racks` are the racks of brokers.

    Raises HighwaterError.

    >>> printed = '''
    ... Topic: orders  PartitionCount: 1  ReplicationFactor: 2  Configs: min.insync.replicas=1
    ...   Topic: orders  Partition: 0  Leader: 1  Replicas: 1,2  Isr: 1
    ... '''
    >>> found = highwater_kafka.assess(printed, kafka="3.9")
    >>> found.may_lose, found.partitions[0]["isr"]
    (True, [1])
    """
    if isinstance(cluster, Cluster):
        if kafka is not None:
            raise HighwaterError("a Cluster has its release: name it where the cluster is read")
        read = cluster
    elif isinstance(cluster, str) and is_text(cluster):
        read = Cluster.from_text(cluster, kafka=kafka)
    else:
        paths = [cluster] if isinstance(cluster, str | os.PathLike) else list(cluster)
        read = Cluster.from_files(*paths, kafka=kafka)
    return read.assess(settings=settings, down=down, racks=racks)
