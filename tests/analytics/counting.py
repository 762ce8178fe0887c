"""The same summary in plain Python, a second time and another way: the job must agree with it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from tests.analytics.shares import Share

Cell = tuple[str, str | None, str | None, int | None, int | None]


def losses(shares: Iterable[Share]) -> dict[Cell, tuple[int, int, int, str | None]]:
    """For each configuration: runs, exercised, lost, example."""
    counted: dict[Cell, list[tuple[bool, bool, str]]] = defaultdict(list)
    for share in living(shares):
        run = share.facts
        for acks in ("all", "1"):
            lost = run[f"lost_{acks}"] > 0
            exercised = run[f"acked_{acks}"] > 0 and (run["exercised"] or lost)
            cells: list[Cell] = [
                ("acks", None, acks, None, None),
                ("version_acks", run["kafka"], acks, None, None),
            ]
            if acks == "all":
                cells += [
                    ("version", run["kafka"], None, None, None),
                    ("min_insync_replicas", None, None, run["min_insync_replicas"], None),
                    ("replication_factor", None, None, None, run["replication_factor"]),
                ]
            for cell in cells:
                counted[cell].append((exercised, lost, share.sid))
    return {
        cell: (
            len(runs),
            sum(exercised for exercised, _, _ in runs),
            sum(lost for _, lost, _ in runs),
            min((sid for _, lost, sid in runs if lost), default=None),
        )
        for cell, runs in counted.items()
    }


def faults(shares: Iterable[Share]) -> dict[str, tuple[int, int, int, str | None]]:
    """For each fault: runs, lossy runs, last before the loss, example."""
    counted: dict[str, list[tuple[bool, bool, str]]] = defaultdict(list)
    for share in living(shares):
        run = share.facts
        for fault, times in run["faults"].items():
            if times:
                lossy = run["lost_all"] > 0
                was_last = lossy and run["last_fault_before_loss"] == fault
                counted[fault].append((lossy, was_last, share.sid))
    return {
        fault: (
            len(runs),
            sum(lossy for lossy, _, _ in runs),
            sum(was_last for _, was_last, _ in runs),
            min((sid for lossy, _, sid in runs if lossy), default=None),
        )
        for fault, runs in counted.items()
    }


def lessons(shares: Iterable[Share]) -> dict[str, tuple[dict[str, Any], int, int, str | None]]:
    """For each lesson: title, shares, lossy, example."""
    counted: dict[str, list[Share]] = defaultdict(list)
    for share in living(shares):
        if share.facts["scenario_id"] is not None:
            counted[share.facts["scenario_id"]].append(share)
    return {
        lesson: (
            {"en": of[-1].facts["title_en"], "zh": of[-1].facts["title_zh"]},
            len(of),
            sum(share.facts["lost_all"] > 0 for share in of),
            min((share.sid for share in of if share.facts["lost_all"]), default=None),
        )
        for lesson, of in counted.items()
    }


def living(shares: Iterable[Share]) -> list[Share]:
    return [share for share in shares if share.deleted_at is None]
