"""The schema of the table of limits."""

from pydantic import Field

from backend.http.response_models import Shape, Text


class LimitRead(Shape):
    """One limit of the service."""

    name: str
    number: int = Field(description="The maximum, in `unit`.")
    unit: str
    status: int | None = Field(
        description="The status when it is exceeded. Null: no request is refused; the response is "
        "truncated with a note, or the connection is closed."
    )
    code: str | None = Field(
        description="The code of the problem when it is exceeded; null if `status` is null."
    )
    what: Text = Field(description="What is limited.")


class LimitListRead(Shape):
    """`x-limits` of the OpenAPI document, with this service's settings."""

    limits: list[LimitRead]
