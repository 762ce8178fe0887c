"""Gzip data that can be embedded in a larger gzip stream without recompression.

A share is stored compressed and sent inside a document. Its deflate data therefore ends at a byte
boundary, before an empty final block (RFC 1951 §3.2.3); without that block, more data can follow.
The checksum of the whole is computed from those of its parts.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence

# No name, no time, an unknown system (RFC 1952 §2.3).
_HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
# The end of a sync flush, and an empty final block.
_FLUSHED = b"\x00\x00\xff\xff"
_LAST_BLOCK = b"\x03\x00"
_TRAILER = struct.Struct("<LL")
_END = len(_LAST_BLOCK) + _TRAILER.size
_POLYNOMIAL = 0xEDB88320
_ONE = 1 << 31


def compressed(pieces: Iterable[bytes]) -> bytes:
    """The concatenated pieces as gzip, in the form that `together` needs."""
    deflater = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = bytearray(_HEADER)
    checksum = size = 0
    for piece in pieces:
        data += deflater.compress(piece)
        checksum = zlib.crc32(piece, checksum)
        size += len(piece)
    data += deflater.flush(zlib.Z_SYNC_FLUSH)
    return bytes(data) + _LAST_BLOCK + _TRAILER.pack(checksum, size & 0xFFFFFFFF)


def together(pieces: Sequence[bytes]) -> bytes:
    """Gzip of the concatenated contents of the pieces, which are gzip themselves.

    A piece that `compressed` did not create is decompressed and compressed again.
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
    """The CRC-32 of two concatenated byte strings, from their CRCs and the length of the second.

    A CRC is the remainder of a polynomial over GF(2), with the highest power in the lowest bit.
    Appending bytes multiplies the polynomial so far by x for each of their bits.
    """
    shift, power = _ONE, _ONE >> 8  # 1, and x to the 8th: one byte
    while second_size:
        if second_size & 1:
            shift = _product(shift, power)
        power = _product(power, power)
        second_size >>= 1
    return _product(first, shift) ^ second


def _product(one: int, other: int) -> int:
    """The product of two polynomials modulo the polynomial of CRC-32."""
    product = 0
    for bit in range(31, -1, -1):
        if one >> bit & 1:
            product ^= other
        other = other >> 1 ^ (_POLYNOMIAL if other & 1 else 0)
    return product
