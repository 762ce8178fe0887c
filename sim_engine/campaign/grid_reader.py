"""Reads a grid file. Each error has its place and states what is allowed.

A value that is invalid under every version is an error. A point that is impossible only under some
versions, such as KRaft before 2.8, is kept as an impossible cell with its reason.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from sim_engine.actions.base import specs_of
from sim_engine.campaign import grid
from sim_engine.configs import setting_names
from sim_engine.error_texts import Wording, error, noun
from sim_engine.exploration.alphabet import BUDGET_NAMES, read_budget
from sim_engine.identifiers import Acks
from sim_engine.json_types import as_mapping
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.checker import Checker, Kind, Node, kind_of
from sim_engine.scenario_reader.document import MAX_SAFE_INTEGER, ScenarioError
from sim_engine.scenario_reader.fields import read_whole
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.rules import Scope
from sim_engine.scenario_reader.source import Source, plain_source, pointer, read_source, shown
from sim_engine.scenario_reader.version import check_version_name, profile_for
from sim_engine.versions import CONTROLS, FEATURE_LEVELS, FEATURES, RULE_NAMES, switches_of_feature

FORMAT_VERSION = 1
MOST_VALUES = 64
MOST_CELLS = 10_000
MOST_RATE = 10.0
MOST_TITLE_CHARACTERS = 120

_KEYS = (
    "grid",
    "title",
    "seed",
    "kafka",
    "control",
    "acks",
    "replication_factor",
    "configs",
    "features",
    "rules",
    "budget",
    "latency_ms",
    "faults",
    *(spec.written for spec in specs_of(grid.Workload)),
    "paired",
    "shrink",
)


def read_grid_text(text: str, *, filename: str | None = None) -> grid.Grid:
    """Read a grid file, YAML or JSON. Raises `ScenarioError` with the place of each problem."""
    try:
        return _GridReader(read_source(text)).read()
    except ScenarioError as wrong:
        raise ScenarioError(wrong.problems, filename=filename) from None


def read_grid_document(document: object, *, most_cells: int = MOST_CELLS) -> grid.Grid:
    """Read a grid that is already parsed. Raises `ScenarioError`, whose places are JSON
    Pointers.
    """
    return _GridReader(plain_source(document), most_cells).read()


_Axis = tuple[str, tuple[object, ...]]
"""An axis: a name of `Cell.settings` with its values, or a fault with its rates and durations."""

_Read = Callable[[Node], object]
"""Reads one value of an axis."""

_NamedKey = Literal["configs", "features", "rules", "faults"]

_Refused = tuple[tuple[tuple[str, str | int | float | bool], ...], Wording]
"""The settings of an impossible point of the grid, and why it is impossible."""


class _GridReader:
    def __init__(self, source: Source, most_cells: int = MOST_CELLS) -> None:
        self._most_cells = most_cells
        self._root = Checker(source).root
        self._given: Mapping[str, Node] = {}

    def read(self) -> grid.Grid:
        root, check = self._root, self._root.checker
        self._given = root.mapping(what=noun("the_grid"), known=_KEYS, required=("grid",))
        self._value("grid", 1).integer(FORMAT_VERSION, FORMAT_VERSION, what="grid")
        title = self._value("title", "Campaign").text(
            what="title", most=MOST_TITLE_CHARACTERS, lines=False
        )
        seed = self._value("seed", 1).integer(0, MAX_SAFE_INTEGER, what="seed")
        shared = grid.Cell(
            number=0,
            settings=(),
            kafka="",
            control="",
            acks="all",
            replication_factor=1,
            faults=(),
            workload=read_whole(Scope(), grid.Workload, self._given),
            paired=self._value("paired", True).switch(what="paired"),
            shrink=self._value("shrink", True).switch(what="shrink"),
        )
        axes = [*self._axes(), *self._fault_axes()]
        check.stop()
        count = math.prod(len(values) for _, values in axes)
        if count > self._most_cells:
            root.report(error("too_many_cells", most=self._most_cells, count=count))
        check.stop()
        cells, refused = _cells(axes, shared)
        self._require_possible(axes, cells, refused)
        check.stop()
        names = [name for name, _ in cells[0].settings]
        return grid.Grid(
            title=title[DEFAULT_LANGUAGE],
            seed=seed,
            axes=tuple(
                (name, tuple(dict.fromkeys(dict(cell.settings)[name] for cell in cells)))
                for name in names
            ),
            cells=tuple(cells),
            impossible=tuple(
                grid.ImpossiblePoint(settings=dict(settings), reason=reason.text())
                for settings, reason in refused
            ),
            document={name: node.value for name, node in self._given.items()},
        )

    def _require_possible(
        self, axes: list[_Axis], cells: list[grid.Cell], refused: list[_Refused]
    ) -> None:
        """Report values that are possible in no cell, each with the reason of its first impossible
        point.
        """
        for name, values in axes:
            for value in values:
                if isinstance(value, grid.FaultRate) or any(
                    (name, value) in cell.settings for cell in cells
                ):
                    continue
                reason = next(reason for settings, reason in refused if (name, value) in settings)
                wrong = error("value_impossible", name=name, given=shown(value), reason=reason)
                replace(self._root, where=_place_of(name)).report(wrong)
                return

    def _value(self, name: str, default: object) -> Node:
        return self._given.get(name) or self._root.member(name, default)

    # --- axes ------------------------------------------------------------------------------

    def _axes(self) -> Iterator[_Axis]:
        for name, read, default in _AXES:
            if default is not None or name in self._given:
                yield name, _values(self._value(name, default), read)
        for name, values in self._named("configs", setting_names("broker"), "setting"):
            yield name, _values(values, _config)
        rules = as_mapping(self._value("rules", {}).value)
        for name, values in self._named("features", tuple(FEATURES), "feature"):
            rule = FEATURES[name].name
            if rule in rules:
                values.report(error("feature_and_rule", name=name, right=rule))
            yield name, _values(values, _feature_level)
        for name, values in self._named("rules", RULE_NAMES, "rule"):
            yield name, _values(values, lambda node: node.switch(what=noun("a_rule")))

    def _fault_axes(self) -> Iterator[_Axis]:
        if "faults" not in self._given:
            for kind, rate in grid.default_faults().items():
                yield f"faults.{kind}", (rate,)
        for name, values in self._named("faults", grid.FAULT_KINDS, "fault"):
            rate_of = partial(_rate, duration_ms=grid.FAULT_TYPES[name].duration_ms)
            yield f"faults.{name}", _values(values, rate_of)

    def _named(
        self, key: _NamedKey, known: Sequence[str], what: Kind
    ) -> Iterator[tuple[str, Node]]:
        """The values of a key by their names. Reports the names that are not known."""
        for name, values in self._value(key, {}).mapping(what=key).items():
            if name in known:
                yield name, values
            else:
                values.unknown_name(name, known, what=what)


def _values(axis: Node, read: _Read) -> tuple[object, ...]:
    """The values of an axis: a list, or a single value."""
    if not isinstance(axis.value, list):
        return (read(axis),)
    before = axis.checker.problem_count
    values = tuple(map(read, axis.items(what=noun("an_axis"), least=1, most=MOST_VALUES)))
    # A value with an error is read as a default, which may be another of the values.
    if axis.checker.problem_count == before and len(set(values)) < len(values):
        axis.report(error("value_twice"))
    return values


def _acks(node: Node) -> Acks:
    value = node.value
    acks = {"0": 0, "1": 1}.get(value, value) if isinstance(value, str) else value
    if acks == "all":
        return "all"
    if acks in (0, 1) and not isinstance(acks, bool):
        return 0 if acks == 0 else 1
    node.report(error("acks_form", given=kind_of(value)))
    return "all"


def _config(node: Node) -> object:
    if isinstance(node.value, bool | int | str):
        return node.value
    reason = error("cannot_be", what=noun("a_setting"), given=kind_of(node.value))
    node.report(reason, code="wrong_type")
    return 0


def _budget(node: Node) -> str:
    """A budget of a search, in the syntax of `--budget`: `crash=1,produce=2`."""
    given = node.value
    try:
        read_budget(given if isinstance(given, str) else "")
    except ValueError:
        node.report(error("budget_form", right=", ".join(BUDGET_NAMES), given=shown(given)))
    return str(given)


def _feature_level(node: Node) -> int:
    return node.integer(FEATURE_LEVELS[0], FEATURE_LEVELS[-1], what=noun("a_feature_level"))


def _rate(node: Node, *, duration_ms: int) -> grid.FaultRate:
    if isinstance(node.value, dict):
        known = ("rate", "duration_ms")
        given = node.mapping(what=noun("a_fault"), known=known, required=("rate",))
        if "duration_ms" in given:
            duration_ms = given["duration_ms"].integer(1, grid.MOST_MS, what="duration_ms")
        node = given.get("rate") or node.member("rate", 0)
    value = node.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= float(str(value)) <= MOST_RATE:
        node.report(
            error("rate_out_of_range", right=f"{MOST_RATE:g}", given=kind_of(value)),
            code="out_of_range" if is_number else "wrong_type",
        )
        return grid.FaultRate(rate=0.0, duration_ms=duration_ms)
    return grid.FaultRate(rate=float(str(value)), duration_ms=duration_ms)


_AXES: tuple[tuple[str, _Read, object], ...] = (
    ("kafka", lambda node: check_version_name(node) or "", "3.9"),
    ("control", lambda node: node.one_of(CONTROLS, what="control"), None),
    ("acks", _acks, "all"),
    (
        "replication_factor",
        lambda node: node.integer(1, grid.MOST_BROKERS, what="replication_factor"),
        3,
    ),
    ("budget", lambda node: _budget(node), None),
    ("latency_ms", lambda node: node.integer(0, grid.MOST_MS, what="latency_ms"), None),
)
"""The axes that are keys of the grid, each with its default; without one, it is an axis only if the
grid names it.
"""

# --- cells -----------------------------------------------------------------------------------


def _cells(axes: list[_Axis], shared: grid.Cell) -> tuple[list[grid.Cell], list[_Refused]]:
    cells: list[grid.Cell] = []
    refused: list[_Refused] = []
    varying = {name for name, values in axes if len(values) > 1}
    names = [name for name, _ in axes]
    for values in itertools.product(*(values for _, values in axes)):
        point = dict(zip(names, values, strict=True))
        cell = _cell(point, varying, replace(shared, number=len(cells)))
        try:
            cell = _with_features(cell)
            start = read_scenario_document(
                grid.start_document(cell, name="cell", title="cell", latency_seed=1)
            )
        except (ScenarioError, UnknownVersionError) as wrong:
            first = wrong.problems[0] if isinstance(wrong, ScenarioError) else wrong
            refused.append((cell.settings, first.reason))
            continue
        control = profile_for(start).control
        settings = {"kafka": cell.kafka, "control": control, **dict(cell.settings)}
        cells.append(replace(cell, control=control, settings=tuple(settings.items())))
    return cells, refused


def _with_features(cell: grid.Cell) -> grid.Cell:
    """Switch the rules of the features in a cell's settings.

    Raises `UnknownVersionError` if its release does not have one of them.
    """
    switches = dict(cell.rules)
    for name, level in cell.settings:
        if name in FEATURES:
            control = cell.control or None
            switches |= switches_of_feature(name, int(level), kafka=cell.kafka, control=control)
    return replace(cell, rules=tuple(switches.items()))


def _place_of(name: str) -> str:
    """The place of an axis in the file."""
    if name in setting_names("broker"):
        return pointer("/configs", name)
    if name in FEATURES:
        return pointer("/features", name)
    return pointer("/rules" if name in RULE_NAMES else "", name)


# Any: the values that the axes read, each of its own type.
def _cell(point: Mapping[str, Any], varying: set[str], shared: grid.Cell) -> grid.Cell:
    """Build one point from its settings and the rates of its faults."""
    rates = {name: value for name, value in point.items() if isinstance(value, grid.FaultRate)}
    settings = {name: value for name, value in point.items() if name not in rates}
    shown_rates = {name: rate.rate for name, rate in rates.items() if name in varying}
    configs = [name for name in settings if name in setting_names("broker")]
    rules = [name for name in settings if name in RULE_NAMES]
    return replace(
        shared,
        settings=tuple({**settings, **shown_rates}.items()),
        kafka=point["kafka"],
        control=point.get("control", ""),
        acks=point["acks"],
        replication_factor=point["replication_factor"],
        budget=tuple(read_budget(point["budget"]).items()) if "budget" in point else None,
        latency_ms=point.get("latency_ms", 0),
        configs=tuple((name, settings[name]) for name in configs),
        rules=tuple((name, settings[name]) for name in rules),
        faults=tuple(
            (kind, rates[f"faults.{kind}"])
            for kind in grid.FAULT_KINDS
            if f"faults.{kind}" in rates
        ),
    )
