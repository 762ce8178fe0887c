"""Versions of other distributions of Kafka, and the release of Kafka that each contains.

A version such as 7.5 looks like a release of Kafka and is none. It is refused with the release that
it contains, so that a run always names the release whose rules it follows.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

_CONFLUENT: Mapping[str, str] = {
    "3.0": "0.10.0",
    "3.1": "0.10.1",
    "3.2": "0.10.2",
    "3.3": "0.11",
    **{f"4.{minor}": f"1.{minor}" for minor in range(2)},
    **{f"5.{minor}": f"2.{minor}" for minor in range(6)},
    **{f"6.{minor}": f"2.{minor + 6}" for minor in range(3)},
    **{f"7.{minor}": f"3.{minor}" for minor in range(10)},
    **{f"8.{minor}": f"4.{minor}" for minor in range(2)},
}
"""Confluent Platform by line, from its table of supported versions. Up to 4.1 its lines have the
numbers of other releases of Kafka, so only its suffixes identify it."""
_PLATFORM = re.compile(
    r"(?P<line>[5-9]\.[0-9]+)(\.[0-9]+)?(-cp[0-9]+)?|"
    r"(?P<suffixed>[3-9]\.[0-9]+)\.[0-9]+(-cp[0-9]+)?-(ccs|ce).*"
)
_KAFKA_IN: tuple[tuple[str | None, re.Pattern[str]], ...] = (
    (
        "Amazon MSK",
        re.compile(
            r"(?P<kafka>[1-9]\.[0-9]+(\.[0-9]+)?)(\.x)?\.(tiered|kraft)|"
            r"(?P<line>[1-9]\.[0-9]+)\.x|(?P<patched>[1-9]\.[0-9]+\.[0-9]+)\.[0-9]+"
        ),
    ),
    ("Strimzi", re.compile(r".*[-_]kafka[-_](?P<kafka>[0-9]+(\.[0-9]+){1,3})")),
    (
        None,
        re.compile(r"(kafka_)?2\.(8|9|1[0-3])(\.[0-9])?-(?P<kafka>[0-9]+(\.[0-9]+){1,3})(\.tgz)?"),
    ),
    (
        None,
        re.compile(
            r"v?(?P<kafka>[0-9]+(\.[0-9]+){1,2})"
            r"[-.](redhat|debian|ubuntu|alpine|ol|photon|amzn|cdh|cdp|hdp|nv|[0-9]+\.[0-9]+\.).*"
        ),
    ),
)


class Distribution(Struct, frozen=True):
    """A distribution, and the release of Kafka in one of its versions."""

    vendor: str | None
    """Null if only the form of the version is known: a package, an archive, an image."""
    kafka: str


def distribution_of(version: str) -> Distribution | None:
    """The distribution with this version; null if the version is of none that is known. Whether the
    release of Kafka exists is not checked, except for Confluent Platform.
    """
    found = _PLATFORM.fullmatch(version)
    if found is not None:
        kafka = _CONFLUENT.get(found["line"] or found["suffixed"])
        return None if kafka is None else Distribution("Confluent Platform", kafka)
    for vendor, pattern in _KAFKA_IN:
        found = pattern.fullmatch(version)
        if found is not None:
            named = (kafka for kafka in found.groupdict().values() if kafka is not None)
            return Distribution(vendor, next(named))
    return None
