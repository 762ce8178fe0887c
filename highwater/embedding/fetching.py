"""What a site downloads while it is built, so that its readers need no network."""

import urllib.error
import urllib.request
from urllib.parse import urlsplit

from highwater.embedding.addresses import SharedMoment

_LARGEST_BYTES = 16 * 1024 * 1024
_TIMEOUT_S = 30


class FetchError(Exception):
    """A file could not be had; the message names it and says why."""


def picture_of(moment: SharedMoment, *, theme: str | None = None, lang: str | None = None) -> bytes:
    """The picture as SVG. Raises FetchError."""
    return fetched(moment.picture(theme=theme, lang=lang))


def run_of(moment: SharedMoment) -> bytes:
    """The whole run as the service's JSON. Raises FetchError."""
    return fetched(f"{moment.service}/s/{moment.sid}.json")


def fetched(address: str) -> bytes:
    """What stands at an address. Raises FetchError."""
    if urlsplit(address).scheme not in ("http", "https"):
        raise FetchError(f"not fetched, because it is no web address: {address}")
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
