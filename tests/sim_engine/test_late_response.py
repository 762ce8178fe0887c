"""The late response of an earlier epoch (KAFKA-18991): what was recorded, in texts and in runs."""

from pathlib import Path

import pytest

from sim_engine.actions import Note
from sim_engine.curriculum import lesson_index
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import load_shipped

REPOSITORY = Path(__file__).resolve().parents[2]
LESSON = "late-answer-of-an-old-epoch"
RECORDED = {"3.5.2": "lost", "3.9.0": "lost", "4.0.0": "lost", "3.9.1": "holds", "4.0.1": "holds"}
"""How the schedule ended on real clusters of these releases."""


@pytest.mark.parametrize(("kafka", "outcome"), RECORDED.items())
def test_the_lesson_ends_as_on_real_clusters(kafka: str, outcome: str) -> None:
    assert lesson_index()[LESSON].outcome_under(kafka) == outcome


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lesson_says_on_which_releases_it_was_recorded(lang: str) -> None:
    notes = [step.step for step in load_shipped(LESSON).steps if isinstance(step.step, Note)]

    assert all(kafka in notes[-1].text[lang] for kafka in RECORDED)


@pytest.mark.parametrize(
    "file",
    [
        "docs/findings/late-response.md",
        "docs/zh/findings/late-response.md",
        "sim_engine/FIDELITY.md",
        "sim_engine/languages/zh/FIDELITY.md",
    ],
)
def test_so_do_the_documents(file: str) -> None:
    lines = (REPOSITORY / file).read_text(encoding="utf-8").splitlines()
    told = "\n".join(line for line in lines if "3.5.2" in line or "4.0.1" in line)

    assert all(kafka in told for kafka in RECORDED)
