"""A third language is one folder and nothing else: the engine uses it because the folder exists."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sim_engine
from tests.sim_engine.languages.pseudo import write_pseudo_language

ENGINE = Path(sim_engine.__file__).parent
REPOSITORY = ENGINE.parent
TAG = "qps"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with one more folder."""
    root = tmp_path_factory.mktemp("tree")
    for package in ("sim_engine", "backend", "alembic", "docs"):
        shutil.copytree(
            REPOSITORY / package, root / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    write_pseudo_language(root / "sim_engine" / "languages", TAG)
    return root


def run(tree: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tree), str(REPOSITORY)))},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_lesson_is_translated_completely(tree):
    script = Path(__file__).with_name("say_everything.py")

    found = json.loads(run(tree, str(script), TAG))

    assert set(found["languages"]) >= {"en", TAG, "zh"}
    assert found["said"] > 30_000
    assert found["english"] == []


def test_the_command_line_offers_it(tree):
    told = run(tree, "-m", "sim_engine", "run", "s26", "--lang", TAG)

    assert "Ɓŕóķéŕ 2" in told


def test_a_scenario_may_have_its_words_and_else_has_those_of_english(tree):
    program = f"""
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.scenario_reader.schema import scenario_schema
text = "{{id: a, kafka: '3.9', brokers: [1], "
text += "topics: [{{name: t, partitions: [{{replicas: [1]}}]}}], "
text += "title: {{en: Loss, {TAG}: Ļóšš}}, steps: [{{note: {{en: One}}}}]}}"
scenario = read_scenario_text(text)
assert scenario.title["{TAG}"] == "Ļóšš" and scenario.title["zh"] == "Loss", scenario.title
assert set(scenario.steps[0].step.arguments().values()) == {{"One"}}
assert "{TAG}" in str(scenario_schema()["$defs"]["text"])
"""
    run(tree, "-c", program)


def test_the_pages_and_texts_of_the_service_have_no_english(tree):
    """The page's own texts are checked in `frontend/src/third-language.test.ts`."""
    script = Path(__file__).with_name("serve_everything.py")

    left = json.loads(run(tree, str(script), TAG))

    assert [address.split()[-1] for address in left] == 6 * ["200"] + 3 * ["404"] + 5 * ["200"]
    assert {address: texts for address, texts in left.items() if texts} == {}


def test_a_browser_is_answered_in_the_language_that_it_asks_for(tree):
    program = f"""
from starlette.requests import Request
from backend.http.parameters import preferred_language
def asked(query, header):
    return preferred_language(Request({{"type": "http", "query_string": query,
        "headers": [(b"accept-language", header)]}}))
assert asked(b"lang={TAG}", b"zh") == "{TAG}"
assert asked(b"", b"fr;q=0.9, {TAG}-XA;q=0.8, en") == "{TAG}"
assert asked(b"lang=qq", b"qq") == "en"
from backend.commands.export import export
"""
    run(tree, "-c", program)
