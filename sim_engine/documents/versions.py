"""Which rule arrived when: the profiles as a page of documentation.

The page is made from `versions.py`, `configs.py` and the catalogue of sentences, so it cannot say
anything else than what runs.
"""

from collections.abc import Iterator, Sequence

from sim_engine.configs import (
    CLIENT_SETTINGS,
    INT_MAX,
    LONG_MAX,
    SETTINGS,
    ConfigValue,
    client_defaults,
    default_of,
    exists_in,
)
from sim_engine.narration import catalogue
from sim_engine.versions import (
    PROFILE_NAMES,
    RULES,
    Rule,
    controls_of,
    resolve_profile,
    rules_by_name,
)

README_BEGINS = "<!-- scripts/write-versions writes this table -->"
README_ENDS = "<!-- until here -->"
_FAMILIES = {
    "HW": "to the own high watermark",
    "KIP101": "one lookup by epoch",
    "KIP279_200": "lookups until an epoch is common",
    "KIP279": "the same, with empty epochs known",
    "KIP320": "the same, fenced by leader epoch",
    "TOF": "on fetch",
}
_ISSUES = "https://issues.apache.org/jira/browse/"


def versions_page() -> str:
    """The whole page, in Markdown: profiles, rules by profile, what each rule says, defaults."""
    return "\n".join(
        (
            "# Versions and rules",
            "",
            "Generated from the profiles by `scripts/write-versions`; change "
            "`sim_engine/versions.py` and `sim_engine/configs.py`, not this page.",
            "",
            "A release that is no profile takes the nearest one at or below it. Any rule can be "
            "switched on or off on top of a profile: `rules: {KIP-101: true}` in a scenario file.",
            "",
            "## Profiles",
            "",
            *_table(
                ("Kafka", "controlled by", "truncation", "brings", "drops"),
                _profile_rows(),
            ),
            "",
            "## Rules by profile",
            "",
            "● the profile has the rule · K only where a KRaft controller runs. The rules called "
            "WHAT-IF are wrong on purpose and in no profile.",
            "",
            *_table(("rule", *PROFILE_NAMES), _matrix_rows()),
            "",
            "## What the rules say",
            "",
            *_table(("rule", "since", "English", "中文"), _sentence_rows()),
            "",
            "## Defaults that moved, and settings that came or went",
            "",
            "– the release does not have the setting. Everything else keeps its default from "
            f"{PROFILE_NAMES[0]} to {PROFILE_NAMES[-1]}.",
            "",
            *_table(("setting", *PROFILE_NAMES), _default_rows()),
            "",
        )
    )


def versions_table() -> str:
    """The short table of the README: what each profile brought."""
    rows = (
        (name, family, f"{brings}; drops {drops}" if drops else brings)
        for name, _, family, brings, drops in _profile_rows()
    )
    return "\n".join((*_table(("Kafka", "truncation", "rules that it brings"), rows), ""))


def _table(heads: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _rules_of(kafka: str) -> dict[str, bool]:
    """The rules of a profile under the controller that has most of them."""
    return rules_by_name(resolve_profile(kafka, control=_newest_control(kafka)))


def _newest_control(kafka: str) -> str:
    return "kraft" if "kraft" in controls_of(kafka) else "zookeeper"


def _profile_rows() -> Iterator[tuple[str, ...]]:
    before = dict.fromkeys((rule.name for rule in RULES), False)
    for kafka in PROFILE_NAMES:
        now = _rules_of(kafka)
        yield (
            kafka,
            ", ".join(controls_of(kafka)),
            _FAMILIES[resolve_profile(kafka).family],
            ", ".join(name for name in now if now[name] and not before[name]) or "",
            ", ".join(name for name in now if before[name] and not now[name]) or "",
        )
        before = now


def _matrix_rows() -> Iterator[tuple[str, ...]]:
    by_profile = {
        kafka: {
            control: rules_by_name(resolve_profile(kafka, control=control))
            for control in controls_of(kafka)
        }
        for kafka in PROFILE_NAMES
    }
    for rule in RULES:
        marks: list[str] = []
        for kafka in PROFILE_NAMES:
            on = {control: rules[rule.name] for control, rules in by_profile[kafka].items()}
            marks.append("●" if all(on.values()) else "K" if on.get("kraft") else "")
        yield (rule.name, *marks)


def _sentence_rows() -> Iterator[tuple[str, ...]]:
    sentences = catalogue()["rules"]
    sources = catalogue()["sources"]
    for rule in RULES:
        said = sentences[rule.name]
        yield (_linked(rule.name, sources), _life(rule), said["en"], said["zh"])


def _linked(name: str, sources: dict[str, str]) -> str:
    address = sources.get(name)
    if address is None and name.startswith("KAFKA-") and name[6:].isdigit():
        address = _ISSUES + name
    return f"[{name}]({address})" if address else name


def _life(rule: Rule) -> str:
    if rule.since is None:
        return "no release"
    since = _dotted(rule.since)
    if rule.until is not None:
        return f"{since}, until {_dotted(rule.until)}"
    return f"{since}, KRaft" if rule.kraft_only else since


def _default_rows() -> Iterator[tuple[str, ...]]:
    for setting in SETTINGS:
        cells = tuple(
            _written(default_of(setting.name, kafka)) if exists_in(setting.name, kafka) else "–"
            for kafka in PROFILE_NAMES
        )
        if len(set(cells)) > 1:
            yield (f"`{setting.name}`", *cells)
    for client_setting in CLIENT_SETTINGS:
        values = [client_defaults(client_setting.client, kafka) for kafka in PROFILE_NAMES]
        cells = tuple(
            _written(known[client_setting.name]) if client_setting.name in known else "–"
            for known in values
        )
        if len(set(cells)) > 1:
            yield (f"{client_setting.client} `{client_setting.name}`", *cells)


def _written(value: ConfigValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value in (INT_MAX, LONG_MAX):
        return "MAX"
    return str(value)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
