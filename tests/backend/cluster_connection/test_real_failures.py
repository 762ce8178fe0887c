"""Clusters of three brokers with failures, a cluster with authentication and rights, and clusters
with ZooKeeper. Each takes a minute.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.cluster_connection import reading
from backend.cluster_connection.connection import read_addresses
from backend.cluster_connection.properties import ClientSettings
from backend.cluster_connection.reading import read_cluster
from backend.cluster_connection.watching import partition_table
from backend.watches.drawing import drawn_partition
from sim_engine.cluster_import.logs import changes_between
from sim_engine.cluster_import.parsed_state import ParsedState, Partition
from sim_engine.identifiers import NO_LEADER
from tests.backend.cluster_connection.conftest import (
    NEWEST,
    OLD,
    OLDER,
    Printed,
    as_described,
    cluster_or_skip,
    without_ids,
)
from tests.backend.cluster_connection.traces import traces_of
from tests.kafka_cluster import KafkaCluster

pytestmark = pytest.mark.slow
_LOGIN = "org.apache.kafka.common.security"
_TOPICS = (("elr", "1:2:3", 2), ("gone", "2:3", 1), ("moving", "1:2", 1), ("one", "1:2", 1))
ELR, GONE, ONE = Partition("elr", 0), Partition("gone", 0), Partition("one", 0)


def read(cluster: KafkaCluster) -> ParsedState:
    addresses = read_addresses(cluster.bootstrap())
    return asyncio.run(read_cluster(addresses, ClientSettings(connect_s=2, request_s=20)))


def wait_until(cluster: KafkaCluster, holds: Callable[[ParsedState], bool]) -> ParsedState:
    until = time.monotonic() + 60
    while True:
        state = read(cluster)
        if holds(state):
            return state
        assert time.monotonic() < until, partition_table(state)
        time.sleep(0.5)


def columns(state: ParsedState) -> dict[str, tuple[object, ...]]:
    """What `kafka-topics` prints of each partition."""
    return {
        str(name): (
            about.leader,
            about.replicas,
            about.isr,
            about.elr,
            about.last_known_elr,
            about.adding,
            about.removing,
        )
        for name, about in state.partitions.items()
    }


@pytest.fixture(scope="module")
def failing() -> Iterator[KafkaCluster]:
    """Brokers 3 and then 2 of three are killed: an ELR, a partition without a leader, ISRs of
    one, a reassignment that waits.
    """
    # The tool refuses to move a replica to a broker that is known to be down.
    slowly = {"broker.session.timeout.ms": "8000"}
    with cluster_or_skip(NEWEST, brokers=3, settings=slowly) as cluster:
        wait_for_brokers(cluster, 3)
        for topic, replicas, least in _TOPICS:
            cluster.topics(
                "--create", "--topic", topic, "--replica-assignment", replicas,
                "--config", f"min.insync.replicas={least}",
            )  # fmt: skip
            cluster.produce(topic, 50)
        cluster.kill(3)
        plan = cluster.folder / "plan.json"
        move = {"topic": "moving", "partition": 0, "replicas": [1, 3]}
        plan.write_text(json.dumps({"version": 1, "partitions": [move]}))
        cluster.tool(
            "org.apache.kafka.tools.reassign.ReassignPartitionsCommand", "--bootstrap-server",
            cluster.bootstrap(), "--reassignment-json-file", str(plan), "--execute",
        )  # fmt: skip
        wait_until(cluster, lambda state: state.partitions[ELR].isr == (1, 2))
        cluster.kill(2)
        wait_until(
            cluster,
            lambda state: (
                state.partitions[GONE].leader == NO_LEADER
                and state.partitions[ELR].isr == (1,)
                and state.partitions[ONE].isr == (1,)
            ),
        )
        yield cluster


def wait_for_brokers(cluster: KafkaCluster, count: int) -> None:
    """A topic with that many replicas can be created once they are registered."""
    until = time.monotonic() + 60
    while True:
        try:
            cluster.topics(
                "--create", "--topic", "__probe", "--partitions", "1",
                "--replication-factor", str(count),
            )  # fmt: skip
            return
        except AssertionError:
            assert time.monotonic() < until
            time.sleep(1)


def test_a_cluster_without_two_of_three_brokers_is_read_as_kafka_topics_prints_it(
    failing: KafkaCluster, highwater: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = failing.topics("--describe")
    before = traces_of(failing)

    status, scenario, _ = highwater(
        "connect", failing.bootstrap(), *topic_options(*(name for name, _, _ in _TOPICS))
    )

    assert status == 0
    assert traces_of(failing) == before
    assert columns(read(failing)) == columns(as_described(described))
    monkeypatch.setattr(reading, "_AT_ONCE", 1)  # in as many responses as there are partitions
    state = read(failing)
    assert columns(state) == columns(as_described(described))
    assert state.partitions[ELR].elr == (2,)
    assert state.partitions[Partition("moving", 0)].adding == (3,)
    assert state.partitions[GONE].leader == NO_LEADER
    assert state.partitions[GONE].last_known_elr
    (tmp_path / "mine.yaml").write_text(scenario)
    _, shown, _ = highwater("describe", str(tmp_path / "mine.yaml"))
    expected = [line for line in without_ids(described).splitlines() if "__probe" not in line]
    assert sorted(without_ids(shown).splitlines()) == sorted(expected)


def topic_options(*names: str) -> list[str]:
    return [word for name in names for word in ("--topic", name)]


def test_log_ends_and_epochs_are_those_on_disk(failing: KafkaCluster) -> None:
    state = read(failing)

    (log,) = [log for log in state.logs if log.partition == ELR]
    assert (log.origin.stated, log.end, log.log_start) == (1, 50, 0)
    assert state.high_watermarks[ELR] == 50
    written = (failing.data_folder(1) / "elr-0/leader-epoch-checkpoint").read_text().split()
    assert [word for entry in log.epochs or () for word in map(str, entry)] == written[2:]


def test_watching_names_what_changes(failing: KafkaCluster) -> None:
    before = read(failing)
    failing.start(2)

    after = wait_until(
        failing,
        lambda state: state.partitions[GONE].leader == 2 and state.partitions[ONE].isr != (1,),
    )

    changes = [one.text() for one in changes_between(before, after)]
    assert "gone-0: 2 is the leader, there was none" in changes
    assert any("2 joined the ISR" in line for line in changes if "one-0" in line)
    assert "Broker 2 is running" in changes
    table = partition_table(after)
    assert table[1].startswith("!")
    assert len(partition_table(after, 3)) == 3
    failing.kill(2)


def test_every_partition_of_a_watched_cluster_is_drawn_as_it_was_read(
    failing: KafkaCluster,
) -> None:
    addresses = read_addresses(failing.bootstrap())
    client = ClientSettings(connect_s=2, request_s=20)
    state = asyncio.run(read_cluster(addresses, client, whole=True, most_logs=200))

    drawn = [drawn_partition(state, name, 1, None) for name in sorted(state.partitions)]

    assert {Partition("one", 0), Partition("gone", 0)} <= state.partitions.keys()
    wrong = {
        one["partition"]: [row for row in one["compared"] if row["standing"] != "equal"]  # type: ignore[attr-defined]
        for one in drawn
        if not str(one["partition"]).startswith("__")
    }
    assert not any(wrong.values()), wrong
    assert all(
        any(str(row["where"]).endswith("log_end_offset") for row in one["compared"])  # type: ignore[attr-defined]
        for one in drawn
        if one["offsets_read"]
    )


def test_a_watched_cluster_prints_a_document_a_line(failing: KafkaCluster) -> None:
    command = [sys.executable, "-m", "backend.cli", "connect", failing.bootstrap()]
    with subprocess.Popen(
        [*command, "--watch", "--interval", "0.2", "--json"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        documents = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.terminate()

    assert documents[0]["at"] <= documents[1]["at"]
    assert documents[0]["scenario"] == documents[1]["scenario"]


# --- security ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaCluster]:
    """A broker with TLS, all mechanisms of SASL, and rights: user `reader` may describe topics."""
    folder = tmp_path_factory.mktemp("certificates")
    make_certificate(folder)
    of_listener = "listener.name.sasl_plaintext"
    scram = f"{_LOGIN}.scram.ScramLoginModule required;"
    settings = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:boss;User:token-user",
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
        f"{of_listener}.plain.sasl.jaas.config": (
            f'{_LOGIN}.plain.PlainLoginModule required user_boss="boss-secret";'
        ),
        f"{of_listener}.scram-sha-256.sasl.jaas.config": scram,
        f"{of_listener}.scram-sha-512.sasl.jaas.config": scram,
        f"{of_listener}.oauthbearer.sasl.jaas.config": (
            f"{_LOGIN}.oauthbearer.OAuthBearerLoginModule required "
            'unsecuredLoginStringClaim_sub="broker";'
        ),
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(folder / "broker.pem"),
        "listener.name.ssl.ssl.client.auth": "requested",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(folder / "certificate.pem"),
    }
    users = [
        f"SCRAM-SHA-{size}=[name={name},password=reader-secret]"
        for size in (256, 512)
        for name in ("reader", "boss")
    ]
    with cluster_or_skip(
        NEWEST, listeners=("SASL_PLAINTEXT", "SSL"), settings=settings, scram=users
    ) as cluster:
        cluster.topics("--create", "--topic", "orders", "--partitions", "1")
        cluster.produce("orders", 5)
        cluster.tool(
            "org.apache.kafka.tools.AclCommand", "--bootstrap-server", cluster.bootstrap(), "--add",
            "--allow-principal", "User:reader", "--operation", "Describe", "--topic", "*",
        )  # fmt: skip
        for name in ("certificate.pem", "locked.pem"):
            (cluster.folder / name).write_text((folder / name).read_text())
        yield cluster


def make_certificate(folder: Path) -> None:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out",
            str(certificate), "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "broker.pem").write_text(key.read_text() + certificate.read_text())
    locked = ["-aes256", "-passout", "pass:sesame", "-out", str(folder / "key-locked.pem")]
    subprocess.run(["openssl", "pkey", "-in", str(key), *locked], check=True, capture_output=True)
    (folder / "locked.pem").write_text(
        (folder / "key-locked.pem").read_text() + certificate.read_text()
    )


def sasl(mechanism: str, module: str, options: str) -> str:
    return (
        f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism={mechanism}\n"
        f"sasl.jaas.config={_LOGIN}.{module} required {options};\n"
    )


PLAIN = sasl("PLAIN", "plain.PlainLoginModule", 'username="boss" password="boss-secret"')
SCRAM = 'username="{}" password="reader-secret"'
GOOD = {
    "PLAIN": PLAIN,
    "SCRAM-SHA-256": sasl("SCRAM-SHA-256", "scram.ScramLoginModule", SCRAM.format("boss")),
    "SCRAM-SHA-512": sasl("SCRAM-SHA-512", "scram.ScramLoginModule", SCRAM.format("boss")),
    "OAUTHBEARER": sasl(
        "OAUTHBEARER",
        "oauthbearer.OAuthBearerLoginModule",
        'unsecuredLoginStringClaim_sub="token-user"',
    ),
}


@pytest.mark.parametrize("mechanism", GOOD)
def test_each_mechanism_authenticates(
    secured: KafkaCluster, highwater: Printed, tmp_path: Path, mechanism: str
) -> None:
    config = tmp_path / "client.properties"
    config.write_text(GOOD[mechanism])

    status, output, errors = highwater(
        "connect", secured.bootstrap("SASL_PLAINTEXT"), "--config", str(config)
    )

    assert status == 0, errors
    assert "orders" in output
    assert "secret" not in output + errors


def test_tls_trusts_the_named_certificate(
    secured: KafkaCluster, highwater: Printed, tmp_path: Path
) -> None:
    config = tmp_path / "client.properties"
    config.write_text(tls(secured))

    status, output, errors = highwater("connect", secured.bootstrap("SSL"), "--config", str(config))

    assert status == 0, errors
    assert "orders" in output


def tls(secured: KafkaCluster) -> str:
    return (
        "security.protocol=SSL\nssl.truststore.type=PEM\n"
        f"ssl.truststore.location={secured.folder / 'certificate.pem'}\n"
    )


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("sesame", "no topics: there are none, or this user may describe none"),
        ("wrong", "ssl.keystore: is no certificate with its key in PEM, or ssl.key.password is"),
    ],
)
def test_a_client_with_a_certificate_is_the_user_that_it_names(
    secured: KafkaCluster, highwater: Printed, tmp_path: Path, password: str, reason: str
) -> None:
    """User CN=localhost has no rights; without a certificate, the user is a super user."""
    config = tmp_path / "client.properties"
    config.write_text(
        f"{tls(secured)}ssl.keystore.type=PEM\nssl.key.password={password}\n"
        f"ssl.keystore.location={secured.folder / 'locked.pem'}\n"
    )

    status, output, errors = highwater("connect", secured.bootstrap("SSL"), "--config", str(config))

    assert (status, output) == (2, "")
    assert reason in errors


def test_a_user_who_may_only_describe_topics_gets_them_and_the_list_of_refusals(
    secured: KafkaCluster, highwater: Printed, tmp_path: Path
) -> None:
    config = tmp_path / "client.properties"
    config.write_text(sasl("SCRAM-SHA-256", "scram.ScramLoginModule", SCRAM.format("reader")))

    status, output, errors = highwater(
        "connect", secured.bootstrap("SASL_PLAINTEXT"), "--config", str(config)
    )

    assert status == 0, errors
    assert "o0/0 o*4/0" in output
    refused = [line for line in errors.splitlines() if line.startswith("The cluster did not give")]
    assert refused == [
        "The cluster did not give the settings of brokers (CLUSTER_AUTHORIZATION_FAILED: 1). "
        "The defaults of the release are assumed.",
        "The cluster did not give log directories (CLUSTER_AUTHORIZATION_FAILED). "
        "Which of them have failed is not known.",
        "The cluster did not give the controller quorum (CLUSTER_AUTHORIZATION_FAILED). "
        "Brokers without replicas may be missing.",
        "The cluster did not give reassignments (CLUSTER_AUTHORIZATION_FAILED). "
        "Which replicas are being added or removed is not known.",
        "The cluster did not give the settings of topics (TOPIC_AUTHORIZATION_FAILED: orders). "
        "Those of the brokers are assumed.",
    ]


@pytest.mark.parametrize(
    ("listener", "properties", "reason"),
    [
        ("SASL_PLAINTEXT", "", "the broker closed the connection at Metadata: it may require SASL"),
        ("SASL_PLAINTEXT", "security.protocol=SSL\n", "the listener may not use TLS"),
        ("SSL", "", "the listener uses TLS"),
        ("SSL", "security.protocol=SSL\n", "the broker's certificate is not trusted: self-signed"),
        ("PLAINTEXT", PLAIN, "this listener does not authenticate clients"),
        ("SASL_PLAINTEXT", PLAIN.replace("boss-secret", "wrong-one"), "authentication failed: "),
        (
            "SASL_PLAINTEXT",
            GOOD["SCRAM-SHA-256"].replace("reader-secret", "wrong-one"),
            "authentication failed: ",
        ),
    ],
)
def test_what_does_not_fit_is_one_line(
    secured: KafkaCluster,
    highwater: Printed,
    tmp_path: Path,
    listener: str,
    properties: str,
    reason: str,
) -> None:
    config = tmp_path / "client.properties"
    config.write_text(properties)

    status, output, errors = highwater(
        "connect", secured.bootstrap(listener), "--config", str(config)
    )

    assert (status, output) == (2, "")
    assert reason in errors
    assert errors.count("\n") == 1
    assert "wrong-one" not in errors


# --- ZooKeeper -----------------------------------------------------------------------------------


@pytest.mark.parametrize("release", [OLD, OLDER])
def test_an_old_cluster_is_read_as_kafka_topics_prints_it_and_stays_as_it_was(
    release: str, highwater: Printed, tmp_path: Path
) -> None:
    with cluster_or_skip(release, brokers=2) as cluster:
        cluster.topics("--create", "--topic", "orders", "--replica-assignment", "1:2,2:1")
        cluster.produce("orders", 9)
        cluster.kill(2)
        wait_until(cluster, lambda state: all(a.isr == (1,) for a in state.partitions.values()))
        described = cluster.topics("--describe")
        before = traces_of(cluster)

        status, scenario, errors = highwater("connect", cluster.bootstrap())
        _, printed, _ = highwater("connect", cluster.bootstrap(), "--json")

        assert traces_of(cluster) == before
        assert status == 0, errors
        assert columns(read(cluster)) == columns(as_described(described))
        found = json.loads(printed)["kafka"]
        assert found["from"] == found["to"] == release.rpartition(".")[0]
        (tmp_path / "mine.yaml").write_text(scenario)
        _, shown, _ = highwater("describe", str(tmp_path / "mine.yaml"))
        # Columns are aligned by spaces up to 2.1.
        shown, described = (
            re.sub(r"[ \t]+", " ", without_ids(text)) for text in (shown, described)
        )
        assert shown.split() == described.split()
        ends = {(str(log.partition), log.end) for log in read(cluster).logs}
        assert sum(end or 0 for _, end in ends) == 9


def test_a_change_would_leave_a_trace() -> None:
    with cluster_or_skip(NEWEST) as cluster:
        cluster.topics("--create", "--topic", "orders", "--partitions", "1")
        before = traces_of(cluster)

        cluster.produce("orders", 1)

        assert traces_of(cluster)["logs"] != before["logs"]
        cluster.topics("--create", "--topic", "more", "--partitions", "1")
        assert traces_of(cluster)["metadata"] != before["metadata"]
