"""The input fields of each step and setting, derived from their declarations."""

from collections.abc import Mapping
from typing import Annotated, Literal, cast, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from sim_engine.actions import Config, Happening, StepStruct, name_of
from sim_engine.actions.base import FieldSpec, Role, specs_of
from sim_engine.client_settings import client_defaults
from sim_engine.configs import SETTINGS, ConfigValue, Setting, default_of, effective_configs
from sim_engine.documents.document import Document
from sim_engine.languages import LANGUAGES, messages, say

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
