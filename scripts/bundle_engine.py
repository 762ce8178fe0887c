"""Makes the archives of the engine that runs in a page. Pyodide's Python runs this, in Node:
`frontend/build-engine.js` has put the code at CODE and reads the archives from ARCHIVES.

A page downloads what it asks for and nothing else: the modules that are loaded after the requests
below, compiled, and the data files of the rooms that read any. What only long computations need is
an archive of its own. A module that no request loads is missing in the page, so all of ANSWERED and
COMPUTED (`backend/in_page`) must be here. Their list is written beside the archives.
"""

import importlib.util
import json
import marshal
import sys
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.in_page.engine import PageEngine

CODE = Path("/code")
ARCHIVES = Path("/archives")
OURS = ("sim_engine", "backend", "yaml")
# A date that a ZIP file can have: equal contents are equal archives.
MOMENT = (1980, 1, 1, 0, 0, 0)
DATA = {
    "sim_engine/challenges": ("*.yaml",),
    "sim_engine/curriculum": ("*.yaml", "index.json"),
    "sim_engine/languages": ("*/*.ftl", "*/narration/*.ftl", "*/lessons/*.ftl"),
    "sim_engine/lessons": ("*/*.yaml",),
    "sim_engine/narration": ("*.json",),
}
DATA_OF_COMPUTING = {
    "sim_engine/known_losses": ("*.json",),
    "sim_engine/languages": ("*/interface/assess.ftl",),
}
NOT_READ = frozenset({"articles.ftl", "documentation.ftl"})
TOPICS = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"
TEXT = """
scenario: 1
id: x
title: {en: x}
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - produce: {to: t-0, values: [m1], acks: all, as: p1}
"""
DESCRIBED = {"files": [{"name": "x", "text": TOPICS}]}
Request = tuple[str, str, object]
REQUESTS: tuple[Request, ...] = (
    ("POST", "sessions", {"scenario_id": "kip-101-data-loss", "owned": True}),
    ("POST", "sessions", {"scenario_text": TEXT}),
    ("POST", "sessions", {"scenario_text": "scenario: 1\nsteps: [{crash: 1}]"}),
    ("GET", "sessions/{id}", None),
    ("POST", "sessions/{id}/actions", {"after": 2, "step": {"crash": {"broker": 2}}}),
    ("POST", "sessions/{id}/actions", {"after": 2, "step": {"start": {"broker": 1}}}),
    ("POST", "sessions/{id}/comparisons", {"kafka": "0.11"}),
    ("POST", "sessions", {"session": "{id}", "at": 3, "configs": {"min.insync.replicas": 2}}),
    ("POST", "sessions", {"session": "{id}", "at": 3, "kafka": "4.1"}),
    ("GET", "sessions/{id}/timeline", None),
    ("GET", "sessions/{id}/story", None),
    ("GET", "sessions/{id}/words?at=3", None),
    ("GET", "sessions/{id}/choices?after=3", None),
    ("GET", "sessions/{id}/link?at=3", None),
    ("GET", "sessions/{id}/file", None),
    ("POST", "drafts", {"scenario_text": TEXT, "after": 1}),
    ("POST", "imports", DESCRIBED),
    ("GET", "search?q=hihg%20watermark", None),
    ("POST", "imports", {"files": [{"name": "x", "text": "?"}]}),
    ("POST", "challenges/no/tries", {"moves": []}),
    ("GET", "scenarios/kip-101-data-loss/run", None),
    ("GET", "scenarios/kip-101-data-loss/runs/3.9", None),
    ("GET", "scenarios/kip-101-data-loss/runs/3.9/choices", None),
    ("GET", "scenarios/kip-101-data-loss/runs/3.9/words", None),
    ("GET", "scenarios/kip-101-data-loss/runs/3.9/comparisons/4.1", None),
)


LONG_REQUESTS: tuple[Request, ...] = (
    ("POST", "sessions/{id}/searches", {"max_depth": 8, "seconds": 10}),
    ("POST", "sessions/{id}/searches", {"grain": "message", "max_depth": 3, "seconds": 2}),
    ("POST", "assessments", DESCRIBED),
    ("POST", "assessments", {**DESCRIBED, "settings": {"acks": "1"}}),
    ("POST", "assessments/searches", {**DESCRIBED, "partition": "t-0"}),
    ("POST", "assessments/report", DESCRIBED),
    ("POST", "assessments/without-secrets", DESCRIBED),
    ("POST", "assessments/words", {"scenario": {"id": "x"}}),
)


def main() -> None:
    """Ask everything once, and archive the modules that are loaded then."""
    at_first = set(sys.modules)
    sys.path.insert(0, str(CODE))
    # Only now does the code lie on the path.
    from backend.in_page.engine import ANSWERED, PageEngine, requested

    kept = _ask(PageEngine(), REQUESTS)
    acting = sys.modules.keys() | at_first
    _archive("library.zip", {name for name in acting if not _is_ours(name)}, {})
    _archive("engine.zip", {name for name in acting if _is_ours(name)}, DATA)

    from backend.in_page.computing import COMPUTED, page_engine

    engine = page_engine()
    engine.open_kept(kept)
    _ask(engine, LONG_REQUESTS, json.loads(kept)["id"])
    _archive("computing.zip", sys.modules.keys() - acting, DATA_OF_COMPUTING)
    table = {**ANSWERED, **COMPUTED}
    unasked = table.keys() - {
        requested(table, method, address.partition("?")[0])[0]
        for method, address, _ in REQUESTS + LONG_REQUESTS
    }
    assert not unasked, f"no request asks {sorted(unasked)}"
    answers = {"acting": [*ANSWERED], "computing": [*COMPUTED]}
    (ARCHIVES / "answered.json").write_text(json.dumps(answers))


def _ask(engine: "PageEngine", requests: tuple[Request, ...], run: str = "") -> str:
    """Ask each request, of the run or of the first one that is made. Returns the run as it is
    kept.
    """
    for method, address, body in requests:
        sent = "" if body is None else json.dumps(body).replace("{id}", run)
        asked = f"/{address}".replace("{id}", run)
        answer = engine.answer(method, asked, sent)
        assert answer.status < 500, (address, answer)
        if not run:
            run = json.loads(answer.body)["id"]
    return engine.to_keep(run)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in OURS


def _archive(file: str, modules: Iterable[str], data: Mapping[str, tuple[str, ...]]) -> None:
    with zipfile.ZipFile(ARCHIVES / file, "w") as archive:
        for name in sorted(modules):
            if name in sys.modules and name.partition(".")[0] != "msgspec":
                _add(archive, name)
        for folder, patterns in data.items():
            for pattern in patterns:
                for path in sorted((CODE / folder).glob(pattern)):
                    if path.name not in NOT_READ:
                        _write(archive, str(path.relative_to(CODE)), path.read_bytes())


def _add(archive: zipfile.ZipFile, name: str) -> None:
    """Add a module, compiled and without its docstrings, unless it is part of the interpreter."""
    spec = sys.modules[name].__spec__
    if spec is None or spec.origin in (None, "built-in", "frozen"):
        return
    get_source = getattr(spec.loader, "get_source", None)
    source = None if get_source is None else get_source(name)
    if source is None:  # an extension
        return
    code = compile(source, f"{name}.py", "exec", dont_inherit=True, optimize=2)
    compiled = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(_without_lines(code))
    place = name.replace(".", "/") + ("/__init__" if spec.submodule_search_locations else "")
    _write(archive, f"{place}.pyc", compiled)


def _without_lines(code: CodeType) -> CodeType:
    """The code without its table of line numbers, which only tracebacks show."""
    constants = tuple(
        _without_lines(constant) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_linetable=b"", co_consts=constants)


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # Stored: the whole archive is compressed, which is smaller.
    archive.writestr(zipfile.ZipInfo(name, MOMENT), content)


def compress() -> None:
    """Compress the file that `frontend/build-engine.js` has put at /content."""
    import lzma

    content = Path("/content").read_bytes()
    chosen = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 24}
    compressed = lzma.compress(content, format=lzma.FORMAT_ALONE, filters=[chosen])
    Path("/compressed").write_bytes(compressed)


main()
