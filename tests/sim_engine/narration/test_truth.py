"""What a sentence claims is so: every shipped scenario under every version."""

import re
from collections.abc import Callable, Iterator

import pytest

from sim_engine import Timeline, list_shipped
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.election import ElectionNotPossible, LeaderLost
from sim_engine.events.fetch import EpochLookupAnswered, EpochLookupSent, FetchHandled, FetchSent
from sim_engine.events.log import LogLoaded, LogTruncated, TruncationNotNeeded
from sim_engine.events.metadata import BecameLeader
from sim_engine.events.producer import RecordProduced
from sim_engine.events.run import PropertyViolated, TimeAdvanced
from sim_engine.identifiers import UNDEFINED_EPOCH
from sim_engine.narration import sentence_of
from sim_engine.simulation.timeline import Frame
from sim_engine.versions import PROFILE_NAMES, controls_of

VERSIONS = [(kafka, control) for kafka in PROFILE_NAMES for control in controls_of(kafka)]


def said(happened: Event) -> tuple[str, str]:
    """An event in both languages."""
    return (
        sentence_of(happened, "en", strict=True),
        sentence_of(happened, "zh", strict=True),
    )


def claims(happened: Event, en: str, zh: str) -> bool:
    """Whether both languages claim something; that they agree on it is asserted."""
    in_en, in_zh = said(happened)
    assert (en in in_en) == (zh in in_zh), (in_en, in_zh)
    return en in in_en


def leads_already(happened: BecameLeader, before: ClusterState) -> bool:
    return before.replica(happened.broker, happened.partition).leading is not None


def begins_and_leads_already(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, BecameLeader) and (
        claims(happened, "begins to lead", "开始领导") == leads_already(happened, before)
    )


def takes_no_epoch_for_the_latest(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, EpochLookupSent | EpochLookupAnswered) and (
        claims(happened, "with −1", "以 −1 询问") != (happened.epoch == UNDEFINED_EPOCH)
    )


def asks_about_an_epoch_that_nobody_has(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, LogTruncated | TruncationNotNeeded):
        return False
    speaks_of_it = claims(happened, "latest epoch end", "最新纪元")
    return speaks_of_it and not before.replica(happened.broker, happened.partition).epoch_cache


OF_WHO_COULD_BE_ELECTED = (
    "one clean election",
    "could be elected cleanly",
    "a clean election could choose it",
)


def elects_who_leads(happened: Event, before: ClusterState) -> bool:
    return (
        isinstance(happened, PropertyViolated)
        and happened.property in ("StrongIsr", "LeaderCandidateCompleteness")
        and happened.leader in happened.where().replicas
        and any(words in said(happened)[0] for words in OF_WHO_COULD_BE_ELECTED)
    )


def has_a_live_member_that_it_cannot_elect(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, ElectionNotPossible) or not claims(
        happened, "live brokers: ", "存活的 broker："
    ):
        return False
    return bool(set(happened.isr) & set(happened.live))


def passes_no_time(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, TimeAdvanced) and happened.ms == 0


def names_an_empty_elr(happened: Event, before: ClusterState) -> bool:
    return (
        isinstance(happened, LeaderLost)
        and not happened.elr
        and claims(happened, "may still elect is the ELR", "仍可选的是 ELR")
    )


def answers_with_no_records(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, FetchHandled) and claims(
        happened, "with 0 of its records", "的 0 条消息"
    )


ONE_OF_SEVERAL = re.compile(r"[Bb]roker \d+(, \d+)+ |there is no \w+s in flight| are \d+[.,;]")


def speaks_of_several_as_of_one(happened: Event, before: ClusterState) -> bool:
    return ONE_OF_SEVERAL.search(said(happened)[0]) is not None


def takes_a_fetch_on_trust(happened: Event, before: ClusterState) -> bool:
    """From 2.8 on a leader compares epochs before it takes a fetch for an acknowledgement."""
    return isinstance(happened, FetchSent) and (
        claims(happened, "If the leader’s log agrees", "如果与 leader 的日志相符")
        == (happened.last_fetched_epoch is None)
    )


def says_who_lacks_a_record(happened: Event, before: ClusterState) -> bool:
    """A plain producer's retry appends again what followers have."""
    return isinstance(happened, RecordProduced) and claims(happened, "no follower", "没有 follower")


def takes_a_high_watermark_that_no_file_has(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, LogLoaded) or happened.variant == "clean":
        return False
    return claims(happened, "outside the log", "在日志范围之外") == (
        happened.checkpoint_high_watermark == happened.high_watermark
    )


UNTRUTHS: list[Callable[[Event, ClusterState], bool]] = [
    begins_and_leads_already,
    takes_no_epoch_for_the_latest,
    asks_about_an_epoch_that_nobody_has,
    elects_who_leads,
    has_a_live_member_that_it_cannot_elect,
    passes_no_time,
    names_an_empty_elr,
    answers_with_no_records,
    speaks_of_several_as_of_one,
    takes_a_fetch_on_trust,
    says_who_lacks_a_record,
    takes_a_high_watermark_that_no_file_has,
]


def frames(kafka: str, control: str) -> Iterator[tuple[str, Frame, ClusterState]]:
    for scenario in list_shipped():
        timeline = Timeline(scenario, kafka=kafka, control=control)
        timeline.run_all()
        for frame in timeline.frames[1:]:
            assert frame.parent is not None
            before = timeline.frames[frame.parent].cluster
            yield f"{scenario.id}, frame {frame.frame}", frame, before


@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_no_sentence_claims_what_is_not_so(kafka: str, control: str) -> None:
    found = [
        f"{where}: {untruth.__name__}: {said(happened)[0]}"
        for where, frame, before in frames(kafka, control)
        for happened in frame.events
        for untruth in UNTRUTHS
        if untruth(happened, before)
    ]

    assert found == []


@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_every_frame_of_a_lesson_says_something(kafka: str, control: str) -> None:
    silent = [where for where, frame, _ in frames(kafka, control) if not frame.events]

    assert silent == []
