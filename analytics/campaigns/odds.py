"""Logistic regression: the factor by which each fault and setting multiplies the odds of a loss.

Uses statsmodels, with errors clustered by seed. The runs of one seed meet the same faults in every
cell; treating them as independent would make the intervals too narrow.

If terms predict the outcome of some runs without exception, their odds ratios are infinite or zero.
A linear program finds these runs before the regression (Konis 2007, “Linear programming algorithms
for detecting separated data in binary logistic regression models”). The regression is of the other
runs, in which every term has a finite odds ratio.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from msgspec import Struct
from msgspec.structs import replace
from scipy.optimize import linprog

from analytics.campaigns.comparisons import Value
from analytics.statistics import CONFIDENCE, adjust_p_values
from sim_engine.campaign.summary import Odds, OddsTerm

MOST_RUNS = 300_000
"""The largest number of runs in the regression; those with the lowest seeds are used."""

_NO_GAIN = 1e-5
"""A linear predictor of up to this size is 0, computed with rounding errors."""

_Reason = Literal["never_lost", "always_lost", "constant", "determined", "separated", "few_runs"]


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
    are excluded. So are runs whose outcome several terms predict together. A term that is the same
    in every run has no estimate either.
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
    estimates, reasons = _fit(open_terms, lost, runs["seed"].to_numpy(), kept)
    adjusted = adjust_p_values([estimate.p for estimate in estimates.values()])
    documents = [term.document for term in terms]
    for index, reason in reasons.items():
        documents[index] = replace(documents[index], reason=reason)
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
    reason: _Reason | None = None
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
) -> tuple[dict[int, _Estimate], dict[int, _Reason]]:
    """The estimates by the terms' keys, and why the other terms have none."""
    chosen = _independent(terms, kept)
    reasons: dict[int, _Reason] = {index: "determined" for index in terms if index not in chosen}
    undecided = kept.copy()
    undecided[kept] = _undecided(_design(terms, chosen, kept), lost[kept])
    # Among the undecided runs, a term may be the same in all, or follow from others.
    possible = _independent({index: terms[index] for index in chosen}, undecided)
    reasons |= {index: "separated" for index in chosen if index not in possible}
    # With as many parameters as independent groups, errors cannot be estimated.
    if len(np.unique(seeds[undecided])) <= len(possible) + 1:
        return {}, reasons | dict.fromkeys(possible, "few_runs")
    model = sm.GLM(
        lost[undecided].astype(float),
        _design(terms, possible, undecided),
        family=sm.families.Binomial(),
    )
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": seeds[undecided]})
    interval = np.exp(fitted.conf_int(alpha=1 - CONFIDENCE))
    return {
        index: _Estimate(
            ratio=float(np.exp(fitted.params[place])),
            low=float(interval[place][0]),
            high=float(interval[place][1]),
            p=float(fitted.pvalues[place]),
        )
        for place, index in enumerate(possible, start=1)
    }, reasons


def _independent(terms: Mapping[int, _Term], runs: npt.NDArray[np.bool_]) -> list[int]:
    """The keys of terms of which none is a linear combination of the earlier ones: such a term has
    no separate effect.
    """
    chosen: list[int] = []
    for index in terms:
        wider = _design(terms, [*chosen, index], runs)
        if np.linalg.matrix_rank(wider.T @ wider) == wider.shape[1]:
            chosen.append(index)
    return chosen


def _design(
    terms: Mapping[int, _Term], chosen: Sequence[int], runs: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """One row for each run, one column for the constant and for each chosen term."""
    columns = [terms[index].is_set[runs] for index in chosen]
    return np.column_stack([np.ones(int(runs.sum())), *columns])


def _undecided(
    design: npt.NDArray[np.float64], lost: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """The runs whose outcome no linear predictor gives without exception."""
    undecided = np.ones(len(lost), bool)
    while undecided.any():
        # A predictor is positive for runs that lost, negative for others, or 0: undecided.
        signed = np.where(lost[undecided, None], 1.0, -1.0) * design[undecided]
        patterns = np.unique(signed, axis=0)
        best = linprog(
            -patterns.sum(axis=0), A_ub=-patterns, b_ub=np.zeros(len(patterns)), bounds=(-1, 1)
        )
        assert best.status == 0, "0 is a solution, and all are bounded"
        decided = np.abs(design @ best.x) > _NO_GAIN
        if not (undecided & decided).any():
            break
        undecided &= ~decided
    return undecided
