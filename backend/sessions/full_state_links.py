"""The fragment of a full-state link: a run inside an address. Browsers do not send fragments.

`z=1.` and raw deflate (RFC 1951) of compact JSON in UTF-8, in base64url without padding. The page
has the same codec (frontend/src/service/full-state-link.ts); both read the vectors in
tests/full_state_links.json. docs/reference/links.md describes the format. A version of the format
never changes; a new format gets a new number.
"""

import base64
import binascii
import re
import zlib
from typing import Literal

import msgspec

from backend.limit_table import SCENARIO_BODY_BYTES
from sim_engine import JsonObject

_FRAGMENT = re.compile(r"(?:^|#)z=([0-9]{1,4})\.([A-Za-z0-9_-]*)", re.ASCII)
_VERSION = "1"


class FullStateLinkError(ValueError):
    """The fragment is damaged, or its format is newer than this version."""

    def __init__(self, kind: Literal["damaged", "newer"]) -> None:
        super().__init__(
            "this link was made by a newer version of Highwater"
            if kind == "newer"
            else "this link is incomplete or was changed"
        )
        self.kind = kind


def packed(run: JsonObject) -> str:
    """Encode a run as a fragment, without the `#`."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = deflater.compress(msgspec.json.encode(run)) + deflater.flush()
    return f"z={_VERSION}.{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def unpacked(link: str) -> JsonObject:
    """Decode the run of a fragment, or of an address with a fragment. Raises FullStateLinkError."""
    match = _FRAGMENT.search(link.strip())
    if match is None or match.end() != len(link.strip()):
        raise FullStateLinkError("damaged")
    if match[1] != _VERSION:
        raise FullStateLinkError("newer")
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = base64.b64decode(match[2] + "=" * (-len(match[2]) % 4), b"-_", validate=True)
        written = inflater.decompress(data, SCENARIO_BODY_BYTES.number)
        run = msgspec.json.decode(written, type=dict[str, object])
    except (binascii.Error, zlib.error, msgspec.MsgspecError, UnicodeDecodeError):
        raise FullStateLinkError("damaged") from None
    if not inflater.eof or inflater.unused_data:
        raise FullStateLinkError("damaged")
    return run
