"""The list of a release's components: what is inside, what it installs, and nothing else."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def made_from(repository: Path) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("sbom", repository / "scripts" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document: dict[str, Any] = json.loads(module.sbom(repository, "0.1.0"))
    return document


BUILT = {
    "frontend/dist/assets/licenses.txt": ("svelte", "@codemirror/state"),
    "frontend/dist/assets/licenses-embed.txt": ("svelte", "clsx"),
    "frontend/dist/assets/licenses-docs.txt": (),
    "frontend/dist/embed/licenses.txt": (),
    "frontend/dist-server/licenses.txt": ("devalue", "svelte"),
}
BUNDLED = {"svelte", "@codemirror/state", "clsx", "devalue"}


@pytest.fixture(scope="module")
def tree(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that it is made of, with small builds of the pages and of the engine."""
    made = tmp_path_factory.mktemp("tree")
    shutil.copytree(repository / "requirements", made / "requirements")
    for name in ("scripts/sbom.py", "pyproject.toml", "frontend/package-lock.json"):
        (made / name).parent.mkdir(exist_ok=True)
        shutil.copy(repository / name, made / name)
    packages = json.loads((made / "frontend/package-lock.json").read_text())["packages"]
    for file, names_in in BUILT.items():
        (made / file).parent.mkdir(parents=True, exist_ok=True)
        (made / file).write_text(
            "# Licenses\n"
            + "".join(
                f"\n## {name} - {packages[f'node_modules/{name}']['version']} (MIT)\n\nMIT\n"
                for name in names_in
            )
        )
    (made / "frontend/dist/engine").mkdir()
    (made / "frontend/dist/engine/engine-0123.json").write_text("{}")
    return made


@pytest.fixture(scope="module")
def bom(tree: Path) -> dict[str, Any]:
    return made_from(tree)


def locked_in(repository: Path, lock: str) -> set[tuple[str, str]]:
    text = (repository / "requirements" / f"{lock}.txt").read_text()
    locked = re.findall(r"^([a-z0-9.-]+)(?:\[\w+\])?==([^\s;]+)", text, re.MULTILINE)
    assert locked
    return set(locked)


def names(bom: dict[str, Any], kind: str, *, scope: str = "required") -> set[tuple[str, str]]:
    return {
        ("/".join(filter(None, (one.get("group"), one["name"]))), one["version"])
        for one in bom["components"]
        if one["purl"].startswith(f"pkg:{kind}/") and one.get("scope", "required") == scope
    }


def test_the_release_itself_is_no_package_of_a_registry(bom: dict[str, Any]):
    assert bom["metadata"]["component"]["purl"] == "pkg:generic/highwater-kafka@0.1.0"
    assert not [one["purl"] for one in bom["components"] if one["name"].startswith("highwater")]


def test_it_lists_every_python_package_of_the_locks(repository: Path, bom: dict[str, Any]):
    scopes = ("required", "optional", "excluded")
    locks = ("service", "analytics", "connect", "mcp", "page")
    listed = set[tuple[str, str]]().union(*(names(bom, "pypi", scope=one) for one in scopes))

    assert listed == set[tuple[str, str]]().union(*(locked_in(repository, one) for one in locks))


def test_what_an_extra_installs_is_optional_and_what_builds_it_is_excluded(bom: dict[str, Any]):
    required, optional, excluded = (
        {name for name, _ in names(bom, "pypi", scope=scope)}
        for scope in ("required", "optional", "excluded")
    )

    assert required >= {"fastapi", "starlette", "msgspec", "uvicorn"}
    assert optional >= {"pyspark", "pyarrow", "kafka-python", "mcp"}
    assert excluded >= {"hatchling", "editables", "setuptools", "cyclonedx-python-lib"}
    assert not (required | optional) & {"pytest", "ruff", "hatchling"}


def test_the_licenses_are_those_of_the_installed_packages(repository: Path):
    module = SourceFileLoader("components", str(repository / "scripts" / "write-components"))
    spec = importlib.util.spec_from_loader("components", module)
    assert spec is not None
    written = importlib.util.module_from_spec(spec)
    module.exec_module(written)
    kept = json.loads((repository / "requirements" / "components.json").read_text())

    for name, about in written.components().items():
        is_installed = about["license"] is not None
        assert kept[name]["scope"] == about["scope"], f"{name}: run scripts/write-components"
        assert not is_installed or kept[name] == about, f"{name}: run scripts/write-components"
    assert len([one for one in kept.values() if one["license"] is None]) < 5


def test_an_image_has_it_too(repository: Path, tree: Path, tmp_path: Path):
    """The command of the Dockerfile, in a folder with only the files that its stages copy."""
    text = (repository / "Dockerfile").read_text().replace("\\\n", " ")
    stages = text[text.index(" AS packages\n") : text.index("FROM installed ")]
    copied = re.findall(r"^COPY (?:--from=(?:frontend|pages) )?(.+) (\S+/)$", stages, re.MULTILINE)
    for sources, target in copied:
        for source in sources.split():
            for file in tree.glob(source.removeprefix("/app/").removeprefix("/")):
                if file.is_file():
                    (tmp_path / target).mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, tmp_path / target)
    [command] = re.findall(r"\.venv/bin/python (scripts/sbom\.py \S+)", stages)

    subprocess.run([sys.executable, *command.split()], cwd=tmp_path, check=True)

    assert json.loads((tmp_path / command.split()[1]).read_text()) == made_from(tree)


FONTS = {"@fontsource-variable/inter", "@fontsource/inter", "@fontsource/noto-sans-sc"}


def test_it_lists_the_npm_packages_that_are_in_any_build_of_the_pages(bom: dict[str, Any]):
    listed = {name for name, _ in names(bom, "npm")}

    assert listed == BUNDLED | FONTS | {"pyodide", "lzma1"}


def test_it_lists_what_the_engine_in_a_page_is_made_of_if_it_is_built(
    tree: Path, tmp_path: Path, bom: dict[str, Any]
):
    [pyodide] = [one for one in bom["components"] if one["name"] == "pyodide"]
    without = tmp_path / "tree"
    shutil.copytree(tree, without, ignore=shutil.ignore_patterns("engine-*.json"))

    other = made_from(without)

    assert [one["purl"] for one in pyodide["components"]] == ["pkg:generic/cpython@3.14"]
    assert locked_in(tree, "page") <= names(bom, "pypi")
    assert {name for name, _ in names(other, "npm")} == BUNDLED | FONTS


def test_each_build_of_the_frontend_lists_the_licenses_of_what_it_bundles(repository: Path):
    configs = [*(repository / "frontend").glob("vite*.config.ts")]

    assert len(configs) == len(BUILT)
    for config in configs:
        assert re.search(r"^    license: \{ fileName: ", config.read_text(), re.MULTILINE), config


def test_a_package_that_is_not_locked_is_not_in_the_pages(tree: Path, tmp_path: Path):
    other = tmp_path / "tree"
    shutil.copytree(tree, other)
    (other / next(iter(BUILT))).write_text("## unknown - 1.0.0 (MIT)\n")

    with pytest.raises(AssertionError, match="unknown"):
        made_from(other)


def test_the_document_is_valid_and_the_same_each_time(tree: Path, bom: dict[str, Any]):
    text = json.dumps(bom)

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert made_from(tree) == bom


def test_every_reference_is_one_package_with_a_hash(bom: dict[str, Any]):
    components = bom["components"]

    assert len({one["bom-ref"] for one in components}) == len(components)
    for one in components:
        hashes = [*one.get("hashes", ()), *one.get("externalReferences", ())]
        assert hashes, one["purl"]
