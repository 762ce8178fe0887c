"""The list of a release's components: everything in the locks, and nothing else."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def bom(repository: Path) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("sbom", repository / "scripts" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document: dict[str, Any] = json.loads(module.sbom(repository, "0.1.0"))
    return document


def names(bom: dict[str, Any], kind: str) -> set[tuple[str, str]]:
    return {
        (one["name"], one["version"])
        for one in bom["components"]
        if one["purl"].startswith(f"pkg:{kind}/")
    }


def test_it_lists_every_python_package_of_the_lock(repository: Path, bom: dict[str, Any]):
    lock = (repository / "requirements" / "service.txt").read_text()
    locked = re.findall(r"^([a-z0-9.-]+)==(\S+)", lock, re.MULTILINE)
    assert len(locked) > 20

    assert names(bom, "pypi") == set(locked)


def test_it_lists_every_npm_package_of_the_lock(repository: Path, bom: dict[str, Any]):
    lock = json.loads((repository / "frontend" / "package-lock.json").read_text())["packages"]
    locked = {
        (place.split("node_modules/")[-1], package["version"])
        for place, package in lock.items()
        if place.startswith("node_modules/") and "version" in package
def test_the_release_itself_is_no_package_of_a_registry(bom: dict[str, Any]):
    """The package `highwater` on PyPI is another project."""
    assert bom["metadata"]["component"]["purl"] == "pkg:generic/highwater@0.1.0"
    assert not [one["purl"] for one in bom["components"] if one["name"] == "highwater"]


    }

    assert {name for name, _ in locked} >= {"svelte", "vite"}
    assert locked <= names(bom, "npm")


def test_every_reference_is_one_package_with_a_hash(bom: dict[str, Any]):
    components = bom["components"]

    assert len({one["bom-ref"] for one in components}) == len(components)
    for one in components:
        hashes = [*one.get("hashes", ()), *one.get("externalReferences", ())]
        assert hashes, one["purl"]
