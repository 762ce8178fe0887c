"""The code in the documentation works: scenarios, commands with their output, requests.

A block's first line states its use: `file=NAME` is a file of the page, `test` is run.

No document installs Highwater by a name: the names are not ours in any registry.
"""

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from backend.cli import build_parser, run
from backend.documentation.contents import FOLDER, PAGES, page_file
from backend.documentation.library import without_generated_parts
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.languages import LANGUAGES
from tests.backend.conftest import Service
from tests.tables import for_each

WILD = "…"


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its other labels, and the code."""

    language: str
    marks: tuple[str, ...]
    code: str

    def marked(self, name: str) -> str | None:
        """The value of `name=…`."""
        found = [mark for mark in self.marks if mark.startswith(f"{name}=")]
        return found[0].partition("=")[2] if found else None


FILES = [
    file for lang in LANGUAGES for page in PAGES if (file := page_file(page, lang)) is not None
]
NAMES = [file.relative_to(FOLDER).as_posix() for file in FILES]


def blocks(file: Path) -> Iterator[Block]:
    for token in MarkdownIt().parse(without_generated_parts(file.read_text())):
        if token.type == "fence":
            language, *marks = token.info.split() or [""]
            yield Block(language, tuple(marks), token.content)


def call(arguments: list[str]) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(arguments)
    return status, out.getvalue(), err.getvalue()


@for_each("file", FILES)
def test_every_scenario_and_every_grid_is_accepted(file: Path, tmp_path: Path):
    for block in blocks(file):
        if block.language != "yaml" or "part" in block.marks:
            continue
        document = yaml.safe_load(block.code)
        assert {"scenario", "grid"} & set(document), block.code
        if "grid" in document:
            read_grid_text(block.code)
            continue
        written = tmp_path / "it.yaml"
        written.write_text(block.code)
        status, said, wrong = call(["check", str(written)])
        assert status == 0, said + wrong


@for_each("file", FILES)
def test_every_command_is_one_that_there_is(file: Path):
    for block in blocks(file):
        if block.language not in ("sh", "console"):
            continue
        for line in block.code.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] != ["highwater"]:
                continue
            options, others = build_parser().parse_known_args(
                words[1 : words.index(">")] if ">" in words else words[1:]
            )
            assert "passed_arguments" in options or not others, line


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_every_terminal_example_prints_its_documented_output(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for block in blocks(file):
        name = block.marked("file")
        if name is not None:
            (tmp_path / name).write_text(block.code)
        if block.language == "console" and "test" in block.marks:
            play(block)


def play(block: Block) -> None:
    expected = int(block.marked("exit") or 0)
    for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.code, re.MULTILINE):
        words = shlex.split(command)
        assert words[0] == "highwater", command
        target = words.index(">") if ">" in words else None
        status, out, err = call(words[1:target])
        assert status == expected, f"{command}: {err}"
        if target is not None:
            Path(words[target + 1]).write_text(out)
        pattern = ".*".join(re.escape(part) for part in said.split(WILD))
        assert re.fullmatch(pattern, out if said else "", re.DOTALL), f"{command}\n{out}"


# Commands that install packages, or run a program of one; `[^|;&]*` are their options and packages.
INSTALLER = re.compile(
    r"\b(?:(?:uvx|npx|bunx|pipx run|uv tool run|npm exec|pnpm dlx|yarn dlx)"
    r"|(?:pip3?|pipx|uv|npm|pnpm|yarn|bun)(?: pip| tool)? (?:install|add|i)) (?P<rest>[^|;&`\n]*)"
)
OURS = re.compile(r"@?highwater(?:\b|_)")


def documents(repository: Path) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md"], cwd=repository, capture_output=True, check=True
    ).stdout.decode()
    return [repository / name for name in listed.split("\0") if name]


def installed_by(text: str) -> Iterator[str]:
    """Each of our packages that the commands in a text install, as it is named there.

    A command `uvx --from FILE highwater …` names the program of FILE, not a package.
    """
    for command in INSTALLER.finditer(text.replace("\\\n", " ")):
        words = shlex.split(command["rest"], comments=True)
        sources = [
            words[at + 1] for at, word in enumerate(words[:-1]) if word in ("--from", "--spec")
        ]
        yield from (word for word in sources or words if OURS.search(word))


def test_our_packages_are_installed_from_the_files_that_are_built_here(repository: Path):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    element = json.loads((repository / "frontend/packages/element/package.json").read_text())
    built = {
        f"./dist/highwater_kafka-{project['version']}-py3-none-any.whl",
        f"./dist/highwater-replay-{element['version']}.tgz",
    }
    found: set[str] = set()

    for file in documents(repository):
        for named in installed_by(file.read_text()):
            path, _, extra = named.removesuffix("]").partition("[")
            assert path in built, f"{file.relative_to(repository)} installs {named}"
            assert not extra or extra in project["optional-dependencies"], named
            found.add(path)

    assert found == built


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("uvx highwater-kafka serve --open", "highwater-kafka"),
        ("Run `pip install highwater-kafka`, then", "highwater-kafka"),
        ("pip install --target here 'highwater-kafka[analytics]'", "highwater-kafka[analytics]"),
        ("uv pip install -U highwater-kafka==0.1", "highwater-kafka==0.1"),
        ("npm i --save-dev highwater-replay", "highwater-replay"),
        ("pipx run --spec ./dist/highwater_kafka-9.whl highwater", "./dist/highwater_kafka-9.whl"),
    ],
)
def test_an_install_command_is_recognized(text: str, named: str):
    assert list(installed_by(text)) == [named]


async def test_every_example_request_returns_its_documented_response(sqlite_service: Service):
    for file in FILES:
        known: dict[str, object] = {}
        for block in blocks(file):
            if block.language == "http" and "test" in block.marks:
                known |= await send(sqlite_service, block, known)


async def send(service: Service, block: Block, known: dict[str, object]) -> dict[str, object]:
    """The response's fields, which later requests of the page can use as `{field}`."""
    filled = re.sub(r"\{(\w+)\}", lambda named: str(known.get(named[1], named[0])), block.code)
    head, _, body = filled.partition("\n\n")
    request, *headers = head.splitlines()
    method, path = request.split()

    response = await service.client.request(
        method,
        path,
        headers=dict(line.split(": ", 1) for line in headers),
        content=body.encode() or None,
    )

    wanted = [int(mark) for mark in block.marks if mark.isdigit()]
    assert response.status_code in (wanted or range(200, 300)), f"{request}: {response.text}"
    if response.headers.get("content-type") != "application/json":
        return {}
    answer = json.loads(response.text)
    return answer if isinstance(answer, dict) else {}


def test_there_is_something_of_each_kind():
    found = {(block.language, "test" in block.marks) for file in FILES for block in blocks(file)}

    assert {("yaml", False), ("console", True), ("http", True)} <= found
