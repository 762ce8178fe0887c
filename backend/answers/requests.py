"""The bodies of requests about runs: exactly these keys, with exactly these types.

They are declared once, for the service and for a page that answers itself.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.inspect import LiteralType, StructType, Type, UnionType, type_info
from msgspec.structs import fields

from backend.http.errors import InvalidInputError, Place, pointer
from backend.limit_table import (
    BODY_BYTES,
    FRAMES_A_SESSION,
    IMPORT_FILES,
    IMPORT_TOPICS,
    SCENARIO_BODY_BYTES,
    Limit,
    limit_of_parameter,
)
from sim_engine.challenges import MOST_MOVES
from sim_engine.identifiers import FrameNumber

AFrame = Annotated[FrameNumber, Meta(ge=0, lt=FRAMES_A_SESSION.number + 1)]
Release = Annotated[str, Meta(min_length=1, max_length=16, pattern=r"^[0-9][0-9.]*$")]
Control = Literal["zookeeper", "kraft"]
Level = Literal["story", "message"]
Json = Annotated[object, Meta(extra_json_schema={"description": "Any JSON."})]
Document = dict[str, Json]
_Id = Annotated[str, Meta(min_length=26, max_length=26)]
_ScenarioId = Annotated[str, Meta(min_length=1, max_length=64)]
_ScenarioText = Annotated[str, Meta(min_length=1, max_length=SCENARIO_BODY_BYTES.number)]
Name = Annotated[str, Meta(min_length=1, max_length=400)]
_Settings = dict[str, int | bool | str]


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of these bodies."""

    body_limit: ClassVar[Limit] = BODY_BYTES


class Recipe(Request, frozen=True, kw_only=True):
    """A run as its scenario and steps, as in a full-state link (/docs/reference/links)."""

    scenario: Document
    """The whole scenario document."""
    kafka: Release
    control: Control
    record: list[Json]
    """The steps taken, in order: a number is an entry of the scenario's steps, an object is a
    user's step. In a list, they follow the frame that they were taken after."""
    at: AFrame
    """The frame that the link opens at."""
    level: Level = "story"
    """The step size when it is opened."""
    engine: Annotated[str, Meta(max_length=32)]
    """The engine version that created the link."""
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    """The first digits of the SHA-256 of its frames."""


class ProducerSettings(Request, frozen=True, kw_only=True):
    """Settings for every producer. Omitted settings stay as in each step."""

    acks: Literal["all", -1, 0, 1] | None = None
    idempotent: bool | None = None

    def arguments(self) -> dict[str, object]:
        """The arguments for a produce step: only those that are set."""
        given = msgspec.structs.asdict(self)
        return {name: value for name, value in given.items() if value is not None}


class SessionCreate(Request, frozen=True, kw_only=True):
    """Exactly one of `scenario_id`, `scenario`, `scenario_text`, `run`, or `session` with `at`."""

    body_limit: ClassVar[Limit] = SCENARIO_BODY_BYTES

    scenario_id: _ScenarioId | None = None
    """The id or alias of a shipped scenario."""
    scenario: Document | None = None
    """A complete scenario document."""
    scenario_text: _ScenarioText | None = None
    """A complete scenario file, YAML or JSON. Errors are reported with line and column."""
    run: Recipe | None = None
    """The contents of a full-state link's fragment."""
    session: _Id | None = None
    """Replay the steps of this session, up to `at`."""
    at: AFrame | None = None
    """The frame of `session` to replay up to."""
    kafka: Release | None = None
    """Run under this version instead of the scenario's own."""
    control: Control | None = None
    configs: _Settings | None = None
    """With `session`: run in a cluster with these settings. Not allowed together with another
    version."""
    producers: ProducerSettings | None = None
    """With `session`: run with these producer settings, restricted like `configs`."""
    owned: bool = False
    """If true, every step requires the `owner_key` of the response. Anyone with the id can still
    read and copy the session."""

    def __post_init__(self) -> None:
        origins = [self.scenario_id, self.scenario, self.scenario_text, self.run, self.session]
        if sum(origin is not None for origin in origins) != 1:
            raise ValueError(
                "give exactly one of scenario_id, scenario, scenario_text, run and session"
            )
        if (self.session is None) != (self.at is None):
            raise ValueError("session and at belong together")
        is_changed = self.configs is not None or self.producers is not None
        if is_changed and (self.session is None or self.kafka or self.control):
            raise ValueError(
                "configs and producers need session and at, and exclude kafka and control"
            )


class ActionCreate(Request, frozen=True, kw_only=True):
    """One step to perform after a frame."""

    after: AFrame
    """The frame to act on: any frame, not only a head."""
    step: Document
    """One step, as in a scenario file: {"crash": {"broker": 2}}."""
    known: Annotated[int, Meta(ge=1, le=FRAMES_A_SESSION.number + 1)] | None = None
    """The number of frames that the client has: those from 0 up to but excluding this one."""


class ComparisonCreate(Request, frozen=True, kw_only=True):
    """Compares the branch up to `at` with the same steps under another version or other configs,
    with another scenario under the same version and controller, or with another branch."""

    at: AFrame | None = None
    """The end of the branch. Default: the head."""
    kafka: Release | None = None
    control: Control | None = None
    configs: _Settings | None = None
    producers: ProducerSettings | None = None
    """Alone, or with `configs`."""
    scenario_id: _ScenarioId | None = None
    """The id or alias of a shipped scenario."""
    branches: Annotated[list[AFrame], Meta(min_length=2, max_length=2)] | None = None

    def __post_init__(self) -> None:
        settings = self.producers if self.configs is None else self.configs
        others = [self.kafka or self.control, settings, self.scenario_id, self.branches]
        if sum(other is not None for other in others) != 1:
            raise ValueError(
                "give exactly one of kafka, configs or producers, scenario_id and branches"
            )
        if self.branches is not None and self.at is not None:
            raise ValueError("branches define their own end: omit at")


class DraftCheck(Request, frozen=True, kw_only=True):
    """The text of a scenario to check."""

    body_limit: ClassVar[Limit] = SCENARIO_BODY_BYTES

    scenario_text: _ScenarioText
    """A complete scenario file, YAML or JSON."""
    after: Annotated[int, Meta(ge=0)] = 0
    """How many of its `steps`, including notes, questions and expectations, to perform before the
    frame. If there are fewer, all of them."""


class PastedFile(Request, frozen=True, kw_only=True):
    """One file or one output of a tool."""

    name: Name
    """Its path, which identifies the broker and the partition."""
    text: Annotated[str, Meta(max_length=SCENARIO_BODY_BYTES.number)]


class ImportCreate(Request, frozen=True, kw_only=True):
    """The output of a real cluster's tools, and its brokers' checkpoint files."""

    body_limit: ClassVar[Limit] = SCENARIO_BODY_BYTES

    files: Annotated[list[PastedFile], Meta(min_length=1, max_length=IMPORT_FILES.number)]
    kafka: Annotated[str, Meta(max_length=16)] | None = None
    """The cluster's release, if known."""
    topics: Annotated[list[Name], Meta(max_length=IMPORT_TOPICS.number)] = []
    """Only these topics. Default: all except Kafka's internal ones."""


class TryCreate(Request, frozen=True, kw_only=True):
    """The moves of a try, from the start."""

    moves: Annotated[list[Document], Meta(max_length=MOST_MOVES)]
    """All moves from the start. Each must be possible when it is made."""


_Body = TypeVar("_Body", bound=Request)
_PLACED = re.compile(r"(?P<what>.*?)(?: - at `(?:key` in `)?\$(?P<at>[^`]*)`)?", re.DOTALL)
_NAMED = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_TOKEN = re.compile(r"\.(\w+)|\[(\d+)\]", re.ASCII)
_MOST = re.compile(r"<= (\d+)")


def read_request(kind: type[_Body], document: object) -> _Body:
    """A body as its class. Raises InvalidInputError with the place that is invalid."""
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise _invalid(kind, str(error), document) from None


def _wrong_key(kind: type[Request], name: object, document: object) -> str | None:
    """The key whose value in a dictionary of the body is invalid, which the message leaves out."""
    given = document.get(name) if isinstance(document, dict) else None
    declared = next((one.type for one in fields(kind) if one.encode_name == name), None)
    for key, value in given.items() if isinstance(given, dict) else ():
        try:
            msgspec.convert({key: value}, declared)
        except msgspec.ValidationError:
            return str(key)
    return None


def _invalid(kind: type[Request], message: str, document: object) -> InvalidInputError:
    placed = _PLACED.fullmatch(message)
    assert placed is not None
    what = placed["what"]
    at, is_in_dictionary, _ = (placed["at"] or "").partition("[...]")
    place: list[str | int] = [name or int(index) for name, index in _TOKEN.findall(at)]
    key = _wrong_key(kind, place[0], document) if is_in_dictionary and len(place) == 1 else None
    if key is not None:
        place.append(key)
    code = "invalid"
    named = _NAMED.fullmatch(what)
    if named is not None:
        place.append(named[2])
        is_missing = named[1].startswith("missing")
        code = "missing" if is_missing else "extra_forbidden"
        what = "this is required" if is_missing else "there is no such key here"
    if what.startswith("Invalid enum value"):  # which would repeat the value
        what = f"must be one of {', '.join(map(str, _allowed(type_info(kind), place)))}"
    most = _MOST.search(what)
    limit = limit_of_parameter(place, None if most is None else int(most[1]))
    return InvalidInputError(
        "The request is invalid.",
        code=code,
        places=[Place(pointer(*place), what)],
        members={} if limit is None else limit.members(),
    )


def _allowed(of: Type, place: Sequence[str | int]) -> Iterator[object]:
    """The values that a place may have."""
    match of:
        case UnionType(types):
            for one in types:
                yield from _allowed(one, place)
        case LiteralType(values):
            yield from values
        case StructType(fields=fields) if place:
            for declared in fields:
                if declared.encode_name == place[0]:
                    yield from _allowed(declared.type, place[1:])
