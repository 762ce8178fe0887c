"""Campaigns: many runs of a failure model over a grid of settings. Each run can be reproduced
alone.

A cell defines a workload, the rates and durations of faults, and the length of a run. The engine
plays it in virtual time. A run is a function of its key (campaign, cell, run), its cell and the
engine's version.
"""

from sim_engine.campaign.grid import (
    FAULT_KINDS,
    FAULT_TYPES,
    Cell,
    FaultKind,
    FaultRate,
    FaultType,
    Grid,
    ImpossibleCell,
    Workload,
)
from sim_engine.campaign.grid_reader import read_grid_document, read_grid_text
from sim_engine.campaign.plan import RunKey
from sim_engine.campaign.row import LAG_BINS, ROW_VERSION, RunRow
from sim_engine.campaign.run import (
    SEARCH_ROW_VERSION,
    SearchedCell,
    SearchRow,
    ShortestExample,
    run_cell,
    run_scenario,
    search_cell,
    shortest_example,
)
from sim_engine.campaign.summary import (
    SUMMARY_VERSION,
    Averages,
    CampaignSummary,
    CauseShare,
    CellSummary,
    Comparison,
    Example,
    FaultModel,
    Headline,
    ImpossiblePoint,
    LagDistribution,
    LogRank,
    Mean,
    Odds,
    OddsTerm,
    Proportion,
    SampledRow,
    SmallestSet,
    SurvivalCurve,
    SurvivalPoint,
    shipped_campaign,
    shipped_grid,
)

__all__ = [
    "FAULT_KINDS",
    "FAULT_TYPES",
    "LAG_BINS",
    "ROW_VERSION",
    "SEARCH_ROW_VERSION",
    "SUMMARY_VERSION",
    "Averages",
    "CampaignSummary",
    "CauseShare",
    "Cell",
    "CellSummary",
    "Comparison",
    "Example",
    "FaultKind",
    "FaultModel",
    "FaultRate",
    "FaultType",
    "Grid",
    "Headline",
    "ImpossibleCell",
    "ImpossiblePoint",
    "LagDistribution",
    "LogRank",
    "Mean",
    "Odds",
    "OddsTerm",
    "Proportion",
    "RunKey",
    "RunRow",
    "SampledRow",
    "SearchRow",
    "SearchedCell",
    "ShortestExample",
    "SmallestSet",
    "SurvivalCurve",
    "SurvivalPoint",
    "Workload",
    "read_grid_document",
    "read_grid_text",
    "run_cell",
    "run_scenario",
    "search_cell",
    "shipped_campaign",
    "shipped_grid",
    "shortest_example",
]
