"""JSON responses that are encoded directly from plain data, without a model."""

import msgspec
from starlette.responses import Response

_encoder = msgspec.json.Encoder()


class PlainJsonResponse(Response):
    """A JSON response from plain data, or from JSON that is already encoded."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Encode the content as JSON in UTF-8. Bytes are already encoded."""
        return content if isinstance(content, bytes) else _encoder.encode(content)


def described(model: object, description: str) -> dict[str, object]:
    """The description of one response of a route, for the OpenAPI document."""
    return {"model": model, "description": description}
