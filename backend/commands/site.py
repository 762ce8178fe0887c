"""`highwater site`: the whole site as files, for GitHub Pages or any other host of files."""

import shutil
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from backend.commands.outcome import CommandError, print_result, settings_of, status_of
from backend.html.frontend_build import FrontendBuild
from backend.settings import Settings
from backend.static_site.pages import NOWHERE
from backend.static_site.writing import MARK, IncompleteError, Written, write_copy

_MEGABYTE = 1_000_000


def site(out: Path, base_url: str | None, *, as_json: bool = False) -> int:
    """Write a copy of the site to a folder, and print its size and the time that it took. Returns
    the exit status.

    As JSON: `{"folder", "files", "bytes", "seconds"}`.
    """

    def command() -> None:
        started = time.monotonic()
        written = _replaced(out, copy_settings(base_url))
        seconds = time.monotonic() - started
        size = sum(file.size for file in written)
        words = (
            f"{out}: {len(written):,} files, {size / _MEGABYTE:,.1f} MB, {seconds:,.0f} s\n"
            f"To look at it: python -m http.server --directory {out}"
        )
        document = {
            "folder": str(out),
            "files": len(written),
            "bytes": size,
            "seconds": round(seconds, 1),
        }
        print_result(words, document, as_json=as_json)

    return status_of(command)


def copy_settings(base_url: str | None) -> Settings:
    """The settings of the app that a copy is made of. Raises CommandError if one is wrong."""
    settings = settings_of(public_url=NOWHERE if base_url is None else _place(base_url))
    if not FrontendBuild(settings.frontend_folder).exists:
        raise CommandError("the pages are not built: run make site, which builds them first")
    # Whoever asks is this program.
    return settings.model_copy(update={**dict.fromkeys(settings.quotas, 0), "campaigns": None})


def _place(base_url: str) -> str:
    """The address, without a slash at its end."""
    try:
        parts = urlsplit(base_url)
        is_place = parts.scheme in ("http", "https") and bool(parts.hostname)
        extras = (
            parts.query or parts.fragment or parts.username or parts.password or parts.port == 0
        )
    except ValueError:
        is_place, extras = False, None
    is_plain = base_url.isascii() and not any(c.isspace() or c in "\"'<>;,?#\\" for c in base_url)
    if not is_place or extras or not is_plain:
        raise CommandError(
            f"--base-url {base_url[:80]!r}: must be an address such as "
            "https://USER.github.io/REPOSITORY, without user, query or fragment"
        )
    return base_url.rstrip("/")


def _replaced(out: Path, settings: Settings) -> list[Written]:
    """Write the copy beside `out`, then put it there in one step: whoever reads `out` sees the old
    copy or the new one. Raises CommandError if the folder has other contents, or cannot be written.
    """
    out = out.resolve()
    _check(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise _cannot_write(out, error) from None
    try:
        new, old = scratch / "new", scratch / "old"
        new.mkdir()
        written = write_copy(new, settings)
        _check(out)
        if out.exists():
            out.rename(old)
        new.rename(out)
    except IncompleteError as error:
        address, status = error.args
        raise CommandError(
            f"{address} failed with status {status}, so {out} stays as it was"
        ) from None
    except OSError as error:
        raise _cannot_write(out, error) from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return written


def _check(out: Path) -> None:
    try:
        if not out.exists():
            return
        is_ours = out.is_dir() and ((out / MARK).is_file() or not any(out.iterdir()))
    except OSError as error:
        raise _cannot_write(out, error) from None
    if not is_ours:
        raise CommandError(
            f"{out} exists, and highwater site did not write it: name an empty folder, or a new one"
        )


def _cannot_write(out: Path, error: OSError) -> CommandError:
    return CommandError(f"cannot write {error.filename or out}: {error.strerror or error}")
