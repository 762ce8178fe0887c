"""The name of a case of Kafka's own tests, as a pytest id, with where it stands in Kafka's sources.

A case is one behaviour that a test of apache/kafka holds: given, when, then, with its numbers. The
ids go by section: A epoch cache, B log and high watermark, C follower state, D ISR and pending ISR,
E fetch validation, F follower truncation, G end to end, H elections (H01–H11 ZooKeeper, H20–H50
KRaft). `test_registry.py` holds that each of them is there exactly once.
"""

from collections.abc import Callable
from typing import Any

import pytest


def case(case_id: str, source: str) -> Callable[[Callable[..., None]], Any]:
    """Mark a test as one case; `source` is `TestClass.method` of apache/kafka."""
    assert "." in source, "the class and the method"
    return pytest.mark.parametrize((), [pytest.param(id=case_id)])


def row(case_id: str, source: str, *values: Any) -> Any:
    """One case as the row of a table."""
    assert "." in source, "the class and the method"
    return pytest.param(*values, id=case_id)
