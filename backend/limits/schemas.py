"""The shape of the table of limits on the wire."""

from pydantic import Field

from backend.http.answers import Shape, Text


class LimitRead(Shape):
    name: str
    number: int = Field(description="The largest that is allowed, of `unit`.")
    unit: str
    status: int | None = Field(
        description="The status of the answer past it. Null: no request is refused; the answer is "
        "shorter and says what it lacks, or the connection is closed."
    )
    code: str | None = Field(description="The code of the problem past it; null where no status.")
    what: Text = Field(description="What is limited.")


class LimitListRead(Shape):
    """The `x-limits` of the OpenAPI document, as this service is set up."""

    limits: list[LimitRead]
