"""What a user can enter: the input fields of each step and setting; and, before a run starts, the
consequences of its state in words."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Annotated, Literal, cast, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from sim_engine.actions.base import FieldSpec, Role, StepStruct, name_of, specs_of
from sim_engine.actions.steps import Config, Happening
from sim_engine.cluster.state import ClusterState
from sim_engine.configs import (
    SETTINGS,
    ConfigValue,
    Setting,
    client_defaults,
    default_of,
    effective_configs,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, Offset
from sim_engine.json_types import Document
from sim_engine.languages import LANGUAGES, messages, say
from sim_engine.protocol.messages import PartitionRegistration

ArgumentKind = Role | Literal["choice", "number", "switch", "text"]
"""The kind of an argument: a part of the cluster, by its role, or else a value, by its type."""


class ArgumentDocument(Document, frozen=True, kw_only=True):
    """One argument of a step."""

    name: str
    """Its key in a scenario file."""
    kind: ArgumentKind
    required: bool
    nullable: bool
    """Whether it may be null, although it is required."""
    default: str | int | bool | None
    """Its default; null if it has none."""
    choices: tuple[str | int, ...]
    """The allowed values; empty if there is no fixed set."""
    minimum: int | None
    """For a number: its minimum, if any. For values: their least number."""
    maximum: int | None
    """For a number: its maximum, if any. For values: their greatest number."""


_FORMS = tuple(
    kind for kind in cast("tuple[type[StepStruct], ...]", get_args(Happening)) if kind is not Config
)


class StepFormDocument(Document, frozen=True, kw_only=True):
    """A step and its arguments."""

    name: Annotated[str, Meta(extra_json_schema={"enum": [name_of(kind) for kind in _FORMS]})]
    arguments: tuple[ArgumentDocument, ...]


class SettingDocument(Document, frozen=True, kw_only=True):
    """A setting of brokers or of producers in one release."""

    name: str
    kind: Literal["choice", "number", "switch"]
    default: int | bool | str
    """The default of this release."""
    choices: tuple[str, ...]
    """The allowed values, if it is text."""
    minimum: int | None
    """For a number: its minimum, if any."""
    maximum: int | None
    """For a number: its maximum, if any."""
    topic_name: str | None
    """Its name as a topic setting; null if topics do not have it."""
    about: Mapping[str, str]
    """What it controls, by language."""
    modelled: bool
    """False if nothing that it controls is modelled, so that it changes no run."""


def step_forms() -> list[StepFormDocument]:
    """Every step that changes the cluster, except `config`, whose arguments are the settings."""
    return [
        StepFormDocument(
            name=name_of(kind), arguments=tuple(_argument(kind, spec) for spec in specs_of(kind))
        )
        for kind in _FORMS
    ]


def setting_documents(kafka: str, control: str) -> list[SettingDocument]:
    """The settings of a release under one kind of controller, in the release's order.

    Raises UnknownVersionError if no release has this name.
    """
    known = effective_configs(kafka, control, {})
    return [
        _setting(setting, default_of(setting.name, kafka))
        for setting in SETTINGS
        if setting.name in known
    ]


def producer_setting_documents(kafka: str) -> list[SettingDocument]:
    """The settings of a step's producer, with the defaults of this release.

    Raises UnknownVersionError if no release has this name.
    """
    choices: Mapping[str, tuple[str, ...]] = {"acks": ("all", "1", "0"), "enable.idempotence": ()}
    return [
        SettingDocument(
            name=name,
            kind="choice" if choices[name] else "switch",
            default=default,
            choices=choices[name],
            minimum=None,
            maximum=None,
            topic_name=None,
            about=_about(name),
            modelled=True,
        )
        for name, default in client_defaults("producer", kafka).items()
        if name in choices
    ]


def _argument(kind: type[StepStruct], spec: FieldSpec) -> ArgumentDocument:
    declared = next(field.default for field in fields(kind) if field.encode_name == spec.written)
    filled = _filled_by(spec)
    ranges = {"number": (spec.lowest, spec.highest), "values": (spec.least, spec.most)}
    minimum, maximum = ranges.get(filled, (None, None))
    return ArgumentDocument(
        name=spec.written,
        kind=filled,
        required=spec.required,
        nullable=spec.nullable,
        default=None if declared is msgspec.NODEFAULT else declared,
        choices=spec.choices,
        minimum=minimum,
        maximum=maximum,
    )


def _filled_by(spec: FieldSpec) -> ArgumentKind:
    if spec.role is not None:
        return spec.role
    if spec.choices:
        return "choice"
    by_type: dict[object, ArgumentKind] = {bool: "switch", int: "number"}
    return by_type.get(spec.kind, "text")


def _setting(setting: Setting, default: ConfigValue) -> SettingDocument:
    is_number = not setting.is_switch and not setting.choices
    choices = setting.choices if default in setting.choices else (str(default), *setting.choices)
    return SettingDocument(
        name=setting.name,
        kind="switch" if setting.is_switch else "number" if is_number else "choice",
        default=default,
        choices=choices if setting.choices else (),
        minimum=setting.minimum if is_number else None,
        maximum=setting.maximum if is_number else None,
        topic_name=setting.topic_name,
        about=_about(setting.name),
        modelled=setting.modelled,
    )


def _about(name: str) -> Mapping[str, str]:
    """What a setting controls; a setting that is a term of the glossary is explained there."""
    text = name.replace(".", "-")
    return {
        lang: say(
            lang, "settings" if text in messages(lang, "settings") else "narration/terms", text
        )
        for lang in LANGUAGES
    }


TEXTS = "consequences"
MOST_PARTITIONS = 2
"""The partitions that are described; the others are counted."""


def initial_consequences(cluster: ClusterState) -> list[dict[str, str]]:
    """Sentences about each partition, each in every language: its high watermark with the
    arithmetic (`Partition.maybeIncrementLeaderHW`), the records that are not committed and the
    brokers that they wait for, and how many brokers may leave the ISR before acks=all fails
    (`Partition.appendRecordsToLeader`); without a leader, the brokers that it waits for.
    """
    partitions = cluster.controller.partitions
    sentences = [
        sentence
        for partition in partitions[:MOST_PARTITIONS]
        for sentence in _of(cluster, partition)
    ]
    if len(partitions) > MOST_PARTITIONS:
        sentences.append(_said("more", count=len(partitions) - MOST_PARTITIONS))
    return sentences


def _of(cluster: ClusterState, partition: PartitionRegistration) -> Iterator[dict[str, str]]:
    name, leader = partition.partition, partition.leader
    if leader == NO_LEADER:
        waiting = partition.isr or partition.elr
        text = "leaderless" if waiting else "leaderless-for-good"
        yield _said(text, partition=name, count=len(waiting), brokers=list(waiting))
        return
    settings = cluster.settings_at(leader, name)
    required = settings.effective_min_insync_replicas
    isr = len(partition.isr)
    ends = {broker: cluster.replica(broker, name).log_end_offset for broker in partition.isr}
    now, low = cluster.replica(leader, name).high_watermark, min(ends.values())
    gated = isr < required and settings.profile.rules.min_isr_gates_high_watermark

    if now > low:
        text = "high-watermark-ahead"
    elif now < low:
        text = "high-watermark-gated" if gated else "high-watermark-behind"
    else:
        text = "high-watermark"
    yield _said(text, partition=name, leader=leader, now=now, low=low, ends=list(ends.values()))
    if not gated:
        for records, brokers in _uncommitted(cluster, partition, ends):
            yield _said(
                "waits",
                records=records,
                brokers=brokers,
                seconds=f"{settings.replica_lag_time_max_ms / 1000:g}",
            )

    spare = isr - required
    text = "spare" if spare > 0 else "tight" if spare == 0 else "few"
    yield _said(text, required=required, isr=isr, count=spare)


def _uncommitted(
    cluster: ClusterState, partition: PartitionRegistration, ends: dict[BrokerId, Offset]
) -> Iterator[tuple[list[str], list[BrokerId]]]:
    """The leader's records above the high watermark that a broker of the ISR lacks: runs of records
    that the same brokers lack, with these brokers.
    """
    replica = cluster.replica(partition.leader, partition.partition)
    lacking = [
        (record.value, [broker for broker, end in ends.items() if end <= record.offset])
        for record in replica.log.records
        if record.offset >= max(replica.high_watermark, min(ends.values()))
    ]
    for brokers, group in groupby(lacking, key=lambda entry: entry[1]):
        yield [value for value, _ in group], brokers


def _said(text: str, **numbers: object) -> dict[str, str]:
    return {lang: say(lang, TEXTS, text, **numbers) for lang in LANGUAGES}
