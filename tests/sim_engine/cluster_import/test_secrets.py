"""No value of a secret is kept, in whatever form it is pasted."""

import json

import msgspec
import pytest

from sim_engine.cluster_import.assembly import import_cluster
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems, UnreadableError, is_secret
from sim_engine.configs import SETTINGS
from sim_engine.scenario_reader.writer import scenario_text

SECRET = "s3cr3tValue"
NAMES = [
    "ssl.keystore.password",
    "ssl.key.password",
    "ssl.keystore.key",
    "ssl.keystore.certificate.chain",
    "ssl.truststore.certificates",
    "sasl.jaas.config",
    "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config",
    "delegation.token.secret.key",
    "password.encoder.secret",
    "sasl.oauthbearer.client.credentials.client.secret",
    "zookeeper.ssl.keystore.password",
    "my.plugin.api.key",
    "my.plugin.access-token",
    "my.plugin.private.key",
]
DESCRIBED = (
    "Topic: t\tTopicId: AAA\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
)
JAAS = f'org.apache.kafka.common.security.plain.PlainLoginModule required password="{SECRET}";'


def node(name: str) -> str:
    return json.dumps({"version": 1, "config": {name: SECRET, "min.insync.replicas": "1"}})


def resource(kind: str, config: str) -> str:
    return (
        f"apiVersion: kafka.strimzi.io/v1beta2\nkind: {kind}\nmetadata:\n  name: t\nspec:\n{config}"
    )


def record(name: str) -> str:
    data = {"resourceType": 4, "resourceName": "1", "name": name, "value": SECRET}
    payload = json.dumps({"type": "CONFIG_RECORD", "version": 0, "data": data})
    return (
        "Dumping /d/__cluster_metadata-0/00000000000000000000.log\n"
        "baseOffset: 0 lastOffset: 0 count: 1 partitionLeaderEpoch: 1 isControl: false x: 1\n"
        f"| offset: 0 keySize: -1 valueSize: {len(payload)} headerKeys: [] payload: {payload}\n"
    )


def forms(name: str) -> dict[str, str]:
    """A secret of this name in each form that an import reads, or that it names as not read."""
    return {
        "server.properties": f"broker.id=1\nlog.dirs=/d\n{name}={SECRET}\n",
        "server.properties with a login module": f"broker.id=1\nlog.dirs=/d\n{name}={JAAS}\n",
        "logged at the start": (
            "[2024-03-11 10:23:41,882] INFO KafkaConfig values: \n"
            f"\tbroker.id = 1\n\tlog.dirs = /d\n\t{name} = {SECRET}\n"
        ),
        "kafka-topics": DESCRIBED.replace("Configs: ", f"Configs: {name}={SECRET}"),
        "kafka-configs of a broker": (
            f"Dynamic configs for broker 1 are:\n  {name}={SECRET} sensitive=false "
            f"synonyms={{DYNAMIC_BROKER_CONFIG:{name}={SECRET}}}\n"
        ),
        "kafka-configs of all brokers": (
            f"Default configs for brokers in the cluster are:\n  {name}={SECRET} sensitive=false "
            f"synonyms={{DYNAMIC_DEFAULT_BROKER_CONFIG:{name}={SECRET}}}\n"
        ),
        "kafka-configs of a topic, old": f"Configs for topic 't' are {name}={SECRET}\n",
        "ZooKeeper": f"get /config/brokers/1\n{node(name)}\n",
        "ZooKeeper, of a topic": f"get /config/topics/t\n{node(name)}\n",
        "ZooKeeper, without a path": f"{node(name)}\n",
        "Strimzi": resource("KafkaTopic", f"  config:\n    {name}: {SECRET}\n"),
        "Strimzi, of the cluster": resource(
            "Kafka", f"  kafka:\n    config:\n      {name}: {SECRET}\n"
        ),
        "Kubernetes": f"apiVersion: v1\ndata:\n  {name}: {SECRET}\nkind: Secret\n",
        "metadata log": record(name),
        "log of a broker": f"[2024-03-11 10:23:41,882] INFO {name}={SECRET} (kafka.X)\n",
        "a line of a log that is read": (
            f"[2024-03-11 10:23:41,882] INFO [Partition t-0 broker=1] ISR updated to 1 and version "
            f"updated to 4 {name}={SECRET}\n"
        ),
        "JSON of no known form": json.dumps({name: SECRET}) + "\n",
        "JSON that is cut off": f'{{"{name}": "{SECRET}",\n',
        "a line of no known form": f"{name}: {SECRET}\n",
        "a command": f"$ kafka-topics.sh --command-config {name}={SECRET} /tmp/{SECRET}\n",
        "a dumped record": (
            "Dumping /broker-1/t-0/00000000000000000000.log\n"
            "baseOffset: 0 lastOffset: 0 count: 1 partitionLeaderEpoch: 1 isControl: false x: 1\n"
            f"| offset: 0 keySize: 9 valueSize: 9 headerKeys: [] payload: {name}={SECRET}\n"
        ),
    }


@pytest.mark.parametrize("form", forms("x"))
def test_no_secret_is_kept(form: str) -> None:
    for name in NAMES:
        text = forms(name)[form]
        for whole in (text, DESCRIBED + text, text + DESCRIBED):
            files = [ClusterFile("pasted.txt", whole)]
            problems = Problems()
            parsed = read_files(files, problems)
            kept = [msgspec.json.encode(parsed, enc_hook=repr).decode()]
            try:
                cluster = import_cluster(files)
                statements = (
                    *cluster.understood,
                    *cluster.unknown,
                    *cluster.not_used,
                    *cluster.differences,
                )
                kept += [text for one in statements for text in one.texts().values()]
                kept += [scenario_text(cluster.scenario)]
            except UnreadableError as refused:
                kept += [str(refused)]
                kept += [text for one in refused.problems for text in one.said().values()]
            assert not any(SECRET in one for one in kept), (name, form)


def test_a_dropped_secret_is_reported_by_its_name() -> None:
    for form in ("server.properties", "kafka-configs of a broker", "ZooKeeper", "Strimzi"):
        for name in NAMES:
            text = DESCRIBED + forms(name)[form]
            found = import_cluster([ClusterFile("pasted.txt", text)], kafka="3.9")
            said = [one.text() for one in found.unknown if one.name == "secrets"]
            assert any(name in one for one in said), (name, form)


def test_no_setting_that_the_engine_has_is_taken_for_a_secret() -> None:
    assert [one.name for one in SETTINGS if is_secret(one.name)] == []
