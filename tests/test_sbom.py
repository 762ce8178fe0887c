"""The list of a release's components: everything in the locks, and nothing else."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def made_from(repository: Path) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("sbom", repository / "scripts" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document: dict[str, Any] = json.loads(module.sbom(repository, "0.1.0"))
    return document


@pytest.fixture(scope="module")
def bom(repository: Path) -> dict[str, Any]:
    return made_from(repository)


def locked_in(repository: Path, lock: str) -> set[tuple[str, str]]:
    text = (repository / "requirements" / f"{lock}.txt").read_text()
    locked = re.findall(r"^([a-z0-9.-]+)(?:\[\w+\])?==([^\s;]+)", text, re.MULTILINE)
    assert len(locked) > 20
    return set(locked)


def names(bom: dict[str, Any], kind: str, *, scope: str = "required") -> set[tuple[str, str]]:
    return {
        (one["name"], one["version"])
        for one in bom["components"]
        if one["purl"].startswith(f"pkg:{kind}/") and one.get("scope", "required") == scope
    }


def test_the_release_itself_is_no_package_of_a_registry(bom: dict[str, Any]):
    assert bom["metadata"]["component"]["purl"] == "pkg:generic/highwater-kafka@0.1.0"
    assert not [one["purl"] for one in bom["components"] if one["name"].startswith("highwater")]


def test_it_lists_every_python_package_of_the_lock(repository: Path, bom: dict[str, Any]):
    assert names(bom, "pypi") == locked_in(repository, "service")


def test_it_lists_what_only_the_extras_install_as_optional(repository: Path, bom: dict[str, Any]):
    of_extras = set[tuple[str, str]]().union(
        *(locked_in(repository, extra) for extra in ("analytics", "connect", "mcp"))
    )
    optional = of_extras - locked_in(repository, "service")

    assert {name for name, _ in optional} >= {"pyspark", "pyarrow", "kafka-python", "mcp"}
    assert names(bom, "pypi", scope="optional") == optional


def test_an_image_has_it_too(repository: Path, tmp_path: Path):
    """The command of the Dockerfile, in a folder with only the files that its stages copy."""
    text = (repository / "Dockerfile").read_text()
    stages = text[text.index(" AS packages\n") : text.index("FROM installed ")]
    for sources, target in re.findall(r"^COPY (?!--from)(.+) (\S+/)$", stages, re.MULTILINE):
        for source in sources.split():
            if (repository / source).is_file():
                (tmp_path / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(repository / source, tmp_path / target)
    [command] = re.findall(r"\.venv/bin/python (scripts/sbom\.py \S+)$", stages, re.MULTILINE)

    subprocess.run([sys.executable, *command.split()], cwd=tmp_path, check=True)

    assert json.loads((tmp_path / command.split()[1]).read_text()) == made_from(repository)


def test_it_lists_every_npm_package_of_the_lock(repository: Path, bom: dict[str, Any]):
    lock = json.loads((repository / "frontend" / "package-lock.json").read_text())["packages"]
    locked = {
        (place.split("node_modules/")[-1], package["version"])
        for place, package in lock.items()
        if place.startswith("node_modules/") and "version" in package
    }

    assert {name for name, _ in locked} >= {"svelte", "vite"}
    assert locked <= names(bom, "npm")


def test_every_reference_is_one_package_with_a_hash(bom: dict[str, Any]):
    components = bom["components"]

    assert len({one["bom-ref"] for one in components}) == len(components)
    for one in components:
        hashes = [*one.get("hashes", ()), *one.get("externalReferences", ())]
        assert hashes, one["purl"]
