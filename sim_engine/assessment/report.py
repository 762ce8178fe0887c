"""An assessment as a text: its title, one line about it, and a report in Markdown for the channel
in which an incident is discussed.
"""

import re
from collections.abc import Iterator, Mapping

from sim_engine.assessment.cases import FAILURES
from sim_engine.documents.assessment import (
    AssessedCell,
    AssessedKind,
    AssessedSearch,
    AssessmentPage,
    FailureName,
    KnownLoss,
)
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.languages import in_language
from sim_engine.languages import say as say_message

_FILE = "interface/assess"
_MARKED = re.compile(r"([\\`*_\[\]<>#|~])")
_MOST_KINDS = 40
_NAMED = 3


def title(page: AssessmentPage, lang: str) -> str:
    """The verdict in one sentence."""
    between = say_message(lang, _FILE, "betweenParts")
    return between.join(in_language(part.text, lang) for part in page.headline)


def about(page: AssessmentPage, lang: str) -> str:
    """What comes first, and how many partitions can lose, stop or keep everything."""
    first = () if page.first is None else (_first(page, lang),)
    return " ".join((*first, _counts(page, lang)))


def markdown(page: AssessmentPage, lang: str) -> str:
    """The report in Markdown, without a link."""
    return "\n".join(_lines(page, lang)) + "\n"


def _lines(page: AssessmentPage, lang: str) -> Iterator[str]:
    def say(name: str, **numbers: object) -> str:
        return say_message(lang, _FILE, name, **numbers)

    yield f"## {_plain(title(page, lang))}"
    yield ""
    if page.first is not None:
        yield f"**{_plain(_first(page, lang))}**"
        yield ""
    yield f"{_counts(page, lang)} {_plain(under(page, lang))}"
    yield ""
    yield (
        " | ".join(
            ["| " + say("column-partition"), say("column-state")]
            + [f"{say(f'failure-{name}')} {say(f'failure-{name}-then')}" for name in FAILURES]
        )
        + " |"
    )
    yield "| --- " * (2 + len(FAILURES)) + "|"
    for kind in page.kinds[:_MOST_KINDS]:
        cells = [_cell(_cell_of(kind, name), lang) for name in FAILURES]
        yield "| " + " | ".join([_names(kind, lang), _state(kind, lang), *cells]) + " |"
    if len(page.kinds) > _MOST_KINDS:
        rest = sum(len(kind.partitions) for kind in page.kinds[_MOST_KINDS:])
        yield ""
        yield say("alike", count=rest)
    if page.refused:
        yield ""
        yield f"### {say('refused')}"
        yield ""
        yield from (
            f"- {_plain(in_language(one.why, lang))} ({one.file}:{one.line})"
            for one in page.refused
        )
    if page.known_losses:
        yield ""
        yield f"### {say('films')}"
        yield ""
        yield from (
            f"{number}. {_plain(known_way(film, lang))}"
            for number, film in enumerate(page.known_losses, 1)
        )
    if page.searches:
        yield ""
        yield f"### {say('searches')}"
        yield ""
        for search in page.searches:
            yield f"- {_plain(searched(search, lang))}"
    if page.not_known:
        yield ""
        yield f"### {say('notKnown')}"
        yield ""
        yield from (f"- {_plain(in_language(one, lang))}" for one in page.not_known)
    yield ""
    yield say("computedBy", engine=ENGINE_VERSION)


def _first(page: AssessmentPage, lang: str) -> str:
    assert page.first is not None
    return say_message(lang, _FILE, "first", text=in_language(page.first.text, lang))


def _counts(page: AssessmentPage, lang: str) -> str:
    counted = {
        "can_lose": page.counts.lost + page.counts.can_lose,
        "stop": page.counts.unavailable + page.counts.writes_stop,
        "keep": page.counts.keeps,
    }
    said = [
        say_message(lang, _FILE, f"count-{name}", count=count)
        for name, count in counted.items()
        if count
    ]
    separator = say_message(lang, _FILE, "stateSeparator")
    return _sentence([say_message(lang, _FILE, "counted", counts=separator.join(said))], lang)


def under(page: AssessmentPage, lang: str) -> str:
    """The release and the settings under which the verdict holds, and what shows the release."""
    values = (f"{setting.name}={', '.join(setting.values)}" for setting in page.settings[1:])
    stated = _sentence([f"Kafka {page.kafka.taken}", *values], lang)
    return f"{stated} {in_language(page.kafka.why, lang)}" if page.kafka.why else stated


def _sentence(parts: list[str], lang: str) -> str:
    joined = say_message(lang, _FILE, "stateSeparator").join(parts)
    return say_message(lang, _FILE, "sentence", text=joined)


def _names(kind: AssessedKind, lang: str) -> str:
    shown = ", ".join(kind.partitions[:_NAMED])
    more = len(kind.partitions) - _NAMED
    rest = f" {say_message(lang, _FILE, 'alike', count=more)}" if more > 0 else ""
    return _plain(shown) + rest


def _state(kind: AssessedKind, lang: str) -> str:
    leader = (
        say_message(lang, _FILE, "noLeader")
        if kind.leader < 0
        else say_message(lang, _FILE, "leaderIs", leader=kind.leader)
    )
    elr = f", ELR {{{_set(kind.elr)}}}" if kind.elr else ""
    state = f"{leader}, ISR {{{_set(kind.isr)}}}{elr}, min {kind.min_insync_replicas}"
    notes = [in_language(note.text, lang) for note in kind.notes if note.code != "no_leader"]
    return _plain("; ".join([state, *notes]))


def _set(brokers: tuple[int, ...]) -> str:
    return ", ".join(map(str, brokers))


def _cell_of(kind: AssessedKind, name: FailureName) -> AssessedCell:
    cell: AssessedCell = getattr(kind.cells, name)
    return cell


def _cell(cell: AssessedCell, lang: str) -> str:
    reason = _plain(in_language(cell.reason, lang)) if cell.reason else ""
    if not cell.applies:
        return reason
    if cell.undecided or cell.verdict is None:
        return say_message(lang, _FILE, "outcome-undecided")
    word = say_message(lang, _FILE, f"outcome-{cell.verdict}")
    strong = f"**{word}**" if cell.verdict in ("can_lose", "lost") else word
    return f"{strong}: {reason}" if reason else strong


def known_way(film: KnownLoss, lang: str) -> str:
    """A known way to lose records: where, how likely it is and why, and what closes it."""

    def of(text: Mapping[str, str]) -> str:
        return " ".join(in_language(text, lang).split())

    closed = "; ".join(of(one.text) for one in film.closed_by)
    how = f" {say_message(lang, _FILE, 'closes')}: {closed}." if closed else ""
    partitions = ", ".join(film.partitions[:_NAMED])
    return f"{of(film.title)} ({partitions}): {of(film.likely)}. {of(film.why)}{how}"


def searched(search: AssessedSearch, lang: str) -> str:
    """The result of a search with its scope and what it left out."""
    said = (in_language(text, lang) for text in (search.text, search.scope, search.left_out))
    return say_message(lang, _FILE, "betweenParts").join(words for words in said if words)


def _plain(words: str) -> str:
    return _MARKED.sub(r"\\\1", " ".join(words.split()))
