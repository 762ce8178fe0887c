"""The OpenAPI document: what every answer and every error looks like.

`python -m backend.openapi` prints it; the frontend's types come from it.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from backend.errors import PROBLEM_MEDIA_TYPE

# FastAPI describes its own 422; ours is the problem that all errors are.
_FASTAPIS_OWN = ("HTTPValidationError", "ValidationError")
_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def describe(app: FastAPI) -> dict[str, Any]:
    """The document of an app; made once, then the same."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            routes=app.routes,
        )
        for methods in document["paths"].values():
            for operation in methods.values():
                _describe_errors(operation["responses"])
        for name in _FASTAPIS_OWN:
            document["components"]["schemas"].pop(name, None)
        app.openapi_schema = document
    return app.openapi_schema


def _describe_errors(responses: dict[str, Any]) -> None:
    for status, answer in responses.items():
        if int(status) < 400:
            continue
        content = answer.get("content", {})
        schema = next((kind["schema"] for kind in content.values() if "schema" in kind), _PROBLEM)
        if any(schema.get("$ref", "").endswith(f"/{name}") for name in _FASTAPIS_OWN):
            schema = _PROBLEM
        answer["content"] = {PROBLEM_MEDIA_TYPE: {"schema": schema}}


def main() -> None:
    from backend.main import create_app
    from backend.settings import Settings

    with TemporaryDirectory() as folder:  # no database is opened for it
        app = create_app(Settings(database_url=f"sqlite:///{Path(folder, 'unused.db')}"))
        json.dump(app.openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
