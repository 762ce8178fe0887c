"""What `scripts/new-release` reads in the jars of two releases of Kafka: which classes differ, in
which methods, and which protocol levels a release has.
"""

import difflib
import hashlib
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from backend.recording.releases import cache_folder
from sim_engine.narration import source_texts
from sim_engine.releases import number_of

_PACKAGE = re.compile(r"\b(?:[a-z][a-z0-9_]*[./])+(?=[A-Z])")
_CONSTANT = re.compile(r"#\d+(?:, +\d+)?")
_LEVEL = re.compile(
    r"// String (IV\d+)\n[^\n]*iconst_([01])\n[^\n]*<init>[^\n]*\n[^\n]*// Field IBP_(\w+?)_IV\d+:"
)
_LATEST = re.compile(r"// Field IBP_(\w+):[^\n]*\n[^\n]*putstatic[^\n]*// Field LATEST_PRODUCTION:")
_MADE_BY_COMPILER = re.compile(r"\$|^lambda|^static \{")
_MOST_NAMED = 15
_NOT_A_CLASS = ("KIP-", "KAFKA-")


class Change(NamedTuple):
    """A class that differs: the methods that do, and its place in the release that has it."""

    name: str
    state: Literal["changed", "new", "gone"]
    place: str
    methods: tuple[str, ...]


def cited_classes() -> frozenset[str]:
    """The classes of Kafka that rules, events and the rest of the engine cite."""
    return frozenset(name for name in source_texts() if not name.startswith(_NOT_A_CLASS))


def changed_classes(before: Path, after: Path, names: Iterable[str]) -> list[Change]:
    """The named classes that differ between the jars of two folders, with their inner classes.

    A class is found in any package. Where `javap` is installed, a class whose instructions are the
    same (only its lines moved, or its package) counts as unchanged.
    """
    wanted = frozenset(names)
    old, new = _classes(before, wanted), _classes(after, wanted)
    changes = []
    for name in sorted(wanted & (old.keys() | new.keys())):
        if name not in old or name not in new:
            state: Literal["new", "gone"] = "new" if name in new else "gone"
            changes.append(Change(name, state, min((new if name in new else old)[name]), ()))
        elif _digests(old[name]) != _digests(new[name]):
            methods = _changed_methods(old[name], new[name])
            if methods != ():
                changes.append(Change(name, "changed", min(new[name]), methods or ()))
    return changes


def _classes(folder: Path, wanted: frozenset[str]) -> dict[str, dict[str, bytes]]:
    """The bytes of the wanted classes by their path, by the name of the outer class."""
    found: dict[str, dict[str, bytes]] = {}
    for jar in sorted(folder.glob("kafka*.jar")):
        with zipfile.ZipFile(jar) as content:
            for path in content.namelist():
                outer = path.rpartition("/")[2].partition("$")[0].removesuffix(".class")
                if path.endswith(".class") and outer in wanted:
                    found.setdefault(outer, {})[path] = content.read(path)
    return found


def _digests(classes: dict[str, bytes]) -> dict[str, str]:
    return {
        path.rpartition("/")[2]: hashlib.sha256(code).hexdigest() for path, code in classes.items()
    }


def _changed_methods(old: dict[str, bytes], new: dict[str, bytes]) -> tuple[str, ...] | None:
    """The members whose instructions differ; None if there is no `javap` to tell."""
    if shutil.which("javap") is None:
        return None
    before, after = _members(old), _members(new)
    if before == after:
        return ()
    changed = {name for name in before.keys() & after.keys() if before[name] != after[name]}
    named = sorted(
        [f"~{name}" for name in changed]
        + [f"+{name}" for name in after.keys() - before.keys()]
        + [f"-{name}" for name in before.keys() - after.keys()]
    )
    written = [name for name in named if not _MADE_BY_COMPILER.search(name[1:])]
    more = len(named) - len(written[:_MOST_NAMED])
    return (*written[:_MOST_NAMED], *([f"{more} more"] if more else []))


def _members(classes: dict[str, bytes]) -> dict[str, str]:
    """The instructions of each member, without packages, places in the file and constants."""
    members: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path, code in classes.items():
            file = Path(folder) / path.replace("/", ".")
            file.write_bytes(code)
            inner = path.rpartition("/")[2].removesuffix(".class").partition("$")[2]
            for name, text in _split(_disassembled(file)):
                key = f"{inner}.{name}" if inner else name
                members[key] = members.get(key, "") + text
    return members


def _disassembled(file: Path) -> str:
    done = subprocess.run(
        ["javap", "-c", "-p", str(file)], capture_output=True, text=True, check=False
    )
    return _CONSTANT.sub("", _PACKAGE.sub("", done.stdout))


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Each member of a disassembled class, with its declaration and its instructions."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("Compiled from")]
        for line in lines:
            if re.match(r"  \S.*;$", line):
                head = line
                declared = re.search(r"([\w$]+)(?:\(.*)?;$", head)
                name = declared[1] if declared else head.strip()
                rest = [part for part in lines if part.startswith("   ")]
                yield name, "\n".join([head, *rest])
                if rest:
                    break


def levels_in(jars: Path, line: str) -> list[str]:
    """The levels of a release line up to the default one, with `*` if one changed the metadata
    records: what `MetadataVersion` declares. Empty if the class or `javap` is missing.
    """
    found = _classes(jars, frozenset({"MetadataVersion"})).get("MetadataVersion", {})
    code = next((code for path, code in found.items() if "$" not in path), None)
    if code is None or shutil.which("javap") is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "MetadataVersion.class"
        file.write_bytes(code)
        text = _disassembled(file)
    declared = [
        (f"{of.replace('_', '.')}-{level}", changed == "1")
        for level, changed, of in _LEVEL.findall(text)
    ]
    latest = _LATEST.search(text)
    names = [name for name, _ in declared]
    default = "" if latest is None else "-".join(latest[1].rsplit("_", 1)).replace("_", ".")
    kept = declared[: names.index(default) + 1] if default in names else declared
    return [
        f"{name}*" if changed else name for name, changed in kept if name.startswith(f"{line}-")
    ]


def with_release(history: str, release: str, levels: list[str]) -> str:
    """The text of `kafka_history.py` with one more release: in the row of its line, or in a new
    last row.
    """
    line = ".".join(map(str, number_of(release)[:2]))
    row = re.search(rf"^    {re.escape(line)}\.0\b[^|\n]*\|", history, re.MULTILINE)
    if row is not None:
        releases = f"{row[0][4:-1].rstrip()} {release}"
        return history.replace(row[0], f"    {releases:<36}|", 1)
    end = history.index('"""\n', history.index('_LINES = """') + len('_LINES = """'))
    return f"{history[:end]}    {release:<36}| {line:<12}| {' '.join(levels)}\n{history[end:]}"


def source_difference(before: str, after: str, names: Iterable[str]) -> str:
    """The unified difference of the sources of classes; empty if Maven has none."""
    old, new = (_sources(release, frozenset(names)) for release in (before, after))
    return "".join(
        part
        for name in sorted(old.keys() & new.keys())
        for part in difflib.unified_diff(
            old[name].splitlines(keepends=True),
            new[name].splitlines(keepends=True),
            f"{before}/{name}",
            f"{after}/{name}",
        )
    )


_MODULES = (
    "kafka_2.13",
    "kafka-clients",
    "kafka-metadata",
    "kafka-server",
    "kafka-server-common",
    "kafka-storage",
    "kafka-raft",
)
_POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>highwater</groupId><artifactId>sources</artifactId><version>1</version>
<packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>
"""
_DEPENDENCY = """<dependency><groupId>org.apache.kafka</groupId><artifactId>{name}</artifactId>
<version>{release}</version><classifier>sources</classifier>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
</dependency>"""


def _sources(release: str, names: frozenset[str]) -> dict[str, str]:
    """The sources of the named classes, from the jars that Maven has."""
    folder = cache_folder() / f"{release}-sources"
    if not folder.is_dir():
        _fetch_sources(release, folder)
    found: dict[str, str] = {}
    for jar in sorted(folder.glob("*-sources.jar")):
        with zipfile.ZipFile(jar) as content:
            for path in content.namelist():
                name, _, suffix = path.rpartition("/")[2].rpartition(".")
                if suffix in ("java", "scala") and name in names:
                    found[name] = content.read(path).decode()
    return found


def _fetch_sources(release: str, folder: Path) -> None:
    """Let Maven copy the sources of a release; the folder is empty if it has none."""
    folder.mkdir(parents=True)
    maven = shutil.which("mvn")
    if maven is None:
        return
    dependencies = "".join(_DEPENDENCY.format(name=name, release=release) for name in _MODULES)
    with tempfile.TemporaryDirectory() as place:
        pom = Path(place) / "pom.xml"
        pom.write_text(_POM.format(dependencies=dependencies), encoding="utf-8")
        subprocess.run(
            [
                maven, "--quiet", "--batch-mode", "--file", str(pom),
                "dependency:copy-dependencies", f"-DoutputDirectory={folder}",
            ],
            capture_output=True, check=False, timeout=300,
        )  # fmt: skip
    if not any(folder.iterdir()):
        folder.rmdir()  # they may be published later
