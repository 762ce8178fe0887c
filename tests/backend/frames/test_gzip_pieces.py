"""Compressed data inside other data, without recompression."""

import gzip
import random
import zlib
from collections.abc import Callable

import pytest

from backend.frames import gzip_pieces
from backend.frames.gzip_pieces import compressed, together
from backend.shares import share
from tests.backend.conftest import Service
from tests.backend.test_share_branches import branched

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


async def test_stored_data_is_not_compressed_again(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await branched(sqlite_service)
    sid = (await sqlite_service.share(session["id"], session["head"], branches=True))["sid"]
    stored = await sqlite_service.services.shares.get(sid)
    packed: list[bytes] = []

    def counted(pieces: list[bytes]) -> bytes:
        packed.extend(pieces)
        return compressed(pieces)

    monkeypatch.setattr(gzip_pieces, "compressed", counted)
    monkeypatch.setattr(share, "compressed", counted)
    whole = stored.zipped_document()

    assert gzip.decompress(whole) == stored.document()
    before, *between = packed
    assert before == stored.document().partition(stored.packed_frames)[0]
    assert between == [b',"other_frames":', b"}"]
