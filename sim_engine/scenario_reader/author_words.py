"""Reads notes, questions and expectations."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sim_engine.actions import Ask, Expect, Note, name_of
from sim_engine.actions.author_words import (
    ERROR_NAME_PATTERN,
    MAX_ANSWER_CHARACTERS,
    MAX_ANSWERS,
    MAX_NOTE_CHARACTERS,
    MAX_REASON_CHARACTERS,
    PARTITION_KEYS,
    PROPERTY_NAMES,
)
from sim_engine.actions.fields import MAX_BROKERS, MAX_OFFSET, MAX_RECORDS, FieldSpec, specs_of
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.applicability import CONDITION_KEYS
from sim_engine.scenario_reader.cluster_layout import check_broker_key, check_replica
from sim_engine.scenario_reader.cluster_version import check_version_ranges, read_condition
from sim_engine.scenario_reader.source import pointer
from sim_engine.scenario_reader.starting_logs import read_epoch_pairs, split_records
from sim_engine.scenario_reader.step_scope import NO_PARTITION, StepScope

_ERROR_NAME = re.compile(ERROR_NAME_PATTERN)


def read_note(scope: StepScope, value: object, where: str) -> Note:
    """Read a text for all languages, or a mapping by language, which may have a condition."""
    checker = scope.checker
    if not isinstance(value, dict):
        text = checker.text(value, where, what=noun("a_note"), most=MAX_NOTE_CHARACTERS)
        return Note(text=text)
    given = checker.mapping(value, where, what=name_of(Note), known=(*LANGUAGES, *CONDITION_KEYS))
    words = checker.words_of(given, where, what=noun("a_note"), most=MAX_NOTE_CHARACTERS)
    condition = read_condition(checker, given, where)
    return Note(text=words, **condition)


def read_question(scope: StepScope, value: object, where: str) -> Ask | None:
    """Read a question with its answers; None if it is not a mapping."""
    checker = scope.checker
    given = checker.mapping(
        value,
        where,
        what=name_of(Ask),
        known=(*LANGUAGES, "answers", "correct", "reasons", *CONDITION_KEYS),
        required=("answers", "correct"),
    )
    if not given:
        return None
    words = checker.words_of(given, where, what=noun("a_question"), most=MAX_NOTE_CHARACTERS)
    answers_where = pointer(where, "answers")
    answers = checker.items(
        given.get("answers", ["", ""]), answers_where, what="answers", least=2, most=MAX_ANSWERS
    )
    return Ask(
        text=words,
        answers=tuple(
            checker.text(
                answer,
                pointer(answers_where, index),
                what=noun("an_answer"),
                most=MAX_ANSWER_CHARACTERS,
            )
            for index, answer in enumerate(answers)
        ),
        correct=checker.integer(
            given.get("correct", 0),
            pointer(where, "correct"),
            0,
            max(len(answers) - 1, 0),
            what=noun("correct_answer"),
        ),
        reasons=_reasons(scope, given, where, answers=len(answers)),
        **read_condition(checker, given, where),
    )


def _reasons(
    scope: StepScope, given: Mapping[str, object], where: str, *, answers: int
) -> tuple[Mapping[str, str], ...] | None:
    """Read one text for each answer; None if there are none."""
    if "reasons" not in given:
        return None
    checker = scope.checker
    reasons_where = pointer(where, "reasons")
    reasons = checker.items(given["reasons"], reasons_where, what="reasons", most=MAX_ANSWERS)
    if isinstance(given["reasons"], list) and len(reasons) != answers:
        checker.report(
            reasons_where,
            error("reason_count", expected=answers, count=len(reasons)),
            code="missing" if len(reasons) < answers else "too_many",
        )
    return tuple(
        checker.text(
            reason, pointer(reasons_where, index), what=noun("a_reason"), most=MAX_REASON_CHARACTERS
        )
        for index, reason in enumerate(reasons)
    )


def read_expectation(scope: StepScope, value: object, where: str) -> Expect:
    """Read an expectation. If there are several partitions, an expectation about one must
    name it.
    """
    checker = scope.checker
    specs = {spec.written: spec for spec in specs_of(Expect)}
    given = checker.mapping(value, where, what=name_of(Expect), known=tuple(specs))
    if isinstance(value, dict) and not set(given) - {"partition", "kafka"}:
        checker.report(where, error("expectation_empty"), code="missing")
    # Any: the arguments of the constructor below.
    expected: dict[str, Any] = {}
    partition = (
        next(iter(scope.partitions), TopicPartition(""))
        if len(scope.partitions) == 1
        else NO_PARTITION
    )
    if "partition" in given:
        partition = scope.partition(given["partition"], pointer(where, "partition"))
        expected["partition"] = partition
    elif len(scope.partitions) > 1 and any(key in given for key in PARTITION_KEYS):
        first = next(iter(scope.partitions))
        checker.report(
            where,
            error("partition_not_named", name=first),
            code="missing",
        )
    if "kafka" in given:
        expected["kafka"] = check_version_ranges(
            checker, given["kafka"], pointer(where, "kafka"), what="kafka"
        )
    replicas = scope.replicas(partition)
    for key, item in given.items():
        if key in specs and key not in ("partition", "kafka"):
            expected[key] = _expected(scope, specs[key], item, pointer(where, key), replicas)
    return Expect(**expected)


def _expected(
    scope: StepScope, spec: FieldSpec, value: object, where: str, replicas: Sequence[BrokerId]
) -> object:
    checker = scope.checker
    key = spec.written
    if key == "leader":
        if value == NO_LEADER and not isinstance(value, bool):
            return NO_LEADER
        return check_replica(checker, value, where, replicas, what=noun("the_leader_or_none"))
    if key in ("isr", "elr"):
        members = checker.items(value, where, what=key, most=MAX_BROKERS)
        return tuple(
            check_replica(
                checker, member, pointer(where, index), replicas, what=noun("a_member", of=key)
            )
            for index, member in enumerate(members)
        )
    if key == "replicas":
        return _expected_replicas(scope, value, where, replicas)
    if key in ("violated", "holds"):
        return tuple(
            checker.one_of(item, pointer(where, index), PROPERTY_NAMES, what=noun("a_property"))
            for index, item in enumerate(
                checker.items(value, where, what=key, most=len(PROPERTY_NAMES))
            )
        )
    if key == "errors":
        return {
            name: None if given is None else _error_name(scope, given, pointer(where, name))
            for name, given in checker.mapping(value, where, what=key).items()
        }
    if key == "read":
        return {
            name: scope.values(values, pointer(where, name))
            for name, values in checker.mapping(value, where, what=key).items()
        }
    if spec.role == "values":
        return scope.values(value, where)
    if spec.kind is bool:
        return checker.switch(value, where, what=key)
    return checker.integer(value, where, spec.lowest, spec.highest, what=key)


def _error_name(scope: StepScope, value: object, where: str) -> str:
    return scope.checker.matching(
        value,
        where,
        _ERROR_NAME,
        what=noun("an_error"),
        right=noun("error_names"),
    )


def _expected_replicas(
    scope: StepScope, value: object, where: str, replicas: Sequence[BrokerId]
) -> dict[str, object]:
    expected: dict[str, object] = {}
    for key, item in scope.checker.mapping(value, where, what="replicas").items():
        inner = pointer(where, key)
        if check_broker_key(scope.checker, key, inner, replicas, what="replicas") is not None:
            expected[key] = _expected_replica(scope, item, inner)
    return expected


def _expected_replica(scope: StepScope, value: object, where: str) -> Mapping[str, object]:
    checker = scope.checker
    given = checker.mapping(
        value, where, what=noun("a_replica"), known=("log", "leo", "hw", "epochs")
    )
    held: dict[str, object] = {}
    if "log" in given:
        log_where = pointer(where, "log")
        words = split_records(checker, given["log"], log_where)
        if sum(count or 1 for _, count, _ in words) > MAX_RECORDS:
            checker.report(
                log_where,
                error("too_many_records", most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log",
            )
        held["log"] = given["log"]
    for name in ("leo", "hw"):
        if name in given:
            held[name] = (
                None
                if given[name] is None
                else checker.integer(given[name], pointer(where, name), 0, MAX_OFFSET, what=name)
            )
    if "epochs" in given:
        held["epochs"] = (
            None
            if given["epochs"] is None
            else read_epoch_pairs(checker, given["epochs"], pointer(where, "epochs"))
        )
    return held
