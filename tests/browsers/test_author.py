"""An author clicks a lesson together, adds notes and a question, saves it and opens it again."""

from tests.browsers.run_page import SENTENCE, act, answer, go_to, run_opens, stands_at
from tests.browsers.visitor import Visitor

TITLE = "Our outage"
NOTE = "Broker 1 is the leader."
ASKED = "Who leads now?"


def test_an_author_makes_a_lesson_saves_it_and_opens_it_again(person: Visitor) -> None:
    person.open("/?lang=en")
    person.turn_to("Build your own")
    person.use("tab", "Cluster")
    person.use("button", "Append a record on broker 3")
    person.use("button", "Run it")
    run_opens(person)
    act(person, "Crash broker 1")
    person.reads(SENTENCE, "Broker 1 crashes")
    act(person, "Crash broker 2")
    person.reads(SENTENCE, "Broker 2 crashes")
    person.use("link", "Edit as a file")

    person.use("tab", "Steps")
    person.write("Title", TITLE)
    person.use("button", "Add a note after step 1", exact=False)
    person.write("Note after step 1", NOTE)
    person.use("button", "Add a question after step 1", exact=False)
    person.write("Question after step 1", ASKED)
    person.use("tab", "File")
    person.use("button", "Save as a file")
    file = person.saved("my-run.yaml")
    text = file.read_text(encoding="utf-8")
    assert all(words in text for words in (TITLE, NOTE, ASKED, "crash: {broker: 1}"))

    person.open("/new?lang=en")
    person.use("tab", "File")
    person.open_file("Open a file", file)
    person.use("tab", "Steps")
    person.wait(lambda: person.field("Title") == TITLE, "the title")
    assert person.field("Note after step 1") == NOTE
    assert person.field("Question after step 1") == ASKED
    person.use("button", "Run it")
    run_opens(person)
    go_to(person, 1)
    person.reads("section.question", ASKED)
    if person.phone:
        person.use("tab", "Why")
    person.reads("main", NOTE)
    if person.phone:
        person.use("tab", "Question")
    answer(person, "The record is kept.", judged="Correct.")
    stands_at(person, 2)
    person.reads(SENTENCE, "Broker 2 crashes")
