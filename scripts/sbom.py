"""The components of a release as a CycloneDX document: what is inside, and what it installs.

scripts/build_hook.py adds it to the wheel's metadata (`*.dist-info/sboms/`), and the Dockerfile to
the images: `sbom.py FILE` writes it. Of the locks, what Highwater needs has the scope `required`,
what only an extra needs `optional`, and what only builds it `excluded`. Of npm's packages it has
those whose code or fonts are in the built pages, which each build lists itself; and, if the engine
for pages without a service is built, Pyodide with its Python, and what decompresses it. What else
is in that engine, msgspec and PyYAML, is in the locks.
"""

import base64
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path

from cyclonedx.contrib.hash.factories import HashTypeFactory
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

PYTHON_LOCKS = (
    "requirements/service.txt",
    "requirements/analytics.txt",
    "requirements/connect.txt",
    "requirements/mcp.txt",
)
PYTHON_COMPONENTS = "requirements/components.json"
NPM_LOCK = "frontend/package-lock.json"
BUNDLED = (
    "frontend/dist/assets/licenses.txt",
    "frontend/dist/assets/licenses-embed.txt",
    "frontend/dist/assets/licenses-docs.txt",
    "frontend/dist/embed/licenses.txt",
    "frontend/dist-server/licenses.txt",
)
ENGINE = "frontend/dist/engine/engine-*.json"
OF_ENGINE = ("pyodide", "lzma1")
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")
_BUNDLED_PACKAGE = re.compile(r"^## (?P<name>\S+) - (?P<version>\S+) \(", re.MULTILINE)
# Their files are copied, so they are no part of the build's list.
_FONTS = ("node_modules/@fontsource/", "node_modules/@fontsource-variable/")
_licenses = LicenseFactory()
_hashes = HashTypeFactory()


def sbom(root: Path, version: str) -> str:
    """The document for the repository at `root`, whose pages are built; the same contents give the
    same document.
    """
    itself = Component(
        type=ComponentType.APPLICATION,
        name="highwater-kafka",
        version=version,
        # Not pkg:pypi: no registry has it.
        purl=PackageURL("generic", name="highwater-kafka", version=version),
        bom_ref=f"pkg:generic/highwater-kafka@{version}",
        licenses=[_licenses.make_from_string("Apache-2.0")],
    )
    bom = Bom(components=[*_python_packages(root), *_npm_packages(root)])
    bom.metadata.component = itself
    bom.metadata.timestamp = None
    bom.serial_number = uuid.uuid5(
        uuid.NAMESPACE_URL, " ".join(sorted(str(one.purl) for one in bom.components))
    )
    required = [one for one in bom.components if one.scope is ComponentScope.REQUIRED]
    bom.register_dependency(itself, required)
    written = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string()
    return written + "\n"


def _python_packages(root):
    described = json.loads((root / PYTHON_COMPONENTS).read_text())
    found = {}
    for lock in PYTHON_LOCKS:
        for line in (root / lock).read_text().replace("\\\n", " ").splitlines():
            requirement = _REQUIREMENT.match(line)
            if requirement is not None:
                found[requirement["name"], requirement["version"]] = line
    for (name, version), line in found.items():
        purl = PackageURL("pypi", name=name, version=version)
        about = described[name]
        yield _component(
            purl,
            ComponentScope(about["scope"]),
            about["license"],
            # A lock lists every file of a release; which one is installed depends on the platform.
            external_references=[
                ExternalReference(
                    type=ExternalReferenceType.DISTRIBUTION,
                    url=XsUri(str(purl)),
                    hashes=[_hashes.from_composite_str(f"{kind}:{content}")],
                )
                for kind, content in re.findall(r"--hash=(\w+):([0-9a-f]+)", line)
            ],
        )


def _npm_packages(root):
    locked = json.loads((root / NPM_LOCK).read_text())["packages"]
    bundled = {
        package
        for file in BUNDLED
        for package in _BUNDLED_PACKAGE.findall((root / file).read_text())
    }
    if any(root.glob(ENGINE)):
        bundled |= {(name, locked[f"node_modules/{name}"]["version"]) for name in OF_ENGINE}
    for place, package in locked.items():
        name = place.rpartition("node_modules/")[2]
        if (name, package.get("version")) not in bundled and not place.startswith(_FONTS):
            continue
        bundled.discard((name, package["version"]))
        group, _, own = name.rpartition("/")
        yield _component(
            PackageURL("npm", group or None, own, package["version"]),
            ComponentScope.REQUIRED,
            package.get("license"),
            hashes=[
                _hashes.from_composite_str(f"{kind}:{base64.b64decode(digest).hex()}")
                for kind, _, digest in (
                    one.partition("-") for one in package.get("integrity", "").split()
                )
            ],
            components=[_python_of(package["version"])] if name == "pyodide" else (),
        )
    assert not bundled, f"the build has packages that are not locked: {bundled}"


def _python_of(pyodide):
    """The interpreter in Pyodide, whose version is the first number of Pyodide's: 314 is 3.14."""
    version = f"{pyodide[0]}.{pyodide.partition('.')[0][1:]}"
    purl = PackageURL("generic", name="cpython", version=version)
    return _component(purl, ComponentScope.REQUIRED, "PSF-2.0")


def _component(purl, scope, license_text, **others):
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=str(purl),
        group=purl.namespace,
        name=purl.name,
        version=purl.version,
        purl=purl,
        scope=scope,
        licenses=[_licenses.make_from_string(license_text)] if license_text else (),
        **others,
    )


def main():
    """Write the document of the checkout that this script is in."""
    root = Path(__file__).resolve().parent.parent
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    Path(sys.argv[1]).write_text(sbom(root, version))


if __name__ == "__main__":
    main()
