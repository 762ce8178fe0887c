"""Logistic regression: the factor by which each fault and setting multiplies the odds of a loss.

Uses statsmodels, with errors clustered by seed. The runs of one seed meet the same faults in every
cell; treating them as independent would make the intervals too narrow.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from msgspec import Struct
from msgspec.structs import replace

from analytics.campaigns.comparisons import Value
from analytics.statistics import CONFIDENCE, adjust_p_values
from sim_engine.campaign.summary import Odds, OddsTerm

MOST_RUNS = 300_000
"""The largest number of runs in the regression; those with the lowest seeds are used."""

_LIMIT = 20.0
"""A larger log odds ratio indicates a separation that the counts did not show."""


class _Term(Struct, frozen=True, kw_only=True):
    document: OddsTerm
    """Without an estimate, until the regression has been run."""
    is_set: npt.NDArray[np.bool_]


class _Estimate(Struct, frozen=True, kw_only=True):
    ratio: float
    low: float
    high: float
    p: float


def odds_of_loss(
    runs: pd.DataFrame,
    *,
    kinds: Sequence[str],
    axes: Mapping[str, Sequence[Value]],
    settings: Sequence[Mapping[str, Value]],
) -> Odds:
    """Run the regression over `runs`, which has the columns `cell`, `seed`, `lost` and each of
    `kinds`.

    `settings` has the settings of each cell. A setting is compared with the first value of its
    axis. A term whose runs all lost, or all kept, their records has no finite estimate; their runs
    are excluded. A term that is the same in every run has none either.
    """
    lost = runs["lost"].to_numpy(bool)
    cells = runs["cell"].to_numpy(int)
    terms = [_term(runs[kind].to_numpy(bool), lost, "fault", kind) for kind in kinds]
    seen: set[bytes] = set()
    for name, values in axes.items():
        for value in values[1:]:
            is_set = np.array([cell[name] == value for cell in settings], bool)[cells]
            # The axis is determined by another one, such as the controller by the release.
            if is_set.tobytes() in seen or (~is_set).tobytes() in seen:
                continue
            seen.add(is_set.tobytes())
            terms.append(_term(is_set, lost, "setting", name, value, values[0]))
    kept = np.ones(len(runs), bool)
    for term in terms:
        if term.document.reason in ("never_lost", "always_lost"):
            kept &= ~term.is_set
    open_terms = {index: term for index, term in enumerate(terms) if term.document.reason is None}
    estimates = _fit(open_terms, lost, runs["seed"].to_numpy(), kept)
    adjusted = adjust_p_values([estimate.p for estimate in estimates.values()])
    documents = [term.document for term in terms]
    for index in open_terms.keys() - estimates.keys():
        documents[index] = replace(documents[index], reason="determined")
    for (index, estimate), p_adjusted in zip(estimates.items(), adjusted, strict=True):
        is_clear = p_adjusted < 1 - CONFIDENCE
        documents[index] = replace(
            documents[index],
            odds_ratio=estimate.ratio,
            low=estimate.low,
            high=estimate.high,
            p_adjusted=p_adjusted,
            effect=("harms" if estimate.ratio > 1 else "protects") if is_clear else "none",
        )
    documents.sort(key=lambda term: (term.odds_ratio is None, -(term.odds_ratio or 0.0)))
    return Odds(runs=len(runs), lost=int(lost.sum()), terms=tuple(documents))


def _term(
    is_set: npt.NDArray[np.bool_],
    lost: npt.NDArray[np.bool_],
    kind: Literal["fault", "setting"],
    name: str,
    value: Value | None = None,
    reference: Value | None = None,
) -> _Term:
    runs, losses = int(is_set.sum()), int((is_set & lost).sum())
    reason: Literal["never_lost", "always_lost", "constant"] | None = None
    if runs in (0, len(is_set)):  # in all runs or in none, so there is nothing to compare
        reason = "constant"
    elif losses in (0, runs):
        reason = "always_lost" if losses else "never_lost"
    return _Term(
        document=OddsTerm(
            kind=kind,
            name=name,
            value=value,
            reference=reference,
            runs=runs,
            lost=losses,
            odds_ratio=None,
            low=None,
            high=None,
            p_adjusted=None,
            effect="unknown",
            reason=reason,
        ),
        is_set=is_set,
    )


def _fit(
    terms: Mapping[int, _Term],
    lost: npt.NDArray[np.bool_],
    seeds: npt.NDArray[np.int64],
    kept: npt.NDArray[np.bool_],
) -> dict[int, _Estimate]:
    """The estimates by the terms' keys; empty if nothing can be fitted."""
    outcome = lost[kept]
    if not 0 < outcome.sum() < len(outcome):
        return {}
    chosen: list[int] = []
    design = np.ones((len(outcome), 1))
    for index, term in terms.items():
        wider = np.column_stack([design, term.is_set[kept]])
        # A column that is a linear combination of the others has no separate effect.
        if np.linalg.matrix_rank(wider.T @ wider) == wider.shape[1]:
            design, chosen = wider, [*chosen, index]
    model = sm.GLM(outcome.astype(float), design, family=sm.families.Binomial())
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": seeds[kept]})
    interval = fitted.conf_int(alpha=1 - CONFIDENCE)
    estimates: dict[int, _Estimate] = {}
    for place, index in enumerate(chosen, start=1):
        log_odds = float(fitted.params[place])
        if abs(log_odds) < _LIMIT and np.isfinite(fitted.bse[place]):
            low, high = (float(bound) for bound in np.exp(interval[place]))
            p = float(fitted.pvalues[place])
            estimates[index] = _Estimate(ratio=float(np.exp(log_odds)), low=low, high=high, p=p)
    return estimates
