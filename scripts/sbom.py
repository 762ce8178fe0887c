"""The components of a release as a CycloneDX document: each package of the locks, with hashes.

scripts/build_hook.py adds it to the wheel's metadata (`*.dist-info/sboms/`), and the Dockerfile to
the images: `sbom.py FILE` writes it. What only the Spark jobs, `highwater connect` and
`highwater mcp` need has the scope `optional`: the extras `spark`, `connect` and `mcp` install it,
and the image `analytics` has the first. The npm packages are those that build the pages; the
built pages contain their code.
"""

import base64
import json
import re
import sys
import tomllib
from pathlib import Path

PYTHON_LOCK = "requirements/service.txt"
OPTIONAL_PYTHON_LOCKS = tuple(
    f"requirements/{extra}.txt" for extra in ("analytics", "connect", "mcp")
)
NPM_LOCK = "frontend/package-lock.json"
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")
_ALGORITHMS = {"sha256": "SHA-256", "sha512": "SHA-512"}


def sbom(root: Path, version: str) -> str:
    """The document for the repository at `root`; equal locks give equal documents."""
    # Not pkg:pypi: no registry has it.
    itself = f"pkg:generic/highwater-kafka@{version}"
    needed = _python_packages(root / PYTHON_LOCK)
    optional = {}
    for lock in OPTIONAL_PYTHON_LOCKS:
        optional |= _python_packages(root / lock)
    components = [
        *needed.values(),
        *({**optional[one], "scope": "optional"} for one in optional if one not in needed),
        *_npm_packages(root / NPM_LOCK),
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": "highwater-kafka",
                "version": version,
                "purl": itself,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": sorted(components, key=lambda component: component["purl"]),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _python_packages(lock):
    """Each package of a lock by its purl."""
    found = {}
    for line in lock.read_text().replace("\\\n", " ").splitlines():
        requirement = _REQUIREMENT.match(line)
        if requirement is not None:
            hashes = re.findall(r"--hash=(\w+):([0-9a-f]+)", line)
            package = _component(
                "pypi", requirement["name"], requirement["version"], references=hashes
            )
            found[package["purl"]] = package
    return found


def _npm_packages(lock):
    packages = json.loads(lock.read_text())["packages"]
    # One package may be installed in several places.
    found = {
        (name.rpartition("node_modules/")[2], package["version"]): package
        for name, package in packages.items()
        if "node_modules/" in name and "version" in package
    }
    for (name, version), package in found.items():
        hashes = [
            (algorithm, base64.b64decode(digest).hex())
            for algorithm, _, digest in (
                one.partition("-") for one in package.get("integrity", "").split()
            )
        ]
        yield _component(
            "npm", name, version, hashes=hashes, license_expression=package.get("license")
        )


def _component(kind, name, version, *, hashes=(), references=(), license_expression=None):
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    component = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if hashes:
        component["hashes"] = _hashes(hashes)
    if license_expression:
        component["licenses"] = [{"expression": license_expression}]
    if references:
        # A lock lists every file of a release; which one is installed depends on the platform.
        component["externalReferences"] = [
            {"type": "distribution", "url": purl, "hashes": _hashes([one])} for one in references
        ]
    return component


def _hashes(hashes):
    return [{"alg": _ALGORITHMS[name], "content": content} for name, content in hashes]


def main():
    """Write the document of the checkout that this script is in."""
    root = Path(__file__).resolve().parent.parent
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    Path(sys.argv[1]).write_text(sbom(root, version))


if __name__ == "__main__":
    main()
