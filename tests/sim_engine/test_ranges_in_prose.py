"""Every range of releases in a text is one of the rules, defaults or endings that it is about.

A range in a text is compared by its cuts: "from 2.7" and "up to 2.6" are the same place between two
releases, and something that the text is about must change there. This finds ranges that were read
off the menu, which does not have all releases.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from backend.documentation.library import without_generated_parts
from sim_engine.actions import Ask, Note
from sim_engine.articles import Claim, Question, list_articles
from sim_engine.curriculum import lesson_index, lines_to_remember
from sim_engine.kafka_history import Rule
from sim_engine.languages import LANGUAGES
from sim_engine.narration import rule_text
from sim_engine.releases import MODELLED, line_name, number_of
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import list_shipped, load_shipped
from sim_engine.versions import RULES
from tests.sim_engine.ranges_said import (
    ENDS,
    cut_names,
    cuts_of,
    cuts_of_defaults,
    cuts_of_rules,
    cuts_of_stretches,
    cuts_said,
)
from tests.tables import for_each

REPOSITORY = Path(__file__).resolve().parents[2]

OTHER_RULES_IN_THE_SENTENCE = {"KAFKA-12803": ("KAFKA-15021",), "KAFKA-13091": ("KIP-497",)}
"""Rule → the other rules that its sentence is about."""

ALSO_ABOUT = {
    "retry-duplicates": ("KAFKA-15583",),
    "caught-up-outsider": ("KAFKA-12803",),
    "three-ways-to-stop": ("KIP-101",),
    "follower-bounce-with-epochs": ("KAFKA-12670",),
    "kip-101-data-loss": ("KAFKA-12670", "KAFKA-13162", "KIP-380"),
    "undefined-epoch-fallback": ("KAFKA-10554",),
    "unnoticed-bounce": ("KAFKA-3924",),
    # 3.2 brought the name AlterPartition together with KIP-704.
    "zombie-leader-is-refused": ("KIP-704",),
    "follower-stops-itself": ("KAFKA-3924", "KAFKA-4039"),
    "fast-leader-failover": ("KAFKA-12670",),
    "empty-epoch": ("KAFKA-10706",),
    "missed-deposition": ("KAFKA-15021",),
    "missed-deposition-noticed": ("KIP-966",),
}
"""Lesson → rules that its texts explain, although its run under its own release does not show
them.
"""

NOT_MODELLED = {"KIP-35": ">=0.10", "KIP-1066": ">=4.4"}
"""Changes of Kafka that have no rule here, and their releases."""

OUTSIDE_ANY_LESSON = [
    REPOSITORY / "README.md",
    REPOSITORY / "sim_engine/FIDELITY.md",
    REPOSITORY / "sim_engine/challenges/challenges.yaml",
    *(
        file
        for file in sorted((REPOSITORY / "docs").rglob("*.md"))
        if file.name not in ("scenarios.md", "versions.md")  # generated, and tested with their data
    ),
    *sorted((REPOSITORY / "sim_engine/languages").rglob("*.md")),
    *sorted((REPOSITORY / "sim_engine/languages").rglob("*.ftl")),
]

_LINES = re.compile(
    r"(?<![\d.-])(?P<one>[0-4]\.\d+(?:\.\d+)?)(?: and | or |和| 和 )(?P<other>[0-4]\.\d+(?:\.\d+)?)"
    r"(?![\d.-]*\d)"
)


@for_each("rule", lambda: RULES.values(), lambda rule: rule.name)
def test_the_sentence_of_a_rule_has_exactly_its_releases(rule: Rule) -> None:
    own = cuts_of_rules(rule.name)
    others = cuts_of_rules(*OTHER_RULES_IN_THE_SENTENCE.get(rule.name, ()))

    for lang in LANGUAGES:
        sentence = rule_text(rule.name, lang)
        said = cuts_said(sentence)
        assert cut_names(said - own - others) == [], sentence
        if said - others:
            named = cuts_said(sentence, points=True)
            assert cut_names(own - named) == [], sentence


@for_each("scenario", list_shipped, lambda one: one.id)
def test_the_ranges_in_a_lesson_are_those_of_its_rules_and_endings(scenario: Scenario) -> None:
    for text in _texts(scenario):
        for lang in LANGUAGES:
            said = cuts_said(text[lang])
            assert cut_names(said - _cuts_of_lesson(scenario.id)) == [], text[lang]


@for_each("scenario", list_shipped, lambda one: one.id)
def test_a_lesson_has_the_same_ranges_in_every_language(scenario: Scenario) -> None:
    for text in _texts(scenario):
        ranges = {lang: cut_names(cuts_said(text[lang])) for lang in LANGUAGES}
        assert ranges == dict.fromkeys(LANGUAGES, ranges["en"]), text


@for_each(
    "claim",
    lambda: [one for article in list_articles() for one in (*article.claims, *article.questions)],
    lambda claim: (claim.claim if isinstance(claim, Claim) else claim.question)["en"],
)
def test_the_ranges_in_a_claim_are_its_own_or_those_of_its_lessons(claim: Claim | Question) -> None:
    allowed = {cut for watch in claim.watch for cut in _cuts_of_lesson(watch.lesson)}
    if isinstance(claim, Claim):
        texts = [claim.claim, claim.kafka]
        allowed |= {cut for held in claim.held_ranges for cut in cuts_of(held)}
    else:
        texts = [claim.question, claim.answer]
    allowed |= cuts_of_rules("KIP-279", "KIP-966", "LAST-ISR-MEMBER-STAYS")

    for text in texts:
        ranges = {lang: cut_names(cuts_said(text[lang])) for lang in LANGUAGES}
        assert cut_names(cuts_said(text["en"]) - allowed) == [], text["en"]
        assert ranges == dict.fromkeys(LANGUAGES, ranges["en"]), text


@for_each("file", OUTSIDE_ANY_LESSON, lambda file: str(file.relative_to(REPOSITORY)))
def test_something_changes_at_every_range_in_the_documentation(file: Path) -> None:
    for line in without_generated_parts(file.read_text(encoding="utf-8")).splitlines():
        left_out = [cuts_of(ranges) for name, ranges in NOT_MODELLED.items() if name in line]
        assert cut_names(cuts_said(line) - _all_cuts().union(*left_out)) == [], line


@for_each(
    "file",
    lambda: [*OUTSIDE_ANY_LESSON, *sorted((REPOSITORY / "sim_engine").rglob("*/*.yaml"))],
    lambda file: str(file.relative_to(REPOSITORY)),
)
def test_two_lines_that_are_named_together_have_none_between_them(file: Path) -> None:
    """ "0.9 and 0.10.1" leaves out 0.10.0, which is not on the menu."""
    lines = list(dict.fromkeys(map(line_name, MODELLED)))
    for text in without_generated_parts(file.read_text(encoding="utf-8")).splitlines():
        for found in _LINES.finditer(text):
            one, other = found["one"], found["other"]
            if one in lines and other in lines and number_of(one) < number_of(other):
                assert lines.index(other) - lines.index(one) == 1, text


def _texts(scenario: Scenario) -> Iterator[Text]:
    yield from (scenario.title, scenario.summary)
    yield dict(lines_to_remember()[scenario.id])
    for step in (entry.step for entry in scenario.steps):
        if isinstance(step, Note | Ask):
            yield dict(step.text)
        if isinstance(step, Ask):
            yield from (dict(text) for text in (*step.answers, *(step.reasons or ())))


@cache
def _cuts_of_lesson(lesson: str) -> frozenset[int]:
    entry = lesson_index()[lesson]
    rules = (*load_shipped(lesson).source, *entry.rules, *ALSO_ABOUT.get(lesson, ()))
    stretches = (one for ending in entry.endings for one in ending.releases)
    return frozenset(ENDS | cuts_of_stretches(stretches) | cuts_of_rules(*rules))


@cache
def _all_cuts() -> frozenset[int]:
    rules = cuts_of_rules(*(rule.name for rule in RULES.values()))
    lessons = {cut for scenario in list_shipped() for cut in _cuts_of_lesson(scenario.id)}
    return frozenset(ENDS | rules | cuts_of_defaults() | lessons)
