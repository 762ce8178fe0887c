"""The first lessons of the path introduce the terms of the glossary: no text uses one earlier."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sim_engine.actions import Ask, Note
from sim_engine.curriculum import PATH, TERM_OF_PART, lines_to_remember, simple_view
from sim_engine.languages import LANGUAGES
from sim_engine.narration import terms_in
from sim_engine.scenario_reader.document import Scenario, Vocabulary
from sim_engine.scenario_reader.reader import list_shipped, load_shipped

SIMPLE = tuple(lesson for lesson in PATH if load_shipped(lesson).vocabulary is not None)


def test_the_path_begins_with_the_lessons_that_declare_their_vocabulary():
    declared = {one.id for one in list_shipped() if one.vocabulary is not None}

    assert len(SIMPLE) == 6
    assert PATH[: len(SIMPLE)] == SIMPLE
    assert declared == set(SIMPLE)


def test_a_lesson_uses_exactly_the_terms_that_earlier_ones_have_introduced():
    introduced: list[str] = []
    for lesson in SIMPLE:
        vocabulary = vocabulary_of(lesson)
        assert vocabulary.introduces
        assert list(vocabulary.uses) == introduced
        introduced += vocabulary.introduces

    assert len(introduced) == len(set(introduced))


def test_no_term_appears_before_its_introduction():
    assert [wrong for lesson in SIMPLE for wrong in early_terms(load_shipped(lesson))] == []


def test_each_term_appears_in_the_notes_of_the_lesson_that_introduces_it():
    unseen = [
        (lesson, lang, term)
        for lesson in SIMPLE
        for lang in LANGUAGES
        for term in vocabulary_of(lesson).introduces
        if not any(term in terms_in(note, lang) for note in notes_in(load_shipped(lesson), lang))
    ]

    assert unseen == []


def test_an_early_term_is_found_in_every_text_and_language():
    lesson = load_shipped("two-rounds")
    known = Vocabulary(uses=("leader", "follower", "record", "offset", "acks", "ISR"))

    found = early_terms(replace(lesson, vocabulary=known))

    assert ("two-rounds", "en", "title", "high-watermark") in found
    assert ("two-rounds", "zh", "title", "high-watermark") in found
    assert ("two-rounds", "zh", "summary", "committed") in found
    assert {"acknowledged"} <= {term for _, _, place, term in found if place == "note 3"}
    assert any(place == "question 1" for _, _, place, _ in found)
    assert any(place == "remember" for _, _, place, _ in found)


def test_a_lesson_of_the_simple_view_says_something_at_every_step():
    """Its notes are all that the simple view says."""
    silent = [
        (lesson, index)
        for lesson in SIMPLE
        for index, step in enumerate(load_shipped(lesson).steps)
        if not isinstance(step.step, Note | Ask)
        and step.kind != "expect"
        and not any(
            isinstance(later.step, Note)
            for later in load_shipped(lesson).steps[index + 1 : index + 2]
        )
    ]

    assert silent == []


def test_a_part_of_the_simple_view_comes_with_the_term_that_explains_it():
    shown: list[str] = []
    for lesson in SIMPLE:
        simple = simple_view(load_shipped(lesson))
        assert simple is not None
        known = vocabulary_of(lesson).known
        assert set(simple.parts) == {part for part, term in TERM_OF_PART.items() if term in known}
        assert set(shown) <= set(simple.parts)
        assert [one.id for one in simple.path] == list(SIMPLE)
        shown = list(simple.parts)

    assert set(shown) == set(TERM_OF_PART)
    assert simple_view(load_shipped(SIMPLE[0])) != simple_view(load_shipped(SIMPLE[1]))
    assert simple_view(load_shipped("two-rounds")) is None


def test_a_new_part_comes_with_the_lesson_that_introduces_its_term():
    simple = [simple_view(load_shipped(lesson)) for lesson in SIMPLE]

    assert [one.new_parts for one in simple if one is not None] == [
        (),
        ("offsets", "log_end"),
        ("high_watermark", "acknowledgements"),
        ("isr",),
        ("epochs", "controller"),
        ("elr",),
    ]


def test_a_term_is_new_in_the_first_note_with_its_word_as_a_word_of_its_own():
    simple = simple_view(load_shipped("a-record-and-its-copy"))
    assert simple is not None

    assert {one.term: one.note["en"] for one in simple.introduces} == {
        "leader": 0,
        "record": 2,
        "follower": 4,
    }
    assert terms_in("A leadership, recorded by its Follower", "en") == {"follower"}
    assert terms_in("the log end offset", "en") == {"log-end-offset"}


def test_a_term_and_its_abbreviation_are_named_once():
    simple = simple_view(load_shipped(SIMPLE[0]))
    assert simple is not None
    named = {one.id: one.names for one in simple.path}

    assert named["where-a-log-ends"]["en"] == ("offset", "log end offset")
    assert named["what-counts-as-safe"]["en"][0] == "high watermark"
    assert named["what-counts-as-safe"]["zh"][0] == "高水位"
    for lesson in SIMPLE:
        assert all(len(named[lesson][lang]) <= 3 for lang in LANGUAGES)


def vocabulary_of(lesson: str) -> Vocabulary:
    vocabulary = load_shipped(lesson).vocabulary
    assert vocabulary is not None
    return vocabulary


def early_terms(scenario: Scenario) -> list[tuple[str, str, str, str]]:
    """The lesson, language, place and term of each term that the lesson may not use yet."""
    assert scenario.vocabulary is not None
    return [
        (scenario.id, lang, place, term)
        for lang in LANGUAGES
        for place, text in texts_in(scenario, lang)
        for term in sorted(terms_in(text, lang) - scenario.vocabulary.known)
    ]


def texts_in(scenario: Scenario, lang: str) -> Iterator[tuple[str, str]]:
    """Every text of a lesson for readers, with its place."""
    assert scenario.vocabulary is not None
    yield "title", scenario.title[lang]
    yield "summary", scenario.summary[lang]
    yield "remember", lines_to_remember()[scenario.id][lang]
    for term, explanation in scenario.vocabulary.introduces.items():
        yield f"explanation of {term}", explanation[lang]
    for number, note in enumerate(notes_in(scenario, lang), start=1):
        yield f"note {number}", note
    questions = [one.step for one in scenario.steps if isinstance(one.step, Ask)]
    for number, question in enumerate(questions, start=1):
        said: list[Mapping[str, str]] = [*question.answers, *(question.reasons or ())]
        for text in (words_of(question, lang), *(one[lang] for one in said)):
            yield f"question {number}", text


def notes_in(scenario: Scenario, lang: str) -> list[str]:
    return [words_of(one.step, lang) for one in scenario.steps if isinstance(one.step, Note)]


def words_of(step: Note | Ask, lang: str) -> str:
    return str(step.arguments()[lang])
