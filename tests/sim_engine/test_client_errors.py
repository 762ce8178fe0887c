"""The errors of Kafka's protocol: each that a response can have is named and explained."""

import pytest

from sim_engine.client_errors import CLIENT_ERRORS
from sim_engine.identifiers import ErrorCode
from sim_engine.languages import LANGUAGES, messages


def test_each_error_of_a_response_has_its_number_and_exception():
    assert set(CLIENT_ERRORS) == set(ErrorCode) - {ErrorCode.NONE}
    numbers = [error.number for error in CLIENT_ERRORS.values()]
    assert numbers == sorted(set(numbers))
    for error in CLIENT_ERRORS.values():
        assert error.exception.endswith("Exception")


def test_an_error_is_also_known_by_its_former_name():
    error = CLIENT_ERRORS[ErrorCode.NOT_LEADER_OR_FOLLOWER]

    assert error.number == 6
    assert "NotLeaderForPartitionException" in error.names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_error_is_explained_and_nothing_else(lang):
    assert set(messages(lang, "client_errors")) == {str(code) for code in CLIENT_ERRORS}
