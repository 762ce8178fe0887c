"""The headlines of cells of which the counts are known."""

from msgspec.structs import replace

from analytics.campaigns.headlines import headlines_of
from analytics.statistics import estimate_rate
from sim_engine.campaign.summary import (
    CellSummary,
    Comparison,
    Headline,
    Mean,
    SurvivalCurve,
    SurvivalPoint,
    shipped_campaign,
)

SHIPPED = shipped_campaign()
AXES = {"acks": ["all", "1"]}


def cells(*lost: int) -> list[CellSummary]:
    """A cell for each count of lost runs, of 100; the first half with acks=all."""
    return [
        replace(
            cell,
            cell=number,
            settings={"acks": AXES["acks"][number * 2 // len(lost)]},
            exercised=100,
            lost=estimate_rate(count, 100),
        )
        for number, (cell, count) in enumerate(zip(SHIPPED.cells, lost, strict=False))
    ]


def of_matrix(*lost: int, compared: tuple[Comparison, ...] = ()) -> list[Headline]:
    found = headlines_of(AXES, cells(*lost), compared, (), replace(SHIPPED.odds, terms=()))
    return [headline for headline in found if headline.about == "matrix"]


def test_a_campaign_without_a_loss_states_the_upper_bound_of_the_rate():
    (headline,) = of_matrix(0, 0, 0, 0)
    assert (headline.kind, headline.settings) == ("never_lost", {})
    assert headline.cells == (0, 1, 2, 3)
    assert headline.high is not None
    assert 0.03 < headline.high < 0.04  # 1 − 0.025^(1/100) = 0.036


def test_a_value_with_which_nothing_was_lost_is_named():
    (headline,) = of_matrix(0, 0, 3, 0)
    assert (headline.kind, headline.settings) == ("never_lost", {"acks": "all"})
    assert headline.cells == (0, 1)


def test_nothing_is_concluded_from_losses_everywhere_without_a_comparison():
    (headline,) = of_matrix(1, 0, 3, 0)
    assert (headline.kind, headline.number) == ("undecided", 0)


def between(first: int, second: int, *, differs: bool, most: float) -> Comparison:
    """A comparison of cells 0 and 1: the numbers of seeds that lost in one alone."""
    return replace(
        SHIPPED.comparisons[0],
        axis="acks",
        cells=(0, 1),
        values=("all", "1"),
        only_first=first,
        only_second=second,
        differs=differs,
        difference=Mean(mean=0.0, low=-0.01, high=most),
        decided=differs or most <= 0.05,
    )


def test_a_change_has_the_faults_and_writes_that_explain_it():
    (headline,) = of_matrix(1, 9, compared=(between(1, 9, differs=True, most=0.2),))

    assert (headline.kind, headline.direction) == ("changed", "rose")
    assert headline.averages is not None
    before, after = headline.averages
    first, second = SHIPPED.cells[:2]
    assert (before.faults, before.acked) == (first.faults.mean, first.acked.mean)
    assert (after.lost_of_acked, after.writable) == (
        second.lost_of_acked,
        1 - second.unavailable.mean,
    )


def test_no_difference_is_a_conclusion_only_if_the_runs_exclude_one():
    (same,) = of_matrix(1, 1, compared=(between(1, 1, differs=False, most=0.04),))
    (undecided,) = of_matrix(1, 7, compared=(between(1, 7, differs=False, most=0.16),))

    assert same.kind == "no_difference"
    assert (undecided.kind, undecided.high) == ("undecided", 0.16)


def test_a_curve_without_a_step_while_enough_runs_are_left_gives_no_headline():
    start = SurvivalPoint(at=0.0, survival=1.0, low=1.0, high=1.0, runs_left=40)
    step = replace(start, at=3.0, survival=0.5, runs_left=35)
    flat, falling = (
        SurvivalCurve(cell=cell, by="faults", points=points, median=None)
        for cell, points in ((0, (start,)), (2, (start, step)))
    )

    def of_survival(*curves: SurvivalCurve) -> list[tuple[str, tuple[int, ...]]]:
        found = headlines_of(AXES, cells(0, 0, 3, 0), (), curves, replace(SHIPPED.odds, terms=()))
        return [(one.kind, one.cells) for one in found if one.about == "survival"]

    assert of_survival(flat) == [("too_few_runs", ())]
    assert of_survival(flat, falling) == [("survival", (2,)), ("survival", (2,))]
