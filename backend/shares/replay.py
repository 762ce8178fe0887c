"""Replays a share's steps on the current engine."""

from collections.abc import Sequence

from backend.http.errors import NotReplayableError
from backend.shares import verified_rows
from backend.shares.share import Share
from backend.shares.tables import ShareRow
from sim_engine import ENGINE_VERSION, FrameNumber, ScenarioError, Timeline, read_scenario_document


def replayed_row(row: ShareRow) -> Timeline:
    """Replay a stored share with all of its branches. Raises DamagedError."""
    verified_rows.checked_frames(row)
    if row.tree_record is None:
        return replayed(row)
    return _played(row, [(after, step, item) for after, step, item, _ in row.tree_record])


def replayed(share: ShareRow | Share) -> Timeline:
    """Replay the steps of a share's branch on the current engine.

    Raises NotReplayableError if the engine cannot perform them.
    """
    return _played(share, [(after, step, item) for after, step, item in share.record])


def _played(
    share: ShareRow | Share,
    steps: Sequence[tuple[FrameNumber, dict[str, object], int | None]],
) -> Timeline:
    try:
        return Timeline.replay(
            read_scenario_document(share.scenario),
            kafka=share.kafka,
            control=share.control,
            steps=steps,
        )
    except (ScenarioError, ValueError, IndexError) as error:
        raise NotReplayableError(
            f"This share was made by engine {share.engine}; engine {ENGINE_VERSION} cannot play "
            "its steps. The link still shows it.",
            code="engine_changed",
        ) from error
