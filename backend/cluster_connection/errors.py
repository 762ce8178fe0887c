"""Why a cluster cannot be read, as one sentence for a person."""

from collections.abc import Iterable


class ConnectionFailedError(Exception):
    """A broker cannot be used, or an option is invalid; the message has no secret."""


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text on one line, with `…` in place of each secret: brokers and libraries repeat what
    they were sent.
    """
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "…")
    return " ".join(text.split())
