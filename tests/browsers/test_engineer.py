"""An engineer breaks a cluster, a lesson's or a real one, and sends the run."""

import re
from pathlib import Path

import pytest

from tests.browsers.run_page import SENTENCE, STRIP, act, go_to, run_opens, send
from tests.browsers.visitor import Visitor

REAL = Path(__file__).parents[1] / "sim_engine/cluster_import/real/4.1.1"


def test_an_engineer_breaks_a_broker_of_a_lesson_and_sends_the_moment(person: Visitor) -> None:
    person.open("/?lang=en")
    person.use("link", "The slowest replica decides")
    run_opens(person)

    go_to(person, 1)
    act(person, "Crash broker 1")
    person.reads(SENTENCE, "Broker 1 crashes")
    link = send(person)

    person.open(link)
    person.reads(SENTENCE, "Broker 1 crashes")
    assert re.search("/s/", person.url)


def test_an_engineer_pastes_what_a_real_cluster_prints_breaks_it_and_sends_the_run(
    person: Visitor,
) -> None:
    printed = (REAL / "topics.txt").read_text() + "==> broker-2/replication-offset-checkpoint <==\n"
    printed += (REAL / "data-2/replication-offset-checkpoint").read_text()
    person.open("/?lang=en")
    person.turn_to("Build your own")

    person.use("tab", "Import")
    person.paste("Output of the tools", printed)
    assert "\tPartition: 0\tLeader: 2" in person.field("Output of the tools")
    person.use("button", "Read it")
    person.reads(".cluster", "Topic orders: 2 partitions")
    person.reads(".cluster", "The input does not contain the leader epoch of t-0.")
    person.use("button", "Run it")
    run_opens(person)

    act(person, "Crash broker 2")
    person.reads(SENTENCE, "Broker 2 crashes")
    person.reads(STRIP, "No acknowledged record is lost")
    link = send(person)

    person.open(link)
    person.reads(SENTENCE, "Broker 2 crashes")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_engineer_breaks_a_broker_in_every_language(visitor: Visitor, language: str) -> None:
    words = {"en": ("Act", "Crash broker 1", "crashes"), "zh": ("操作", "使 broker 1 崩溃", "崩溃")}
    tab, action, told = words[language]
    visitor.open(f"/lessons/kip-101-data-loss?lang={language}")
    run_opens(visitor)

    if visitor.phone:
        visitor.click("tab", tab, exact=False)
    visitor.click("button", action)

    visitor.reads(SENTENCE, told)
