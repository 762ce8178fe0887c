"""Generates tables of the documentation, in a language, from the same data as the site's pages: the
claims of the articles, the shipped scenarios, and the releases with their rules.

Ranges of releases in words, such as "up to 0.10.2" or "0.11 to 2.0.0, from 2.7", are of all
modelled releases, not of those on the menu. A line's name includes all of its patch releases: "up
to 2.6" ends with 2.6.3.

The endings of scenarios come from running the files, so their page always matches what a reader
sees.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from sim_engine.articles import Article, Assessment, Claim, list_articles, source_name, versions_of
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
from sim_engine.languages import LANGUAGES, in_language, say
from sim_engine.narration import rule_text, source_addresses, source_texts
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
_WORDS = "documentation"


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


def _table(lang: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table. The head of a column is the name of a message."""
    names = [say(lang, _WORDS, f"head-{head}") for head in heads]
    yield f"| {' | '.join(names)} |"
    yield f"|{' --- |' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def articles_tables(lang: str) -> str:
    """The claims of each article, with a heading for each, in Markdown."""
    return "\n".join(line for article in list_articles() for line in _section(article, lang))


def _section(article: Article, lang: str) -> Iterator[str]:
    yield f"## {article.printed}"
    yield ""
    title = in_language(article.title, lang)
    if title != article.printed:
        yield f"*{title}*"
        yield ""
    yield in_language(article.about, lang)
    yield ""
    heads = ("claim", "mark", "holds-in", "kafka-does", "scenarios")
    yield from _table(lang, heads, (_cells(claim, lang) for claim in article.claims))
    yield ""


def _cells(claim: Claim, lang: str) -> Iterator[str]:
    yield in_language(claim.claim, lang)
    yield _MARKS[claim.assessment]
    yield ranges_in_words(stretches_of(versions_of(claim)), lang)
    yield in_language(claim.kafka, lang)
    yield say(lang, _FILE, "comma").join(
        say(
            lang,
            _WORDS,
            "watched" if watch.kafka is None else "watched-under",
            lesson=load_shipped(watch.lesson).alias or watch.lesson,
            step=watch.step,
            kafka=watch.kafka or "",
        )
        for watch in claim.watch
    )


_CHAPTER_NAMES = "interface/pages"
"""The Fluent file, without ".ftl", with the names of the chapters. The front page uses it too."""


def scenarios_tables(
    scenarios: Sequence[Scenario], endings: Mapping[str, Sequence[Ending]], lang: str
) -> str:
    """The scenarios of each chapter, with a heading for each, in Markdown. `endings` has the
    endings of each scenario by its id.
    """
    return "\n".join(
        line
        for chapter in CHAPTERS
        for line in (
            f"## {say(lang, _CHAPTER_NAMES, chapter)}",
            "",
            *_table(
                lang,
                ("alias", "scenario", "written-for", "ends", "from"),
                (
                    (
                        scenario.alias or "",
                        f"**{in_language(scenario.title, lang)}**<br>`{scenario.id}`",
                        scenario.kafka,
                        "<br>".join(endings_text(endings[scenario.id], lang)),
                        ", ".join(
                            in_language(source_name(source), lang) for source in scenario.source
                        ),
                    )
                    for scenario in scenarios
                    if scenario.chapter == chapter
                ),
            ),
            "",
        )
    )


def endings_text(endings: Sequence[Ending], lang: str) -> Iterator[str]:
    """One line for each ending, with all of its releases."""
    for ending in endings:
        violated = ", ".join(ending.violated) or say(lang, _WORDS, "all-hold")
        yield _in(violated, ending.releases, lang)


def _in(what: str, releases: Sequence[Stretch], lang: str) -> str:
    return say(lang, _WORDS, "in", what=what, releases=ranges_in_words(releases, lang))


_ISSUES = "https://issues.apache.org/jira/browse/"


def truncation_table(lang: str) -> str:
    """How followers truncate, in all releases."""
    rows = (
        (ranges_in_words(stretches, lang), say(lang, _WORDS, f"truncation-{family}"))
        for family, stretches in _by_value(lambda kafka: resolve_profile(kafka).family).items()
    )
    return "\n".join((*_table(lang, ("kafka", "truncates"), rows), ""))


def versions_table(lang: str) -> str:
    """All releases that change a rule or a controller: what each brings and drops."""
    heads = ("kafka", "controlled-by", "brings", "drops")
    return "\n".join((*_table(lang, heads, _release_rows()), ""))


def rules_table(lang: str) -> str:
    """The rules: their releases, levels and sources, and a sentence about each."""
    heads = ("rule", "releases", "level", "source", "meaning")
    return "\n".join((*_table(lang, heads, _rule_rows(lang)), ""))


def defaults_table(lang: str) -> str:
    """The settings whose default changes, or which some releases do not have."""
    return "\n".join((*_table(lang, ("setting", "defaults"), _default_rows(lang)), ""))


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


def _rule_rows(lang: str) -> Iterator[tuple[str, ...]]:
    sources = source_texts()
    for rule in RULES.values():
        source = _linked(rule.source, source_addresses(rule.since or MODELLED[-1]))
        level = rule.level or ""
        name = _linked(rule.name, sources)
        yield (name, _life(rule, lang), level, source, rule_text(rule.name, lang))


def _linked(name: str, sources: dict[str, str]) -> str:
    address = sources.get(name)
    if address is None and name.startswith("KAFKA-") and name[6:].isdigit():
        address = _ISSUES + name
    return f"[{name}]({address})" if address else name


def _life(rule: Rule, lang: str) -> str:
    """All releases that have a rule."""
    releases = [kafka for kafka in MODELLED if _rules_of(kafka)[rule.name]]
    ranges = ranges_in_words(stretches_of(releases), lang)
    return f"{ranges}, KRaft" if rule.control == "kraft" else ranges


def _default_rows(lang: str) -> Iterator[tuple[str, ...]]:
    for setting in SETTINGS:
        yield from _default_row(f"`{setting.name}`", partial(_default, setting.name), lang)
    for client_setting in CLIENT_SETTINGS:
        client, name = client_setting.client, client_setting.name
        default = partial(_client_default, client, name)
        yield from _default_row(f"{client} `{name}`", default, lang)


def _default(name: str, kafka: str) -> str | None:
    return _written(default_of(name, kafka)) if exists_in(name, kafka) else None


def _client_default(client: str, name: str, kafka: str) -> str | None:
    known = client_defaults(client, kafka)
    return _written(known[name]) if name in known else None


def _default_row(
    name: str, of: Callable[[str], str | None], lang: str
) -> Iterator[tuple[str, ...]]:
    ranges = _by_value(of)
    if len(ranges) > 1 or None in map(of, MODELLED):
        yield (name, "<br>".join(_in(value, found, lang) for value, found in ranges.items()))


def _written(value: ConfigValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value in (INT_MAX, LONG_MAX):
        return "MAX"
    return str(value)
