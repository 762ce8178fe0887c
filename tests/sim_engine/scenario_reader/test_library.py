"""The library is complete: every lesson has both languages, a question and its source.

That each ends as its author says is in `test_shipped.py`.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from sim_engine.actions import Ask, Expect, Note, Words
from sim_engine.command_line import main
from sim_engine.curriculum import PATH, lines_to_remember, next_lesson
from sim_engine.documents.frames import frame_document
from sim_engine.documents.lesson_entries import index_text, lesson_entry
from sim_engine.documents.pages import scenarios_tables
from sim_engine.events.isr import IsrExpandProposed
from sim_engine.scenario_reader import reader
from sim_engine.scenario_reader.expectations import versions_to_check
from sim_engine.scenario_reader.reader import list_shipped, load_shipped, shipped_names
from sim_engine.versions import resolve_profile
from tests.sim_engine.lesson_runs import lesson_runs
from tests.sim_engine.runs import lesson, play
from tests.tables import for_each

REPOSITORY = Path(__file__).resolve().parents[3]
NUMBERS = frozenset(range(1, 60))
FAMILIES = ("HW", "KIP101", "KIP279_200", "KIP279", "KIP320", "TOF")
ARTICLES = (
    "副本刨析",
    "CAP 理论实践（下）",
    "HW 与 LEO 更新",
    "Kafka 副本机制（胡夕）",
    "复制与ISR机制",
)

each_scenario = for_each("scenario", list_shipped, lambda one: one.id)


def number_of(scenario):
    """The number of a lesson; null if it is not part of the course."""
    match = re.fullmatch(r"s(\d\d)[a-z]?", scenario.alias or "")
    return int(match[1]) if match else None


def test_a_scenario_is_found_by_its_id_and_its_alias():
    named = {name: load_shipped(name) for name in shipped_names()}

    listed = {name: one for one in list_shipped() for name in (one.id, one.alias) if name}
    assert named == listed


def test_one_scenario_is_read_without_the_others(monkeypatch):
    read = []

    def read_one(path):
        read.append(path.stem)
        return list_shipped()[0]

    monkeypatch.setattr(reader, "read_scenario_file", read_one)
    reader._shipped.cache_clear()

    load_shipped("s27")

    reader._shipped.cache_clear()
    assert len(read) == 1


@each_scenario
def test_every_word_is_there_in_both_languages(scenario):
    said = [
        scenario.title,
        scenario.summary,
        *(step.step.arguments() for step in scenario.steps if isinstance(step.step, Note | Ask)),
    ]
    answers = [
        answer
        for step in scenario.steps
        if isinstance(step.step, Ask)
        for answer in step.step.answers
    ]

    assert all(text["en"].strip() for text in (*said, *answers))
    assert all(re.search(r"[\u4e00-\u9fff]", text["zh"]) for text in said)
    assert all(text["zh"].strip() for text in answers)


@each_scenario
def test_a_question_comes_before_something_happens_and_has_one_right_answer(scenario):
    kinds = [step.kind for step in scenario.steps]
    questions = [index for index, kind in enumerate(kinds) if kind == "ask"]

    assert questions
    for index in questions:
        question = scenario.steps[index].step
        assert isinstance(question, Ask)
        assert len(question.answers) >= 2
        assert 0 <= question.correct < len(question.answers)
        assert any(not isinstance(step.step, Words) for step in scenario.steps[index + 1 :])


@each_scenario
def test_a_question_fits_beside_the_stage_and_each_answer_has_its_own_reason(scenario):
    for asked in (step.step for step in scenario.steps if isinstance(step.step, Ask)):
        assert len(asked.answers) <= 4
        assert all(len(answer["en"]) <= 75 for answer in asked.answers)
        assert all(len(answer["zh"]) <= 50 for answer in asked.answers)
        reasons = asked.reasons or ()
        assert len(reasons) == len(asked.answers)
        assert len({reason["en"] for reason in reasons}) == len(reasons)
        assert all(len(reason["en"]) <= 240 for reason in reasons)
        assert all(re.search(r"[\u4e00-\u9fff]", reason["zh"]) for reason in reasons)


@each_scenario
def test_a_story_says_where_it_is_from_and_how_it_ends(scenario):
    expected = [step.step for step in scenario.steps if isinstance(step.step, Expect)]

    assert scenario.source
    assert expected
    assert any(expectation.violated is not None for expectation in expected)


@each_scenario
def test_a_file_is_named_for_its_id_and_its_alias_is_a_number_of_the_course(scenario):
    assert (REPOSITORY / f"sim_engine/lessons/{scenario.chapter}/{scenario.id}.yaml").exists()
    assert scenario.alias is None or number_of(scenario) is not None


def test_ids_and_aliases_are_unique():
    names = Counter(name for one in list_shipped() for name in (one.id, one.alias) if name)

    assert [name for name, count in names.items() if count > 1] == []


def test_every_control_run_that_is_named_is_shipped_and_another_run_of_the_same_cluster():
    named = [(one, one.control_run) for one in list_shipped() if one.control_run is not None]

    assert "missed-deposition" in [scenario.id for scenario, _ in named]
    for scenario, control_run in named:
        beside = load_shipped(control_run)
        assert beside.id != scenario.id
        assert (beside.brokers, beside.topics) == (scenario.brokers, scenario.topics)
        assert beside.steps != scenario.steps or beside.configs != scenario.configs


def test_every_number_is_shipped():
    assert {number_of(scenario) for scenario in list_shipped()} >= NUMBERS


def test_every_article_has_its_mechanisms_in_several_stories():
    told = Counter(source for scenario in list_shipped() for source in scenario.source)

    assert [article for article in ARTICLES if told[article] < 4] == []


def test_every_truncation_family_is_held_by_many_stories():
    held = Counter(
        family
        for scenario in list_shipped()
        for family in {resolve_profile(kafka).family for kafka in versions_to_check(scenario)}
    )

    assert [family for family in FAMILIES if held[family] < 20] == []


@pytest.mark.parametrize("name", ["s51", "s52"])
def test_what_a_what_if_loses_no_kafka_loses(name):
    """The same steps without the wrong rule: the records wait and are not acknowledged."""
    scenario = load_shipped(name)
    switched = next(iter(scenario.rules))

    wrong = ended(scenario)
    right = ended(replace(scenario, rules={}))

    assert switched.startswith("WHAT-IF-")
    assert wrong.properties["NoAckedRecordLost"].status == "violated"
    assert right.properties["NoAckedRecordLost"].status != "violated"
    assert all(
        entry.acked_frame is None for entry in right.state.clients.produced if entry.as_ == "p1"
    )


def test_a_what_if_says_for_whom_the_leader_really_waits():
    timeline = lesson("s51")

    proposed = timeline.told(IsrExpandProposed)[0]

    assert proposed.maximal_isr == (1,)


def library_endings():
    return {lesson: runs.endings for lesson, runs in lesson_runs().items()}


def ended(scenario):
    timeline = play(scenario)
    return frame_document(timeline, timeline.head)


def test_the_command_prints_them_as_tables(capsys):
    assert main(["list", "--markdown"]) == 0

    printed = capsys.readouterr().out
    assert printed == f"{scenarios_tables(list_shipped(), library_endings(), 'en')}\n"


def test_the_index_of_lessons_is_up_to_date():
    """`scripts/write scenarios` brings it up to date."""
    written = (REPOSITORY / "sim_engine/curriculum/index.json").read_text(encoding="utf-8")

    assert written == index_text(library_endings())


def test_the_reading_time_counts_only_texts_that_the_lesson_shows():
    scenario = load_shipped("two-round-truncation")

    assert len([one for one in scenario.steps if isinstance(one.step, Ask)]) == 2
    assert lesson_entry(scenario, ()).minutes == 1


def test_the_path_is_of_lessons_and_each_leads_to_the_next():
    order = tuple(scenario.id for scenario in list_shipped())

    assert len(set(PATH)) == 18
    assert set(PATH) <= set(order)
    assert next_lesson(PATH[0], order) == PATH[1]
    assert next_lesson(PATH[-1], order) == order[order.index(PATH[-1]) + 1]
    assert next_lesson(order[-1], order) is None
    assert next_lesson("a-run-of-ones-own", order) is None


def test_every_lesson_has_one_line_to_remember_in_every_language():
    lines = lines_to_remember()

    assert set(lines) == {scenario.id for scenario in list_shipped()}
    for line in lines.values():
        assert 0 < len(line["en"]) <= 90
        assert re.search(r"[\u4e00-\u9fff]", line["zh"])
    assert len({line["en"] for line in lines.values()}) == len(lines)
