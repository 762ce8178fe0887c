"""The jars of a release, with a Maven that is a shell script."""

import subprocess
from pathlib import Path

import pytest

from backend.recording.releases import NoKafkaError, cache_folder, class_path, jars_of

_MAVEN = """#!/bin/sh
echo "$@" >> {calls}
for argument in "$@"; do case $argument in -DoutputDirectory=*) out=${{argument#*=}};; esac; done
mkdir -p "$out" && touch "$out/kafka-clients.jar"
{end}
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH but for the shell's programs, and an empty cache."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/bin")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda name: _in(folder, name))
    return folder


def _in(folder: Path, name: str) -> str | None:
    return str(folder / name) if (folder / name).exists() else None


def _program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)


def test_the_jars_are_fetched_once_and_checked(programs: Path) -> None:
    calls = programs / "calls"
    _program(programs, "java", "#!/bin/sh\n")
    _program(programs, "mvn", _MAVEN.format(calls=calls, end=""))

    first, second = jars_of("3.9.1"), class_path("3.9.1")

    assert first == cache_folder() / "3.9.1"
    assert second == f"{first}/*"
    assert [one.name for one in first.iterdir()] == ["kafka-clients.jar"]
    assert calls.read_text().count("\n") == 1
    assert "--strict-checksums" in calls.read_text()
    assert [one.name for one in cache_folder().iterdir()] == ["3.9.1"]


def test_what_does_not_run_on_this_java_is_replaced(programs: Path) -> None:
    _program(programs, "java", "#!/bin/sh\n")
    _program(programs, "mvn", _MAVEN.format(calls=programs / "calls", end='cat "$5" > "$out/pom"'))

    assert "<version>3.4.12</version>" in (jars_of("2.0.1") / "pom").read_text()
    assert "zookeeper" not in (jars_of("3.9.1") / "pom").read_text()


def test_a_release_that_cannot_be_had_is_one_sentence_and_leaves_nothing(programs: Path) -> None:
    _program(programs, "java", "#!/bin/sh\n")
    _program(
        programs,
        "mvn",
        _MAVEN.format(
            calls=programs / "calls", end=r"printf '\033[0m[ERROR] no such artifact\n'; exit 1"
        ),
    )

    with pytest.raises(NoKafkaError) as failure:
        jars_of("9.9.9")

    assert str(failure.value) == ("Maven cannot download the jars of Kafka 9.9.9: no such artifact")
    assert list(cache_folder().iterdir()) == []


def test_without_java_or_maven_the_program_is_named(programs: Path) -> None:
    with pytest.raises(NoKafkaError, match="Java 17"):
        jars_of("3.9.1")
    _program(programs, "java", "#!/bin/sh\n")
    with pytest.raises(NoKafkaError, match="no mvn in PATH"):
        jars_of("3.9.1")


@pytest.mark.parametrize("name", ["3.9", "latest", "3.9.1; rm"])
def test_only_an_exact_release_is_fetched(programs: Path, name: str) -> None:
    with pytest.raises(NoKafkaError):
        jars_of(name)

    assert not cache_folder().exists()


def test_a_maven_that_does_not_end_is_stopped(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_ends(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("mvn", 1)

    _program(programs, "java", "#!/bin/sh\n")
    _program(programs, "mvn", "#!/bin/sh\n")
    monkeypatch.setattr(subprocess, "run", never_ends)

    with pytest.raises(NoKafkaError, match="within 600 s"):
        jars_of("3.9.1")
