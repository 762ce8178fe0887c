"""The facts that are kept between jobs always equal those that a first job would read."""

import json
import random
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics import share_facts
from analytics.connecting import SQLITE, Connector
from tests.analytics.shares import BEGINNING, Share, delete_shares, facts, insert_shares, migrate
from tests.postgres import PostgresServer

Rows = list[dict[str, Any]]


def rows_of(url: str, *, fresh: bool = False) -> tuple[Rows, int]:
    """The rows that the next job counts, and their watermark; fresh: as for a first job."""
    connector = Connector(url)
    if fresh:
        with connector.writing(("share_facts",)) as cursor:
            cursor.execute("DELETE FROM share_facts")
    share_facts.refresh(connector)
    with share_facts.shares_to_read(connector) as shares:
        rows = sorted(
            (
                row
                for number in range(len(shares.ranges))
                for batch in shares.read(number)
                for row in batch.to_pylist()
            ),
            key=lambda row: row["sid"],
        )
    assert len(rows) == shares.counted.shares
    return rows, shares.counted.watermark


def execute(url: str, statement: str) -> None:
    with Connector(url).writing(("shares",)) as cursor:
        cursor.execute(statement)


# --- any order of events ------------------------------------------------------------

SIDS = "abcdef"


@dataclass
class Shares:
    """Changes a database step by step, and tracks what must be counted."""

    url: str
    shown: dict[str, str] = field(default_factory=dict)
    """sid → digest."""
    hidden: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    edits: int = 0

    def share(self, sid: str) -> None:
        """A new share with any time, possibly earlier than shares that were counted long ago."""
        if sid not in {*self.shown, *self.hidden, *self.gone}:
            self.shown[sid] = f"run {sid}"
            moment = BEGINNING - timedelta(days=ord(sid) * 7 % 5)
            insert_shares(self.url, [Share(sid, facts(), moment, digest=self.shown[sid])])

    def edit(self, sid: str) -> None:
        """Its contents change, and so do its seal and perhaps its digest."""
        if sid in self.shown:
            self.edits += 1
            changed = f"seal = 'edited {self.edits}'"
            if self.edits % 2:
                self.shown[sid] = f"edited run {self.edits}"
                changed += f", digest = '{self.shown[sid]}'"
            edited = json.dumps(facts(kafka=f"1.{self.edits}"))
            execute(
                self.url, f"UPDATE shares SET {changed}, facts = '{edited}' WHERE sid = '{sid}'"
            )

    def delete(self, sid: str) -> None:
        """By its author."""
        if sid in self.shown:
            delete_shares(self.url, [sid])
            del self.shown[sid]
            self.gone.add(sid)

    def delete_elsewhere(self, sid: str) -> None:
        """By something that does not know the analytics' table, as a restored backup."""
        if sid in self.shown:
            execute(
                self.url,
                f"UPDATE shares SET deleted_at = created_at, facts = '{{}}' WHERE sid = '{sid}'",
            )
            del self.shown[sid]
            self.gone.add(sid)

    def take_down(self, sid: str) -> None:
        if sid in self.shown:
            execute(self.url, f"UPDATE shares SET taken_down_at = created_at WHERE sid = '{sid}'")
            self.hidden[sid] = self.shown.pop(sid)

    def put_back(self, sid: str) -> None:
        if sid in self.hidden:
            execute(self.url, f"UPDATE shares SET taken_down_at = NULL WHERE sid = '{sid}'")
            self.shown[sid] = self.hidden.pop(sid)

    def summarize(self, _sid: str) -> None:
        share_facts.refresh(Connector(self.url))


HAPPENINGS = ("share", "edit", "delete", "delete_elsewhere", "take_down", "put_back", "summarize")
STORIES = st.lists(
    st.tuples(st.sampled_from(("share", "share", *HAPPENINGS)), st.sampled_from(SIDS)), max_size=20
)


def check_story(url: str, story: list[tuple[str, str]]) -> None:
    shares = Shares(url)
    for what, sid in story:
        getattr(shares, what)(sid)

    in_parts, watermark = rows_of(url)
    again, same = rows_of(url)
    at_once, other = rows_of(url, fresh=True)

    assert {row["sid"]: row["digest"] for row in in_parts} == shares.shown
    assert in_parts == again == at_once
    assert watermark == same
    assert (other > watermark) == bool(at_once)


def test_parts_in_any_order_are_what_a_whole_is(tmp_path: Path) -> None:
    migrated = tmp_path / "migrated.db"
    migrate(f"sqlite:///{migrated}")

    @settings(max_examples=15)
    @given(STORIES)
    def check(story: list[tuple[str, str]]) -> None:
        file = tmp_path / "one.db"
        for old in tmp_path.glob("one.db*"):
            old.unlink()
        file.write_bytes(migrated.read_bytes())
        check_story(f"sqlite:///{file}", story)

    check()


@pytest.mark.postgres
def test_parts_in_any_order_are_what_a_whole_is_on_postgresql(
    postgres_server: PostgresServer,
) -> None:
    chance = random.Random(1)
    url = postgres_server.new_database()
    migrate(url)
    for _ in range(3):
        story = [(chance.choice(HAPPENINGS), chance.choice(SIDS)) for _ in range(15)]
        check_story(url, [*(("share", sid) for sid in SIDS[:4]), *story])
        execute(url, "DELETE FROM shares")


# --- reading and keeping ----------------------------------------------------------


def test_a_share_is_read_again_only_if_it_changed(database_url: str) -> None:
    connector = Connector(database_url)
    insert_shares(database_url, [Share(sid, facts()) for sid in "abc"])
    assert share_facts.refresh(connector) == share_facts.Refreshed(added=3, removed=0)

    insert_shares(database_url, [Share("B", facts(), BEGINNING - timedelta(days=400))])
    execute(database_url, "UPDATE shares SET seal = 'another' WHERE sid = 'c'")

    assert share_facts.refresh(connector) == share_facts.Refreshed(added=2, removed=1)
    assert share_facts.refresh(connector) == share_facts.Refreshed(added=0, removed=0)


def test_many_shares_are_read_in_parts(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share_facts, "SHARES_AT_ONCE", 3)
    insert_shares(database_url, [Share(sid, facts()) for sid in "abcdefg"])

    refreshed = share_facts.refresh(Connector(database_url))

    rows, watermark = rows_of(database_url)
    assert refreshed.added == len(rows) == 7
    assert watermark == 3


def test_the_words_of_peoples_own_runs_are_not_kept(database_url: str) -> None:
    shipped = [[0, {"crash": 1}, 0]]
    insert_shares(
        database_url,
        [
            Share("a", facts(title_en="My secret", title_zh="秘密")),
            Share("b", facts(scenario_id="zombie-leader", title_en="Zombie"), record=shipped),
            Share("c", ["no facts"]),
        ],
    )

    rows, _ = rows_of(database_url)

    own, lesson, broken = (json.loads(row["facts"]) for row in rows)
    assert "title_en" not in own
    assert "title_zh" not in own
    assert lesson["title_en"] == "Zombie"
    assert broken == ["no facts"]
    assert [row["as_shipped"] for row in rows] == [False, True, False]


def test_a_deleted_share_is_removed_immediately(database_url: str) -> None:
    insert_shares(database_url, [Share(sid, facts()) for sid in "ab"])
    _, before = rows_of(database_url)

    delete_shares(database_url, ["a"])

    with Connector(database_url).reading(("share_facts",)) as cursor:
        cursor.execute("SELECT sid FROM share_facts")
        assert cursor.fetchall() == [("b",)]
    rows, after = rows_of(database_url)
    assert [row["sid"] for row in rows] == ["b"]
    assert after > before


def test_rows_of_another_version_are_neither_counted_nor_shared(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert_shares(database_url, [Share("a", facts())])
    share_facts.refresh(Connector(database_url))

    monkeypatch.setattr(share_facts, "FACTS_VERSION", share_facts.FACTS_VERSION + 1)

    assert share_facts.refresh(Connector(database_url)).added == 1
    with Connector(database_url).reading(("share_facts",)) as cursor:
        cursor.execute("SELECT version FROM share_facts")
        assert cursor.fetchall() == [(share_facts.FACTS_VERSION,)]

    # A job of the previous version, which is still running.
    monkeypatch.undo()
    assert share_facts.refresh(Connector(database_url)).added == 1
    assert share_facts.refresh(Connector(database_url)) == share_facts.Refreshed(0, 0)


def test_a_share_that_is_taken_down_raises_the_watermark(database_url: str) -> None:
    insert_shares(database_url, [Share(sid, facts()) for sid in "ab"])
    _, before = rows_of(database_url)

    execute(database_url, "UPDATE shares SET taken_down_at = created_at WHERE sid = 'a'")

    rows, after = rows_of(database_url)
    assert [row["sid"] for row in rows] == ["b"]
    assert after > before


def test_two_concurrent_jobs_read_each_share_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_facts, "SHARES_AT_ONCE", 5)
    insert_shares(database_url, [Share(f"{number:02}", facts()) for number in range(60)])
    done: list[share_facts.Refreshed] = []
    jobs = [
        threading.Thread(target=lambda: done.append(share_facts.refresh(Connector(database_url))))
        for _ in range(2)
    ]

    for job in jobs:
        job.start()
    for job in jobs:
        job.join()

    assert sum(each.added for each in done) == 60
    rows, watermark = rows_of(database_url)
    assert len(rows) == 60
    assert watermark <= 60 / 5 + 1


def test_the_columns_that_detect_changes_are_read_from_an_index(sqlite_url: str) -> None:
    with Connector(sqlite_url).reading(("shares",)) as cursor:
        cursor.execute(
            "EXPLAIN QUERY PLAN SELECT count(*) FROM " + SQLITE.shares + " WHERE s.sid = 'a' AND"
            " s.deleted_at IS NULL AND s.taken_down_at IS NULL AND s.seal = ''"
        )
        (plan,) = cursor.fetchall()

    assert "USING COVERING INDEX" in plan[-1]
