"""What readers are told of the recordings and of FIDELITY.md is what is there."""

from pathlib import Path

from sim_engine.conformance.evidence import SECTIONS, fidelity, read_evidence
from tests.conformance.evidence import RECORDINGS, evidence_text

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_list_is_up_to_date():
    """`scripts/write-scenarios` brings it up to date."""
    written = REPOSITORY / "sim_engine/conformance/evidence.json"

    assert written.read_text(encoding="utf-8") == evidence_text()


def test_every_recording_is_in_it_and_its_releases_stand_in_order():
    evidence = read_evidence()

    assert len(evidence.recordings) == len(list(RECORDINGS.glob("*.json")))
    assert evidence.releases[0] == "0.10.2.2"
    assert evidence.releases.index("2.8.2") < evidence.releases.index("3.9.2")


def test_every_row_of_the_page_is_told():
    sections = fidelity()

    assert [section.name for section in sections] == list(SECTIONS)
    text = (REPOSITORY / "sim_engine/FIDELITY.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    heads = sum(line.startswith("| ---") for line in rows) * 2
    assert sum(len(section.rows) for section in sections) == len(rows) - heads
    assert all(len(row) == len(section.rows[0]) for section in sections for row in section.rows)
