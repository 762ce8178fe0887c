"""The fidelity page's data matches the recordings and FIDELITY.md."""

from pathlib import Path

from sim_engine.conformance.fidelity import SECTIONS, fidelity, read_fidelity_checks
from tests.conformance.fidelity_lists import RECORDINGS, fidelity_text

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_list_is_up_to_date():
    """`scripts/write-scenarios` updates it."""
    written = REPOSITORY / "sim_engine/conformance/fidelity.json"

    assert written.read_text(encoding="utf-8") == fidelity_text()


def test_it_contains_every_recording_and_its_releases_are_sorted():
    checks = read_fidelity_checks()

    assert len(checks.recordings) == len(list(RECORDINGS.glob("*.json")))
    assert checks.releases[0] == "0.10.2.2"
    assert checks.releases.index("2.8.2") < checks.releases.index("3.9.2")


def test_every_row_of_the_page_is_told():
    sections = fidelity()

    assert [section.name for section in sections] == list(SECTIONS)
    text = (REPOSITORY / "sim_engine/FIDELITY.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    heads = sum(line.startswith("| ---") for line in rows) * 2
    assert sum(len(section.rows) for section in sections) == len(rows) - heads
    assert all(len(row) == len(section.rows[0]) for section in sections for row in section.rows)
