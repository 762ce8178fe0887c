"""`highwater mcp`: the tools of an assistant, over standard input and output, by the Model Context
Protocol. Each does what the function of the same name in `highwater_kafka` does, within the limits
of the service.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from msgspec.json import encode
from pydantic import Field, create_model

from backend.limit_table import PICTURE_WIDTH, SEARCH_SECONDS, SEARCH_STATES, SEARCH_STEPS
from backend.runs.files import RunFiles
from highwater_kafka.api import clusters, runs, searches
from highwater_kafka.api.inputs import caller_errors, played
from highwater_kafka.errors import HighwaterError
from sim_engine.command_line.run import run_lines
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import rule_text
from sim_engine.scenario_reader.source import MAX_BYTES
from sim_engine.versions import RULES

_INSTRUCTIONS = """\
Highwater simulates how Apache Kafka replicates, by release. A scenario is the id of a shipped \
lesson, such as kip-101-data-loss, the path of a file, or the text of one in YAML. A search that \
finds nothing proves nothing beyond what it tried. Errors name the place and what is allowed there.\
"""
_MOST_CHARACTERS = 100_000

_EXAMPLE = """\
id: mine
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1, acks: all}
  - settle: {}
  - crash: {broker: 1}
"""
ScenarioText = Annotated[
    str,
    Field(
        description="The id of a shipped lesson, the path of a file, or the text of one (YAML).",
        max_length=MAX_BYTES,
        examples=["kip-101-data-loss", _EXAMPLE],
    ),
]
Release = Annotated[
    str | None,
    Field(description="A release of Kafka. Default: the scenario's own.", examples=["3.9", "0.11"]),
]
Language = Annotated[
    str,
    Field(
        description="The language of the sentences.",
        pattern=f"^({'|'.join(LANGUAGES)})$",
        examples=list(LANGUAGES),
    ),
]


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with the arguments, for the assistant."""
    try:
        yield
    except HighwaterError as error:
        raise ToolError(str(error)) from None


def _short(text: str) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:_MOST_CHARACTERS]}\n… {len(text) - _MOST_CHARACTERS} more characters"


def run(scenario: ScenarioText, kafka: Release = None, lang: Language = DEFAULT_LANGUAGE) -> str:
    """Play a scenario under a release: what happens, the state at the end, and which properties
    are violated (for example NoAckedRecordLost: an acknowledged record is lost).
    """
    with _told():
        return _short("\n".join(run_lines(played(scenario, kafka, None), lang)))


def compare(
    scenario: ScenarioText,
    releases: Annotated[
        list[str],
        Field(
            description="Two releases.", min_length=2, max_length=2, examples=[["0.10.2", "0.11"]]
        ),
    ],
) -> str:
    """Find where the same steps diverge under two releases, and which of them loses a record."""
    with _told():
        return _short(repr(runs.compare(scenario, kafka=releases)))


def search(
    scenario: ScenarioText,
    property: Annotated[
        str, Field(description="The property to violate.", examples=["NoAckedRecordLost"])
    ] = "NoAckedRecordLost",
    kafka: Release = None,
    budget: Annotated[
        dict[str, int] | None,
        Field(
            description="How many of each fault it may try.",
            examples=[{"crash": 1, "power_loss": 1}],
        ),
    ] = None,
    grain: Annotated[
        Literal["step", "exchange", "message"],
        Field(description="What one move is: a user's step, a whole fetch, or one message."),
    ] = "step",
    max_depth: Annotated[int, Field(ge=1, le=SEARCH_STEPS.number)] = 12,
    states: Annotated[int, Field(ge=1, le=SEARCH_STATES.number)] = 20_000,
    seconds: Annotated[
        float, Field(gt=0, le=SEARCH_SECONDS.number, description="Processor time.")
    ] = 10.0,
) -> str:
    """Search for the shortest way to violate a property, from the end of a scenario: its steps,
    what would prevent it, or what was examined without finding one.
    """
    with _told():
        return _short(
            repr(
                searches.search(
                    scenario,
                    property,
                    kafka=kafka,
                    budget=budget,
                    grain=grain,
                    max_depth=max_depth,
                    states=states,
                    seconds=seconds,
                )
            )
        )


def assess(
    described: Annotated[
        str,
        Field(
            description="The output of kafka-topics --describe of a real cluster, with the output "
            "of other tools if there is any.",
            max_length=MAX_BYTES,
            examples=["Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\n"],
        ),
    ],
    kafka: Annotated[
        str | None, Field(description="The release of the cluster.", examples=["3.9"])
    ] = None,
    down: Annotated[
        list[int] | None, Field(description="The brokers that are down.", examples=[[3]])
    ] = None,
    settings: Annotated[
        dict[str, str] | None,
        Field(
            description="Settings of all topics, also acks and elr.",
            examples=[{"min.insync.replicas": "2", "acks": "all"}],
        ),
    ] = None,
) -> str:
    """State what the next failure of each sort does to each partition of a real cluster."""
    text = described if described.endswith("\n") else f"{described}\n"
    with _told():
        return _short(repr(clusters.assess(text, kafka=kafka, down=down or (), settings=settings)))


def render(
    scenario: ScenarioText,
    kafka: Release = None,
    step: Annotated[
        int | None,
        Field(ge=0, description="A step of the story; 0 is the start. Default: the telling one."),
    ] = None,
    width: Annotated[int, Field(ge=100, le=PICTURE_WIDTH.number, description="In pixels.")] = 800,
    lang: Language = DEFAULT_LANGUAGE,
) -> Image:
    """Draw the replicas of a run at one moment, as a picture (PNG)."""
    with _told():
        files = RunFiles(played(scenario, kafka, None))
        with caller_errors():
            drawn = files.file("png", step=step, width=width, lang=lang)
        return Image(data=drawn, format="png")


def explain_rule(
    name: Annotated[
        str,
        Field(
            description="A KIP or an issue, as runs name it.", examples=["KIP-101", "KAFKA-14190"]
        ),
    ],
    lang: Language = DEFAULT_LANGUAGE,
) -> str:
    """Explain a rule of Kafka's replication: what it says, which releases have it, what it needs,
    and where it is in Kafka.
    """
    wanted = name.strip().lower()
    rule = next((one for one in RULES.values() if one.name.lower() == wanted), None)
    if rule is None:
        raise ToolError(f"there is no rule of this name; rules are {', '.join(_RULE_NAMES)}")
    document = {
        "name": rule.name,
        "rule": rule_text(rule.name, lang),
        "since": rule.since,
        "until": rule.until,
        "backports": rule.backports,
        "controller": rule.control,
        "level": rule.level,
        "needs": rule.needs,
        "source": rule.source,
    }
    return encode({key: value for key, value in document.items() if value}).decode()


_RULE_NAMES = [rule.name for rule in RULES.values()]
_TOOLS = (run, compare, search, assess, render, explain_rule)


def server() -> MCPServer:
    """The server with its tools."""
    return MCPServer(
        "highwater",
        instructions=_INSTRUCTIONS,
        version=ENGINE_VERSION,
        log_level="ERROR",
        tools=[_tool(function) for function in _TOOLS],
    )


def _tool(function: Callable[..., object]) -> Tool:
    """The tool of a function, which refuses an argument that the function does not have: without
    this, a misspelt one would silently be the default.
    """
    made = Tool.from_function(function, structured_output=False)
    known = made.fn_metadata.arg_model
    strict = create_model(known.__name__, __base__=known, __cls_kwargs__={"extra": "forbid"})
    made.fn_metadata = made.fn_metadata.model_copy(update={"arg_model": strict})
    made.parameters = strict.model_json_schema(by_alias=True)
    return made
