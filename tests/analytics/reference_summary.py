"""An independent implementation of the summary in plain Python, which the job must agree with."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from analytics.jobs.summarize_runs import FEWEST_SHOWN
from tests.analytics.shares import Share

Cell = tuple[str, str | None, str | None, int | None, int | None]


def losses(shares: Iterable[Share]) -> dict[Cell, tuple[int, int, int]]:
    """For each configuration: runs, exercised, lost."""
    counted: dict[Cell, list[tuple[bool, bool]]] = defaultdict(list)
    for share in own(shares):
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
                counted[cell].append((exercised, lost))
    return {
        cell: (len(runs), sum(exercised for exercised, _ in runs), sum(lost for _, lost in runs))
        for cell, runs in counted.items()
        if len(runs) >= FEWEST_SHOWN
    }


def faults(shares: Iterable[Share]) -> dict[str, tuple[int, int, int]]:
    """For each fault: runs, lossy runs, last before the loss."""
    counted: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for share in own(shares):
        run = share.facts
        for fault, times in run["faults"].items():
            if times:
                lossy = run["lost_all"] > 0
                was_last = lossy and run["last_fault_before_loss"] == fault
                counted[fault].append((lossy, was_last))
    return {
        fault: (len(runs), sum(lossy for lossy, _ in runs), sum(was_last for _, was_last in runs))
        for fault, runs in counted.items()
        if len(runs) >= FEWEST_SHOWN
    }


def causes(shares: Iterable[Share]) -> dict[str, tuple[int, int]]:
    """For each cause: runs, those that lost a record acknowledged with acks=all."""
    counted: dict[str, list[bool]] = defaultdict(list)
    for share in own(shares):
        run = share.facts
        if run["lost_all"] or run["lost_1"]:
            counted[run["loss_cause"] or "unknown"].append(run["lost_all"] > 0)
    return {
        cause: (len(runs), sum(runs))
        for cause, runs in counted.items()
        if len(runs) >= FEWEST_SHOWN
    }


def lessons(shares: Iterable[Share]) -> dict[str, tuple[dict[str, Any], int]]:
    """For each lesson: title, shares as shipped."""
    counted: dict[str, list[Share]] = defaultdict(list)
    for share in living(shares):
        if is_as_shipped(share):
            counted[share.facts["scenario_id"]].append(share)
    return {
        lesson: ({"en": of[-1].facts["title_en"], "zh": of[-1].facts["title_zh"]}, len(of))
        for lesson, of in counted.items()
        if len(of) >= FEWEST_SHOWN
    }


def own(shares: Iterable[Share]) -> list[Share]:
    """The users' own runs, each once."""
    kept = {share.digest: share for share in living(shares) if not is_as_shipped(share)}
    return list(kept.values())


def is_as_shipped(share: Share) -> bool:
    is_written = all(item is not None for _, _, item in share.record)
    return share.facts["scenario_id"] is not None and is_written


def living(shares: Iterable[Share]) -> list[Share]:
    return [share for share in shares if share.deleted_at is None]
