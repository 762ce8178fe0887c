import pytest
from msgspec import Struct

from sim_engine.json_types import Document, copied


class Record(Struct):
    offset: int
    value: str
    id: str


class RecordDocument(Document, frozen=True, kw_only=True):
    offset: int
    value: str
    copies: int


def test_a_copy_has_the_fields_of_its_source_and_the_computed_ones():
    record = Record(offset=2, value="m3", id="1:2")

    document = copied(RecordDocument, record, value="m4", copies=3)

    assert document == RecordDocument(offset=2, value="m4", copies=3)


def test_a_field_that_neither_the_source_has_nor_the_caller_computes_is_an_error():
    with pytest.raises(AttributeError, match="copies"):
        copied(RecordDocument, Record(offset=2, value="m3", id="1:2"))
