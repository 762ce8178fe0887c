"""The jars of a release of Kafka: Maven resolves and checks them once, and they stay in the user's
cache folder.

A folder with the name of a release is complete: Maven writes into another one, which is renamed at
the end.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from backend.recording.failures import RecordingFailedError, failure
from sim_engine.releases import Number, UnknownVersionError, at_least, number_of

_POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>highwater</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>{dependencies}</dependencies></project>
"""
_DEPENDENCY = """<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
<exclusions>{exclusions}</exclusions></dependency>"""
_EXCLUDED = ("connect-api", "connect-json", "connect-runtime", "connect-transforms")
"""The tools need them and brokers do not. Some releases cannot be had with them."""
_EXCLUSION = "<exclusion><groupId>org.apache.kafka</groupId><artifactId>{}</artifactId></exclusion>"
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_LIMIT_S = 600


class NoKafkaError(RecordingFailedError):
    """Real brokers cannot be had here."""


def java() -> str:
    """The path of Java's launcher: that of `JAVA_HOME`, otherwise the first in `PATH`. Raises
    `NoKafkaError`.
    """
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(str(Path(home) / "bin/java")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise NoKafkaError(failure("no_java"))
    return found


def jars_of(release: str) -> Path:
    """The folder with the jars of an exact release, which Maven fills on the first call: of the
    broker, its tools and all that they need. Raises `NoKafkaError`.
    """
    number = _exact(release)
    folder = cache_folder() / release
    if folder.is_dir():
        return folder
    java()
    maven = shutil.which("mvn")
    if maven is None:
        raise NoKafkaError(failure("no_maven", release=release))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{release}-", dir=folder.parent) as unfinished:
        _download(maven, release, number, Path(unfinished))
        try:
            (Path(unfinished) / "jars").rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    return folder


def class_path(release: str) -> str:
    """The class path of a release, as `java -cp` takes it. Raises `NoKafkaError`."""
    return f"{jars_of(release)}/*"


def cache_folder() -> Path:
    """Where the jars of all releases are: `highwater/kafka` in the user's cache folder (XDG)."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "highwater/kafka"


def _exact(release: str) -> Number:
    """The parts of an exact release, three or four. Raises `NoKafkaError` for anything else."""
    try:
        number = number_of(release)
    except UnknownVersionError as error:
        raise NoKafkaError(error.reason) from None
    if len(number) < 3:
        raise NoKafkaError(failure("not_exact", release=release))
    return number


def _download(maven: str, release: str, number: Number, folder: Path) -> None:
    scala = "2.13" if at_least(number, (2, 6)) else "2.12" if at_least(number, (0, 10)) else "2.11"
    names = [("org.apache.kafka", f"kafka_{scala}", release)]
    names.append(("org.apache.kafka", "kafka-tools", release))
    if not at_least(number, (1, 1)):  # they use what Java had until version 10
        names.append(("javax.xml.bind", "jaxb-api", "2.3.1"))
    if at_least(number, (2, 0)) and not at_least(number, (2, 4)):
        # Their 3.4.13 and 3.4.14 do not connect on Java 14 and later (ZOOKEEPER-3779).
        names.append(("org.apache.zookeeper", "zookeeper", "3.4.12"))
    exclusions = "".join(map(_EXCLUSION.format, _EXCLUDED))
    dependencies = "".join(_DEPENDENCY.format(*name, exclusions=exclusions) for name in names)
    pom = folder / "pom.xml"
    pom.write_text(_POM.format(dependencies=dependencies))
    command = [
        maven, "--quiet", "--batch-mode", "--strict-checksums",
        "--file", str(pom), "dependency:copy-dependencies", "-DincludeScope=runtime",
        f"-DoutputDirectory={folder / 'jars'}",
    ]  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603  # Maven, and no shell
            command, capture_output=True, text=True, check=False, timeout=_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise NoKafkaError(failure("download_late", release=release, seconds=_LIMIT_S)) from None
    if done.returncode != 0:
        printed = _COLOURS.sub("", done.stdout).splitlines()
        lines = [line for line in printed if line.startswith("[ERROR]")]
        why = lines[0].removeprefix("[ERROR]").strip()[:300] if lines else None
        raise NoKafkaError(
            failure("download_failed", release=release, printed=why or failure("printed_no_reason"))
        )
