"""What the classes of events say about themselves, and that a reader is shown it."""

import pytest

from sim_engine.documents.runs import story_to
from sim_engine.events import EVENTS, is_implied_by, mark_of, rank_of
from sim_engine.events.base import Event, Rank
from sim_engine.story.event_groups import cause_of
from tests.sim_engine.events.declared import number_names, variants
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import lesson


def rank(happened: Event) -> Rank:
    return rank_of(happened.kind, happened.variant)


def test_a_key_frame_shows_the_event_that_it_was_chosen_for():
    others = []
    for timeline in lessons_played():
        for step in story_to(timeline, timeline.head):
            frame = timeline.frames[step.telling_frame]
            most_telling = min(frame.events, key=rank)
            shown = frame.events[frame.headline]
            if rank(shown) != rank(most_telling):
                others.append((timeline.scenario.id, frame.frame, most_telling.kind, shown.kind))

    assert others == []


@pytest.mark.parametrize(
    ("name", "number", "rule"),
    [
        ("acks-1-loses-on-failover", 13, "KAFKA-10554"),
        ("acks-1-loses-on-failover", 3, "ELECTION-CLEAN"),
        ("unclean-setting-not-read", 22, "ELECTION-UNCLEAN"),
        ("last-replica-standing", 25, "POWER-LOSS"),
        ("fast-leader-failover", 10, "HIGH-WATERMARK-MIN-OF-ISR"),
        # An acknowledgement explains no loss, although it is the last before it.
        ("leader-flaps-lose-a-record", 24, "HIGH-WATERMARK-MIN-OF-ISR"),
    ],
)
def test_a_headline_without_a_rule_has_the_cause_that_explains_it(name, number, rule):
    timeline = lesson(name)
    shown = timeline.frames[number]

    cause = cause_of(shown.events, shown.headline)

    assert shown.events[shown.headline].rule is None
    assert cause is not None
    assert shown.events[cause].rule == rule


def test_a_loss_tells_more_than_an_append():
    assert rank_of("RecordLost", "acked") < rank_of("LeaderElected", "clean")
    assert rank_of("LeaderElected", "clean") < rank_of("ProduceAcknowledged", "all")
    assert rank_of("ProduceAcknowledged", "all") < rank_of("IsrShrunk", "leader")
    assert rank_of("IsrShrunk", "leader") < rank_of("HighWatermarkAdvanced", None)
    assert rank_of("HighWatermarkAdvanced", None) < rank_of("FetchApplied", None)


def test_a_variant_differs_from_its_class_only_where_its_case_says_so():
    assert rank_of("FetchApplied", "empty") > rank_of("FetchApplied", None)
    assert mark_of("RecordLost", "acked") == "loss"
    assert mark_of("RecordLost", "last_copy") is None
    assert rank_of("LogTruncated", "full") == rank_of("LogTruncated", "kip_101")
    assert mark_of("LogTruncated", "full") == "truncation"


def test_an_event_of_an_unknown_class_comes_after_those_with_a_rank():
    assert rank_of("Unheard", None) is Rank.UNRANKED
    assert mark_of("Unheard", "any") is None
    assert not is_implied_by("Unheard", {"LeaderElected"})


def test_what_implies_an_event_tells_at_least_as_much():
    for kind in EVENTS.values():
        assert all(other.rank <= kind.rank for other in kind.implied_by), kind.__name__


def test_time_that_passes_is_told_only_alone():
    assert is_implied_by("TimeAdvanced", {"TimeAdvanced", "FetchSent"})
    assert not is_implied_by("TimeAdvanced", {"TimeAdvanced"})


def test_the_cases_of_a_class_are_variants_that_it_declares():
    for kind in EVENTS.values():
        assert not variants(kind) or kind.cases.keys() <= variants(kind), kind.__name__


def test_an_event_shares_a_value_with_what_overtakes_it():
    for kind in EVENTS.values():
        if kind.overtaken_by is not None:
            later, shared = kind.overtaken_by
            assert shared in number_names(kind) & number_names(later), kind.__name__
