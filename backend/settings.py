"""Configuration, from `HIGHWATER_*` environment variables only.

An unknown `HIGHWATER_*` variable is an error, so a misspelled name is never silently ignored.
"""

import ipaddress
import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from backend.limit_table import (
    ACTIONS_A_MINUTE,
    ANSWERING_SECONDS_A_MINUTE,
    QUOTAS,
    SEARCHES_A_MINUTE,
    SESSIONS_A_MINUTE,
    SHARES_A_MINUTE,
    STORED_BYTES_AN_HOUR,
    TRANSFERRED_BYTES_A_MINUTE,
    Limit,
)

PREFIX = "HIGHWATER_"
# The test suite uses these variables, and it runs in the same environment as the service.
_READ_BY_TESTS = frozenset({"HIGHWATER_ALLOW_MISSING"})
_REPOSITORY = Path(__file__).resolve().parent.parent
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class SettingsError(Exception):
    """A setting is invalid. The message is one line for the operator."""


def _database_url(url: str) -> str:
    try:
        name = make_url(url).get_backend_name()
    except ArgumentError:
        name = ""
    if name not in _DRIVERS:
        raise ValueError("must be sqlite:///FILE or postgresql://USER@HOST/NAME")
    if name == "sqlite" and make_url(url).database in (None, "", ":memory:"):
        raise ValueError("must be a file (sqlite:///FILE), because sessions must survive a restart")
    return url


def _public_url(url: str) -> str:
    if url and not url.startswith(("http://", "https://")):
        raise ValueError("must begin with http:// or https://")
    if any(c.isspace() or c in "\"'<>;," for c in url):
        raise ValueError("must be an address without path, query or user")
    return url.rstrip("/")


def _frame_ancestors(sources: str) -> str:
    if not sources.strip() or any(c in ";,\r\n" for c in sources):
        raise ValueError(
            "must be valid in a frame-ancestors directive, for example * or https://a.b"
        )
    return " ".join(sources.split())


def _trusted_proxies(addresses: str) -> str:
    listed = [address.strip() for address in addresses.split(",") if address.strip()]
    for address in listed:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise ValueError(
                f"must be IP addresses or networks, separated by commas; {address} is neither"
            ) from None
    return ",".join(listed)


def _folder(path: Path | None) -> Path | None:
    if path is not None and not path.is_dir():
        raise ValueError("must be a folder that exists")
    return path


def _quota(limit: Limit, what: str) -> int:
    """A field, which passes for its value as pydantic's own do."""
    field: int = Field(limit.number, ge=0, description=f"{what}; 0: unlimited.")
    return field


class Settings(BaseSettings):
    """The settings of a running service. Each field is the variable `HIGHWATER_` plus its name in
    upper case."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 picks a free port.")
    database_url: Annotated[str, AfterValidator(_database_url)] = Field(
        "sqlite:///highwater.db", description="sqlite:///FILE or postgresql://USER@HOST/NAME."
    )
    public_url: Annotated[str, AfterValidator(_public_url)] = Field(
        "", description="Public base URL, used in links, cards and embeds."
    )
    frame_ancestors: Annotated[str, AfterValidator(_frame_ancestors)] = Field(
        "*", description="Sites that may embed a share, as in the frame-ancestors directive."
    )
    trusted_proxies: Annotated[str, AfterValidator(_trusted_proxies)] = Field(
        "127.0.0.1,::1",
        description="Addresses or networks of proxies whose X-Forwarded-For is trusted.",
    )
    processes: int = Field(
        1,
        ge=1,
        le=1000,
        description="Processes that serve the same database, without their computing processes; "
        "each enforces its part of the quotas.",
    )
    computing_process: bool = Field(
        True,
        description="Whether a process of its own computes runs, so that nobody else waits for a "
        "long one. Windows computes them in the serving process.",
    )
    sessions_a_minute: int = _quota(
        SESSIONS_A_MINUTE, "Runs that one visitor may start in a minute"
    )
    actions_a_minute: int = _quota(
        ACTIONS_A_MINUTE, "Actions that one visitor may take in a minute"
    )
    shares_a_minute: int = _quota(
        SHARES_A_MINUTE, "Shares and presentations that one visitor may create in a minute"
    )
    searches_a_minute: int = _quota(
        SEARCHES_A_MINUTE, "Searches that one visitor may start in a minute"
    )
    answering_seconds_a_minute: int = _quota(
        ANSWERING_SECONDS_A_MINUTE,
        "Processor time of the serving process for all requests of one visitor in a minute",
    )
    transferred_bytes_a_minute: int = _quota(
        TRANSFERRED_BYTES_A_MINUTE,
        "Bytes of all requests of one visitor, and of the responses, in a minute",
    )
    stored_bytes_an_hour: int = _quota(
        STORED_BYTES_AN_HOUR,
        "Bytes of runs, shares and presentations that one visitor may store in an hour",
    )
    campaigns: Annotated[Path | None, AfterValidator(_folder)] = Field(
        None, description="A folder of campaigns, whose summaries the insights page shows."
    )
    drain_seconds: float = Field(
        2,
        ge=0,
        le=300,
        description="How long the service still responds after SIGTERM, while it reports that it "
        "is not ready.",
    )
    frontend_folder: Path = Field(
        _REPOSITORY / "frontend" / "dist", description="The built frontend."
    )
    figure_script: Path = Field(
        _REPOSITORY / "frontend" / "dist-server" / "figure.js",
        description="The page's drawing code, compiled for the server.",
    )

    @property
    def quotas(self) -> dict[str, int]:
        """Limit name → how much of it one visitor may use; 0: unlimited."""
        numbers: dict[str, int] = self.model_dump(include={limit.name for limit in QUOTAS})
        return numbers

    @property
    def base_url(self) -> str:
        """The base of all links. It never comes from a request's Host header."""
        if self.public_url:
            return self.public_url
        host = "127.0.0.1" if self.host in ("", "0.0.0.0", "::") else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def picture_fonts(self) -> Path:
        """The fonts for PNG pictures, which the frontend's build puts next to the drawing code."""
        return self.figure_script.parent / "fonts"

    @property
    def database_file(self) -> Path | None:
        """The SQLite file; None for a database server."""
        return database_file(self.database_url)


def database_file(database_url: str) -> Path | None:
    """The file of an SQLite database; None for a database server."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return None
    assert url.database is not None, "an SQLite address names a file"
    return Path(url.database)


def driver_url(database_url: str) -> str:
    """The same database, for SQLAlchemy's asynchronous driver."""
    url = make_url(database_url)
    return url.set(drivername=_DRIVERS[url.get_backend_name()]).render_as_string(
        hide_password=False
    )


def read_settings(**overrides: object) -> Settings:
    """Settings from the environment. Overrides (command line options) take precedence.

    Raises SettingsError for an unknown name or an invalid value.
    """
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | _READ_BY_TESTS
    unknown = sorted(
        name for name in os.environ if name.upper().startswith(PREFIX) and name not in known
    )
    if unknown:
        raise SettingsError(
            f"unknown setting {unknown[0]}; known settings: "
            + ", ".join(sorted(known - _READ_BY_TESTS))
        )
    values = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**values)  # type: ignore[arg-type]  # pydantic validates each of them
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = f"{PREFIX}{str(first['loc'][0]).upper()}"
        raise SettingsError(f"{name}: {first['msg'].removeprefix('Value error, ')}") from None
