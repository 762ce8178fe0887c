"""The partitions of a described cluster, and which of them are alike.

Two partitions are alike if they differ only in the names of their brokers: each broker is the
position of its replica. Everything that decides what a failure does is part of the comparison: the
release, the settings, which brokers are up, the leader, ISR and ELR, and a reassignment.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.start import NEVER_FLUSHES
from sim_engine.cluster_import.assembly import (
    Selection,
    cluster_configs,
    configs_of,
    described_partitions,
    differences,
    rack_name,
    running_brokers,
    start_document,
    states_of_brokers,
)
from sim_engine.cluster_import.conclusions import ReleaseFound, conclude, releases_for
from sim_engine.cluster_import.logs import Replicas, replicas_of
from sim_engine.cluster_import.parsed_state import (
    ImportProblem,
    ParsedPartition,
    ParsedState,
    Partition,
    Problems,
    Statement,
    UnreadableError,
)
from sim_engine.cluster_import.tool_output import settings_named
from sim_engine.configs import ConfigValue, WrongConfigError, check_config, effective_configs
from sim_engine.error_texts import WrongValueError, error
from sim_engine.identifiers import NO_LEADER, Acks, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.releases import at_least
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import Control, Profile, resolve_profile

ELR, ACKS, CONTROL = "elr", "acks", "control"
"""The names under which a reader changes eligible leader replicas, the producers' acks, and the
kind of controller where a release has both.
"""
MIN_ISR, UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"
FLUSH = "log.flush.interval.messages"
LEFT_TO_SYSTEM = "system"
"""The value of `FLUSH` with which a broker flushes nothing itself."""
_ELR_SINCE = (4, 0)
"""The first release that has the feature, off by default."""
_TOPIC_NAMES = {FLUSH: "flush.messages"}
_ACKS: Mapping[str, Acks] = {"all": "all", "-1": "all", "1": 1, "0": 0}
_SWITCHES = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}

Standing = Literal["up", "down", "unknown", "just_down"]
"""The state of a replica's broker. `just_down`: it is down, and the printed state still counts on
it: it leads or is in the ISR of a leader.
"""


class Changes(Struct, frozen=True, kw_only=True):
    """What the reader states or changes: the release, settings, the brokers that are down, and the
    racks of brokers; an empty rack is an unknown one.
    """

    kafka: str | None = None
    settings: Mapping[str, str] = {}
    down: Collection[BrokerId] = ()
    racks: Mapping[BrokerId, str] = {}


class PrintedPartition(Struct, frozen=True, kw_only=True):
    """One partition of a kind, with its brokers in the order of their positions."""

    name: Partition
    brokers: tuple[BrokerId, ...]


class PrintedKind(Struct, frozen=True, kw_only=True):
    """Partitions that are alike. `about` describes the first one."""

    about: ParsedPartition
    partitions: list[PrintedPartition]
    standings: tuple[Standing, ...]
    """By position."""
    configs: Mapping[str, ConfigValue]
    """The settings of its topic."""


class RefusedPartitions(Struct, frozen=True, kw_only=True):
    """Partitions that are alike, in a printed state to which no history of the release leads."""

    names: tuple[Partition, ...]
    problem: ImportProblem
    """Where the first one is described, and the rule that excludes it."""


class PrintedCluster:
    """A described cluster under one release, with the reader's changes.

    Partitions in an impossible state are in `refused`, and nowhere else. Raises `UnreadableError`
    if all of them are, `UnknownVersionError` for an unknown release, and `WrongValueError` for a
    setting that it does not have.
    """

    def __init__(self, parsed: ParsedState, changes: Changes) -> None:
        problems = Problems()
        conclude(parsed)
        if CONTROL in changes.settings:
            parsed = replace(parsed, controls={_control(changes.settings[CONTROL])})
        self.parsed = parsed
        self.changes = changes
        self._replicas: Replicas = replicas_of(parsed, problems)
        problems.stop()
        described = described_partitions(parsed, self._replicas)
        self.partitions = dict(sorted(described.items()))
        if not described:
            raise UnreadableError(
                [ImportProblem(file="import", line=1, reason=error("import_without_partition"))]
            )
        brokers = {broker for about in described.values() for broker in _brokers_of(about)}
        self._everything = Selection(self.partitions, {one: one for one in sorted(brokers)})
        self._states = dict(states_of_brokers(parsed, self._everything))
        self.brokers = tuple(sorted(brokers | parsed.brokers))
        self.pasted_racks = {
            broker: rack_name(rack) for broker, rack in sorted(parsed.racks.items()) if rack
        }
        changed = {broker: rack_name(rack) for broker, rack in changes.racks.items()}
        self.racks = {
            broker: rack for broker, rack in {**self.pasted_racks, **changed}.items() if rack
        }
        """Those that are known. A rack decides which brokers lose power together, and no cell: each
        is about one failure."""
        self._running = running_brokers(parsed)
        self._down = {*changes.down, *parsed.down, *parsed.shutting_down}
        self.acks = self._acks()
        self._of_topics: dict[tuple[tuple[str, str], ...], dict[str, ConfigValue]] = {}
        self.release, self.kinds, self.refused = self._first_possible()
        for refused in self.refused:
            for name in refused.names:
                del self.partitions[name]

    @property
    def elr(self) -> bool:
        """Whether eligible leader replicas are on."""
        stated = self.changes.settings.get(ELR)
        if stated is not None:
            return _SWITCHES[stated]
        own = self.rules
        if not at_least(own.version, _ELR_SINCE):
            return False
        if self.parsed.elr_enabled is not None:
            return self.parsed.elr_enabled
        return own.rules.eligible_leader_replicas

    def _acks(self) -> Acks:
        stated = self.changes.settings.get(ACKS, "all")
        if stated not in _ACKS:
            raise WrongValueError(error("assess_acks", value=stated))
        if self.changes.settings.get(ELR, "on") not in _SWITCHES:
            raise WrongValueError(error("assess_elr", value=self.changes.settings[ELR]))
        return _ACKS[stated]

    def _first_possible(
        self,
    ) -> tuple[ReleaseFound, list[PrintedKind], tuple[RefusedPartitions, ...]]:
        """The newest of the releases that fit in which the fewest partitions are impossible, the
        kinds under it, and what it refuses.
        """
        best: ReleaseFound | None = None
        fewest = 0
        for release in releases_for(self.parsed, self.changes.kafka):
            kinds, refused = self._under(release)
            count = sum(len(one.names) for one in refused)
            if not count:
                return release, kinds, ()
            if best is None or count < fewest:
                best, fewest = release, count
        assert best is not None, "at least one release was tried"
        kinds, refused = self._under(best)
        if not kinds:
            raise UnreadableError([one.problem for one in refused])
        return best, kinds, refused

    def _under(
        self, release: ReleaseFound
    ) -> tuple[list[PrintedKind], tuple[RefusedPartitions, ...]]:
        """Take a release, and return the kinds under it and what it refuses."""
        self.release = release
        self._pasted_configs = cluster_configs(self._silent(), self._everything, release)
        self._cluster_configs = self._overridden(self._pasted_configs, "broker")
        self._of_topics = {}
        kinds: list[PrintedKind] = []
        refused: list[RefusedPartitions] = []
        for kind in self._kinds():
            try:
                read_scenario_document(self.document(kind, kind.partitions[0]))
                kinds.append(kind)
            except ScenarioError as wrong:
                refused.append(_refused(kind, wrong))
        return kinds, tuple(refused)

    def waits_for(self, about: ParsedPartition) -> tuple[BrokerId, ...]:
        """The brokers that run and could lead a partition without a leader. Nothing in the input
        says why the controller has elected none of them.
        """
        if about.leader != NO_LEADER:
            return ()
        unavailable = {*about.offline, *self._down}
        return tuple(
            one for one in _electable(about) if one in self._running and one not in unavailable
        )

    @cached_property
    def unexplained(self) -> tuple[Statement, ...]:
        """For each set of such brokers, the first partition that waits for them and how many more
        do.
        """
        waiting: dict[tuple[BrokerId, ...], list[Partition]] = {}
        for kind in self.kinds:
            for name in (one.name for one in kind.partitions):
                if brokers := self.waits_for(self.kept(name)):
                    waiting.setdefault(brokers, []).append(name)
        found: list[Statement] = []
        for brokers, (first, *others) in waiting.items():
            about = self.partitions[first]
            numbers = {
                "partition": str(first),
                "more": len(others),
                "brokers": tuple(map(str, brokers)),
            }
            found.append(Statement("not_elected", numbers, about.file, about.line, about.line))
        return tuple(found)

    @cached_property
    def differences(self) -> tuple[Statement, ...]:
        """What the start of the first partition of a kind does not keep of its printed state."""
        found: list[Statement] = []
        for kind in self.kinds:
            partition = kind.partitions[0]
            described = {partition.name: self.partitions[partition.name]}
            selection = Selection(described, display_ids(partition.brokers))
            found += differences(selection, read_scenario_document(self.document(kind, partition)))
        return tuple(found)

    def kept(self, name: Partition) -> ParsedPartition:
        """The printed state of a partition, without an ELR if the cluster has none."""
        return self._as_kept(self.partitions[name])

    def settings_of(self, kind: PrintedKind) -> dict[str, ConfigValue]:
        """The effective settings of a kind, by their names on brokers."""
        profile = self.rules
        return effective_configs(
            profile.kafka, profile.control, self._cluster_configs, kind.configs
        )

    def pasted_settings_of(self, kind: PrintedKind) -> dict[str, ConfigValue]:
        """The same without what the reader has changed."""
        profile = self.rules
        topic = self.parsed.topic_configs.get(kind.partitions[0].name.topic, {})
        read = configs_of(self._silent(), topic, "topic", self.release, "")
        return effective_configs(profile.kafka, profile.control, self._pasted_configs, read)

    @property
    def stated(self) -> frozenset[str]:
        """The names of the settings that the input states."""
        named = {name for configs in self.parsed.topic_configs.values() for name in configs}
        return frozenset(named | self._pasted_configs.keys())

    @property
    def rules(self) -> Profile:
        """The release with its controller."""
        return resolve_profile(self.release.kafka, control=self.release.control)

    def _silent(self) -> ParsedState:
        return replace(self.parsed, unknown=[])

    def min_isr_of(self, kind: PrintedKind) -> int:
        """The effective min.insync.replicas of a kind."""
        profile = self.rules
        least = self.settings_of(kind).get(MIN_ISR, 1)
        assert isinstance(least, int), "the reader checked the type"
        gates = profile.rules.min_isr_gates_high_watermark
        return min(least, len(kind.about.replicas)) if gates else least

    # --- settings ------------------------------------------------------------------------------

    def _overridden(
        self, configs: Mapping[str, ConfigValue], level: Literal["broker", "topic"]
    ) -> dict[str, ConfigValue]:
        """Settings with those of the reader instead. Of a topic, they are removed."""
        changed = dict(configs)
        for name, text in self.changes.settings.items():
            if name in (ELR, ACKS, CONTROL):
                continue
            own = next((one for one, of in _TOPIC_NAMES.items() if of == name), name)
            if level == "topic":
                changed.pop(_TOPIC_NAMES.get(own, own), None)
                continue
            if own == FLUSH and text == LEFT_TO_SYSTEM:
                text = str(NEVER_FLUSHES)
            ((_, value),) = settings_named({own: text})
            try:
                changed[own] = check_config(own, value, level="broker", kafka=self.release.kafka)
            except WrongConfigError as wrong:
                raise WrongValueError(wrong.reason) from None
        return changed

    def _topic_configs(self, topic: str) -> dict[str, ConfigValue]:
        stated = self.parsed.topic_configs.get(topic, {})
        key = tuple(sorted(stated.items()))
        if key not in self._of_topics:
            read = configs_of(self._silent(), stated, "topic", self.release, topic)
            self._of_topics[key] = self._overridden(read, "topic")
        return self._of_topics[key]

    # --- kinds ---------------------------------------------------------------------------------

    def _kinds(self) -> Iterator[PrintedKind]:
        """Partitions that are alike, in the order of their first ones."""
        kinds: dict[object, PrintedKind] = {}
        for name, about in self.partitions.items():
            about = self._as_kept(about)
            brokers = _brokers_of(about)
            place = {broker: position for position, broker in enumerate(brokers, 1)}
            standings = tuple(self._standing(about, broker) for broker in brokers)
            configs = self._topic_configs(name.topic)
            known = name if self._replicas.get(name) else None
            in_order = self.release.kafka.startswith("0.8")
            isr = tuple(place[one] for one in about.isr or ())
            key = (
                known,
                len(about.replicas),
                None if about.leader is None else place.get(about.leader, about.leader),
                isr if in_order else tuple(sorted(isr)),
                *(
                    tuple(sorted(place[one] for one in ones))
                    for ones in (about.elr, about.last_known_elr, about.adding, about.removing)
                ),
                standings,
                tuple(sorted(configs.items())),
            )
            kind = kinds.get(key)
            if kind is None:
                kind = kinds[key] = PrintedKind(
                    about=about, partitions=[], standings=standings, configs=configs
                )
            kind.partitions.append(PrintedPartition(name=name, brokers=brokers))
        yield from kinds.values()

    def _as_kept(self, about: ParsedPartition) -> ParsedPartition:
        """A partition as a cluster without eligible leader replicas has it: the last of them would
        have stayed in the ISR.
        """
        if self.elr or not (about.elr or about.last_known_elr):
            return about
        last = about.isr or about.elr[:1] or about.last_known_elr[:1]
        return replace(about, isr=last, elr=(), last_known_elr=())

    def _standing(self, about: ParsedPartition, broker: BrokerId) -> Standing:
        leads = about.leader is not None and about.leader != NO_LEADER
        counted_on = leads and broker in (about.leader, *(about.isr or ()))
        if broker in self._down or broker in about.offline:
            return "just_down" if counted_on else "down"
        state = "running" if counted_on else self._states.get(broker, "running")
        if not leads and broker in _electable(about):
            return "down"
        return {"stopped": "down", "unknown": "unknown"}.get(state, "up")  # type: ignore[return-value]

    # --- documents -----------------------------------------------------------------------------

    def document(
        self,
        kind: PrintedKind,
        partition: PrintedPartition,
        *,
        ids: Mapping[BrokerId, BrokerId] | None = None,
        unknown_are: Literal["up", "down"] = "down",
    ) -> JsonObject:
        """The scenario whose frame 0 is the printed state of one partition. `ids` renames brokers;
        by default, those whose numbers are too large get free ones.
        """
        about = replace(self.kept(partition.name), offline=())
        if ids:
            about = replace(about, leader_epoch=None, partition_epoch=None)
        ids = ids or display_ids(partition.brokers)
        parsed = replace(
            self.parsed,
            partitions={partition.name: about},
            unknown=[],
            racks={},
            elr_enabled=self.elr,
        )
        document = start_document(
            parsed, self._replicas, Selection({partition.name: about}, ids), self.release
        )
        standings = dict(zip(partition.brokers, kind.standings, strict=True))
        document["brokers"] = {
            str(ids[broker]): {
                **_spec(standings[broker], unknown_are),
                **({"rack": self.racks[broker]} if broker in self.racks else {}),
            }
            for broker in partition.brokers
        }
        document["configs"] = dict(self._cluster_configs)
        (topic,) = document["topics"]  # type: ignore[misc]
        topic.pop("configs", None)  # type: ignore[has-type]
        if kind.configs:
            topic["configs"] = dict(kind.configs)  # type: ignore[has-type]
        return document


def _electable(about: ParsedPartition) -> tuple[BrokerId, ...]:
    """The brokers of which the controller would elect one to lead a partition without a leader, if
    its replica was available.
    """
    return about.isr or about.elr or about.last_known_elr[:1]


def _refused(kind: PrintedKind, wrong: ScenarioError) -> RefusedPartitions:
    names = tuple(one.name for one in kind.partitions)
    reason = error("import_impossible", name=str(names[0]), reason=wrong.problems[0].reason)
    about = kind.about
    problem = ImportProblem(file=about.file or "import", line=about.line or 1, reason=reason)
    return RefusedPartitions(names=names, problem=problem)


def _control(stated: str) -> Control:
    for control in get_args(Control):
        if control == stated:
            return cast("Control", control)
    raise WrongValueError(error("assess_control", value=stated))


def display_ids(brokers: Sequence[BrokerId]) -> dict[BrokerId, BrokerId]:
    """The number of each broker in a scenario: its own, unless that is too large."""
    free = (BrokerId(number) for number in range(1, 1000) if number not in brokers)
    return {broker: broker if broker <= 1000 else next(free) for broker in sorted(brokers)}


def _spec(standing: Standing, unknown_are: Literal["up", "down"]) -> JsonObject:
    is_down = standing == "down" or (standing == "unknown" and unknown_are == "down")
    return {"state": "stopped"} if is_down else {}


def _brokers_of(about: ParsedPartition) -> tuple[BrokerId, ...]:
    """The replicas in the order of the assignment, and brokers that a reassignment has left in the
    other lists.
    """
    others = (*(about.isr or ()), *about.elr, *about.last_known_elr)
    return tuple(dict.fromkeys((*about.replicas, *others)))
