"""The list of recordings and cases that `sim_engine/conformance/evidence.json` has to have."""

import json
from pathlib import Path

from tests.sim_engine.kafka_cases.test_registry import CASES, EXPRESSED_IN_PART

RECORDINGS = Path(__file__).parent / "recordings"


def evidence_text() -> str:
    """The whole file, one recording a line."""
    recordings = ",\n  ".join(
        json.dumps(entry, ensure_ascii=False)
        for entry in map(_entry, sorted(RECORDINGS.glob("*.json")))
    )
    return (
        f'{{\n "cases": {len(CASES)},\n "cases_in_part": {len(EXPRESSED_IN_PART)},\n'
        f' "recordings": [\n  {recordings}\n ]\n}}\n'
    )


def _entry(path: Path) -> dict[str, object]:
    recording = json.loads(path.read_text(encoding="utf-8"))
    return {
        **{name: recording[name] for name in ("id", "kafka", "title", "shows")},
        "steps": len(recording["steps"]),
    }
