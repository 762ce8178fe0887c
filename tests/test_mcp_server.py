"""`highwater mcp`, used by the SDK's client over standard input and output."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, ImageContent, TextContent

from backend import cli
from backend.commands import mcp as command

TOOLS = {"run", "compare", "search", "assess", "render", "explain_rule"}
LESSON = "kip-101-data-loss"


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_an_assistant_uses_every_tool(repository: Path, tmp_path: Path):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "backend.cli", "mcp"],
        cwd=str(tmp_path),
        env={**os.environ, "PYTHONPATH": str(repository)},
    )
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == TOOLS
        for tool in tools.values():
            check_schema(tool.name, tool.description, tool.input_schema)

        async def call(name: str, /, **arguments: object) -> str:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            return text_of(result)

        async def refused(name: str, /, **arguments: object) -> str:
            result = await client.call_tool(name, arguments)
            assert result.is_error
            return text_of(result)

        assert "NoAckedRecordLost is violated" in await call("run", scenario=LESSON)
        compared = await call("compare", scenario=LESSON, releases=["0.10.2", "0.11"])
        assert "NoAckedRecordLost is violated only in Kafka 0.10.2" in compared
        searched = await call("search", scenario=LESSON, property="LogMatching", max_depth=1)
        assert searched.startswith("none_within_bound: LogMatching")
        [described] = tools["assess"].input_schema["properties"]["described"]["examples"]
        assessed = await call("assess", described=described, kafka="3.9", down=[3, 9])
        assert "orders-0" in assessed
        assert "down: the input has no broker 9" in assessed
        assert "their settings are not known" in assessed
        rule = json.loads(await call("explain_rule", name="kip-101"))
        assert (rule["name"], rule["since"]) == ("KIP-101", "0.11")
        drawn = await client.call_tool("render", {"scenario": LESSON, "step": 3, "width": 400})
        [picture] = drawn.content
        assert isinstance(picture, ImageContent)
        assert picture.mime_type == "image/png"

        wrong = "id: mine\nkafka: '3.9'\nbrokers: [1]\ntopics: []\nsteps: [{crash: {broker: 2}}]"
        assert "text:5:" in await refused("run", scenario=wrong)
        assert "did you mean" in await refused("run", scenario="kip-101-data-lost")
        assert "rules are KIP-16, " in await refused("explain_rule", name="KIP-0")
        assert "the document is empty" in await refused("run", scenario="")
        assert "release\n  Extra inputs" in await refused("run", scenario=LESSON, release="3.9")
        too_much = await refused("search", scenario=LESSON, states=10**9)
        assert "200000" in too_much


def check_schema(name: str, description: str | None, schema: dict[str, Any]) -> None:
    assert description, name
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False, name
    for argument, about in schema["properties"].items():
        of_type = [about, *about.get("anyOf", ())]
        is_bounded = any("maximum" in one or "enum" in one for one in of_type)
        assert "description" in about or is_bounded, (name, argument)
        for example in about.get("examples", ()):
            jsonschema.validate(example, about)


def test_without_the_library_it_says_which_extra_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(command, "_LIBRARY", "no_such_library")

    assert cli.run(["mcp"]) == 2

    assert capsys.readouterr().err == (
        "this needs the Model Context Protocol, which is not installed: "
        "pip install 'highwater-kafka[mcp]'\n"
    )
