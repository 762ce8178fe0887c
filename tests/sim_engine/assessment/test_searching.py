"""The search of a partition from its printed state: its sentences, its runs, and the cells."""

from collections.abc import Callable, Iterator
from itertools import count

import msgspec
import pytest

from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.printed import Changes
from sim_engine.assessment.searching import Phase, SearchesInTurn, Turn
from sim_engine.assessment.verdicts import LOSES
from sim_engine.documents.assessment import AssessedSearch, AssessedSearches
from sim_engine.exploration.alphabet import faults_among
from sim_engine.exploration.scope import SearchScope
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.assessment.clusters import TWELVE, assessed, described, parsed

# A clock that counts how often it is asked has no machine in it.
TICKS = 60


def searched(
    text: str,
    kafka: str,
    partition: str = "t-0",
    *,
    down: tuple[int, ...] = (),
    ticks: int = TICKS,
    watch: Callable[[AssessedSearches], None] = lambda _: None,
    **settings: str,
) -> AssessedSearches:
    changes = Changes(kafka=kafka, down=frozenset(map(BrokerId, down)), settings=settings)
    search = Assessment(parsed(text), changes).search(partition)
    assert search is not None
    clock = count()
    search.run(ticks, lambda: float(next(clock)), lambda: watch(search.document()))
    return search.document()


def fates(search: AssessedSearch) -> set[str | None]:
    """The fates of the records when the steps of a search have been played."""
    assert search.start is not None
    assert search.steps is not None
    scenario = read_scenario_document({**search.start, "steps": list(search.steps)})
    timeline = Timeline(scenario)
    timeline.run_all()
    produced = timeline.frames[timeline.head].cluster.clients.produced
    return {record.fate for record in produced}


def test_a_state_that_loses_by_itself_is_one_sentence_and_one_run() -> None:
    document = searched(TWELVE, "4.1", "payments-3", down=(1,))

    (search,) = document.searches
    assert (search.question, search.outcome) == ("no_failure", "found")
    assert search.text["en"] == (
        "Searched payments-3: an acknowledged record is lost in 4 steps without a further failure."
    )
    assert search.scope["en"].startswith("start broker 1, ")
    assert "payments-3" in search.text["zh"]
    assert "lost" in fates(search)
    assert document.running is None


def test_one_copy_survives_crashes_and_not_a_power_loss() -> None:
    crashes, power, cut_off = searched(
        described(isr="2", replicas="1,2", leader=2), "3.9", down=(1,)
    ).searches

    assert (crashes.question, crashes.outcome) == ("crashes", "none")
    assert crashes.text["en"] == (
        "Searched t-0 with up to 1 broker crash, 1 more record: no acknowledged record is lost."
    )
    assert "states were tried, in whole steps." in crashes.scope["en"]
    assert "power losses, disk losses" in crashes.left_out["en"]
    assert "断电" in crashes.left_out["zh"]
    assert (power.question, power.outcome) == ("power", "found")
    assert power.text["en"].endswith("in 2 steps with 1 power loss.")
    assert "lost" in fates(power)
    assert (cut_off.question, cut_off.outcome) == ("cut_off", "none")
    assert msgspec.json.decode(msgspec.json.encode(power), type=AssessedSearch) == power


def test_what_the_text_leaves_open_is_searched_in_each_way() -> None:
    (crashes, *_) = searched(described(isr="2", replicas="1,2", leader=2), "3.9", ticks=20).searches

    assert "2 states were starts" in crashes.scope["en"]


def test_records_are_sent_with_the_acks_that_the_reader_has_set() -> None:
    found = {
        one.question: one
        for one in searched(
            described(replicas="1,2", isr="1,2"), "3.9", acks="1", ticks=100
        ).searches
    }

    assert found["crashes"].outcome == "found"
    assert found["cut_off"].outcome == "found"


def test_brokers_and_topic_are_those_of_the_reader() -> None:
    text = described(isr="1002", replicas="1001,1002", leader=1002).replace(
        "Topic: t", "Topic: pay"
    )
    (power,) = (
        one for one in searched(text, "3.9", "pay-0", ticks=30).searches if one.question == "power"
    )

    assert power.start is not None
    assert set(power.start["brokers"]) == {"1", "2"}, "their numbers are too large for a scenario"
    assert "Searched pay-0" in power.text["en"]


def test_a_search_that_ends_early_says_how_far_it_came() -> None:
    def interrupt(document: AssessedSearches) -> None:
        if document.running is not None and "broker crash" in document.running["en"]:
            raise KeyboardInterrupt

    document = searched(described(), "3.9", watch=interrupt)

    assert document.is_interrupted
    (search,) = document.searches
    assert (search.question, search.outcome) == ("crashes", "stopped")
    assert search.text["en"].endswith("no loss found before the search stopped.")
    assert "Not finished with up to 1 broker crash" in search.scope["en"]


def test_an_interrupt_before_the_first_question_has_a_result() -> None:
    def interrupt(_: AssessedSearches) -> None:
        raise KeyboardInterrupt

    document = searched(described(), "3.9", watch=interrupt)

    assert document.is_interrupted
    assert document.searches == ()


def test_what_is_decided_is_shown_while_finer_grains_are_searched() -> None:
    seen: list[AssessedSearches] = []
    searched(described(isr="2", replicas="1,2", leader=2), "3.9", down=(1,), watch=seen.append)

    early = next(one for one in seen if one.searches)
    assert early.running is not None
    assert early.searches[0].outcome == "none"
    assert seen[0].searches == ()


def test_a_search_without_an_acknowledged_record_is_no_good_news(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has ended before a record was sent, so it has checked nothing."""
    idle = Turn(
        budget={"crash": 1},
        grain="step",
        is_violated=False,
        is_complete=True,
        is_exercised=False,
        limit=None,
        depth=3,
        states=7,
        scope=SearchScope((), ()),
    )

    def of_phase(of: SearchesInTurn, _phase: Phase) -> Iterator[Turn]:
        of.turns.append(idle)
        yield idle

    monkeypatch.setattr(SearchesInTurn, "of_phase", of_phase)

    (crashes, *_) = searched(described(), "3.9").searches

    assert crashes.outcome == "stopped"
    assert (
        "None of the 21 states that were tried has an acknowledged record." in crashes.scope["en"]
    )


@pytest.mark.parametrize(
    ("text", "kafka", "down"),
    [
        (described(isr="1"), "0.10", (2, 3)),
        (described(isr="1"), "3.5", (2, 3)),
        (described("none", isr="1"), "3.5", (1,)),
        (described(isr="1", elr="2", min_isr=2), "4.1", (3,)),
    ],
)
def test_what_a_search_finds_with_one_failure_is_in_the_table(
    text: str, kafka: str, down: tuple[int, ...]
) -> None:
    (kind,) = assessed(text, kafka, down=down).kinds
    document = searched(text, kafka, down=down)

    cells = {"crash": kind.cells["crash"], "power_loss": kind.cells["power_loss"]}
    for search in document.searches:
        if search.start is None or search.steps is None:
            continue
        scenario = read_scenario_document({**search.start, "steps": list(search.steps)})
        faults = faults_among(item.step for item in scenario.steps)  # type: ignore[misc]
        assert "lost" in fates(search)
        for failure, cell in cells.items():
            if faults == {failure: 1}:
                assert cell.result.verdict in LOSES, search.text
