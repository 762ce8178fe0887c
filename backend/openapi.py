"""`python -m backend.openapi` prints the OpenAPI document; the frontend's types come from it."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backend.main import create_app
from backend.settings import Settings


def openapi_document() -> dict[str, Any]:
    """The same as the running service answers; no database is opened for it."""
    with TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{Path(folder, 'unused.db')}")
        return create_app(settings).openapi()


def main() -> None:
    json.dump(openapi_document(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
