from typing import Any


def compare(opened: Any, body: Any) -> Any:
    return {}
