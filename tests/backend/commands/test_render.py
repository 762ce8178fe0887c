"""`highwater render`: the files of a run, without a service or a database."""

import asyncio
import json
from pathlib import Path

import pytest

from backend import cli
from backend.drawing import figures
from backend.runs.files import ENDINGS
from tests.backend.conftest import Service
from tests.backend.frontend import write_frontend

LESSON = "kip-101-data-loss"
MINE = """\
id: mine
title: Mine
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - settle: {}
  - crash: {broker: 1}
"""
BEGINNINGS = {
    "svg": b"<svg",
    "png": b"\x89PNG",
    "gif": b"GIF89a",
    "html": b"<!doctype html>",
    "md": b"# Mine\n",
    "mmd": b"sequenceDiagram\n",
    "yaml": b"# yaml-language-server: ",
    "itf.json": b"{",
    "json": b"{",
}


@pytest.fixture
def mine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario file."""
    pages, figure = write_frontend(tmp_path_factory.mktemp("frontend"))
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(pages))
    monkeypatch.setenv("HIGHWATER_FIGURE_SCRIPT", str(figure))
    folder = tmp_path_factory.mktemp("mine")
    monkeypatch.chdir(folder)
    (folder / "mine.yaml").write_text(MINE)
    return folder


def test_every_kind_of_file_is_known_here():
    assert BEGINNINGS.keys() == set(ENDINGS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_becomes_each_kind_of_file(mine: Path, ending: str):
    assert cli.run(["render", "mine.yaml", "-o", f"out.{ending}"]) == 0

    content = (mine / f"out.{ending}").read_bytes()
    assert content.startswith(BEGINNINGS[ending])
    assert sorted(path.name for path in mine.iterdir()) == sorted(["mine.yaml", f"out.{ending}"])


@pytest.mark.parametrize(
    ("ending", "query"), [("svg", ""), ("png", "&w=800"), ("gif", ""), ("md", ""), ("mmd", "")]
)
async def test_a_lesson_is_drawn_as_by_the_service(
    mine: Path, sqlite_service: Service, ending: str, query: str
):
    address = f"/lessons/{LESSON}.{ending}?step=8&kafka=0.11&lang=zh{query}"
    served = await sqlite_service.client.get(address)
    given = ["--step", "8", "--kafka", "0.11", "--lang", "zh", "-o", f"out.{ending}"]

    # It runs an event loop of its own, as in a program.
    assert await asyncio.to_thread(cli.run, ["render", LESSON, *given]) == 0

    assert (mine / f"out.{ending}").read_bytes() == served.content


def test_a_run_that_no_service_knows_has_no_link(mine: Path):
    for ending in ("html", "md", "yaml"):
        assert cli.run(["render", LESSON, "-o", f"out.{ending}"]) == 0
        assert "127.0.0.1" not in (mine / f"out.{ending}").read_text()

    assert '"path":"",' in (mine / "out.html").read_text()


def test_a_lesson_is_linked_to_the_public_address(mine: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_PUBLIC_URL", "https://kafka.example")

    assert cli.run(["render", LESSON, "-o", "out.html"]) == 0

    assert f"https://kafka.example/lessons/{LESSON}?kafka=0.10.2" in (mine / "out.html").read_text()


def test_a_range_plays_its_steps(mine: Path):
    assert cli.run(["render", "mine.yaml", "--range", "1-3", "-o", "out.svg"]) == 0
    assert cli.run(["render", "mine.yaml", "--range", "3-99", "-o", "out.mmd"]) == 0

    assert (mine / "out.svg").read_text().count('class="hw-moment"') == 3
    assert "3. crash" in (mine / "out.mmd").read_text()
    assert "2. m1" not in (mine / "out.mmd").read_text()


def test_the_trace_names_no_field_like_a_keyword(mine: Path):
    assert cli.run(["render", LESSON, "-o", "out.itf.json"]) == 0

    states = json.loads((mine / "out.itf.json").read_text())["states"]
    sent = [message for state in states for message in state["inFlight"]["#set"]]
    assert sent
    names = {name for message in sent for name in message}
    assert names == {"id", "kind", "sender", "receiver"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["-o", "out.pdf"], "out.pdf: the name must end in .svg, .png, "),
        (["-o", "out"], "out: the name must end in .svg"),
        (
            ["--step", "99", "-o", "out.svg"],
            "step 99: Under Kafka 3.9, this run has the steps 0 to",
        ),
        (
            ["--step", "-1", "-o", "out.svg"],
            "step -1: Under Kafka 3.9, this run has the steps 0 to",
        ),
        (["--range", "9-3", "-o", "out.svg"], "--range must be two steps"),
        (["--range", "77-99", "-o", "out.svg"], "steps 77 to 99: Under Kafka 3.9, this run has"),
        (["--range", "1-2", "-o", "out.png"], "is for files that end in .svg, .gif, .mmd"),
        (["--width", "9", "-o", "out.png"], "the width must be from 100 to 2000 pixels"),
        (["--width", "900", "-o", "out.svg"], "a .svg file has no width in pixels"),
        (["--kafka", "9.9", "-o", "out.svg"], "mine.yaml: "),
        (["-o", "none/out.svg"], "none/out.svg: No such file or directory"),
    ],
)
def test_what_cannot_be_rendered_is_one_line_with_what_is_allowed(
    mine: Path, given: list[str], told: str, capsys: pytest.CaptureFixture[str]
):
    assert cli.run(["render", "mine.yaml", *given]) == 2

    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert [path.name for path in mine.iterdir()] == ["mine.yaml"]


@pytest.mark.parametrize("ending", ["svg", "png", "gif", "html"])
def test_without_the_drawing_library_the_reason_is_one_line(
    mine: Path, ending: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(figures, "quickjs", None)

    assert cli.run(["render", "mine.yaml", "-o", f"out.{ending}"]) == 2

    assert capsys.readouterr().err == (
        "Pictures need QuickJS, which is not installed: pip install quickjs-ng\n"
    )


def test_a_crash_is_noted_at_its_broker(mine: Path):
    """And not at the controller, which has not detected it."""
    assert cli.run(["render", "mine.yaml", "-o", "out.mmd"]) == 0

    notes = (mine / "out.mmd").read_text()
    assert "  Note over b1: Broker 1’s process is killed." in notes
