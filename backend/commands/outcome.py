"""The end of a command: its settings, its output and its exit status."""

import json
import re
import sys
from collections.abc import Callable, Mapping

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from backend.http.errors import HighwaterError
from backend.identifiers import canonical_id
from backend.operations.migrations import SchemaError
from backend.settings import Settings, SettingsError, read_settings

DONE = 0
NOT_POSSIBLE = 2
_LINK = re.compile(r"/s/([0-9A-Za-z]{26})(?![0-9A-Za-z])")


class CommandError(Exception):
    """The command cannot be carried out; the message is one line for a person."""


def print_result(words: str, document: Mapping[str, object], *, as_json: bool) -> None:
    """Print the result of a command, as text or as JSON."""
    output = json.dumps(document, indent=2, ensure_ascii=False) if as_json else words
    sys.stdout.write(f"{output}\n")


def settings_of(**options: object) -> Settings:
    """The settings from the environment and these options. Raises CommandError if one is
    invalid.
    """
    try:
        return read_settings(**options)
    except SettingsError as error:
        raise CommandError(str(error)) from None


def settings_with_database(**options: object) -> Settings:
    """The settings of a command that only reads: CommandError if a file is named that is none."""
    settings = settings_of(**options)
    if settings.database_file is not None and not settings.database_file.is_file():
        raise CommandError(f"there is no database {settings.database_file}")
    return settings


def status_of(work: Callable[[], None]) -> int:
    """Run a command and return its exit status. An error, of the input or of the database, is
    printed as one line to standard error, with status 2.
    """
    try:
        work()
    except (CommandError, SchemaError) as error:
        message = str(error)
    except HighwaterError as error:
        # The driver's message is for operators; visitors never see it.
        trouble = isinstance(error.__cause__, SQLAlchemyError | OSError)
        message = _of_database(error.__cause__) if trouble else error.detail
    except (SQLAlchemyError, OSError) as error:
        message = _of_database(error)
    else:
        return DONE
    sys.stderr.write(f"highwater: {message}\n")
    return NOT_POSSIBLE


def _of_database(error: BaseException | None) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return f"the database cannot be used: {' '.join(str(cause).split())[:200]}"


def share_id_of(text: str) -> str:
    """A share's canonical id, from the id or from a link to the share. Raises CommandError for any
    other text.
    """
    link = _LINK.search(text)
    share_id = canonical_id(text if link is None else link[1])
    if share_id is None:
        raise CommandError(
            "name a share by its link, or by the 26 letters and digits at the end of its link"
        )
    return share_id
