"""`highwater openapi`: the OpenAPI document of the API."""

import json
import sys

from backend.commands.outcome import DONE
from backend.main import create_app
from backend.settings import Settings


def print_openapi() -> int:
    """Print the OpenAPI document as JSON, and return the exit status."""
    # This opens no database, because the app is not started.
    app = create_app(Settings(database_url="sqlite:///unused.db"))
    json.dump(app.openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
    return DONE
