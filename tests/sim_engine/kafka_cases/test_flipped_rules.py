"""Each rule of `kafka_history.py` has a test that fails when the rule is inverted.

`KILLERS` is the table: a rule by its KIP or JIRA, and who notices. Where one of Kafka's own cases
does, it stands here; else a test of ours about the releases in which the rule came. That no rule
is without anybody, here or elsewhere, is what `make mutants` holds.
"""

import pytest

from sim_engine.versions import RULE_NAMES
from tests.sim_engine.kafka_cases.flipping import calls_by_case, calls_by_name, fails, flip
from tests.sim_engine.kafka_cases.world import World, values

MODULES = (
    "test_a_epoch_cache",
    "test_b_log_and_high_watermark",
    "test_c_follower_state",
    "test_d_isr_expansion",
    "test_d_isr_shrink",
    "test_d_partition_epochs",
    "test_d_pending_isr",
    "test_e_fetch_validation",
    "test_e_offset_requests",
    "test_e_waiting_requests",
    "test_f_follower_truncation",
    "test_g_end_to_end",
    "test_h1_zookeeper_elections",
    "test_h2_eligible_leader_replicas",
    "test_h2_kraft_elections",
)
HERE = "kafka_cases.test_flipped_rules"
FETCHING = "protocol.follower.test_fetching"
LEADERSHIP = "protocol.leader.test_leadership"
WATERMARK = "protocol.leader.test_high_watermark"
FETCHES = "protocol.leader.test_follower_fetches"
MEMBERSHIP = "protocol.leader.test_isr"
RECORDED = "protocol.test_rules_of_recordings"
CONSUMERS = "simulation.performing.test_consumers"
STOPPING = "simulation.test_stopping"
REQUESTS = "simulation.test_reassignment_requests"
LATE = "simulation.test_late_responses"
WHAT_IF = "scenario_reader.test_library.test_what_a_what_if_loses_no_kafka_loses"

NOT_YET = (
    "simulation.test_controller_settings.test_what_early_kraft_clusters_did_not_know_is_refused"
)

KILLERS: dict[str, tuple[str, ...]] = {
    "KIP-16": ("C16", "D11"),
    "KAFKA-2143": (f"{FETCHING}.test_in_0_8_a_follower_in_range_again_drops_its_whole_log",),
    "KAFKA-3670": (
        "simulation.test_controller_settings."
        "test_a_stopping_leader_is_followed_by_the_first_of_the_isr_up_to_0_9",
    ),
    "KAFKA-2721": (
        f"{LEADERSHIP}.test_a_leader_that_stays_keeps_the_ends_of_its_followers_from_0_9_on",
    ),
    "KAFKA-3924": (f"{FETCHING}.test_a_longer_log_than_the_leaders_ends_the_process_by_version",),
    "KAFKA-4214": (
        f"{REQUESTS}.test_a_dead_target_is_waited_for_from_0_10_1_to_2_3_and_under_kraft",
    ),
    "KAFKA-4485": ("C03", "D10", "D19"),
    "KAFKA-4039": (f"{FETCHING}.test_a_longer_log_than_the_leaders_ends_the_process_by_version",),
    "KIP-101": ("F01", "F19", "G03"),
    "KIP-98": ("E28",),
    "KAFKA-5494": ("protocol.test_producer_state.test_the_last_five_batches_are_recognised",),
    "KAFKA-5758": (
        f"{WATERMARK}.test_an_answer_with_records_has_the_new_high_watermark_in_three_releases",
    ),
    "KAFKA-5758-NO-REPLICA": (f"{FETCHES}.test_up_to_0_11_a_fetch_of_no_replica_fails",),
    "INITIAL-FETCH-AT-HW": (f"{HERE}.test_from_1_1_a_fetcher_begins_at_the_high_watermark",),
    "LAST-ISR-MEMBER-STAYS": ("H05",),
    "PREFERRED-ALWAYS-WRITES": (
        f"{RECORDED}.test_electing_the_preferred_leader_that_leads_already",
    ),
    "KAFKA-6051": (f"{RECORDED}.test_a_broker_that_waits_for_its_last_fetch_handles_no_command",),
    "KIP-279": ("E01", "F17", "G09"),
    "KAFKA-6857": (f"{FETCHING}.test_no_epoch_ends_nowhere_from_1_0_2_and_1_1_1_on",),
    "KAFKA-6796": (
        "simulation.test_no_replica.test_a_live_broker_that_is_no_replica_answers_a_producer",
    ),
    "KAFKA-10223": (
        "simulation.test_no_replica.test_a_live_broker_that_is_no_replica_answers_a_consumer",
    ),
    "KAFKA-7415": ("A07", "B06", "D24", "G02"),
    "KAFKA-7128": ("D17",),
    "KAFKA-7164": ("E26",),
    "KAFKA-7414": ("F12",),
    "KIP-320": ("F09", "F10", "F11"),
    "KAFKA-7152": ("C09", "C17", "D11"),
    "KAFKA-7786": ("F09", f"{LATE}.test_a_lookup_of_an_old_epoch_cuts_up_to_2_1_0"),
    "KAFKA-10149": (
        "simulation.test_controller_settings."
        "test_up_to_3_3_zookeeper_restores_no_preferred_leader_during_a_reassignment",
    ),
    "KAFKA-18635": (
        "simulation.test_controller_settings.test_from_4_0_a_broker_that_registers_leaves_the_isr",
    ),
    "KAFKA-18991": (f"{LATE}.test_a_fetch_of_an_old_epoch_is_applied_up_to_3_9_0_and_in_4_0_0",),
    "KIP-380": (
        "simulation.test_controller_failover.test_a_bounce_is_a_failure_and_a_start_from_2_2_on",
    ),
    "KIP-207": ("E29",),
    "KIP-320-CONSUMER": (
        f"{CONSUMERS}.test_from_2_3_a_consumer_notices_that_its_log_was_truncated",
    ),
    "KIP-392": (f"{CONSUMERS}.test_before_2_4_a_follower_is_not_read_from",),
    "KIP-392-EAGER-WAKE": ("E20",),
    "KIP-460": ("H21", "H45"),
    "KIP-455": (
        "simulation.test_reassignment.test_before_2_4_a_move_under_way_cannot_be_replaced",
    ),
    "KAFKA-8400": (
        f"{FETCHES}.test_up_to_2_3_a_failed_fetch_makes_the_leader_forget_the_followers_end",
    ),
    "KAFKA-8841": (
        f"{WATERMARK}.test_a_fetch_from_where_the_follower_was_moves_no_high_watermark_from_2_4_on",
    ),
    "KIP-360": (
        "protocol.test_producer_state.test_a_producer_without_state_in_the_log_may_continue_from_2_5",
    ),
    "KIP-570": (f"{STOPPING}.test_a_follower_that_shuts_down_stops_fetching",),
    "KAFKA-10706": ("B06",),
    "KIP-497": ("D02", "D04", "D08"),
    "KAFKA-10554": ("F02", "F04", "F18"),
    "KAFKA-13141": ("E18",),
    "KAFKA-12996": (f"{FETCHES}.test_a_fetch_from_below_the_log_is_out_of_range_from_2_8_1_on",),
    "KAFKA-12803": ("H22", NOT_YET),
    "KAFKA-13091": ("D08", "D09"),
    "KAFKA-13162": (NOT_YET,),
    "KIP-704": ("H21",),
    "KAFKA-13682": (NOT_YET,),
    "KIP-841": ("D05", "H42"),
    "KAFKA-13790": ("D21",),
    "KAFKA-13959": (
        "simulation.performing.test_messages."
        "test_up_to_3_2_a_fenced_broker_must_have_read_everything",
    ),
    "KAFKA-16624": (
        "simulation.test_controller_settings."
        "test_from_3_8_only_a_written_shrink_increments_the_epoch_at_an_older_level",
    ),
    "KAFKA-13858": (f"{STOPPING}.test_what_a_stopping_kraft_broker_takes_of_the_metadata",),
    "KAFKA-14296": (f"{STOPPING}.test_a_stopping_kraft_broker_leads_on_up_to_3_3_1",),
    "KAFKA-13837": ("E15",),
    "KAFKA-14078": ("E14",),
    "REPLICA-STATE-MAX": (
        f"{MEMBERSHIP}.test_the_end_remembered_from_a_fetch_does_not_fall_from_3_3_on",
    ),
    "KAFKA-14372": (f"{CONSUMERS}.test_until_3_3_2_a_consumer_is_sent_to_a_follower_that_lags",),
    "KAFKA-14704": ("F03", "F04"),
    "KIP-903": ("D07",),
    "KAFKA-15021": ("H22",),
    "KAFKA-15021-OUTSIDERS": ("D20",),
    "KAFKA-15080": (
        f"{FETCHING}.test_an_empty_first_answer_makes_a_follower_forget_its_epoch_until_3_7",
    ),
    "KAFKA-15583": ("D09",),
    "KAFKA-15221": ("C11",),
    "KAFKA-12670": (
        "H50",
        "simulation.test_controller_settings"
        ".test_a_kraft_controller_reads_the_unclean_setting_from_3_9_on",
    ),
    "KIP-966": ("H36", "H37", "H39"),
    "KAFKA-19522": (
        "kafka_cases.test_h2_eligible_leader_replicas"
        ".test_a_dead_last_known_leader_waits_from_4_1_on",
    ),
    "WHAT-IF-HW-ON-COMMITTED-ISR": (WHAT_IF,),
    "WHAT-IF-HW-ON-PROPOSED-SHRINK": (WHAT_IF,),
}


def test_from_1_1_a_fetcher_begins_at_the_high_watermark():
    begins = {}

    for kafka in ("0.11", "1.1", "2.1"):
        logs = {2: {"log": values(5), "high_watermark": 2}}
        fetcher = World(kafka, replicas=[1, 2], logs=logs).replica(2).fetcher
        assert fetcher is not None
        begins[kafka] = fetcher.fetch_offset

    assert begins == {"0.11": 5, "1.1": 2, "2.1": 2}


def test_the_table_is_of_rules_that_there_are():
    assert set(KILLERS) <= set(RULE_NAMES)


@pytest.mark.parametrize("rule", KILLERS)
def test_a_rule_the_wrong_way_round_is_noticed(rule, monkeypatch):
    cases = calls_by_case(MODULES)
    killers = {
        name: [cases[name]] if name in cases else calls_by_name(name) for name in KILLERS[rule]
    }
    right = [name for name, calls in killers.items() if not any(map(fails, calls))]

    flip(monkeypatch, rule)
    noticed = [name for name, calls in killers.items() if any(map(fails, calls))]

    assert right == list(killers)
    assert noticed == list(killers)
