"""The id of the current request, which its response and its log lines contain."""

import random
import re
from contextvars import ContextVar

HEADER = "X-Request-Id"
# A client's request id is used if it is safe in a header and in a log.
_ACCEPTED = re.compile(rb"[A-Za-z0-9._-]{1,64}", re.ASCII)

# Only to tell requests apart. The generator of the system would need a system call for each.
_random = random.Random()  # noqa: S311

current_request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that a proxy or a client chose for a request, or a new one."""
    given = [value for name, value in headers if name == b"x-request-id"]
    if len(given) == 1 and _ACCEPTED.fullmatch(given[0]):
        return given[0].decode("ascii")
    return f"{_random.getrandbits(64):016x}"
