"""Checks a scenario's expectations against a run.

Only the values that an expectation names are compared. Logs and epoch files are compared exactly,
in-sync replicas as sets, and a consumer's records exactly and in order. `violated` is exact for the
three properties that matter to users; other properties are checked only if they are named.

Documents are built from runs, and this package does not depend on runs. It therefore receives a
frame as JSON, and the types here declare the fields that it reads. `sim_engine.documents` defines
the complete documents.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from msgspec import Struct, to_builtins

from sim_engine.actions import PARTITION_KEYS, Expect, Words
from sim_engine.configs import newest_of_groups, usual_name
from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused, DidNotSettle
from sim_engine.identifiers import FIRST_FRAME, FrameNumber, LeaderEpoch, Offset
from sim_engine.json_types import as_items
from sim_engine.releases import find_release, is_range, is_within, releases_within
from sim_engine.scenario_reader.document import Scenario, ScenarioStep
from sim_engine.scenario_reader.log_notation import expand_log, written_log
from sim_engine.versions import is_same_release


class CheckedRecord(TypedDict):
    """A record of a log. Its epoch is null if the message format has none."""

    value: str
    epoch: LeaderEpoch | None


class CheckedReplica(TypedDict):
    """A replica. A value is null if it is not on the replica's disk."""

    log: Sequence[CheckedRecord]
    log_end_offset: Offset
    high_watermark: Offset | None
    epoch_cache: Sequence[Sequence[int]] | None


class CheckedProduce(TypedDict):
    """A record that a producer sent, and its result. The frame of the acknowledgement is null if
    there is none; until then, so is the fate.
    """

    value: str
    partition: str
    error: str | None
    acked_frame: FrameNumber | None
    fate: str | None


CheckedRead = TypedDict("CheckedRead", {"as": str, "partition": str, "value": str})
"""A record that the consumer `as` read."""


class CheckedClients(TypedDict):
    """All clients of a run."""

    produced: Sequence[CheckedProduce]
    consumed: Sequence[CheckedRead]


class CheckedState(TypedDict):
    """A cluster. Replicas are by partition and broker id. A partition's keys, according to the
    controller, are those that an expectation may have about it.
    """

    partitions: Mapping[str, Mapping[str, object]]
    replicas: Mapping[str, Mapping[str, CheckedReplica]]
    clients: CheckedClients


class CheckedProperty(TypedDict):
    """The verdict of a property."""

    status: str


class CheckedFrame(TypedDict):
    """A frame's state, and the verdicts up to it by property."""

    state: CheckedState
    properties: Mapping[str, CheckedProperty]


ALWAYS_HELD = ("NoAckedRecordLost", "LogMatching", "ConsistentRead")


class Difference(Struct, frozen=True, kw_only=True):
    """One failed expectation. `where` is a JSON Pointer into the scenario file."""

    step: int
    where: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.where}: expected {_said(self.expected)}, got {_said(self.got)}"


class FrameSummary(Struct, frozen=True, kw_only=True):
    """The data that the check needs of every frame: the step that created it, and its events."""

    frame: FrameNumber
    item: int | None
    events: tuple[type[Event], ...] = ()


class CheckResult(Struct, frozen=True, kw_only=True):
    """The result of checking a scenario under one version."""

    kafka: str
    differences: tuple[Difference, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every expectation of that version was met."""
        return not self.differences

    def document(self) -> dict[str, object]:
        """The check result as JSON."""
        return {
            "kafka": self.kafka,
            "holds": self.holds,
            "differences": [to_builtins(difference) for difference in self.differences],
        }


def versions_to_check(scenario: Scenario) -> list[str]:
    """The release of the scenario, then those that its expectations name, oldest first.

    A range stands for all releases in it. Of releases that behave the same, the newest is checked.
    """
    own = scenario.kafka
    named: dict[tuple[int, ...], str] = {}
    for step in scenario.steps:
        for text in (step.step.kafka or ()) if isinstance(step.step, Expect) else ():
            names = _representatives(text) if is_range(text) else (text,)
            named.update((find_release(name).number, name) for name in names)
    named.pop(find_release(own).number, None)
    return [own, *(named[number] for number in sorted(named))]


def releases_checked(scenario: Scenario) -> frozenset[str]:
    """All releases, by their complete names, that `versions_to_check` stands for."""
    expected = (step.step for step in scenario.steps if isinstance(step.step, Expect))
    named = (text for one in expected for text in one.kafka or ())
    return frozenset(name for text in (scenario.kafka, *named) for name in releases_within(text))


def _representatives(text: str) -> Iterator[str]:
    return map(usual_name, newest_of_groups(releases_within(text)))


def properties_held(scenario: Scenario) -> list[str]:
    """The three properties that are always checked, then those that an expectation names."""
    named = {
        name
        for step in scenario.steps
        if isinstance(step.step, Expect)
        for name in (*(step.step.violated or ()), *(step.step.holds or ()))
    }
    return [*ALWAYS_HELD, *sorted(named - set(ALWAYS_HELD))]


def judge(
    scenario: Scenario,
    kafka: str,
    frames: Sequence[FrameSummary],
    frame_at: Callable[[FrameNumber], CheckedFrame],
) -> CheckResult:
    """Check every expectation of a scenario against a run of all its steps under one version.

    `frames` are all frames of the run in order, and `frame_at` returns the document of one. Under
    the scenario's own version, a refused step is a difference unless it has `refused`; a step with
    `refused` that was performed is one too. So is autoplay that did not settle.
    """
    is_own_version = is_same_release(kafka, scenario.kafka)
    refused = {frame.item for frame in frames if ActionRefused in frame.events}
    unsettled = {frame.item for frame in frames if DidNotSettle in frame.events}
    differences: list[Difference] = []
    last_frame = FIRST_FRAME
    last_action: int | None = None
    by_item: dict[int, FrameNumber] = {
        frame.item: frame.frame for frame in frames if frame.item is not None
    }
    for index, step in enumerate(scenario.steps):
        expected = step.step
        if not isinstance(expected, Words):
            last_frame = by_item.get(index, last_frame)
            last_action = index
            differences += _about_refusal(
                index, step, kafka, was_refused=index in refused, is_own_version=is_own_version
            )
            if index in unsettled:
                differences.append(
                    Difference(
                        step=index,
                        where=f"/steps/{index}/{step.kind}",
                        expected="settled",
                        got=DidNotSettle.__name__,
                    )
                )
        elif isinstance(expected, Expect) and is_held(expected, kafka):
            differences += list_differences(
                index,
                expected.arguments(),
                frame_at(last_frame),
                was_refused=last_action in refused if last_action is not None else False,
            )
    return CheckResult(kafka=kafka, differences=tuple(differences))


def list_differences(
    index: int, expectation: Mapping[str, object], frame: CheckedFrame, *, was_refused: bool = False
) -> list[Difference]:
    """The differences between one expectation and the frame before it."""
    held = _Held(index, frame, expectation.get("partition"))
    for key, expected in expectation.items():
        if key == "refused":
            held.compare("refused", expected, was_refused)
        elif key not in ("partition", "kafka"):
            _COMPARISONS[key](held, key, expected)
    return held.differences


def is_held(expected: Expect, kafka: str) -> bool:
    """Whether an expectation is about a release."""
    named = expected.kafka
    return named is None or any(is_within(kafka, text) for text in named)


def _about_refusal(
    index: int, step: ScenarioStep, kafka: str, *, was_refused: bool, is_own_version: bool
) -> list[Difference]:
    if isinstance(step.refused, bool):
        must_be_refused = step.refused
    else:
        must_be_refused = any(is_within(kafka, text) for text in step.refused)
    if must_be_refused == was_refused or (was_refused and not is_own_version):
        return []
    words = {True: "refused", False: "runs"}
    return [
        Difference(
            step=index,
            where=f"/steps/{index}/{step.kind}",
            expected=words[must_be_refused],
            got=words[was_refused],
        )
    ]


class _Held:
    """The check of one expectation against one frame."""

    def __init__(self, index: int, frame: CheckedFrame, partition: object) -> None:
        self.differences: list[Difference] = []
        self._index = index
        self._frame = frame
        self._partition = partition

    def compare(self, path: str, expected: object, got: object) -> None:
        if expected != got:
            self.differ(path, expected, got)

    def differ(self, path: str, expected: object, got: object) -> None:
        self.differences.append(
            Difference(
                step=self._index,
                where=f"/steps/{self._index}/expect/{path}",
                expected=expected,
                got=got,
            )
        )

    @property
    def _state(self) -> CheckedState:
        return self._frame["state"]

    def _name(self) -> str:
        """The named partition, or the only one."""
        named = self._partition
        return named if isinstance(named, str) else next(iter(self._state["partitions"]))

    def _produced(self) -> Iterable[CheckedProduce]:
        return [entry for entry in self._state["clients"]["produced"] if self._concerns(entry)]

    def _concerns(self, entry: CheckedProduce | CheckedRead) -> bool:
        return self._partition is None or entry["partition"] == self._partition

    def registered(self, key: str, expected: object) -> None:
        """Compare what the controller knows about the partition; brokers as a set."""
        got = self._state["partitions"][self._name()][key]
        if not isinstance(expected, Sequence):
            self.compare(key, expected, got)
        elif set(expected) != set(as_items(got)):
            self.differ(key, list(expected), list(as_items(got)))

    def replicas(self, key: str, expected: Mapping[str, Mapping[str, object]]) -> None:
        for broker, about in expected.items():
            replica = self._state["replicas"][self._name()][broker]
            for name, value in about.items():
                path = f"{key}/{broker}/{name}"
                if name == "log":
                    self._log(path, str(value), replica["log"])
                elif name == "epochs":
                    self.compare(path, value, _pairs(replica["epoch_cache"]))
                else:
                    got = replica["log_end_offset" if name == "leo" else "high_watermark"]
                    self.compare(path, value, got)

    def _log(self, path: str, expected: str, log: Sequence[CheckedRecord]) -> None:
        words = expand_log(expected)
        is_same = len(words) == len(log) and all(
            value == record["value"] and (epoch is None or epoch == record["epoch"])
            for (value, epoch), record in zip(words, log, strict=True)
        )
        if not is_same:
            got = written_log((record["value"], record["epoch"]) for record in log)
            self.differ(path, expected, got)

    def violated(self, key: str, expected: Sequence[str]) -> None:
        properties = self._frame["properties"]
        looked_at = (*ALWAYS_HELD, *(name for name in expected if name not in ALWAYS_HELD))
        got = [name for name in looked_at if _status(properties, name) == "violated"]
        if set(got) != set(expected):
            self.differ(key, list(expected), got)

    def holding(self, key: str, expected: Sequence[str]) -> None:
        """A property that has not been exercised yet counts as holding."""
        properties = self._frame["properties"]
        got = [name for name in expected if _status(properties, name) != "violated"]
        self.compare(key, list(expected), got)

    def lost(self, key: str, expected: Sequence[str]) -> None:
        lost = [entry["value"] for entry in self._produced() if entry["fate"] == "lost"]
        self._values(key, expected, lost)

    def acked(self, key: str, expected: Sequence[str]) -> None:
        acked = [entry["value"] for entry in self._produced() if entry["acked_frame"] is not None]
        self._values(key, expected, acked)

    def _values(self, key: str, expected: Sequence[str], got: Sequence[str]) -> None:
        if set(expected) != set(got):
            self.differ(key, list(expected), list(dict.fromkeys(got)))

    def errors(self, key: str, expected: Mapping[str, str | None]) -> None:
        for value, error in expected.items():
            got = [entry["error"] for entry in self._produced() if entry["value"] == value]
            if error not in (got or [None]):
                self.differ(f"{key}/{value}", error, got[-1] if got else None)

    def read(self, key: str, expected: Mapping[str, Sequence[str]]) -> None:
        for consumer, values in expected.items():
            got = [
                entry["value"]
                for entry in self._state["clients"]["consumed"]
                if entry["as"] == consumer and self._concerns(entry)
            ]
            self.compare(f"{key}/{consumer}", list(values), got)


# Any: each function takes the value of its own key, whose type the reader has checked.
_COMPARISONS: Mapping[str, Callable[[_Held, Any, Any], None]] = {
    **dict.fromkeys(PARTITION_KEYS, _Held.registered),
    "replicas": _Held.replicas,
    "violated": _Held.violated,
    "holds": _Held.holding,
    "lost": _Held.lost,
    "acked": _Held.acked,
    "errors": _Held.errors,
    "read": _Held.read,
}


def _pairs(epoch_cache: Sequence[Sequence[int]] | None) -> list[list[int]] | None:
    return None if epoch_cache is None else [list(pair) for pair in epoch_cache]


def _status(properties: Mapping[str, CheckedProperty], name: str) -> str:
    return properties[name]["status"] if name in properties else "not_exercised"


def _said(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(str(item) for item in value)}]"
    return (
        "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )
