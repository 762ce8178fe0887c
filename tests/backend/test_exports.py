"""The files of a share, each parsed by a parser of its format."""

import base64
import hashlib
import json
import keyword
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from PIL import Image

from backend.cli import run as run_command
from backend.limit_table import ANIMATED_PICTURES
from sim_engine.scenario_reader.document import SCHEMA_ADDRESS
from tests.backend.conftest import LOSS, PUBLIC_URL, Service
from tests.sim_engine.documents.test_branch_scenario import REPLACED

SVG = "{http://www.w3.org/2000/svg}"
# Apalache's ADR-015, https://apalache.informal.systems/docs/adr/015adr-trace.html.
ITF_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["vars", "states"],
    "properties": {
        "#meta": {"type": "object"},
        "params": {"type": "array", "items": {"type": "string"}},
        "vars": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "states": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/state"}},
    },
    "additionalProperties": False,
    "$defs": {
        "state": {
            "type": "object",
            "properties": {"#meta": {"type": "object"}},
            "patternProperties": {"^[A-Za-z_]": {"$ref": "#/$defs/value"}},
            "additionalProperties": False,
        },
        "values": {"type": "array", "items": {"$ref": "#/$defs/value"}},
        "value": {
            "oneOf": [
                {"type": "boolean"},
                {"type": "string"},
                {"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1},
                {"$ref": "#/$defs/values"},
                {
                    "type": "object",
                    "patternProperties": {"^[A-Za-z_]": {"$ref": "#/$defs/value"}},
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "required": ["#set"],
                    "properties": {"#set": {"$ref": "#/$defs/values"}},
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "required": ["#map"],
                    "properties": {
                        "#map": {
                            "type": "array",
                            "items": {
                                "type": "array",
                                "minItems": 2,
                                "maxItems": 2,
                                "items": {"$ref": "#/$defs/value"},
                            },
                        }
                    },
                    "additionalProperties": False,
                },
            ]
        },
    },
}


@pytest.fixture
async def sid(sqlite_service: Service) -> str:
    return await sqlite_service.shared(scenario_id="s26")


async def text_of(service: Service, address: str) -> str:
    response = await service.client.get(address)
    assert response.status_code == 200, response.text
    return response.text


async def test_a_transcript_contains_the_events_and_the_authors_texts(
    sqlite_service: Service, sid: str
):
    tree = SyntaxTreeNode(MarkdownIt().parse(await text_of(sqlite_service, f"/s/{sid}.md")))

    headings = [node.children[0].content for node in tree.walk() if node.type == "heading"]
    quoted = [node for node in tree.children if node.type == "blockquote"]
    inline = [node for node in tree.walk() if node.type == "inline"]
    formulas = [node.content for one in inline for node in one.walk() if node.type == "code_inline"]
    assert headings[0].startswith("An acknowledged record")
    assert headings[1] == "start"
    assert "high watermark = min(2: 1, 1: 1) = 1" in formulas
    assert "broker 2, t-0: LEO 2 → **1**" in [node.content for node in inline]
    # A note is in its place, and a question has its answers, with the correct one marked.
    assert any("acknowledged" in node.children[0].children[0].content for node in quoted)
    answers = [node for one in quoted for node in one.walk() if node.type == "ordered_list"]
    assert answers
    assert [
        sum("✓" in child.content for child in answer.walk() if child.type == "inline")
        for answer in answers
    ] == [1] * len(answers)
    assert not any(node.type.startswith("html") for node in tree.walk())


async def test_words_that_look_like_markup_are_words(service: Service):
    note = {"en": "<b>bold</b> *stars* [link](x) `code`", "zh": "x"}
    session = await service.new_session(
        scenario={**LOSS, "steps": [LOSS["steps"][0], {"note": note}]}
    )
    share = await service.share(session["id"], 1)

    tree = SyntaxTreeNode(MarkdownIt().parse(await text_of(service, f"/s/{share['sid']}.md")))

    quote = next(node for node in tree.children if node.type == "blockquote")
    said = [node for node in quote.walk() if node.type == "text"]
    assert "".join(node.content for node in said) == note["en"]


async def test_a_scenario_file_of_a_share_passes_check(
    sqlite_service: Service, sid: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "shared.yaml"
    file.write_text(await text_of(sqlite_service, f"/s/{sid}.yaml"))

    status = run_command(["check", "--json", str(file)])

    assert status == 0
    assert json.loads(capsys.readouterr().out)[0]["holds"] is True
    schema, address, *_ = file.read_text().splitlines()
    assert schema == f"# yaml-language-server: $schema={SCHEMA_ADDRESS}"
    assert address == f"# {PUBLIC_URL}/s/{sid}"
    assert "lost: [m2]" in file.read_text()


async def test_a_scenario_file_has_the_branch_that_was_shared(
    sqlite_service: Service, tmp_path: Path
):
    session = await sqlite_service.new_session(scenario=LOSS)
    forked = await sqlite_service.act(session["id"], 5, {"crash": {"broker": 2}})
    share = await sqlite_service.share(session["id"], forked.json()["head"])
    file = tmp_path / "branch.yaml"
    file.write_text(await text_of(sqlite_service, f"/s/{share['sid']}.yaml"))

    assert "- crash: {broker: 2}" in file.read_text()
    assert "unclean" not in file.read_text().partition("steps:")[2]
    assert run_command(["check", str(file)]) == 0


async def test_a_trace_is_in_the_format_that_tools_of_tla_read(sqlite_service: Service, sid: str):
    share = (await sqlite_service.client.get(f"/s/{sid}.json")).json()

    trace = (await sqlite_service.client.get(f"/s/{sid}.json?format=itf")).json()

    jsonschema.Draft202012Validator(ITF_SCHEMA).validate(trace)
    assert len(trace["states"]) == len(share["frames"])
    assert all(set(state) == {"#meta", *trace["vars"]} for state in trace["states"])
    last = trace["states"][-1]
    assert last["lost"] == {"#set": ["m2"]}
    assert last["leader"] == {"#map": [["t-0", 1]]}


async def test_a_trace_follows_the_fate_of_a_record_although_a_copy_is_left(
    sqlite_service: Service,
):
    sid = await sqlite_service.shared(scenario=REPLACED)

    states = json.loads(await text_of(sqlite_service, f"/s/{sid}.json?format=itf"))["states"]

    fates = [(state["atRisk"]["#set"], state["lost"]["#set"]) for state in states]
    assert [
        fate for fate, before in zip(fates, [None, *fates], strict=False) if fate != before
    ] == [([], []), (["m1"], []), ([], ["m1"])]


async def test_no_field_of_a_trace_is_a_keyword_of_python(sqlite_service: Service, sid: str):
    trace = (await sqlite_service.client.get(f"/s/{sid}.json?format=itf")).json()

    # itf-py makes a class of each record.
    assert [name for name in field_names(trace["states"]) if keyword.iskeyword(name)] == []
    in_flight = [message for state in trace["states"] for message in state["inFlight"]["#set"]]
    assert {"sender", "receiver"} <= in_flight[0].keys()


def field_names(value: object) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(name for part in value.values() for name in field_names(part))}
    parts = value if isinstance(value, list) else []
    return {name for part in parts for name in field_names(part)}


async def test_a_diagram_has_the_events_of_a_broker_on_its_own_line(sqlite_service: Service):
    sid = await sqlite_service.shared(scenario_id="follower-bounce-five-records")
    lines = (await text_of(sqlite_service, f"/s/{sid}.mmd")).splitlines()

    notes = [line.strip() for line in lines if "Note over" in line]
    assert any(note.startswith("Note over b1: Broker 1’s process is killed") for note in notes)
    assert any(note.startswith("Note over b1: Broker 1 recovers its log") for note in notes)
    assert any(note.startswith("Note over b2: Broker 2 writes its") for note in notes)
    assert any("controller: Broker 1’s ZooKeeper session expires" in note for note in notes)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_diagram_has_a_line_for_each_message_that_ended(
    sqlite_service: Service, sid: str, lang: str
):
    share = (await sqlite_service.client.get(f"/s/{sid}.json")).json()
    moves = [move for frame in share["frames"] for move in frame["moves"]]
    ended = [move for move in moves if move["fate"] in ("arrived", "arrived_unseen")]
    lost = [move for move in moves if move["fate"] == "lost"]

    lines = (await text_of(sqlite_service, f"/s/{sid}.mmd?lang={lang}")).splitlines()

    between = [line for line in lines if "->>" in line and "c_p1" not in line]
    assert lines[0] == "sequenceDiagram"
    assert lost
    assert len(between) == len(ended)
    assert len([line for line in lines if "-x" in line]) == len(lost)
    assert "  c_p1->>b2: m2 (acks=all)" in lines
    assert "  b2-->>c_p1: m2 ✓" in lines


async def test_a_part_of_a_diagram_has_its_steps_only(sqlite_service: Service, sid: str):
    whole = await text_of(sqlite_service, f"/s/{sid}.mmd")

    part = await text_of(sqlite_service, f"/s/{sid}.mmd?range=1-3")

    assert set(part.splitlines()) < set(whole.splitlines())
    assert "m1 (acks=all)" in part
    assert "m2 (acks=all)" not in part


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("mmd?range=3-1", 422),
        ("mmd?range=a-b", 422),
        ("mmd?range=1", 422),
        ("mmd?range=9000-9001", 404),
        ("json?format=xml", 422),
        ("txt", 404),
        ("svg?range=3-1", 422),
        ("svg?range=9000-9001", 404),
        ("svg?range=0-1&frame=9000", 404),
    ],
)
async def test_an_unavailable_format_returns_an_error(
    sqlite_service: Service, sid: str, address: str, status: int
):
    response = await sqlite_service.client.get(f"/s/{sid}.{address}")

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


async def test_an_animation_is_one_document_of_a_picture_a_step(sqlite_service: Service, sid: str):
    share = (await sqlite_service.client.get(f"/s/{sid}.json")).json()

    whole = ElementTree.fromstring(await text_of(sqlite_service, f"/s/{sid}.svg?range=0-999"))
    of_step = ElementTree.fromstring(await text_of(sqlite_service, f"/s/{sid}.svg?range=2-4"))

    assert len(moments_in(whole)) == len(share["story"])
    # All frames of one step: one picture for each message.
    assert len({frame["step"] for frame in share["frames"][2:5]}) == 1
    assert len(moments_in(of_step)) == 3
    assert not whole.findall(f".//{SVG}script")
    assert "prefers-reduced-motion" in (whole.findtext(f"{SVG}style") or "")


def moments_in(animation: ElementTree.Element) -> list[ElementTree.Element]:
    return [group for group in animation.findall(f"{SVG}g") if group.get("class") == "hw-moment"]


@pytest.mark.parametrize("moment", ["/s/{sid}.{form}?frame=3", "/lessons/s26.{form}?step=9"])
async def test_a_loop_of_six_seconds_leads_to_its_moment(
    sqlite_service: Service, sid: str, moment: str
):
    still = await text_of(sqlite_service, moment.format(sid=sid, form="svg"))
    played = ElementTree.fromstring(
        await text_of(sqlite_service, f"{moment.format(sid=sid, form='svg')}&loop=1")
    )
    response = await sqlite_service.client.get(f"{moment.format(sid=sid, form='gif')}&w=400")

    layers = moments_in(played)
    told = [layer.findall(f".//{SVG}text")[-1].text for layer in layers]
    assert len(layers) > 1
    assert told[-1] == ElementTree.fromstring(still).findall(f".//{SVG}text")[-1].text
    assert told[0] != told[-1]
    assert "animation-duration:6s" in (played.findtext(f"{SVG}style") or "")
    assert response.headers["content-type"] == "image/gif"
    with Image.open(BytesIO(response.content)) as animation:
        seconds = []
        for place in range(len(layers)):
            animation.seek(place)
            seconds.append(animation.info["duration"] / 1000)
        assert (animation.width, animation.info["loop"]) == (400, 0)
    assert sum(seconds) == pytest.approx(6)
    assert max(seconds) == seconds[-1]


async def test_the_loop_of_a_start_goes_on_to_the_first_step(sqlite_service: Service, sid: str):
    played = ElementTree.fromstring(await text_of(sqlite_service, f"/s/{sid}.svg?frame=0&loop=1"))

    assert len(moments_in(played)) == 2


async def test_an_animation_has_only_so_many_pictures(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    limit = replace(ANIMATED_PICTURES, number=2)
    monkeypatch.setattr("backend.runs.animation.ANIMATED_PICTURES", limit)

    response = await sqlite_service.client.get(f"/s/{sid}.svg?range=0-999")

    assert response.status_code == 422
    assert response.json()["limit"] == "animated_pictures"


async def test_a_page_for_a_disk_has_all_in_it_and_loads_nothing(sqlite_service: Service, sid: str):
    share = (await sqlite_service.client.get(f"/s/{sid}.json")).json()
    response = await sqlite_service.client.get(f"/s/{sid}.html?lang=zh")

    page = response.text
    island = re.search(r'id="highwater-run">(.*?)</script>', page)
    assert island is not None
    run = json.loads(island[1])
    assert len(run["part"]["frames"]) == run["outline"]["total"] == len(share["frames"])
    assert run["largest"] >= run["outline"]["total"]
    assert run["link"] == f"{PUBLIC_URL}/s/{sid}"
    assert not re.search(r'(?:src|href)="/', page)
    assert "<style>p {}</style>" in page
    # The script cannot close its own element, and the policy allows only this script.
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script == ["const hostile = '\\x3c/script>\\x3c!--';"]
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'" in page
    assert response.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in response.headers["content-security-policy"]


async def test_a_page_for_a_disk_opens_at_the_step_and_in_the_theme_of_its_address(
    sqlite_service: Service, sid: str
):
    at_step = (await sqlite_service.client.get(f"/s/{sid}.html?frame=2&theme=dark")).text
    island = re.search(r'id="highwater-run">(.*?)</script>', at_step)
    assert island is not None
    assert json.loads(island[1])["at"] == 2
    assert '<html lang="en" data-theme="dark">' in at_step

    assert (await sqlite_service.client.get(f"/s/{sid}.html?frame=999")).status_code == 404
