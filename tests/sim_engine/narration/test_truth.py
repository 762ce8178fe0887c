"""The claims of sentences are true, in every shipped scenario under every version."""

import re
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sim_engine import languages
from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.events.clients import RecordProduced
from sim_engine.events.controller import BrokerUnfenced, ElectionNotPossible, LeaderLost
from sim_engine.events.fetch import EpochLookupAnswered, EpochLookupSent, FetchHandled, FetchSent
from sim_engine.events.isr import IsrProposal
from sim_engine.events.log import LogLoaded, LogTruncated, TruncationNotNeeded
from sim_engine.events.metadata import BecameLeader
from sim_engine.events.run import PropertyViolated, TimeAdvanced
from sim_engine.identifiers import UNDEFINED_EPOCH
from sim_engine.narration import sentence_of
from sim_engine.simulation.timeline import Frame
from tests.sim_engine.played import VERSIONS, key_of, lessons_played
from tests.tables import for_each

FOLDERS = Path(languages.__path__[0])


_SAID: dict[Hashable, tuple[str, str]] = {}


def said(happened: Event) -> tuple[str, str]:
    """An event in both languages."""
    key = key_of(happened)
    if key not in _SAID:
        en, zh = (sentence_of(happened, lang, strict=True) for lang in ("en", "zh"))
        _SAID[key] = (en, zh)
    return _SAID[key]


class Claim(NamedTuple):
    """The wording of one claim in each language, as regular expressions."""

    en: str
    zh: str


BEGINS_TO_LEAD = Claim("becomes leader of", "以现有日志成为")
SENDS_NO_EPOCH = Claim("has no epoch.* sen(ds|t) −1", "没有纪元.*发送了? −1")
OF_ITS_LATEST_EPOCH = Claim("latest epoch", "最新纪元")
COULD_BE_ELECTED = Claim("could be elected cleanly", "可以通过 clean 选举当选")
COULD_BE_CHOSEN = Claim("clean election could choose", "clean 选举可能选中")
LIVE_BROKERS = Claim("live brokers: ", "存活的 broker：")
CAN_ELECT_THE_ELR = Claim("can still elect the ELR", "仍可选举 ELR")
WITH_RECORDS = Claim("records? from offset", "起的消息")
IF_THE_LOG_MATCHES = Claim("If the leader’s log matches", "如果与 leader 的日志一致")
HAS_READ_THE_LOG = Claim("has read the metadata log", "已读完元数据日志")
STILL_WAITS = Claim("still waits for", "高水位仍等待")
OUTSIDE_THE_LOG = Claim("outside the log", "在日志范围之外")

CLAIMS = [
    BEGINS_TO_LEAD,
    SENDS_NO_EPOCH,
    OF_ITS_LATEST_EPOCH,
    COULD_BE_ELECTED,
    COULD_BE_CHOSEN,
    LIVE_BROKERS,
    CAN_ELECT_THE_ELR,
    WITH_RECORDS,
    IF_THE_LOG_MATCHES,
    HAS_READ_THE_LOG,
    STILL_WAITS,
    OUTSIDE_THE_LOG,
]


def claims(happened: Event, claim: Claim) -> bool:
    """Whether both languages make a claim; asserts that they agree."""
    in_en, in_zh = said(happened)
    claimed = re.search(claim.en, in_en) is not None
    assert claimed == (re.search(claim.zh, in_zh) is not None), (in_en, in_zh)
    return claimed


def leads_already(happened: BecameLeader, before: ClusterState) -> bool:
    return before.replica(happened.broker, happened.partition).leading is not None


def begins_and_leads_already(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, BecameLeader) and (
        claims(happened, BEGINS_TO_LEAD) == leads_already(happened, before)
    )


def takes_no_epoch_for_the_latest(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, EpochLookupSent | EpochLookupAnswered) and (
        claims(happened, SENDS_NO_EPOCH) != (happened.epoch == UNDEFINED_EPOCH)
    )


def asks_about_an_epoch_that_nobody_has(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, LogTruncated | TruncationNotNeeded):
        return False
    speaks_of_it = claims(happened, OF_ITS_LATEST_EPOCH)
    return speaks_of_it and not before.replica(happened.broker, happened.partition).epoch_cache


def elects_who_leads(happened: Event, before: ClusterState) -> bool:
    return (
        isinstance(happened, PropertyViolated)
        and happened.property in ("StrongIsr", "LeaderCandidateCompleteness")
        and happened.leader in happened.where().replicas
        and any(claims(happened, claim) for claim in (COULD_BE_ELECTED, COULD_BE_CHOSEN))
    )


def has_a_live_member_that_it_cannot_elect(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, ElectionNotPossible) or not claims(happened, LIVE_BROKERS):
        return False
    return bool(set(happened.isr) & set(happened.live))


def passes_no_time(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, TimeAdvanced) and happened.ms == 0


def names_an_empty_elr(happened: Event, before: ClusterState) -> bool:
    return (
        isinstance(happened, LeaderLost)
        and not happened.elr
        and claims(happened, CAN_ELECT_THE_ELR)
    )


def answers_with_no_records(happened: Event, before: ClusterState) -> bool:
    return isinstance(happened, FetchHandled) and (
        claims(happened, WITH_RECORDS) == (happened.records == 0)
    )


ONE_OF_SEVERAL = re.compile(
    r"[Bb]roker \d+(, \d+)+ |\boffset \d+(, \d+)+ |\bno [\w ]+s is in flight| are \d+[.,;]"
    r"|\{\d+\}(, [^,]+,)? (leave|are)\b|\blacks? [^, ]+, which were "
)


def speaks_of_several_as_of_one(happened: Event, before: ClusterState) -> bool:
    return ONE_OF_SEVERAL.search(said(happened)[0]) is not None


def takes_a_fetch_on_trust(happened: Event, before: ClusterState) -> bool:
    """From 2.8 a leader compares epochs before it treats a fetch as an acknowledgement."""
    return isinstance(happened, FetchSent) and (
        claims(happened, IF_THE_LOG_MATCHES) == (happened.last_fetched_epoch is None)
    )


def says_who_lacks_a_record(happened: Event, before: ClusterState) -> bool:
    """A plain producer's retry appends a record that followers already have."""
    return isinstance(happened, RecordProduced) and any(
        "follower" in text for text in said(happened)
    )


def takes_a_high_watermark_that_no_file_has(happened: Event, before: ClusterState) -> bool:
    if not isinstance(happened, LogLoaded) or happened.variant == "clean":
        return False
    return claims(happened, OUTSIDE_THE_LOG) == (
        happened.checkpoint_high_watermark == happened.high_watermark
    )


def unfences_without_a_reading(happened: Event, before: ClusterState) -> bool:
    """A broker whose heartbeats arrive again need not have read the log."""
    if not isinstance(happened, BrokerUnfenced) or not claims(happened, HAS_READ_THE_LOG):
        return False
    return before.broker(happened.broker).metadata_offset < before.controller.metadata_offset


def waits_for_those_it_removes(happened: Event, before: ClusterState) -> bool:
    return (
        isinstance(happened, IsrProposal)
        and claims(happened, STILL_WAITS)
        and not set(happened.replicas) <= set(happened.maximal_isr)
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
    unfences_without_a_reading,
    waits_for_those_it_removes,
]


def frames(kafka: str, control: str) -> Iterator[tuple[str, Frame, ClusterState]]:
    for timeline in lessons_played(kafka, control):
        for frame in timeline.frames[1:]:
            assert frame.parent is not None
            before = timeline.frames[frame.parent].cluster
            yield f"{timeline.scenario.id}, frame {frame.frame}", frame, before


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.en)
def test_the_words_of_a_claim_are_in_the_texts_of_both_languages(claim: Claim) -> None:
    for language, words in zip(("en", "zh"), claim, strict=True):
        texts = (FOLDERS / language / "narration" / "events.ftl").read_text(encoding="utf-8")

        assert re.search(words, texts), f"no {language} text claims {words!r}"


@for_each("kafka, control", VERSIONS)
def test_no_sentence_claims_what_is_not_so(kafka: str, control: str) -> None:
    found = [
        f"{where}: {untruth.__name__}: {said(happened)[0]}"
        for where, frame, before in frames(kafka, control)
        for happened in frame.events
        for untruth in UNTRUTHS
        if untruth(happened, before)
    ]

    assert found == []


@for_each("kafka, control", VERSIONS)
def test_every_frame_of_a_lesson_has_a_sentence(kafka: str, control: str) -> None:
    silent = [where for where, frame, _ in frames(kafka, control) if not frame.events]

    assert silent == []
