"""What can be found, from the engine's catalogues: each entry with its exact address."""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, unquote_plus

from msgspec.structs import replace

from backend.site_search.entry import Entry, menu
from backend.site_search.words import pieces, without_humps
from sim_engine.articles import Article, held_in, list_articles, source_name
from sim_engine.challenges import list_challenges
from sim_engine.client_errors import CLIENT_ERRORS, ClientError
from sim_engine.curriculum import lesson_index, lessons_of_terms, lines_to_remember
from sim_engine.documents.choices import (
    SettingDocument,
    producer_setting_documents,
    setting_documents,
)
from sim_engine.documents.operator_words import operator_reference
from sim_engine.documents.runs import story_to
from sim_engine.identifiers import ErrorCode
from sim_engine.known_losses.catalogue import WAYS
from sim_engine.known_losses.entries import title_of, what_of
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, in_language, say, translations_in
from sim_engine.left_out import LEFT_OUT
from sim_engine.narration import catalogue
from sim_engine.operator_words.log_lines import LINES
from sim_engine.releases import releases_within
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import list_versions

_FILE = "search_results"
_NO_NAME = re.compile(r"\W+")
"""What a name of a message cannot have."""
_SHORTEST_LINE = 2
"""The words of a log line from which a pasted one is recognised."""


def engine_entries() -> Iterator[Entry]:
    """Everything that can be found outside the documentation. Plays every lesson once."""
    seen: dict[ErrorCode, str] = {}
    for scenario in list_shipped():
        yield _lesson(scenario)
        yield from _steps(scenario, seen)
    for error in CLIENT_ERRORS.values():
        yield _error(error, seen)
    yield from _terms()
    for number, article in enumerate(list_articles()):
        yield from _claims(number, article)
    yield from _settings()
    yield from _operator_words()
    yield from _losses()
    yield from _challenges()
    yield from _releases()
    yield from _changes()
    yield from _left_out()


def with_asked(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries with how somebody asks for each who does not know what it is called."""
    texts = {lang: translations_in(lang, "symptoms") for lang in LANGUAGES}
    for entry in entries:
        name = asked_name(entry)
        asked = {lang: own[name] for lang, own in texts.items() if name in own}
        yield replace(entry, asked=asked) if asked else entry


def asked_name(entry: Entry) -> str:
    """The name of an entry in `symptoms.ftl`."""
    return _NO_NAME.sub("-", f"{entry.kind}-{entry.id}")


def said(name: str, **values: object) -> Text:
    """A text of `search_results.ftl` in every language; a value may be a text itself."""
    return {
        lang: say(
            lang,
            _FILE,
            name,
            **{
                key: in_language(value, lang) if isinstance(value, Mapping) else value
                for key, value in values.items()
            },
        )
        for lang in LANGUAGES
    }


def joined(*texts: Text, mark: str = " ") -> Text:
    """Texts one after the other, in each language."""
    return {lang: mark.join(text[lang] for text in texts if text.get(lang)) for lang in LANGUAGES}


def _same(text: str) -> Text:
    return dict.fromkeys(LANGUAGES, text)


# --- lessons ------------------------------------------------------------------------------------


def _lesson(scenario: Scenario) -> Entry:
    entry = lesson_index()[scenario.id]
    sources = [source_name(source) for source in scenario.source]
    document = scenario_document(scenario)
    authors = {lang: " ".join(_author_words(document, lang)) for lang in LANGUAGES}
    named = " ".join((*_settings_of(document), *entry.rules, *entry.errors))
    return Entry(
        kind="lesson",
        id=scenario.id,
        address=f"/lessons/{scenario.id}",
        title=scenario.title,
        text=scenario.summary,
        names=tuple(name for name in (scenario.id, scenario.alias) if name is not None),
        more=joined(dict(lines_to_remember()[scenario.id]), authors, *sources, _same(named)),
        picture=entry.picture,
    )


def _author_words(document: object, lang: str) -> Iterator[str]:
    """The notes, questions and answers of a scenario's document in a language."""
    if isinstance(document, Mapping):
        if document and set(document) <= set(LANGUAGES):
            yield in_language(document, lang)
        else:
            for part in document.values():
                yield from _author_words(part, lang)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from _author_words(part, lang)


def _settings_of(document: object) -> Iterator[str]:
    if isinstance(document, Mapping):
        yield from (name for name in document if "." in name)
        for part in document.values():
            yield from _settings_of(part)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from _settings_of(part)


def _steps(scenario: Scenario, seen: dict[ErrorCode, str]) -> Iterator[Entry]:
    """The steps of a lesson, without its start. Adds the first step of each error to `seen`, if the
    lesson shows errors: one with a vocabulary does not.
    """
    timeline = Timeline(scenario)
    timeline.run_all()
    kafka = timeline.profile.kafka
    for step in story_to(timeline, timeline.head)[1:]:
        address = f"/lessons/{scenario.id}?step={step.step}"
        sentence = in_language(step.summary, LANGUAGES[0])
        for code in re.findall(r"[A-Z]+(?:_[A-Z]+)+", sentence):
            if code in ErrorCode.__members__ and scenario.vocabulary is None:
                seen.setdefault(ErrorCode(code), address)
        yield Entry(
            kind="step",
            id=f"{scenario.id}#{step.step}",
            address=address,
            title=dict(step.summary),
            text=said("step-of", lesson=scenario.title, step=step.step, kafka=kafka),
            picture=lesson_index()[scenario.id].picture,
        )


# --- what things are called ----------------------------------------------------------------------


def _error(error: ClientError, seen: Mapping[ErrorCode, str]) -> Entry:
    address = seen.get(error.code, f"/docs/reference/operator-words#error-{error.code}")
    return Entry(
        kind="error",
        id=error.code,
        address=address,
        title=_same(error.code),
        text=error.means.said(),
        names=(
            *(form for name in error.names for form in dict.fromkeys((name, without_humps(name)))),
            f"error {error.number}",
            f"error code {error.number}",
        ),
        sign=str(error.number),
    )


_SPELLED = {"HW": "high-watermark", "LEO": "log-end-offset"}
"""Abbreviations that the narration explains apart from their terms. In the glossary, each is a part
of its term."""


def _terms() -> Iterator[Entry]:
    texts = catalogue()["languages"]
    short = {term: name for name, term in _SPELLED.items()}
    for term in lessons_of_terms():
        if term in _SPELLED:
            continue
        words = {
            lang: str(texts[lang]["term_words"].get(term, "")).split("|") for lang in LANGUAGES
        }
        spelled = term.replace("-", " ")
        titles = {lang: own[0] or spelled for lang, own in words.items()} | {
            DEFAULT_LANGUAGE: spelled
        }
        if term in short:
            titles = {
                lang: f"{title} ({short[term]})" if title.isascii() else f"{title}（{short[term]}）"
                for lang, title in titles.items()
            }
        yield Entry(
            kind="term",
            id=term,
            address=f"/glossary#{term}",
            title=titles,
            text={lang: str(texts[lang]["terms"][term]) for lang in LANGUAGES},
            names=(
                term,
                spelled,
                *short.get(term, "").split(),
                *(one for own in words.values() for one in own if one),
            ),
        )


_PRODUCERS = "/docs/explanation/versions#changed-defaults-new-and-removed-settings"
_BROKERS = "/docs/reference/settings#config-"


def _settings() -> Iterator[Entry]:
    brokers: dict[str, SettingDocument] = {}
    producers: dict[str, SettingDocument] = {}
    for version in list_versions():
        kafka, controls = str(version["kafka"]), version["controls"]
        assert isinstance(controls, list | tuple)
        for control in controls:
            brokers |= {one.name: one for one in setting_documents(kafka, control)}
        producers |= {one.name: one for one in producer_setting_documents(kafka)}
    for setting in brokers.values():
        yield _setting(setting, f"{_BROKERS}{setting.name}")
    for setting in producers.values():
        yield _setting(setting, _PRODUCERS)


def _setting(setting: SettingDocument, address: str) -> Entry:
    default = setting.default
    written = str(default).lower() if isinstance(default, bool) else default
    return Entry(
        kind="setting",
        id=setting.name,
        address=address,
        title=_same(setting.name),
        text=said("setting", about=setting.about, default=written),
        names=tuple(name for name in (setting.topic_name,) if name is not None),
    )


def _operator_words() -> Iterator[Entry]:
    reference = operator_reference()
    for metric in reference.metrics:
        yield Entry(
            kind="word",
            id=metric.name,
            address=f"/glossary#{metric.name}",
            title=_same(metric.name),
            text=metric.text,
            names=(without_humps(metric.name), metric.bean),
            sort=said("sort-metric"),
        )
    for line in reference.lines:
        yield Entry(
            kind="word",
            id=line.id,
            address=f"/glossary#{line.id}",
            title=_same(line.look_for),
            text=line.text,
            sort=said("sort-line"),
            more=_same(" ".join(form.template for form in line.forms)),
            lines=tuple(_fixed_parts(line.id)),
        )


def _fixed_parts(line: str) -> Iterator[tuple[str, ...]]:
    for form in LINES[line]:
        parts = tuple(part for part in form.template.split("**")[1::2] if pieces(part))
        # A word or two are in many sentences: such a line is found by its words alone.
        if len(pieces(" ".join(parts))) >= _SHORTEST_LINE:
            yield parts


# --- what articles, challenges and Kafka's history contain ---------------------------------------


def _claims(number: int, article: Article) -> Iterator[Entry]:
    for place, claim in enumerate(article.claims, start=1):
        yield Entry(
            kind="claim",
            id=f"{number}#claim-{place}",
            address=f"/articles/{number}#claim-{place}",
            title=claim.claim,
            text=said("claim-of", article=article.title, number=place, kafka=claim.kafka),
            sign=claim.assessment,
            holds=held_in(claim, menu()),
        )
    for place, asked in enumerate(article.questions, start=1):
        yield Entry(
            kind="claim",
            id=f"{number}#question-{place}",
            address=f"/articles/{number}#question-{place}",
            title=asked.question,
            text=said("question-of", article=article.title, answer=asked.answer),
            sign="question",
        )


def _losses() -> Iterator[Entry]:
    for way in WAYS:
        yield Entry(
            kind="loss",
            id=way.id,
            address=f"/docs/reference/known-losses#{way.id}",
            title=title_of(way),
            text=what_of(way),
        )


def _challenges() -> Iterator[Entry]:
    for challenge in list_challenges():
        yield Entry(
            kind="challenge",
            id=challenge.id,
            address=f"/challenges/{challenge.id}",
            title=challenge.title,
            text=challenge.goal,
        )


def _releases() -> Iterator[Entry]:
    before: Mapping[str, object] = {}
    for version in list_versions():
        kafka, rules = str(version["kafka"]), version["rules"]
        assert isinstance(rules, Mapping)
        brings = [name for name, has in rules.items() if has and not before.get(name)]
        changes = any(one.changes_at(kafka) for one in lesson_index().values())
        yield Entry(
            kind="release",
            id=kafka,
            address=f"/?kafka={kafka}" if changes else "/docs/explanation/versions#releases",
            title=_same(f"Kafka {kafka}"),
            text=said("release", rules=tuple(brings))
            if before and brings
            else said("release-plain"),
            names=(kafka, *releases_within(f"={kafka}")),
            sort=said("sort-version"),
        )
        before = rules


_CHANGE = re.compile(r"(?:KIP|KAFKA)-\d+")


def _changes() -> Iterator[Entry]:
    """The KIPs and issues that lessons or rules follow."""
    texts = catalogue()
    cited = {name for scenario in list_shipped() for name in scenario.source}
    for name, address in texts["sources"].items():
        rules = {lang: texts["languages"][lang]["rules"].get(name) for lang in LANGUAGES}
        if not _CHANGE.fullmatch(name) or (name not in cited and rules[LANGUAGES[0]] is None):
            continue
        _, _, called = unquote_plus(address.rpartition("/")[2]).partition(name)
        title = called.strip(" :-+")
        yield Entry(
            kind="kip",
            id=name,
            address=f"/?kip={name}" if name in cited else "/docs/explanation/versions#rules",
            title=_same(f"{name}: {title}" if title else name),
            text={lang: str(rule) for lang, rule in rules.items() if rule is not None},
            names=(name, name.replace("-", "")),
            sort=said("sort-version"),
        )


def _left_out() -> Iterator[Entry]:
    for row in LEFT_OUT:
        wanted = row.names[0] if row.names else row.title.text()
        yield Entry(
            kind="left_out",
            id=row.id,
            address=f"/fidelity?q={quote(wanted)}",
            title=row.title.said(),
            text=row.means.said(),
            names=tuple(name.removesuffix("*") for name in row.names),
        )
