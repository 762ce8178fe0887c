"""Downloads files while a site is built, so that its readers need no network."""

import urllib.error
import urllib.request
from urllib.parse import urlsplit

from highwater_kafka.embedding.addresses import SharedMoment
from highwater_kafka.errors import HighwaterError

_LARGEST_BYTES = 16 * 1024 * 1024
_TIMEOUT_S = 30


class FetchError(HighwaterError):
    """A file could not be downloaded; the message names it and the reason."""


def file_of(
    moment: SharedMoment, extension: str, *, theme: str | None = None, lang: str | None = None
) -> bytes:
    """A file of the moment (see `SharedMoment.file`). Raises FetchError."""
    return fetched(moment.file(extension, theme=theme, lang=lang))


def fetched(address: str) -> bytes:
    """The bytes at an http(s) address.

    Raises FetchError for another scheme, a failed request or a file over the size limit.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise FetchError(f"not fetched, because it is not a web address: {address}")
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT_S) as answer:  # noqa: S310 (see above)
            content: bytes = answer.read(_LARGEST_BYTES + 1)
    except urllib.error.HTTPError as error:
        reason = "its author deleted the run" if error.code == 410 else f"HTTP {error.code}"
        error.close()
        raise FetchError(f"{address}: {reason}") from None
    except (OSError, ValueError) as error:
        raise FetchError(f"{address}: {error}") from None
    if len(content) > _LARGEST_BYTES:
        raise FetchError(f"{address}: larger than {_LARGEST_BYTES} bytes")
    return content
