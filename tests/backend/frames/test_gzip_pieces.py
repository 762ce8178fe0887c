"""Compressed data inside other data, without recompression."""

import gzip
import random
import zlib
from collections.abc import Callable

import pytest

from backend.frames import gzip_pieces
from backend.frames.gzip_pieces import compressed, together

TEXTS = [b"", b"x", b'{"a":[1,2,3]}' * 500, random.Random(1).randbytes(70_000)]


@pytest.mark.parametrize("stored", TEXTS, ids=len)
@pytest.mark.parametrize("pack", [lambda text: compressed([text[:9], text[9:]]), gzip.compress])
def test_stored_data_and_what_surrounds_it_form_one_gzip_stream(
    stored: bytes, pack: Callable[[bytes], bytes]
):
    packed = pack(stored)

    whole = together([compressed([b'{"frames":']), packed, compressed([b"}"])])

    assert gzip.decompress(packed) == stored
    # One member: browsers ignore a second one.
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    assert reader.decompress(whole) == b'{"frames":' + stored + b"}"
    assert (reader.eof, reader.unused_data) == (True, b"")


def test_stored_data_is_not_compressed_again(monkeypatch: pytest.MonkeyPatch):
    stored = compressed([b"x" * 1_000_000])
    packed: list[int] = []

    def counted(pieces: list[bytes]) -> bytes:
        packed.extend(map(len, pieces))
        return compressed(pieces)

    monkeypatch.setattr(gzip_pieces, "compressed", counted)
    whole = together([compressed([b"["]), stored, compressed([b"]"])])

    assert gzip.decompress(whole) == b"[" + b"x" * 1_000_000 + b"]"
    assert packed == []
