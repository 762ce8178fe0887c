"""The time to reject the largest hostile texts and bodies."""

import contextlib
import json
import time
from collections.abc import Callable
from functools import partial

from backend.http.errors import HighwaterError
from backend.http.json_document import decoded
from backend.limit_table import SCENARIO_BODY_BYTES
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_text

_TEXTS = {
    "quotes": "'" * 99_999,
    "exclamation marks": "!" * 100_000,
    "brackets": "[" * 100_000,
    "empty steps": "steps:" + "\n- {}" * 20_000,
}
_BODIES = {
    "empty objects": json.dumps([{}] * 60_000).encode(),
    "numbers": b"[" + b"1," * 120_000 + b"1]",
    "unterminated string": b'{"a": "' + b"\\" * 250_000,
    "brackets": b"[" * 250_000,
    "unknown keys": json.dumps({f"k{n}": 1 for n in range(20_000)}).encode(),
}


def measure() -> None:
    for name, text in _TEXTS.items():
        _print("text", name, len(text), partial(read_scenario_text, text))
    for name, body in _BODIES.items():
        assert len(body) <= SCENARIO_BODY_BYTES.number
        _print("body", name, len(body), partial(decoded, body))


def _print(kind: str, name: str, size: int, work: Callable[[], object]) -> None:
    started = time.process_time()
    with contextlib.suppress(ScenarioError, HighwaterError):
        work()
    print(f"{kind} of {name:<20} {size:>7} bytes {(time.process_time() - started) * 1000:8.1f} ms")
