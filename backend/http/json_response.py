"""Answers that are encoded straight from plain data, without a model in between."""

from typing import Any

import msgspec
from starlette.responses import Response

_encoder = msgspec.json.Encoder()


class JsonAnswer(Response):
    """An answer of plain data, or of JSON that is encoded already."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """JSON as UTF-8."""
        return content if isinstance(content, bytes) else _encoder.encode(content)


def described(model: Any, description: str) -> dict[str, Any]:
    """One answer of a route, for the OpenAPI document."""
    return {"model": model, "description": description}
