"""`scripts/new-release`, on small made jars: which classes changed, and the line of the history."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "new-release"
NEWEST = "4.4.0"
NEXT = "4.5.0"


def jar_of(cache: Path, release: str, classes: dict[str, bytes]) -> None:
    """The jars of a release as they are in the cache, so that Maven is not asked."""
    folder = cache / "highwater" / "kafka" / release
    folder.mkdir(parents=True)
    (folder.parent / f"{release}-sources").mkdir()
    with zipfile.ZipFile(folder / f"kafka-made-{release}.jar", "w") as jar:
        for path, code in classes.items():
            jar.writestr(path, code)


def run_script(
    tmp_path: Path, *arguments: str, path: str = "/nowhere"
) -> subprocess.CompletedProcess[str]:
    """Run the script without javap, Maven and Java, unless a path is given."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PATH": path}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        capture_output=True, text=True, check=False, env=environment, cwd=tmp_path,
    )  # fmt: skip


def test_the_cited_classes_that_differ_are_named_wherever_they_are_now(tmp_path: Path) -> None:
    jar_of(
        tmp_path, NEWEST,
        {
            "kafka/cluster/Partition.class": b"same",
            "kafka/server/ReplicaManager.class": b"old",
            "kafka/server/DelayedFetch.class": b"gone",
            "kafka/server/OfNoInterest.class": b"old",
        },
    )  # fmt: skip
    jar_of(
        tmp_path, NEXT,
        {
            "org/apache/kafka/server/Partition.class": b"same",
            "kafka/server/ReplicaManager.class": b"new",
            "org/apache/kafka/server/Replica$State.class": b"new",
            "kafka/server/OfNoInterest.class": b"new",
        },
    )  # fmt: skip

    done = run_script(tmp_path, NEXT, "--dry-run")

    lines = [line.strip() for line in done.stdout.splitlines()]
    assert done.returncode == 1, done.stderr
    assert lines[:3] == [
        "gone  DelayedFetch: kafka/server/DelayedFetch.class",
        "new  Replica: org/apache/kafka/server/Replica$State.class",
        "changed  ReplicaManager: kafka/server/ReplicaManager.class",
    ]
    assert lines[3].startswith("3 of ")
    assert f"differ from {NEWEST}" in lines[3]


def test_the_sources_of_what_differs_are_compared(tmp_path: Path) -> None:
    for release, body in ((NEWEST, "return 1;"), (NEXT, "return 2;")):
        jar_of(tmp_path, release, {"kafka/cluster/Partition.class": body.encode()})
        with zipfile.ZipFile(
            tmp_path / f"highwater/kafka/{release}-sources" / "made-sources.jar", "w"
        ) as jar:
            jar.writestr("kafka/cluster/Partition.scala", f"class Partition\n{body}\n")
    diff = ROOT / "var" / "new-release" / f"{NEXT}.diff"

    done = run_script(tmp_path, NEXT, "--dry-run")

    try:
        assert f"var/new-release/{NEXT}.diff" in done.stdout, done.stderr
        assert "-return 1;\n+return 2;" in diff.read_text()
    finally:
        diff.unlink(missing_ok=True)


@pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("javac", "javap")), reason="needs a JDK"
)
def test_with_javap_the_methods_are_named_and_a_moved_line_is_no_change(tmp_path: Path) -> None:
    bodies = {
        NEWEST: "public class Partition { int isr() { return 1; } int epoch() { return 3; } }",
        NEXT: "public class Partition {\n int isr() { return 2; } int epoch() { return 3; } }",
    }
    for release, body in bodies.items():
        source = tmp_path / release / "Partition.java"
        source.parent.mkdir()
        source.write_text(body)
        moved = source.with_name("Replica.java")
        moved.write_text(
            "\n\n" * (release == NEXT) + "public class Replica { int leo() { return 9; } }"
        )
        subprocess.run(["javac", str(source), str(moved)], check=True)
        jar_of(
            tmp_path, release,
            {
                f"kafka/cluster/{name}.class": source.with_name(f"{name}.class").read_bytes()
                for name in ("Partition", "Replica")
            },
        )  # fmt: skip

    done = run_script(tmp_path, NEXT, "--dry-run", path=os.environ["PATH"])

    assert done.stdout.splitlines()[0].strip() == "changed  Partition: ~isr"
    assert done.stdout.splitlines()[1].startswith("1 of ")


@pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("javac", "javap")), reason="needs a JDK"
)
def test_the_levels_up_to_the_default_are_added_to_the_history(tmp_path: Path) -> None:
    """The whole script, on a copy of the repository's code."""
    source = tmp_path / "MetadataVersion.java"
    source.write_text(
        """public enum MetadataVersion {
        IBP_4_4_IV2(33, "4.4", "IV2", true), IBP_4_5_IV0(34, "4.5", "IV0", false),
        IBP_4_5_IV1(35, "4.5", "IV1", true), IBP_4_6_IV0(36, "4.6", "IV0", false);
        public static final MetadataVersion LATEST_PRODUCTION = IBP_4_5_IV1;
        MetadataVersion(int level, String release, String name, boolean changed) {}
        }"""
    )
    subprocess.run(["javac", str(source)], check=True)
    code = source.with_suffix(".class").read_bytes()
    jar_of(tmp_path, NEWEST, {"kafka/cluster/Partition.class": b"same"})
    jar_of(
        tmp_path, NEXT,
        {"kafka/cluster/Partition.class": b"same", "kafka/common/MetadataVersion.class": code},
    )  # fmt: skip
    copy = tmp_path / "copy"
    for folder in ("scripts", "sim_engine", "backend"):
        shutil.copytree(ROOT / folder, copy / folder)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(copy)}

    done = subprocess.run(
        [sys.executable, str(copy / "scripts" / "new-release"), NEXT, "--no-record"],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip

    history = (copy / "sim_engine" / "kafka_history.py").read_text(encoding="utf-8")
    line = "    4.5.0                               | 4.5         | 4.5-IV0 4.5-IV1*\n"
    assert line in history, done.stderr


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (NEWEST, f"Kafka {NEWEST} is known already"),
        ("4.5", "name an exact release"),
        ("soon", "is not a Kafka version"),
        (NEXT, "there is no java"),
    ],
)
def test_what_cannot_be_read_is_one_error(release: str, said: str, tmp_path: Path) -> None:
    done = run_script(tmp_path, release)

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_history_gets_one_line_or_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    with_release = import_module("kafka_classes").with_release
    text = (ROOT / "sim_engine" / "kafka_history.py").read_text(encoding="utf-8")

    patch = with_release(text, "4.3.9", [])
    line = with_release(text, NEXT, ["4.5-IV0", "4.5-IV1*"])

    assert "    4.3.0 4.3.1 4.3.2 4.3.9 " in patch
    assert len(patch.splitlines()) == len(text.splitlines())
    assert '    4.5.0                               | 4.5         | 4.5-IV0 4.5-IV1*\n"""\n' in line
