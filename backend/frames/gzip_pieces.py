"""Gzip that can be put between other bytes without being read or compressed again.

A share is stored compressed and sent inside a document. So its data ends at a whole byte, before
an empty last block (RFC 1951 §3.2.3): without that block, more can follow. The checksum of the
whole follows from those of its parts.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence

# No name, no time, an unknown system (RFC 1952 §2.3).
_HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
# What a sync flush ends with, and a last block with nothing in it.
_FLUSHED = b"\x00\x00\xff\xff"
_LAST_BLOCK = b"\x03\x00"
_TRAILER = struct.Struct("<LL")
_END = len(_LAST_BLOCK) + _TRAILER.size
_POLYNOMIAL = 0xEDB88320
_ONE = 1 << 31


def compressed(pieces: Iterable[bytes]) -> bytes:
    """Gzip of the pieces, one after another, for `between`."""
    deflater = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = bytearray(_HEADER)
    checksum = size = 0
    for piece in pieces:
        data += deflater.compress(piece)
        checksum = zlib.crc32(piece, checksum)
        size += len(piece)
    data += deflater.flush(zlib.Z_SYNC_FLUSH)
    return bytes(data) + _LAST_BLOCK + _TRAILER.pack(checksum, size & 0xFFFFFFFF)


def between(before: bytes, stored: bytes, after: bytes) -> bytes:
    """Gzip of `before`, of what `stored` is gzip of, and of `after`."""
    return together([compressed([before]), stored, compressed([after])])


def together(pieces: Sequence[bytes]) -> bytes:
    """Gzip of what the pieces are gzip of, one after another.

    What was not made by `compressed` is unpacked and compressed again.
    """
    inner: list[bytes] = []
    checksum = total = 0
    for piece in pieces:
        joinable = piece.startswith(_HEADER) and piece[-_END - 4 : -_TRAILER.size] == (
            _FLUSHED + _LAST_BLOCK
        )
        part = piece if joinable else compressed([zlib.decompress(piece, zlib.MAX_WBITS | 16)])
        of_part, size = _TRAILER.unpack(part[-_TRAILER.size :])
        checksum = _joined(checksum, of_part, size)
        total = (total + size) & 0xFFFFFFFF
        inner.append(part[len(_HEADER) : -_END])
    return _HEADER + b"".join(inner) + _LAST_BLOCK + _TRAILER.pack(checksum, total)


def _joined(first: int, second: int, second_size: int) -> int:
    """The CRC-32 of two texts, one after the other, from theirs and the length of the second.

    A CRC is the remainder of a polynomial over GF(2), highest power in the lowest bit: bytes that
    follow multiply what came before by x for each of their bits.
    """
    shift, power = _ONE, _ONE >> 8  # 1, and x to the 8th: one byte
    while second_size:
        if second_size & 1:
            shift = _product(shift, power)
        power = _product(power, power)
        second_size >>= 1
    return _product(first, shift) ^ second


def _product(one: int, other: int) -> int:
    """Two polynomials, multiplied, modulo that of CRC-32."""
    product = 0
    for bit in range(31, -1, -1):
        if one >> bit & 1:
            product ^= other
        other = other >> 1 ^ (_POLYNOMIAL if other & 1 else 0)
    return product
