"""The printed state of one partition as the start of a film: its own brokers, settings and release,
and two records instead of its log.

m1 is on every disk. m2 is what can be lost. The replicas that must have it are those that the
printed state names as complete: the ISR, and with KIP-966 the ELR. If the ISR is smaller than
min.insync.replicas, m2 was acknowledged by more replicas than these.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.base import renamed
from sim_engine.actions.steps import Happening
from sim_engine.configs import ConfigValue, effective_configs
from sim_engine.identifiers import NO_LEADER, Acks, BrokerId, Offset, TopicPartition
from sim_engine.scenario_reader.document import (
    CheckpointSpec,
    LogSpec,
    PartitionSpec,
    RecordSpec,
    Scenario,
    ScenarioStep,
)
from sim_engine.scenario_reader.version import profile_for
from sim_engine.versions import Profile

MIN_ISR = "min.insync.replicas"
UNCLEAN = "unclean.leader.election.enable"
FLUSH = "log.flush.interval.messages"
_NAMES_ON_TOPICS = {FLUSH: "flush.messages"}
_KEPT, _AT_STAKE = RecordSpec("m1"), RecordSpec("m2")
TOPIC = "t"
PARTITION = TopicPartition("t-0")
"""The partition of every film. Its topic has a short name, because steps repeat it."""


class StartState(Struct, frozen=True, kw_only=True):
    """One partition in its printed state, with the cluster's settings and release.

    `scenario` has only this partition and the brokers of its replicas, and no logs and no steps.
    """

    scenario: Scenario
    acks: Acks
    profile: Profile
    down_ones_have_it: bool = False
    """If the state leaves open which replicas outside the ISR have m2: those that are down."""

    @property
    def spec(self) -> PartitionSpec:
        """The partition."""
        return self.scenario.topics[0].partitions[0]

    @property
    def configs(self) -> Mapping[str, ConfigValue]:
        """The effective settings of the partition."""
        return effective_configs(
            self.profile.kafka,
            self.profile.control,
            self.scenario.configs,
            self.scenario.topics[0].configs,
        )

    @property
    def replicas(self) -> tuple[BrokerId, ...]:
        """The replicas, the preferred leader first."""
        return self.spec.replicas

    @property
    def leader(self) -> BrokerId:
        """The leader; -1 if there is none."""
        return self.spec.first_leader

    @property
    def in_sync(self) -> tuple[BrokerId, ...]:
        """The members of the ISR that are replicas, in the order of the replicas."""
        return tuple(broker for broker in self.replicas if broker in self.spec.in_sync)

    @property
    def eligible(self) -> tuple[BrokerId, ...]:
        """The replicas in the ELR, in the order of the replicas."""
        return tuple(broker for broker in self.replicas if broker in self.spec.elr)

    @property
    def last_known(self) -> BrokerId:
        """The last known leader (KIP-966); -1 if none is stored."""
        return self.spec.last_known_elr[0] if self.spec.last_known_elr else NO_LEADER

    @property
    def up(self) -> frozenset[BrokerId]:
        """The brokers that run and have a session."""
        states = self.scenario.broker_states
        return frozenset(broker for broker, state in states.items() if state == "running")

    @property
    def down(self) -> frozenset[BrokerId]:
        """The brokers whose process has ended."""
        states = self.scenario.broker_states
        return frozenset(broker for broker, state in states.items() if state == "stopped")

    @property
    def min_isr(self) -> int:
        """min.insync.replicas, at most the number of replicas; 1 if the release has no such
        setting.
        """
        return min(int(self.configs.get(MIN_ISR, 1)), len(self.replicas))

    @property
    def is_flushed(self) -> bool:
        """Whether every record is flushed before it is acknowledged."""
        return int(self.configs[FLUSH]) <= 1

    @property
    def elects_uncleanly(self) -> bool:
        """Whether the controller elects a replica from outside the ISR by itself."""
        reads = (
            self.profile.control == "zookeeper" or self.profile.rules.unclean_election_by_setting
        )
        return bool(self.configs[UNCLEAN]) and reads

    @property
    def has_eligible(self) -> bool:
        """Whether there are eligible leader replicas (KIP-966)."""
        return self.profile.rules.eligible_leader_replicas

    @property
    def acknowledges(self) -> bool:
        """Whether a leader accepts records with acks=all now."""
        return self.leader != NO_LEADER and len(self.in_sync) >= self.min_isr

    @property
    def holders(self) -> tuple[BrokerId, ...]:
        """The replicas that have m2 if it was acknowledged before the printed state."""
        named = [*self.in_sync, *self.eligible]
        if not named:
            # None is trusted any more. The last known leader may have it, or any of the others.
            only = (self.last_known,) if self.last_known in self.replicas else ()
            rest = tuple(one for one in self.replicas if one not in only)
            return only if self.down_ones_have_it else rest[: self.min_isr]
        missing = 0 if self.has_eligible else max(0, self.min_isr - len(self.in_sync))
        others = [one for one in self.replicas if one not in named]
        others.sort(key=lambda broker: (broker in self.up) == self.down_ones_have_it)
        holders = {*named, *others[:missing]}
        return tuple(broker for broker in self.replicas if broker in holders)

    def variants(self) -> tuple["StartState", ...]:
        """The states that differ in what the printed one leaves open."""
        other = replace(self, down_ones_have_it=True)
        return (self,) if other.holders == self.holders else (self, other)

    def rack_of(self, broker: BrokerId) -> str | None:
        """The rack of a broker, if it is known."""
        racks = {one.id: one.rack for one in self.scenario.brokers}
        return racks[broker]

    def with_setting(self, name: str, value: ConfigValue) -> "StartState":
        """The same state under another value of a setting, which the topic does not override."""
        topic = self.scenario.topics[0]
        overrides = (name, _NAMES_ON_TOPICS.get(name))
        kept = {key: old for key, old in topic.configs.items() if key not in overrides}
        scenario = replace(
            self.scenario,
            configs={**self.scenario.configs, name: value},
            topics=(replace(topic, configs=kept),),
        )
        return replace(self, scenario=scenario)

    def with_acks(self, acks: Acks) -> "StartState":
        """The same state for producers with other acks."""
        return replace(self, acks=acks)

    def with_release(self, kafka: str) -> "StartState":
        """The same state under another release. If that has eligible leader replicas, they are the
        ones that had everything when they left the ISR.

        Raises `UnknownVersionError` if the release cannot be in this state.
        """
        scenario = replace(
            self.scenario,
            kafka=kafka,
            metadata_version=None,
            inter_broker_protocol_version=None,
            rules={},
        )
        profile = profile_for(scenario)
        if profile.rules.eligible_leader_replicas and not self.has_eligible:
            outside = tuple(one for one in self.holders if one not in self.in_sync)
            below = len(self.in_sync) < self.min_isr
            scenario = _with_partition(scenario, elr=outside if below else ())
        return replace(self, scenario=scenario, profile=profile)

    def film(
        self, steps: tuple[Happening, ...], *, acked_before: bool, film_id: str = "film"
    ) -> Scenario:
        """The scenario of these steps from the printed state. `acked_before`: m2 was acknowledged
        before; otherwise the steps send it.
        """
        holders = self.holders if acked_before else ()
        logs = {broker: self._log(broker in holders) for broker in self.replicas}
        return replace(
            _with_partition(
                self.scenario, logs=logs, acked=("m1", "m2") if acked_before else ("m1",)
            ),
            id=film_id,
            steps=tuple(ScenarioStep(step) for step in steps),
        )

    def _log(self, has_both: bool) -> LogSpec:
        records = (_KEPT, _AT_STAKE) if has_both else (_KEPT,)
        end = Offset(len(records))
        return LogSpec(
            records=records,
            high_watermark=end,
            flushed=end if self.is_flushed else Offset(1),
            checkpoint=CheckpointSpec(high_watermark=end),
        )


def start_state(scenario: Scenario, partition: TopicPartition, acks: Acks) -> StartState:
    """One partition of a scenario whose frame 0 is the printed state of a cluster."""
    found = next(one for one in scenario.topics if partition in one.named)
    spec = replace(found.named[partition], number=None, logs={}, acked=())
    involved = {*spec.replicas, *spec.in_sync, *spec.elr, *spec.last_known_elr}
    states = scenario.broker_states
    brokers = tuple(
        replace(broker, state=states[broker.id])
        for broker in scenario.brokers
        if broker.id in involved
    )
    only = replace(
        scenario,
        brokers=brokers,
        topics=(replace(found, name=TOPIC, partitions=(spec,)),),
        steps=(),
        source=(),
        alias=None,
        chapter=None,
        control_run=None,
        applies_to={},
        summary={},
    )
    return StartState(scenario=only, acks=acks, profile=profile_for(only))


def called(scenario: Scenario, partition: TopicPartition) -> Scenario:
    """The scenario of a film with its partition under this name. A film that has a different topic
    of that name keeps its own names.
    """
    topic, _, number = partition.rpartition("-")
    if topic in {one.name for one in scenario.topics} - {TOPIC}:
        return scenario
    return replace(
        scenario,
        topics=tuple(
            replace(
                one,
                name=topic,
                partitions=(replace(one.partitions[0], number=int(number) or None),),
            )
            if one.name == TOPIC
            else one
            for one in scenario.topics
        ),
        steps=tuple(
            replace(one, step=renamed(one.step, PARTITION, partition)) for one in scenario.steps
        ),
    )


def _with_partition(scenario: Scenario, **changes: object) -> Scenario:
    topic = scenario.topics[0]
    changed = replace(topic.partitions[0], **changes)
    return replace(scenario, topics=(replace(topic, partitions=(changed,)),))
