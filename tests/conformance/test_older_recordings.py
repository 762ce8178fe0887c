"""Which scenarios cover the recordings that scripts outside the repository made."""

from sim_engine.conformance.fidelity import older_recordings, read_fidelity_checks
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import shipped_names
from tests.conformance.fidelity_lists import RECORDINGS

SCHEDULES = RECORDINGS.parent / "schedules"
DRAWN = ("rand", "walk-", "return-at-session-end")
"""How the ids of recordings begin whose steps a program drew."""


UNRECORDED = {
    "cancel-with-one-added-left", "deposition-unseen-crash", "eligible-replica-elected",
    "reassignment-meets-others", "unclean-cancel", "unclean-check", "unclean-cluster-default",
    "unclean-election-disabled",
}  # fmt: skip
"""Scenarios that are written, and whose runs on real brokers did not agree yet."""


def scenarios() -> set[str]:
    return {path.stem for path in SCHEDULES.glob("*.yaml")} | {*shipped_names()}


def test_every_recording_is_of_a_scenario_or_is_covered_by_one() -> None:
    covered = {one for ids in older_recordings().covered.values() for one in ids}
    kept = {one.id for one in read_fidelity_checks().recordings if not one.id.startswith(DRAWN)}

    assert kept - scenarios() - covered == set()


def test_every_scenario_that_covers_others_exists_and_is_recorded() -> None:
    recorded = {one.id for one in read_fidelity_checks().recordings}

    assert older_recordings().covered.keys() <= scenarios()
    assert older_recordings().covered.keys() - recorded == UNRECORDED


def test_what_no_scenario_can_do_is_named_in_every_language() -> None:
    assert all(said.keys() == {*LANGUAGES} for said in older_recordings().not_a_scenario.values())
