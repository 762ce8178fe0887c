"""The metrics of brokers and controllers about replication: name, releases and source.

Every entry was compared with the sources of the releases at both ends of its periods. A metric that
a release does not have is not shown for it.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.releases import at_least, number_of
from sim_engine.versions import Control, Profile

Reporter = Literal["leader", "follower", "broker", "controller"]
"""The brokers that report a metric: each running broker, about the partitions that it leads or
follows, or about itself; or only the active controller.
"""

_SERVER = "kafka.server:type=ReplicaManager,name={}"
_FETCHERS = "kafka.server:type=ReplicaFetcherManager,name={},clientId=Replica"
_CONTROLLER = "kafka.controller:type=KafkaController,name={}"
_STATS = "kafka.controller:type=ControllerStats,name={}"


class Period(Struct, frozen=True):
    """Releases from the first one up to, but excluding, the second; null: there is no end."""

    since: str
    until: str | None = None
    control: Control | None = None
    """The only controller; null for both."""

    def contains(self, profile: Profile) -> bool:
        """Whether a cluster with this profile is in the period."""
        return (
            self.control in (None, profile.control)
            and at_least(profile.version, number_of(self.since))
            and (self.until is None or not at_least(profile.version, number_of(self.until)))
        )


class Metric(Struct, frozen=True, kw_only=True):
    """A metric, by its name in JMX."""

    name: str
    pattern: str
    """Its name in JMX, with a placeholder for `name`."""
    reporter: Reporter
    counts: Literal["now", "run"] = "now"
    """A gauge of the state, or a meter whose attribute `Count` counts from the process's start."""
    sources: tuple[tuple[str, Period], ...]
    """The Kafka class that computes it, in each period in which the metric exists."""

    @property
    def bean(self) -> str:
        """Its complete name in JMX."""
        return self.pattern.format(self.name)

    def source(self, profile: Profile) -> str | None:
        """The class that computes it in this release; None if the release does not have it."""
        found = (source for source, period in self.sources if period.contains(profile))
        return next(found, None)


def _always(source: str, since: str, until: str | None = None) -> tuple[tuple[str, Period], ...]:
    return ((source, Period(since, until)),)


def _zookeeper(since: str, until: str = "4.0") -> tuple[str, Period]:
    return "KafkaController", Period(since, until, "zookeeper")


def _kraft(source: str, since: str, until: str | None = None) -> tuple[str, Period]:
    return source, Period(since, until, "kraft")


# One line describes one metric.
# fmt: off
_ALL = (
    Metric(name="UnderReplicatedPartitions", pattern=_SERVER, reporter="leader", sources=_always("Partition", "0.8")),
    Metric(name="UnderMinIsrPartitionCount", pattern=_SERVER, reporter="leader", sources=_always("Partition", "1.0")),
    Metric(name="AtMinIsrPartitionCount", pattern=_SERVER, reporter="leader", sources=_always("Partition", "2.3")),
    Metric(name="ReassigningPartitions", pattern=_SERVER, reporter="leader", sources=_always("Partition", "2.5")),
    Metric(name="MaxLag", pattern=_FETCHERS, reporter="follower", sources=_always("AbstractFetcherThread", "0.8")),
    Metric(name="FailedPartitionsCount", pattern=_FETCHERS, reporter="follower", sources=_always("AbstractFetcherThread", "2.3")),
    Metric(name="OfflineReplicaCount", pattern=_SERVER, reporter="broker", sources=_always("ReplicaManager", "1.0")),
    Metric(name="OfflineLogDirectoryCount", pattern="kafka.log:type=LogManager,name={}", reporter="broker", sources=_always("LogManager", "1.0")),
    Metric(name="IsrShrinksPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.8")),
    Metric(name="IsrExpandsPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.8")),
    Metric(name="FailedIsrUpdatesPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.11")),
    Metric(name="OfflinePartitionsCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8"), _kraft("ReplicationControlManager", "3.0"))),
    Metric(name="PreferredReplicaImbalanceCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8.1"), _kraft("ReplicationControlManager", "3.0"))),
    Metric(name="ActiveControllerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8"), _kraft("QuorumController", "2.8"))),
    # Under ZooKeeper it is always 0: a broker is registered or not.
    Metric(name="FencedBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("3.1"), _kraft("ClusterControlManager", "3.1"))),
    Metric(name="ActiveBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("3.1"), _kraft("ClusterControlManager", "3.1"))),
    Metric(name="ControlledShutdownBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_kraft("ClusterControlManager", "4.1"),)),
    # A KRaft controller counts unclean elections only since KAFKA-12670 made them possible.
    Metric(name="UncleanLeaderElectionsPerSec", pattern=_STATS, reporter="controller", counts="run", sources=(_zookeeper("0.8"), _kraft("PartitionChangeBuilder", "3.9"))),
    Metric(name="ElectionFromEligibleLeaderReplicasPerSec", pattern=_STATS, reporter="controller", counts="run", sources=(_kraft("PartitionChangeBuilder", "4.1"),)),
    # The name is older than its meaning: the timer of the controller's state BrokerChange.
    Metric(name="LeaderElectionRateAndTimeMs", pattern=_STATS, reporter="controller", counts="run", sources=(_zookeeper("0.8"),)),
)
# fmt: on

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
"""Every metric by its name: first those about partitions, then those of the controller."""


def metrics_of(profile: Profile) -> tuple[tuple[Metric, str], ...]:
    """The metrics of a release, each with the class that computes it."""
    found = ((metric, metric.source(profile)) for metric in METRICS.values())
    return tuple((metric, source) for metric, source in found if source is not None)
