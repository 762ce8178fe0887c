"""A host, and how it is built."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


class BuildError(Exception):
    """The host's tool failed; the message is the end of its output."""


@dataclass(frozen=True)
class Built:
    """A site on disk, whose first page has the embed, and the headers that it is served with."""

    root: Path
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    """The place where one host is built: an empty folder, and its installed programs."""

    folder: Path
    programs: Path
    codes: Mapping[str, str]
    """The dialog's code, by the name of its tab."""
    service: str

    @property
    def link(self) -> str:
        """The link to the step, as around the picture."""
        return self.codes["Markdown"].rpartition("](")[2].rstrip(")")

    def write(self, name: str, content: str) -> Path:
        """A file of the site."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    def run(self, program: str, *arguments: str) -> None:
        """One of the installed programs, in the site's folder. Raises BuildError."""
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise BuildError((done.stdout + done.stderr)[-2000:])


@dataclass(frozen=True)
class Host:
    """`sees` is what the page must contain: a player, or a picture with a link."""

    name: str
    build: Callable[[Bench], Built]
    sees: str = "player"
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()


def install(host: Host, folder: Path) -> Path:
    """Installs the tools that the host is built with, and returns the folder of its programs.

    Raises BuildError if they cannot be installed.
    """
    if host.pip:
        environment = folder / "python"
        programs = environment / "bin"
        if not programs.exists():
            _installed([sys.executable, "-m", "venv", str(environment)], folder)
        _installed([str(programs / "pip"), "install", "--quiet", *host.pip], folder)
        return programs
    if host.npm:
        home = folder / f"npm-{host.name}"
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text('{"name": "host", "private": true}')
        _installed(["npm", "install", "--no-audit", "--no-fund", *host.npm], home)
        return home / "node_modules" / ".bin"
    return folder


def _installed(command: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise BuildError(f"cannot be installed: {done.stderr[-300:]}")
