"""The schemas of the insights page."""

from pydantic import Field

from backend.http.schemas import Shape
from backend.insights.campaigns import Problem
from backend.limit_table import GRID_CELLS
from backend.sessions.schemas import Request

MOST_SEED = 1_000_000_000


class OwnCampaignRead(Shape):
    """A campaign in the folder of `HIGHWATER_CAMPAIGNS`; one with a `problem` cannot be shown."""

    id: str
    name: str = Field(description="Of its folder.")
    title: str
    runs: int
    finished_at: str | None
    problem: Problem | None


class OwnCampaignListRead(Shape):
    """The campaigns in the folder of `HIGHWATER_CAMPAIGNS`."""

    campaigns: list[OwnCampaignRead]
    left_out: int = Field(description="The number of further campaigns, which are not listed.")


class SearchEntryRead(Shape):
    """A searched grid."""

    id: str
    title: str
    cells: int = Field(description="The number of cells that were searched.")


class SearchListRead(Shape):
    """The searched grids."""

    searches: list[SearchEntryRead]


class CampaignRunCreate(Request):
    """One run of a campaign whose summary the service does not have."""

    grid: dict[str, object] = Field(
        description="The grid of the campaign: `grid` of its summary. At most 512 cells."
    )
    cell: int = Field(ge=0, le=GRID_CELLS.number - 1, description="The cell, from 0.")
    seed: int = Field(ge=0, le=MOST_SEED, description="The run of the cell, from 0.")


class CampaignRunRead(Shape):
    """One run of a campaign, as a scenario."""

    scenario: dict[str, object] = Field(description="A complete scenario document.")
