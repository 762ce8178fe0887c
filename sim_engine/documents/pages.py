"""Generates pages of the documentation from the same data as the site's pages: the claims of the
articles, the shipped scenarios, and the releases with their rules. `docs/` contains the results.

Ranges of releases in words, such as "up to 0.10.2" or "0.11 to 2.0.0, from 2.7", are of all
modelled releases, not of those on the menu. A line's name includes all of its patch releases: "up
to 2.6" ends with 2.6.3.

The endings of scenarios come from running the files, so their page always matches what a reader
sees.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from sim_engine.articles import Article, Assessment, Claim, list_articles, versions_of
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
from sim_engine.curriculum import Ending
from sim_engine.kafka_history import Rule
from sim_engine.languages.library import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    find_language,
    in_language,
    say,
)
from sim_engine.narration.library import source_addresses, source_texts
from sim_engine.narration.sentences import rule_text
from sim_engine.releases import (
    MODELLED,
    Stretch,
    begins_line,
    ends_line,
    line_name,
    releases_in,
    stretches_of,
)
from sim_engine.scenario_reader.document import CHAPTERS, Scenario, Text
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.versions import RULE_NAMES, RULES, controls_of, resolve_profile, rules_by_name

_FILE = "narration/scenarios"


def ranges_in_words(stretches: Sequence[Stretch], lang: str) -> str:
    """Describe stretches of releases in a language. They are in order, and there are gaps between
    them.
    """
    if not stretches:
        return say(lang, _FILE, "noVersion")
    if tuple(stretches) == ((MODELLED[0], MODELLED[-1]),):
        return say(lang, _FILE, "everyVersion")
    return say(lang, _FILE, "comma").join(_in_words(stretch, lang) for stretch in stretches)


def ranges_text(stretches: Sequence[Stretch]) -> Text:
    """Describe stretches of releases in every language."""
    return {lang: ranges_in_words(stretches, lang) for lang in LANGUAGES}


def _in_words(stretch: Stretch, lang: str) -> str:
    first, last = stretch
    from_name = line_name(first) if begins_line(first) else first
    to_name = line_name(last) if ends_line(last) else last
    if first == MODELLED[0]:
        return say(lang, _FILE, "upTo", version=to_name)
    if last == MODELLED[-1]:
        return say(lang, _FILE, "fromOn", version=from_name)
    if from_name == to_name:
        return from_name
    if line_name(first) == line_name(last):
        inside = releases_in(stretch)
        if len(inside) <= 2:
            return say(lang, _FILE, "comma").join(inside)
        from_name, to_name = stretch
    return say(lang, _FILE, "fromTo", **{"from": from_name, "to": to_name})


_MARKS: dict[Assessment, str] = {"right": "✓", "nearly": "~", "wrong": "✗"}


def articles_page() -> str:
    """Return the whole page, in Markdown."""
    return "\n".join(
        (
            "# Five articles, compared with what Kafka does",
            "",
            "Generated from `sim_engine/articles/*.yaml` by `scripts/write-scenarios`. Edit those "
            "files, not this page. The site shows it with pictures at `/articles`.",
            "",
            "The first scenarios were written from five articles about Kafka's replication. Most "
            "of what the articles say is correct, for some versions. This page lists their claims, "
            "what Kafka does, and the scenarios and steps that show it: "
            "`highwater run s26`.",
            "",
            "✓ correct for the given versions · ~ nearly correct · ✗ not what Kafka does",
            "",
            *(line for article in list_articles() for line in _section(article)),
        )
    )


def _section(article: Article) -> Iterator[str]:
    yield f"## {article.printed}"
    yield ""
    yield f"{article.title[DEFAULT_LANGUAGE]}. {article.about[DEFAULT_LANGUAGE]}"
    yield ""
    yield "| claim | | holds in | what Kafka does | scenarios |"
    yield "| --- | --- | --- | --- | --- |"
    for claim in article.claims:
        yield f"| {' | '.join(_cells(claim))} |"
    yield ""


def _cells(claim: Claim) -> Iterator[str]:
    yield claim.claim[DEFAULT_LANGUAGE]
    yield _MARKS[claim.assessment]
    yield ranges_in_words(stretches_of(versions_of(claim)), DEFAULT_LANGUAGE)
    yield claim.kafka[DEFAULT_LANGUAGE]
    yield ", ".join(
        f"{load_shipped(watch.lesson).alias or watch.lesson} step {watch.step}"
        + ("" if watch.kafka is None else f" under {watch.kafka}")
        for watch in claim.watch
    )


_CHAPTER_NAMES = "interface/pages"
"""The Fluent file, without ".ftl", with the names of the chapters. The front page uses it too."""


def scenarios_page(
    scenarios: Sequence[Scenario],
    endings: Mapping[str, Sequence[Ending]],
    languages: Sequence[str] = LANGUAGES,
) -> str:
    """Return the whole page, in Markdown, with titles in these languages.

    `endings` has the endings of each scenario by its id.
    """
    return "\n".join(
        (
            "# Scenarios",
            "",
            "Generated from `sim_engine/lessons/` and from running them, by "
            "`scripts/write-scenarios`; change the scenarios, not this page.",
            "",
            "`highwater run s26 --kafka 0.11` runs one of them. The column *how it "
            "ends* lists the violated properties, or states that all hold. It covers all releases, "
            "including patch releases, that can perform all steps. The name of a line includes its "
            "patch releases: up to 2.6 ends with 2.6.3.",
            "",
            *(
                line
                for chapter in CHAPTERS
                for line in _chapter_section(
                    " · ".join(say(lang, _CHAPTER_NAMES, chapter) for lang in languages),
                    [scenario for scenario in scenarios if scenario.chapter == chapter],
                    endings,
                    languages,
                )
            ),
        )
    )


def _chapter_section(
    heading: str,
    scenarios: Sequence[Scenario],
    endings: Mapping[str, Sequence[Ending]],
    languages: Sequence[str],
) -> Iterator[str]:
    yield f"## {heading}"
    yield ""
    yield "| | scenario | written for | how it ends | from |"
    yield "| --- | --- | --- | --- | --- |"
    for scenario in scenarios:
        title, *others = (in_language(scenario.title, lang) for lang in languages)
        cells = (
            scenario.alias or "",
            f"{' · '.join((f'**{title}**', *others))}<br>`{scenario.id}`",
            scenario.kafka,
            "<br>".join(endings_text(endings[scenario.id])),
            ", ".join(scenario.source),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def endings_text(endings: Sequence[Ending]) -> Iterator[str]:
    """One line for each ending, with all of its releases."""
    for ending in endings:
        ranges = ranges_in_words(ending.releases, DEFAULT_LANGUAGE)
        yield f"{', '.join(ending.violated) or 'all holds'}: {ranges}"


_FAMILIES = {
    "HW": "to the replica's own high watermark",
    "KIP101": "one epoch lookup",
    "KIP279_200": "repeated epoch lookups",
    "KIP279": "repeated epoch lookups, including empty epochs",
    "KIP320": "repeated epoch lookups, fenced by leader epoch",
    "TOF": "on fetch",
}
_ISSUES = "https://issues.apache.org/jira/browse/"


def versions_page(languages: Sequence[str] = LANGUAGES) -> str:
    """Return the whole page, in Markdown: releases, their rules, the text of each rule, defaults.

    The texts of the rules have a column for each of the languages.
    """
    names = [find_language(lang).name for lang in languages]
    return "\n".join(
        (
            "# Versions and rules",
            "",
            "Generated by `scripts/write-versions` from `sim_engine/kafka_history.py` and "
            "`sim_engine/configs.py`. Edit those files, not this page.",
            "",
            f"Every release from {MODELLED[0]} to {MODELLED[-1]} runs with its own rules and "
            "defaults. In a scenario file, the name of a line, such as 3.5, means its newest patch "
            "release; in a range it includes all of them. Any rule can be switched on or off for a "
            "release: `rules: {KIP-101: true}`.",
            "",
            "A cluster uses a rule only from the protocol level that the rule requires: "
            "`metadata.version` under KRaft, `inter.broker.protocol.version` under ZooKeeper. "
            '`metadata_version: "3.5"` or `inter_broker_protocol_version: "2.0"` in a scenario '
            "file starts a cluster at an older level than its release's default, and "
            '`config: {metadata_version: "3.9"}` raises it while the cluster runs.',
            "",
            "## Truncation",
            "",
            _truncation_table(),
            "## Releases",
            "",
            "Each row is a release that differs from the one before it, in the order of their "
            "numbers. A fix that was released for several lines is dropped by a release that came "
            "out before the fix.",
            "",
            versions_table(),
            "## Rules",
            "",
            "Level: the protocol level that the rule requires; without one, the release alone "
            "decides. Source: the Kafka code or document. The WHAT-IF rules are deliberately wrong "
            "and in no version.",
            "",
            *_table(("rule", "releases", "level", "source", *names), _sentence_rows(languages)),
            "",
            "## Changed defaults, new and removed settings",
            "",
            "Releases in no range do not have the setting. All other settings exist in every "
            "version, with the same default.",
            "",
            *_table(("setting", "defaults"), _default_rows()),
            "",
        )
    )


def versions_table() -> str:
    """Return the table of all releases that change a rule or a controller: what each brings and
    drops.
    """
    heads = ("Kafka", "controlled by", "brings", "drops")
    return "\n".join((*_table(heads, _release_rows()), ""))


def _truncation_table() -> str:
    """Return the short table: how followers truncate in all releases."""
    rows = (
        (ranges_in_words(stretches, DEFAULT_LANGUAGE), truncation)
        for truncation, stretches in _by_value(_truncation).items()
    )
    return "\n".join((*_table(("Kafka", "how a follower truncates its log"), rows), ""))


def _table(heads: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _truncation(kafka: str) -> str:
    return _FAMILIES[resolve_profile(kafka).family]


def _rules_of(kafka: str) -> dict[str, bool]:
    """The rules of a release, under the controller with the most rules."""
    return rules_by_name(resolve_profile(kafka, control=_newest_control(kafka)))


def _newest_control(kafka: str) -> str:
    return "kraft" if "kraft" in controls_of(kafka) else "zookeeper"


def _release_rows() -> Iterator[tuple[str, ...]]:
    before, controls_before = dict.fromkeys(RULE_NAMES, False), None
    for kafka in MODELLED:
        now, controls = _rules_of(kafka), controls_of(kafka)
        if now != before or controls != controls_before:
            yield (
                line_name(kafka) if begins_line(kafka) else kafka,
                ", ".join(controls),
                ", ".join(name for name in now if now[name] and not before[name]),
                ", ".join(name for name in now if before[name] and not now[name]),
            )
        before, controls_before = now, controls


def _by_value(of: Callable[[str], str | None]) -> dict[str, tuple[Stretch, ...]]:
    """Each value of a function of releases, with all releases that have it, oldest first. Those
    without a value are left out.
    """
    releases: dict[str, list[str]] = {}
    for kafka in MODELLED:
        value = of(kafka)
        if value is not None:
            releases.setdefault(value, []).append(kafka)
    return {value: stretches_of(names) for value, names in releases.items()}


def _sentence_rows(languages: Sequence[str]) -> Iterator[tuple[str, ...]]:
    sources = source_texts()
    for rule in RULES.values():
        sentences = [rule_text(rule.name, lang) for lang in languages]
        source = _linked(rule.source, source_addresses(rule.since or MODELLED[-1]))
        level = rule.level or ""
        yield (_linked(rule.name, sources), _life(rule), level, source, *sentences)


def _linked(name: str, sources: dict[str, str]) -> str:
    address = sources.get(name)
    if address is None and name.startswith("KAFKA-") and name[6:].isdigit():
        address = _ISSUES + name
    return f"[{name}]({address})" if address else name


def _life(rule: Rule) -> str:
    """All releases that have a rule."""
    releases = [kafka for kafka in MODELLED if _rules_of(kafka)[rule.name]]
    ranges = ranges_in_words(stretches_of(releases), DEFAULT_LANGUAGE)
    return f"{ranges}, KRaft" if rule.control == "kraft" else ranges


def _default_rows() -> Iterator[tuple[str, ...]]:
    for setting in SETTINGS:
        yield from _default_row(f"`{setting.name}`", partial(_default, setting.name))
    for client_setting in CLIENT_SETTINGS:
        client, name = client_setting.client, client_setting.name
        yield from _default_row(f"{client} `{name}`", partial(_client_default, client, name))


def _default(name: str, kafka: str) -> str | None:
    return _written(default_of(name, kafka)) if exists_in(name, kafka) else None


def _client_default(client: str, name: str, kafka: str) -> str | None:
    known = client_defaults(client, kafka)
    return _written(known[name]) if name in known else None


def _default_row(name: str, of: Callable[[str], str | None]) -> Iterator[tuple[str, ...]]:
    ranges = [
        (value, ranges_in_words(releases, DEFAULT_LANGUAGE))
        for value, releases in _by_value(of).items()
    ]
    if len(ranges) > 1 or None in map(of, MODELLED):
        yield (name, "<br>".join(f"{value}: {releases}" for value, releases in ranges))


def _written(value: ConfigValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value in (INT_MAX, LONG_MAX):
        return "MAX"
    return str(value)
