import pytest

from backend.identifiers import canonical_id, hashed, new_id


def test_a_new_id_is_its_own_canonical_form_and_never_the_same_twice():
    ids = {new_id() for _ in range(1000)}

    assert len(ids) == 1000
    assert all(canonical_id(identifier) == identifier for identifier in ids)


def test_what_people_type_is_read_as_what_was_meant():
    assert canonical_id("0O1IL" + "A" * 21) == "00111" + "a" * 21


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "1" * 25,
        "1" * 27,
        "1" * 10_000,
        "8" + "1" * 25,
        "u" * 26,
        "1" * 25 + "é",
        "١" * 26,
        ":key",
        "../" * 8 + "ab",
        "1" * 25 + "\n",
    ],
)
def test_what_cannot_be_an_id_is_none(text: str):
    assert canonical_id(text) is None


def test_a_log_identifies_an_id_by_its_hash_without_revealing_it():
    identifier = new_id()

    assert len(hashed(identifier)) == 8
    assert identifier not in hashed(identifier)
