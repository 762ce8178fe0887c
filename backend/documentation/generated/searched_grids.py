"""The searched grids that ship: their sizes, and the violations that they found, by cause."""

from collections.abc import Iterator, Mapping

from backend.documentation.generated.subject import Subject, code, table
from sim_engine.campaign.summary import CellOfSearch, SearchSummary, shipped_searches

_MS_PER_HOUR = 3_600_000
_SIZES = ("grid", "cells", "violated", "exhausted", "cut", "states", "cpu-hours")
_VIOLATIONS = ("grid", "acks", "budgets", "cause", "rules", "releases", "cells", "steps", "lesson")

EXPLAINED_BY: Mapping[tuple[str, str], str] = {
    ("1", "leader_only"): "acks-1-loses-on-failover",
    ("1", "power_loss"): "acks-1-loses-on-failover",
    ("all", "power_loss"): "surviving-copy-destroyed",
    ("all", "protocol_rule"): "kip-101-data-loss",
}
"""(acks, cause) → the lesson that explains the loss. A violation without a lesson is a finding."""


def searched_grids(_subject: Subject, lang: str) -> str:
    """A table of the sizes of each grid, then one of the violations."""
    summaries = tuple(shipped_searches().values())
    sizes = table(lang, _SIZES, map(_sizes, summaries))
    found = table(lang, _VIOLATIONS, (row for one in summaries for row in _violations(one)))
    return f"{sizes}\n{found}"


def _sizes(summary: SearchSummary) -> tuple[str, ...]:
    cells = summary.cells
    violated = sum(cell.verdict == "violated" for cell in cells)
    exhausted = sum(cell.complete for cell in cells)
    return (
        summary.title,
        f"{len(cells):,}",
        f"{violated:,}",
        f"{exhausted:,}",
        f"{len(cells) - violated - exhausted:,}",
        f"{sum(cell.states for cell in cells):,}",
        f"{sum(cell.cpu_ms for cell in cells) / _MS_PER_HOUR:.2f}",
    )


def _violations(summary: SearchSummary) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[str, str], list[CellOfSearch]] = {}
    for cell in summary.cells:
        if cell.verdict == "violated":
            key = (str(cell.settings.get("acks", "all")), cell.cause or "")
            groups.setdefault(key, []).append(cell)
    releases = [str(release) for release in summary.axes["kafka"]]
    for (acks, cause), cells in sorted(groups.items()):
        found = {str(cell.settings["kafka"]) for cell in cells}
        of_found = [release for release in releases if release in found]
        steps = [cell.steps or 0 for cell in cells]
        yield (
            summary.title,
            acks,
            f"{len({str(cell.settings.get('budget')) for cell in cells}):,}",
            code(cause),
            ", ".join(sorted({code(cell.cause_rule) for cell in cells if cell.cause_rule})),
            of_found[0] if len(of_found) == 1 else f"{of_found[0]}–{of_found[-1]}",
            f"{len(cells):,}",
            f"{min(steps)}–{max(steps)}",
            f"[{EXPLAINED_BY[acks, cause]}](/lessons/{EXPLAINED_BY[acks, cause]})",
        )
