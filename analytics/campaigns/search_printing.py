"""The output of `highwater search-grid`: a table, or a JSON document."""

import json
from collections.abc import Iterator, Mapping, Sequence

from msgspec import to_builtins

from analytics.campaigns.grid_file import left_out_lines, varying_settings
from analytics.campaigns.search_folder import SearchFolder
from sim_engine.command_line.spark_jobs import budget_text


def search_document(folder: SearchFolder) -> dict[str, object]:
    """The bounds, every row with the path of its scenario, and the skipped cells."""
    rows = folder.rows()
    cells = [
        {**row, "scenario": str(folder.scenario_file(number)) if row["found"] else None}
        for number, row in enumerate(rows)
    ]
    return {
        "search": folder.written.id,
        "engine": folder.written.engine,
        "property": folder.written.options.property,
        "budget": folder.written.options.budget,
        "max_depth": folder.written.options.max_depth,
        "max_states": folder.written.options.max_states,
        "grain": folder.written.options.grain,
        "cells": cells,
        "impossible": to_builtins(folder.grid.impossible),
    }


def search_lines(folder: SearchFolder) -> Iterator[str]:
    """A line for each cell with the settings that vary, then the skipped cells and the totals."""
    rows = folder.rows()
    varying = varying_settings(folder.grid)
    head = ["cell", *varying, "found", "steps", "faults", "looked at", "prevented by"]
    lines = [head, *([*_settings(row, varying), *_outcome(row)] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        yield "  ".join(
            text.ljust(width) for text, width in zip(line, widths, strict=True)
        ).rstrip()
    yield from left_out_lines(folder.grid)
    failing = sum(bool(row["found"]) for row in rows)
    yield f"found a violation in {failing} of {len(rows)} cells ({folder.written.options.property})"
    if failing:
        yield f"the shortest path in each: {folder.scenarios_path}/cell-N.yaml"


def _settings(row: Mapping[str, object], varying: Sequence[str]) -> list[str]:
    return [str(row["cell"]), *(json.dumps(row[name]).strip('"') for name in varying)]


def _outcome(row: Mapping[str, object]) -> list[str]:
    faults, prevented = row["faults"], row["prevented_by"]
    assert isinstance(faults, dict)
    assert isinstance(prevented, list)
    if row["complete"]:
        looked_at = f"all {row['states']:,} states"
    elif row["verdict"] == "cut":
        looked_at = f"{row['states']:,} states, cut at depth {row['depth']}"
    else:
        looked_at = f"{row['states']:,} states, to depth {row['depth']}"
    return [
        "yes" if row["found"] else "no",
        "" if row["steps"] is None else str(row["steps"]),
        budget_text(faults),
        looked_at,
        ", ".join(map(str, prevented)),
    ]
