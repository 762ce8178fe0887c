"""Every error has its sentence in every language, with the values that its code provides."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import sim_engine
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.cluster_import.assembly import import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.error_texts import TEXTS, Wording, error, foreign_error, noun
from sim_engine.languages import LANGUAGES, messages
from sim_engine.languages.fluent import placeholders
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document, read_scenario_text
from sim_engine.scenario_reader.rules import CONDITIONS
from sim_engine.scenario_reader.source import read_source
from tests.sim_engine.campaign.test_grid import WRONG_GRIDS
from tests.sim_engine.scenario_reader.test_source import WRONG_TEXTS, WRONG_VALUES
from tests.sim_engine.scenario_reader.wrong import WRONG_SCENARIOS

ENGLISH = messages("en", TEXTS)
SOURCES = list(Path(sim_engine.__file__).parent.rglob("*.py"))
OF_THE_PARSER = ("yaml_because_", "yaml_while_")
CODES = {code for code in ENGLISH if not code.startswith(OF_THE_PARSER)}

DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
WRONG_IMPORTS: list[tuple[str, str | bytes]] = [
    ("paste", "what is this\n"),
    ("paste", ""),
    ("paste", b"\xff\xfe"),
    ("paste", "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: \tIsr: 1"),
    ("paste", "\tTopic: t\tPartition: x\tLeader: 1\tReplicas: 1\tIsr: 1"),
    ("paste", "\tTopic: t\tPartition: 0\tLeader: two\tReplicas: 1\tIsr: 1"),
    ("paste", "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1"),
    ("paste", "Topic: t"),
    ("paste", "# broker 1\n0\n1\nt 0 3\n"),
    ("paste", "# broker 1\n0\n1\n0 0\n"),
    ("paste", "ClusterId: x\nCurrentObservers: y\n"),
    ("paste", "Starting offset: 0\n"),
    (
        "replication-offset-checkpoint",
        f"{DESCRIBED}==> replication-offset-checkpoint <==\n0\n1\nt 0 3",
    ),
    ("b1/replication-offset-checkpoint", "0\n2\nt 0 3\n"),
    ("b1/t-0/leader-epoch-checkpoint", "0\n2\n0 0\nx\n"),
    ("b1/t-0/leader-epoch-checkpoint", "0\n2\n3 0\n1 5\n"),
    ("b1/meta.properties", "version=1\n"),
    ("b1/00000000000000000000.log", b"\xff" * 40),
    ("b1/t-0/00000000000000000000.log", b"\xff" * 40),
    ("b1/t-0/00000000000000000000.log", bytes(11) + b"\x14" + bytes(4) + b"\x02" + bytes(15)),
]


def calls(path: Path) -> Iterator[tuple[str, set[str]]]:
    """The codes that a module names in calls of `error` and `noun`, with the names of values."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id in ("error", "noun", "_IncompleteLineError") and node.args:
            code = node.args[0]
            if isinstance(code, ast.Constant):
                assert isinstance(code.value, str)
                yield code.value, {str(keyword.arg) for keyword in node.keywords}


CALLS = [(path.name, code, values) for path in SOURCES for code, values in calls(path)]


def values_of(code: str) -> frozenset[str]:
    text = ENGLISH[code].text
    assert text is not None
    return placeholders(text)


def wrong(read: Any, *given: object) -> Iterator[Wording]:
    with pytest.raises((ScenarioError, UnreadableError)) as caught:
        read(*given)
    assert isinstance(caught.value, ScenarioError | UnreadableError)
    for problem in caught.value.problems:
        assert problem.said()["en"] == problem.message
        yield problem.reason


def imported(name: str, content: str | bytes) -> None:
    import_cluster([ClusterFile(name, content)])


def reasons() -> Iterator[Wording]:
    """The errors of every wrong input that the tests of the readers know."""
    for scenario in WRONG_SCENARIOS:
        yield from wrong(read_scenario_document, scenario)
    for text, *_ in WRONG_TEXTS:
        yield from wrong(read_scenario_text, text)
    for value, _ in WRONG_VALUES:
        yield from wrong(read_scenario_document, value)
    for text, _ in WRONG_GRIDS:
        yield from wrong(read_grid_text, text)
    for name, content in WRONG_IMPORTS:
        yield from wrong(imported, name, content)


REASONS = list(reasons())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_shows_the_same_values_in_every_language(lang):
    said = messages(lang, TEXTS)

    assert set(said) == set(ENGLISH)
    for code, message in said.items():
        assert message.text is not None
        assert placeholders(message.text) == values_of(code), code


def test_a_code_is_used_with_the_values_of_its_text():
    assert len(CALLS) > 150
    for module, code, values in CALLS:
        assert code in CODES, f"{module}: {code}"
        assert values == values_of(code), f"{module}: {code}"


def test_a_condition_shows_the_argument_that_its_text_needs():
    for condition in (one for conditions in CONDITIONS.values() for one in conditions):
        if condition.error is not None:
            needed = {"given"} if condition.shown is not None else set()
            assert values_of(condition.error) == needed, condition.error


def test_every_code_is_used():
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)

    assert [code for code in sorted(CODES) if f'"{code}"' not in text] == []


def parser_messages() -> Iterator[tuple[str | None, str]]:
    """The context and the problem of each error in PyYAML's sources, with placeholders filled."""
    for module in (yaml.scanner, yaml.parser):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                context, _, problem, *_ = node.exc.args
                yield from (
                    (one, other)
                    for one in filled(context) or [None]
                    for other in filled(problem)
                    if other is not None
                )


def filled(node: ast.expr) -> list[str | None]:
    """A text of PyYAML with the values that it may have; none if it is not known here."""
    if isinstance(node, ast.Constant):
        return [None if node.value is None else str(node.value)]
    if not isinstance(node, ast.BinOp):
        return []
    assert isinstance(node.left, ast.Constant)
    text = str(node.left.value)
    names = {
        "an %s": ["alias", "anchor"],
        "a %s node": ["block", "flow"],
        "a %s": ["directive", "tag"],
    }
    for place, words in names.items():
        if text.endswith(place):
            return [text % word for word in words]
    return [re.sub("%[rd]", "'x'", text)]


def test_every_error_of_the_yaml_parser_has_a_text():
    found = list(parser_messages())

    assert len(found) > 30
    for context, problem in found:
        assert foreign_error(problem, "yaml_because_") is not None, problem
        assert context is None or foreign_error(context, "yaml_while_") is not None, context


def test_an_error_of_the_yaml_parser_is_translated_with_its_values():
    with pytest.raises(ScenarioError) as caught:
        read_source("a: {b: 1, c: [2\nd: 3")

    (problem,) = caught.value.problems
    assert problem.said() == {
        "en": "this is not valid YAML: while parsing a flow sequence, "
        "expected ',' or ']', but got ':'",
        "zh": "这不是有效的 YAML：解析方括号列表时，应为 ',' 或 ']'，实际是 ':'",
    }


def test_an_unknown_error_of_another_program_is_not_found():
    assert foreign_error("something else went wrong", "yaml_because_") is None


def without_quotes(text: str) -> str:
    """A Chinese text with empty quotation marks instead of quoted input."""
    return re.sub("“[^”]*”|'[^']*'|\"[^\"]*\"|`[^`]*`", "“”", text)


def left_in_english(texts: Iterable[str]) -> list[str]:
    words = re.compile(r"(?<![\w.-])[a-z]{2,}(?: [a-z]{2,}){2,}(?![\w.-])")
    return [
        text
        for text in texts
        if words.search(without_quotes(text)) or not re.search("[\u4e00-\u9fff]", text)
    ]


def test_no_error_is_left_in_english():
    assert len({reason.code for reason in REASONS}) > 100
    assert left_in_english(["a key must be a word", "键必须是 a word or a number"]) != []
    assert left_in_english(reason.text("zh") for reason in REASONS) == []


def test_chinese_and_latin_are_separated_by_a_space():
    touching = re.compile(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]")

    for reason in REASONS:
        assert not touching.search(without_quotes(reason.text("zh"))), reason.text("zh")


def test_a_value_can_be_a_text_itself():
    reason = error("not_a_list", what=noun("the_title"), given=noun("number_given", of="3"))

    assert reason.said() == {
        "en": "the title must be a list, not the number 3",
        "zh": "标题必须是列表，不能是数字 3",
    }
