"""Links to Kafka's classes: each leads to a file that exists in the tag that it names."""

import json
import re
from pathlib import Path

import pytest

from sim_engine.narration import source_addresses, source_texts
from sim_engine.releases import OLDEST_MODELLED, RELEASES, at_least, line_of, number_of
from tests.tables import for_each

# Read off Kafka's repository with `git ls-tree`: the tags that were looked at, and for each path
# the first and the last of them that has it. 3.9.0 was looked at as its candidate 3.9.0-rc3.
SEEN = json.loads(Path(__file__).with_name("kafka_source_files.json").read_text(encoding="utf-8"))
TAGS: list[str] = SEEN["tags"].split()
MODELLED = [
    release for release in RELEASES if at_least(number_of(release), number_of(OLDEST_MODELLED))
]
ADDRESS = re.compile(r"https://github\.com/apache/kafka/blob/(?P<tag>[0-9.]+)/(?P<path>.+)")
CLASSES = [name for name, at in source_texts().items() if ADDRESS.fullmatch(at)]


def exists(path: str, tag: str) -> bool:
    """Whether a tag has a file; a patch release that was not looked at has those of its line."""
    first, last = SEEN["files"][path]
    alike = [seen for seen in TAGS if line_of(number_of(seen)) == line_of(number_of(tag))]
    held = TAGS[TAGS.index(first) : TAGS.index(last) + 1]
    return tag in held if tag in TAGS else any(seen in held for seen in alike)


@for_each("release", MODELLED)
def test_every_class_leads_to_a_file_that_its_tag_has(release: str) -> None:
    addresses = source_addresses(release)

    for name in CLASSES:
        found = ADDRESS.fullmatch(addresses[name])
        assert found is not None, name
        assert found["tag"] in RELEASES, name
        assert exists(found["path"], found["tag"]), (name, addresses[name])


@for_each("release", MODELLED)
def test_the_tag_is_that_of_the_release_where_it_has_the_class(release: str) -> None:
    addresses = source_addresses(release)

    assert ("/blob/" + release + "/" in addresses["ReplicaManager"]) == (
        not at_least(number_of(release), (4, 0))
    )


@pytest.mark.parametrize(
    ("kafka", "name", "place"),
    [
        ("3.4.1", "LeaderEpochFileCache", "3.4.1/core/src/main/scala/kafka/server/epoch/"),
        ("3.5", "LeaderEpochFileCache", "3.5.2/storage/src/main/java/org/apache/kafka/storage/"),
        ("0.10.2", "ReplicaManager", "0.10.2.2/core/src/main/scala/kafka/server/ReplicaManager"),
        ("1.0", "UnifiedLog", "1.0.2/core/src/main/scala/kafka/log/Log.scala"),
        # Before there was such a class, the first release that has it.
        ("0.10.2", "LeaderEpochFileCache", "0.11.0.0/core/src/main/scala/kafka/server/epoch/"),
        ("2.0", "BrokerHeartbeatManager", "2.8.0/metadata/src/main/java/"),
        # Kafka 4.0 has no ZooKeeper controller: the last release that does.
        ("4.1", "KafkaController", "3.9.2/core/src/main/scala/kafka/controller/KafkaController"),
    ],
)
def test_a_class_is_looked_for_where_that_release_has_it(kafka: str, name: str, place: str) -> None:
    assert source_addresses(kafka)[name].startswith(f"https://github.com/apache/kafka/blob/{place}")


def test_every_source_has_an_address_in_every_release() -> None:
    assert all(source_addresses(release).keys() == source_texts().keys() for release in MODELLED)
