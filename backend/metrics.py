"""Counters of this process, in Prometheus' text format. No label names a person or an id."""

from collections import Counter
from collections.abc import Iterable

_HELP = {
    "highwater_http_requests_total": "Requests answered, by route, method and class of status.",
    "highwater_sessions_created_total": "Sessions created, by where they came from.",
    "highwater_actions_total": "Actions, by what became of them.",
    "highwater_shares_created_total": "Shares created.",
    "highwater_share_views_total": "Shares shown, by surface.",
    "highwater_invalid_input_total": "Requests refused, by code.",
}


class Metrics:
    def __init__(self) -> None:
        self._counts: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()

    def count(self, name: str, **labels: str) -> None:
        assert name in _HELP, f"{name} is not described"
        self._counts[name, tuple(sorted(labels.items()))] += 1

    def exposition(self, gauges: Iterable[tuple[str, str, int]] = ()) -> str:
        """All counters, and what else is known now as (name, help, value)."""
        lines: list[str] = []
        for name, help_text in _HELP.items():
            lines += [f"# HELP {name} {help_text}", f"# TYPE {name} counter"]
            for (counted, labels), value in sorted(self._counts.items()):
                if counted == name:
                    lines.append(f"{name}{_rendered(labels)} {value}")
        for name, help_text, value in gauges:
            lines += [f"# HELP {name} {help_text}", f"# TYPE {name} gauge", f"{name} {value}"]
        return "\n".join(lines) + "\n"


def _rendered(labels: tuple[tuple[str, str], ...]) -> str:
    if not labels:
        return ""
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{pairs}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
