"""Answers that are encoded straight from plain data, without a model in between."""

import msgspec
from starlette.responses import Response

_encoder = msgspec.json.Encoder()


class JsonAnswer(Response):
    """An answer of plain data, or of JSON that is encoded already."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """JSON as UTF-8."""
        return content if isinstance(content, bytes) else _encoder.encode(content)


def described(model: object, description: str) -> dict[str, object]:
    """One answer of a route, for the OpenAPI document."""
    return {"model": model, "description": description}
