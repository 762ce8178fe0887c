"""The questions of `verdicts.toml`, their recorded results, and the page that shows both.

A question is a search by the command line and, if the public TLA+ specification of Kafka's
replication answers it too, a run of TLC. `search.py` runs and records them in `verdicts.json`;
`scripts/write verdicts` writes the page in each language.
"""

import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "verdicts.toml"
RECORD = HERE / "verdicts.json"
REPOSITORY = HERE.parent.parent
PAGE = "explanation/verdicts.md"
PAGES = {"en": REPOSITORY / "docs" / PAGE, "zh": REPOSITORY / "docs" / "zh" / PAGE}
BEGINS = "<!-- scripts/write verdicts writes this part -->"
ENDS = "<!-- end of the part that scripts/write verdicts writes -->"

Text = dict[str, str]
"""Language → text."""


class Specification(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What TLC checks: a module of the public specification, its constants and invariants."""

    module: str
    replicas: int
    log_size: int
    max_records: int
    max_leader_epoch: int
    invariants: list[str]
    definition: str = ""
    """An invariant that the module lacks, in TLA+."""

    def configuration(self) -> str:
        """The configuration file for TLC."""
        replicas = ", ".join(f"r{number}" for number in range(1, self.replicas + 1))
        return (
            f"SPECIFICATION Spec\nCONSTANTS\n  Replicas = {{{replicas}}}\n"
            f"  LogSize = {self.log_size}\n  MaxRecords = {self.max_records}\n"
            f"  MaxLeaderEpoch = {self.max_leader_epoch}\n"
            f"INVARIANTS {' '.join(self.invariants)}\nCHECK_DEADLOCK FALSE\n"
        )


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the page."""

    id: str
    about: Text
    cluster: str
    """The name of one of `Questions.clusters`."""
    kafka: str
    property: str
    grain: Literal["step", "exchange", "message"]
    budget: str
    acks: str = "all"
    most: float
    """The goal: a multiple of TLC's CPU seconds or, without a specification, CPU seconds."""
    specification: Specification | None = None
    differs: Text = msgspec.field(default_factory=dict)
    """Why the answer differs from the specification's, or what it shows."""
    source: str = ""

    def arguments(self, file: str) -> list[str]:
        """The arguments of `highwater` that ask this question about a cluster in a file."""
        acks = [] if self.acks == "all" else ["--acks", self.acks]
        return [
            *("search", file, "--kafka", self.kafka, "--property", self.property),
            *("--grain", self.grain, *acks, "--budget", self.budget, *LIMITS),
        ]


class Questions(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `verdicts.toml`: file name → scenario, and the questions in order."""

    clusters: dict[str, str]
    questions: list[Question]


LIMITS = ("--max-depth", "80", "--states", "400000", "--seconds", "30")
"""The limits of every search, the last in CPU seconds."""


class Searched(Struct, frozen=True, kw_only=True):
    """The result of a search, and what it cost with the start of the program."""

    verdict: str
    complete: bool
    depth: int
    states: int
    cpu_seconds: float
    wall_seconds: float

    def counted(self) -> tuple[object, ...]:
        """The part that is the same on every machine. How far a search got that a limit of CPU time
        may have cut is not.
        """
        if self.verdict == "cut":
            return (self.verdict,)
        return self.verdict, self.complete, self.depth, self.states


class Checked(Struct, frozen=True, kw_only=True):
    """The result of TLC, and what it cost with the start of Java."""

    violated: str | None
    """The violated invariant; null if TLC exhausted the states."""
    depth: int
    states: int
    cpu_seconds: float
    wall_seconds: float


class Recorded(Struct, frozen=True, kw_only=True):
    """Both results of one question."""

    search: Searched
    tlc: Checked | None = None


class Record(Struct, frozen=True, kw_only=True):
    """The content of `verdicts.json`: the machines of both sides, and the results by question."""

    machine: str = ""
    tlc_machine: str = ""
    tlc_version: str = ""
    results: dict[str, Recorded] = msgspec.field(default_factory=dict)


def read_questions() -> Questions:
    """Read `verdicts.toml`. Raises `msgspec.ValidationError` if it is invalid."""
    return msgspec.convert(tomllib.loads(QUESTIONS.read_text(encoding="utf-8")), Questions)


def read_record() -> Record:
    """Read `verdicts.json`, empty if there is none."""
    return msgspec.json.decode(RECORD.read_bytes(), type=Record) if RECORD.exists() else Record()


def read_searched(found: Mapping[str, Any], *, cpu_seconds: float, wall_seconds: float) -> Searched:
    """The result in the JSON of `highwater search`, with what it cost."""
    return Searched(
        verdict=found["verdict"],
        complete=found["complete"],
        depth=found["depth"],
        states=found["states"],
        cpu_seconds=round(cpu_seconds, 2),
        wall_seconds=round(wall_seconds, 2),
    )


def write_record(record: Record) -> None:
    """Write `verdicts.json`, one result a line."""
    RECORD.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


# --- the page --------------------------------------------------------------------------------

_WORDS: Mapping[str, Text] = {
    "head": {
        "en": "| | question | Kafka | budget, grain | Highwater | states | CPU s | specification |"
        " TLC | states | CPU s | CPU, ours / TLC's |",
        "zh": "| | 问题 | Kafka | 预算与粒度 | Highwater | 状态数 | CPU 秒 | 规约 | TLC | 状态数 |"
        " CPU 秒 | CPU 之比（Highwater / TLC） |",
    },
    "violated": {"en": "violated, {} moves", "zh": "违反，{} 步"},
    "complete": {"en": "exhausted: holds, {} moves", "zh": "已穷尽：成立，{} 步"},
    "none_within_bound": {"en": "none found within {} moves", "zh": "{} 步之内未发现"},
    "not_exercised": {"en": "not exercised, {} moves", "zh": "未被检验，{} 步"},
    "cut": {"en": "not decided: cut at {} moves", "zh": "未判定：在第 {} 步中止"},
    "tlc violated": {"en": "violated, {} actions", "zh": "违反，{} 个动作"},
    "tlc holds": {"en": "exhausted: holds, {} actions", "zh": "已穷尽：成立，{} 个动作"},
    "bounds": {
        "en": "replicas {}, records {}, epochs {}, log {}",
        "zh": "副本 {}，消息 {}，纪元 {}，日志 {}",
    },
    "not in it": {"en": "not in the specification", "zh": "规约中没有"},
    "measured": {"en": "Highwater: {}. {}: {}.", "zh": "Highwater：{}。{}：{}。"},
    "differences": {"en": "## Each row explained", "zh": "## 逐行说明"},
    "commands": {"en": "## The commands", "zh": "## 命令"},
    "save": {"en": "Save these clusters as files:", "zh": "把这些集群保存成文件："},
    "ask": {"en": "Then each question is one command:", "zh": "每个问题是一条命令："},
    "source": {"en": " Source: {}.", "zh": "来源：{}。"},
}


def generated_part(lang: str, questions: Questions, record: Record) -> str:
    """Return the table, the explanations and the commands in a language, in Markdown."""
    said = {name: texts[lang] for name, texts in _WORDS.items()}
    rows = [
        _row(number, question, record.results[question.id], said, lang)
        for number, question in enumerate(questions.questions, start=1)
    ]
    return "\n".join(
        (
            said["head"],
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            said["measured"].format(record.machine, record.tlc_version, record.tlc_machine),
            "",
            said["differences"],
            "",
            *_explanations(questions, said, lang),
            "",
            said["commands"],
            "",
            *_commands(questions, said),
        )
    )


def _row(
    number: int, question: Question, result: Recorded, said: Mapping[str, str], lang: str
) -> str:
    searched, checked, specified = result.search, result.tlc, question.specification
    verdict = "complete" if searched.complete else searched.verdict
    acks = "" if question.acks == "all" else f"<br>acks={question.acks}"
    cells = [
        f"{number}",
        f"{question.about[lang]}<br>`{question.property}`",
        question.kafka,
        f"`{question.budget}`{acks}<br>{question.grain}",
        said[verdict].format(searched.depth),
        f"{searched.states:,}",
        f"{searched.cpu_seconds:.1f}",
    ]
    if specified is None or checked is None:
        cells += [said["not in it"], "", "", "", ""]
    else:
        bounds = said["bounds"].format(
            specified.replicas,
            specified.max_records,
            specified.max_leader_epoch + 1,
            specified.log_size,
        )
        outcome = "tlc violated" if checked.violated else "tlc holds"
        cells += [
            f"`{specified.module}`<br>{bounds}",
            said[outcome].format(checked.depth),
            f"{checked.states:,}",
            f"{checked.cpu_seconds:.1f}",
            f"{searched.cpu_seconds / checked.cpu_seconds:.1f}",
        ]
    return f"| {' | '.join(cells)} |"


def _explanations(questions: Questions, said: Mapping[str, str], lang: str) -> Iterator[str]:
    for number, question in enumerate(questions.questions, start=1):
        source = said["source"].format(question.source) if question.source else ""
        yield f"{number}. {question.differs[lang]}{source}"


def _commands(questions: Questions, said: Mapping[str, str]) -> Iterator[str]:
    yield said["save"]
    for name, text in questions.clusters.items():
        yield from ("", f"`{name}`", "", "```yaml", text.strip(), "```")
    yield from ("", said["ask"], "", "```sh")
    for number, question in enumerate(questions.questions, start=1):
        yield f"# {number}"
        yield f"highwater {shlex.join(question.arguments(question.cluster))}"
    yield "```"


def with_generated_part(page: str, part: str) -> str:
    """Replace what a page has between `BEGINS` and `ENDS`."""
    before, _, rest = page.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    return f"{before}{BEGINS}\n\n{part.rstrip()}\n\n{ENDS}{after}"
