"""The service's settings, and the simulated brokers' settings with their defaults by release."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import cast

from pydantic.fields import FieldInfo

from backend.documentation.contents import FOLDER, WORDS
from backend.documentation.generated.subject import Subject, anchored, code, table
from backend.settings import PREFIX, Settings
from sim_engine.documents.choices import SettingDocument, setting_documents
from sim_engine.languages import say as say_message
from sim_engine.versions import list_versions

_UNBOUNDED = 2**31 - 1


def environment_table(_subject: Subject, lang: str) -> str:
    """Every environment variable of the service, its default and its meaning."""
    return table(
        lang,
        ("name", "default", "meaning"),
        (_variable(name, field) for name, field in Settings.model_fields.items()),
    )


def configs_table(_subject: Subject, lang: str) -> str:
    """Every setting of simulated brokers: its values, and its defaults by release."""
    return table(
        lang,
        ("setting", "topic", "value", "default"),
        (
            (
                anchored(f"config-{name}", code(name)),
                code(newest.topic_name),
                _values(newest),
                ", ".join(_defaults(name, lang)),
            )
            for name, newest in _newest_of_each().items()
        ),
    )


def _variable(name: str, field: FieldInfo) -> tuple[str, str, str]:
    default = field.default
    if isinstance(default, Path):
        default = default.relative_to(FOLDER.parent)
    variable = f"{PREFIX}{name.upper()}"
    return anchored(f"setting-{variable}", code(variable)), code(default), field.description or ""


def _newest_of_each() -> dict[str, SettingDocument]:
    found: dict[str, SettingDocument] = {}
    for settings in _by_release().values():
        found |= settings
    return found


@cache
def _by_release() -> Mapping[str, Mapping[str, SettingDocument]]:
    """Each release on the menu with its settings, under both controllers."""
    return {
        kafka: {
            setting.name: setting
            for control in cast("list[str]", version["controls"])
            for setting in setting_documents(kafka, control)
        }
        for version in list_versions()
        for kafka in [str(version["kafka"])]
    }


def _defaults(name: str, lang: str) -> Iterator[str]:
    """A setting's defaults, each with the first release that has it, and the release from which the
    setting no longer exists.
    """
    had = [
        (kafka, settings[name].default if name in settings else None)
        for kafka, settings in _by_release().items()
    ]
    first = had[0][0]
    for default, releases in groupby(had, key=lambda known: known[1]):
        since = next(iter(releases))[0]
        if default is None and since == first:
            continue
        shown = say_message(lang, WORDS, "no-setting") if default is None else _written(default)
        yield (
            shown
            if since == first
            else say_message(lang, WORDS, "since", value=shown, release=since)
        )


def _written(value: object) -> str:
    return code(str(value).lower() if isinstance(value, bool) else value)


def _values(setting: SettingDocument) -> str:
    if setting.kind == "switch":
        return "`true`, `false`"
    if setting.kind == "choice":
        return ", ".join(code(choice) for choice in setting.choices)
    highest = setting.maximum
    if highest is None or highest >= _UNBOUNDED:
        return f"≥ {setting.minimum:,}"
    return f"{setting.minimum:,} – {highest:,}"
