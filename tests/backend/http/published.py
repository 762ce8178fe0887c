"""Validates frames against the schema that the service publishes."""

from typing import Any

import msgspec
from jsonschema_rs import Validator, validator_for

from backend.main import create_app
from backend.settings import Settings
from sim_engine.documents.frames import frame_document
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline


def published_schemas() -> dict[str, Any]:
    """The components of the OpenAPI document."""
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    schemas: dict[str, Any] = app.openapi()["components"]["schemas"]
    return schemas


def frame_validator() -> Validator:
    """For whole frames, with the numbers of their events as `{kind: numbers}`."""
    schemas = published_schemas()
    numbers = schemas["EventNumbers"]
    del numbers["required"]
    return validator_for(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
                "frame": {"$ref": "#/components/schemas/FrameDocument"},
                "numbers": {"items": {"$ref": "#/components/schemas/EventNumbers"}},
            },
            "required": ["frame", "numbers"],
            "components": {"schemas": schemas},
        }
    )


def hold_frames(timeline: Timeline, validator: Validator) -> None:
    """Play a run to its end and validate every frame against the published schema."""
    timeline.run_all()
    for number in range(len(timeline.frames)):
        document = frame_document(timeline, FrameNumber(number))
        frame = msgspec.json.decode(msgspec.json.encode(document))
        numbers = [{event["kind"]: event["numbers"]} for event in frame["events"]]
        validator.validate({"frame": frame, "numbers": numbers})
