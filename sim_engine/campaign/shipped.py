"""The campaign that ships with this release."""

from functools import cache

import msgspec

from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.campaign.summary import CampaignSummary
from sim_engine.scenario_reader.reader import shipped_grid_text, shipped_summary_text


@cache
def shipped_campaign() -> CampaignSummary:
    """The summary of the shipped campaign."""
    return msgspec.json.decode(shipped_summary_text(), type=CampaignSummary)


def shipped_grid() -> Grid:
    """The grid of the shipped campaign, from which any of its rows can be run again."""
    return read_grid_text(shipped_grid_text(), filename="shipped.yaml")
