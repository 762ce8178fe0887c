"""Frames held against the schema that the service publishes."""

from typing import Any

import msgspec
from jsonschema_rs import Validator, validator_for

from backend.main import create_app
from backend.settings import Settings
from sim_engine import Timeline, frame_document
from sim_engine.identifiers import FrameNumber


def published_schemas() -> dict[str, Any]:
    """The components of the OpenAPI document."""
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    schemas: dict[str, Any] = app.openapi()["components"]["schemas"]
    return schemas


def frame_validator() -> Validator:
    """For whole frames."""
    return validator_for(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": "#/components/schemas/FrameDocument",
            "components": {"schemas": published_schemas()},
        }
    )


def hold_frames(timeline: Timeline, validator: Validator) -> None:
    """Play a run to its end; every frame of it must be of the published shape."""
    timeline.run_all()
    for number in range(len(timeline.frames)):
        validator.validate(
            msgspec.json.decode(msgspec.json.encode(frame_document(timeline, FrameNumber(number))))
        )
