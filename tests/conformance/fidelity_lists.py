"""The packaged data of the recordings and cases: their list, `fidelity.json`, and the
recordings themselves, `recordings.json.gz`, both in `sim_engine/conformance`."""

import gzip
import json
from pathlib import Path

from msgspec import to_builtins

from sim_engine.conformance.fidelity import agreement_of
from sim_engine.conformance.reader import read_recording
from tests.sim_engine.kafka_cases.test_registry import CASES, EXPRESSED_IN_PART

RECORDINGS = Path(__file__).parent / "recordings"
ARCHIVE = Path(__file__).resolve().parents[2] / "sim_engine/conformance/recordings.json.gz"


def fidelity_text() -> str:
    """The whole file, one recording a line."""
    paths = sorted(RECORDINGS.glob("*.json"))
    recordings = ",\n  ".join(json.dumps(_entry(path), ensure_ascii=False) for path in paths)
    agreement = ",\n  ".join(map(_agreement, paths))
    return (
        f'{{\n "cases": {len(CASES)},\n "cases_in_part": {len(EXPRESSED_IN_PART)},\n'
        f' "recordings": [\n  {recordings}\n ],\n "agreement": {{\n  {agreement}\n }}\n}}\n'
    )


def _agreement(path: Path) -> str:
    recording = read_recording(json.loads(path.read_text(encoding="utf-8")))
    name = f"{recording.file.id}-{recording.file.kafka}"
    return f"{json.dumps(name)}: {json.dumps(to_builtins(agreement_of(recording)))}"


def _entry(path: Path) -> dict[str, object]:
    recording = json.loads(path.read_text(encoding="utf-8"))
    return {
        **{name: recording[name] for name in ("id", "kafka", "title", "shows")},
        "steps": len(recording["steps"]),
    }


def recording_texts() -> dict[str, str]:
    """Every recording as JSON without spaces, by its name: its id and the release."""
    recordings = (
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(RECORDINGS.glob("*.json"))
    )
    return {
        f"{one['id']}-{one['kafka']}": json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        for one in recordings
    }


def archived_texts() -> dict[str, str]:
    """The recordings that the package has."""
    texts: dict[str, str] = json.loads(gzip.decompress(ARCHIVE.read_bytes()))
    return texts


def write_archive() -> None:
    """Update the package's recordings. Equal contents are not rewritten: the bytes of an
    archive differ from one zlib to another."""
    texts = recording_texts()
    if not ARCHIVE.exists() or archived_texts() != texts:
        ARCHIVE.write_bytes(
            gzip.compress(json.dumps(texts, ensure_ascii=False).encode(), 9, mtime=0)
        )
