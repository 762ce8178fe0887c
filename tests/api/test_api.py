"""`import highwater_kafka`: runs, comparisons, searches and assessments in a notebook."""

import asyncio
import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import highwater_kafka
from backend.drawing import figures
from backend.runs.files import ENDINGS
from highwater_kafka import HighwaterError
from highwater_kafka.embedding.addresses import NotAShareError
from highwater_kafka.embedding.fetching import FetchError
from highwater_kafka.embedding.markup import OptionError
from sim_engine.identifiers import ENGINE_VERSION
from tests.api.reference import page
from tests.backend.frontend import write_frontend

MINE = {
    "id": "mine",
    "title": "Mine",
    "kafka": "3.9",
    "brokers": [1],
    "topics": [{"name": "t", "partitions": [{"replicas": [1]}]}],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"settle": {}},
        {"disk_loss": {"broker": 1}},
    ],
}
LESSON = "kip-101-data-loss"
PRINTED = "Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
MODULES = ("runs", "searches", "clusters")


@pytest.fixture
def pictures(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, figure = write_frontend(tmp_path_factory.mktemp("frontend"))
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(pages))
    monkeypatch.setenv("HIGHWATER_FIGURE_SCRIPT", str(figure))


def module(name: str) -> ModuleType:
    return importlib.import_module(f"highwater_kafka.api.{name}")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_documentation_are_true(name: str):
    found = doctest.testmod(
        module(name), extraglobs={"highwater_kafka": highwater_kafka}, optionflags=doctest.ELLIPSIS
    )

    assert found.attempted > 1
    assert found.failed == 0


def test_every_public_name_is_there_and_described():
    for name in highwater_kafka.__all__:
        value = getattr(highwater_kafka, name)
        assert name == "__version__" or inspect.getdoc(value), name
        if inspect.isclass(value):
            for member, found in vars(value).items():
                is_own = not member.startswith("_") and (
                    callable(found) or isinstance(found, property)
                )
                assert not is_own or inspect.getdoc(found), f"{name}.{member}"

    assert highwater_kafka.__version__ == ENGINE_VERSION
    assert set(highwater_kafka.__all__) <= set(dir(highwater_kafka))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        highwater_kafka.nothing  # noqa: B018


def test_importing_it_loads_nothing_of_the_engine():
    program = "import sys, highwater_kafka; print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    ours = {name.split(".")[0] for name in done.stdout.split()}
    assert not ours & {"sim_engine", "backend", "msgspec", "fastapi", "yaml"}


def test_a_run_comes_from_a_file_a_text_a_document_or_an_id(tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps(MINE))

    runs = [
        highwater_kafka.run(source)
        for source in (path, str(path), json.dumps(MINE, indent=1), MINE)
    ]

    assert {run.document["digest"] for run in runs} == {runs[0].document["digest"]}
    assert highwater_kafka.run("s26").scenario["id"] == LESSON


def test_a_run_is_what_the_command_line_prints():
    run = highwater_kafka.run(MINE, kafka="4.0")
    [event] = [one for one in run.events if one["kind"] == "DiskLost"]

    assert (run.kafka, run.control, run.violated) == ("4.0", "kraft", ["NoAckedRecordLost"])
    assert run.document["frames"] == len(run.frames)
    assert run.final == {**run.frames[-1]["state"], "kafka": "4.0"}
    assert run.frames[-1]["state"] == run.at(-1).state == run.at(2).state
    assert event in run.at(2).events
    assert (event["frame"], event["step"]) == (run.frames[-1]["frame"], 2)
    assert run.at(0).violated == []
    assert run.at(2).violated == ["NoAckedRecordLost"]
    assert [one["sentence"] for one in run.events_in("zh")] != [
        one["sentence"] for one in run.events
    ]
    assert "NoAckedRecordLost is violated" in str(run)


def test_two_scenarios_are_compared_and_two_runs():
    kept = {**MINE, "id": "kept", "steps": MINE["steps"][:2]}
    lost, other = highwater_kafka.run(MINE), highwater_kafka.run(kept)

    for found in (
        highwater_kafka.compare(MINE, kept),
        highwater_kafka.compare(MINE, kept, kafka="3.9"),
        highwater_kafka.compare(lost, other),
    ):
        assert (found.differs, found.document["scenario_b"]) == (True, "kept")
        assert "mine and kept take different steps" in repr(found)
    assert not highwater_kafka.compare(lost, highwater_kafka.run(MINE)).differs


def test_a_search_finds_a_run(pictures: None):
    steps = MINE["steps"][:2]

    found = highwater_kafka.search({**MINE, "steps": steps}, budget={"disk_loss": 1}, max_depth=2)

    assert found.verdict == found.document["verdict"] == "violated"
    assert found.run is not None
    assert found.run.violated == ["NoAckedRecordLost"]
    assert "disk_loss" in repr(found)
    assert found._repr_mimebundle_()["text/plain"] == repr(found)
    assert "text/html" in found._repr_mimebundle_()


def test_a_cluster_comes_from_files(tmp_path: Path):
    printed = tmp_path / "topics.txt"
    printed.write_text(
        "Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs:\n"
        "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    )

    cluster = highwater_kafka.Cluster.from_files(printed, kafka="3.9")
    found = cluster.assess(settings={"min.insync.replicas": 2}, down=[2])

    assert cluster.document["scenario"] == cluster.scenario
    assert (
        found.document
        == highwater_kafka.assess(
            [printed], kafka="3.9", settings={"min.insync.replicas": "2"}, down=[2]
        ).document
    )
    assert found.partitions[0]["min_insync_replicas"] == 2
    assert "a-0" in repr(found)


def test_an_assessment_names_what_it_does_not_use_or_know():
    found = highwater_kafka.assess(PRINTED, kafka="3.9", down=[9], racks={8: "a"})

    unused, unknown = found.notices[:2], found.notices[2:]
    assert unused == ["down: the input has no broker 9", "racks: the input has no broker 8"]
    assert "their settings are not known" in unknown[0]
    assert repr(found).endswith("\n\n" + "\n".join(found.notices))


@pytest.mark.parametrize("name", [f"run.{ending}" for ending in ENDINGS])
async def test_a_run_is_saved_where_an_event_loop_runs(pictures: None, tmp_path: Path, name: str):
    assert asyncio.get_running_loop().is_running()

    path = highwater_kafka.run(MINE).save(tmp_path / name, lang="zh")

    assert path == tmp_path / name
    assert path.stat().st_size > 100


def test_a_notebook_shows_the_player_and_the_picture(pictures: None):
    run = highwater_kafka.run(MINE)

    shown = run._repr_mimebundle_()
    moment = run.at(1).show(theme="light", lang="zh", height=400)._repr_mimebundle_()

    assert shown["text/html"].startswith("<iframe srcdoc=")
    assert 'height="560"' in shown["text/html"]
    assert shown["image/svg+xml"].startswith("<svg")
    assert shown["text/plain"].startswith("Mine: ")
    assert 'height="400"' in moment["text/html"]
    assert "light zh" in moment["image/svg+xml"]
    assert run.at(1)._repr_mimebundle_().keys() == moment.keys()


def test_without_the_drawing_library_a_notebook_has_the_text_and_the_reason(
    pictures: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(figures, "quickjs", None)
    run = highwater_kafka.run(MINE)

    for shown in (run, run.at(1)):
        assert shown._repr_mimebundle_() == {
            "text/plain": f"{shown!r}\n"
            "Pictures need QuickJS, which is not installed: pip install quickjs-ng"
        }


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda api: api.run(5), "a scenario is the path of a file"),
        (lambda api: api.run(Path("none.yaml")), "none.yaml: there is no such file"),
        (lambda api: api.run("none.yaml"), "none.yaml: no such file"),
        (lambda api: api.run("id: [\n"), "text:2:1: /: "),
        (lambda api: api.run(""), "text:1:1: /: the document is empty"),
        (lambda api: api.run({}), "/: a scenario needs id, kafka, brokers and topics"),
        (lambda api: api.run(MINE, kafka="9.9"), "scenario: "),
        (lambda api: api.run(MINE, kafka=3.9), "a release is a text such as '3.9', not 3.9"),
        (lambda api: api.run(MINE, control="both"), "scenario: "),
        (lambda api: api.run(MINE).at(9), "this run has the steps 0 to 2, not 9"),
        (lambda api: api.run(MINE).at(1).sentence("xx"), "the language must be en or zh"),
        (lambda api: api.run(MINE).events_in("xx"), "the language must be en or zh"),
        (lambda api: api.run(MINE).save("run.pdf"), "the name must end in .svg"),
        (lambda api: api.run(MINE).save("run.svg", step=9), "step 9: "),
        (lambda api: api.run(MINE).save("run.svg", steps=(8, 9)), "steps 8 to 9: "),
        (lambda api: api.run(MINE).save("run.svg", lang="xx"), "the language must be en or zh"),
        (lambda api: api.run(MINE).save("run.svg", theme="red"), "the theme must be light or dark"),
        (lambda api: api.run(MINE).show(height=5), "height must be from 120 to 4000"),
        (lambda api: api.run(MINE).show(lang="xx"), "the language must be en or zh"),
        (lambda api: api.run(MINE).save("/dev/null/run.md"), "/dev/null/run.md: "),
        (lambda api: api.compare(MINE), "compare needs two releases"),
        (lambda api: api.compare(MINE, kafka=3.9), "compare needs two releases"),
        (lambda api: api.compare(MINE, kafka=(3.8, 3.9)), "a release is a text"),
        (lambda api: api.compare(MINE, MINE, kafka=["3.9"]), "two scenarios are compared under"),
        (lambda api: api.search(MINE, "Nothing"), "there is no property 'Nothing'"),
        (lambda api: api.search(MINE, budget={"fire": 1}), "a budget has no 'fire'"),
        (lambda api: api.search(MINE, budget={"crash": -1}), "whole numbers from 0, not crash=-1"),
        (lambda api: api.search(MINE, grain="day"), "grain must be step, exchange, message"),
        (lambda api: api.search(MINE, acks=2), "acks must be 'all', 1 or 0"),
        (lambda api: api.search(MINE, seconds=0), "seconds more than 0"),
        (lambda api: api.Cluster.from_text("what is this\n"), "text:1"),
        (lambda api: api.assess(PRINTED, kafka=3.9), "a release is a text"),
        (lambda api: api.assess(PRINTED, down=["1"]), "a broker is a number, not '1'"),
        (lambda api: api.Cluster.from_files("/none"), "/none:1:1: "),
        (lambda api: api.assess("none.txt"), "none.txt:1:1: "),
        (lambda api: api.Cluster.connect("nowhere"), "nowhere"),
    ],
)
def test_a_mistake_is_one_kind_of_error_with_what_is_allowed(call, told: str):
    with pytest.raises(HighwaterError) as raised:
        call(highwater_kafka)

    assert told in str(raised.value)
    assert raised.value.problems


def test_an_error_has_its_places():
    with pytest.raises(HighwaterError) as raised:
        highwater_kafka.run({**MINE, "steps": [{"crash": {"broker": 9}}]})
    with pytest.raises(HighwaterError) as in_text:
        highwater_kafka.run("id: mine\nkafka: 3.9\nbrokers: [1]\ntopics: 5\n")

    assert raised.value.problems[0].where == "/steps/0/crash/broker"
    assert "brokers are 1" in raised.value.problems[0].message
    assert [one.line for one in in_text.value.problems][-1] == 4


@pytest.mark.parametrize("kind", [NotAShareError, OptionError, FetchError])
def test_what_an_embed_refuses_is_the_same_kind_of_error(kind: type[Exception]):
    assert issubclass(kind, HighwaterError)


def test_a_foreign_module_with_one_of_its_names_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path):
    from highwater_kafka import parts_path

    foreign = ModuleType("backend")
    foreign.__file__ = "/elsewhere/backend.py"
    monkeypatch.setattr(parts_path, "PARTS", tmp_path)
    monkeypatch.setitem(sys.modules, "sim_engine", ModuleType("sim_engine"))
    monkeypatch.delitem(sys.modules, "sim_engine")
    monkeypatch.setattr(parts_path, "_NAMES", ("backend",))
    monkeypatch.setitem(sys.modules, "backend", foreign)

    with pytest.raises(HighwaterError, match=r"another module named backend .*/elsewhere/backend"):
        parts_path.find_parts()


def test_the_reference_is_that_of_the_docstrings(repository: Path):
    written = (repository / "docs" / "reference" / "python.md").read_text()

    assert written == page(), "run scripts/write python-reference"


def test_a_translation_of_the_reference_has_its_names_and_its_code(repository: Path):
    def kept(file: str) -> list[str]:
        text = (repository / file).read_text()
        return re.findall(r"^#{2,} [^\n]+$|^```python\n.*?^```$", text, re.DOTALL | re.MULTILINE)

    assert kept("docs/zh/reference/python.md") == kept("docs/reference/python.md")
