"""What is promised of a file that is replaced, in file systems that differ in what they can do."""

import threading
import uuid
from collections import Counter
from pathlib import Path

import pytest
from py4j.java_gateway import JavaObject  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from analytics.file_systems import Files

# Compiled by Janino, which Spark has, into file systems that keep their files on this machine.
_LIKE_HDFS = """
public static class Older extends org.apache.hadoop.fs.RawLocalFileSystem {
  public java.net.URI getUri() { return java.net.URI.create("SCHEME:///"); }
  public boolean rename(Path from, Path to) throws java.io.IOException {
    return !exists(to) && super.rename(from, to);
  }
  public boolean delete(Path path, boolean recursive) throws java.io.IOException {
    if (!recursive && exists(path)) {
      throw new java.io.IOException("a reader may see that " + path + " is deleted");
    }
    return super.delete(path, recursive);
  }
}
public static class Newer extends org.apache.hadoop.fs.DelegateToFileSystem {
  public Newer(java.net.URI uri, Configuration settings) throws Exception {
    super(uri, new Older(), settings, "SCHEME", false);
  }
  public void renameInternal(Path from, Path to, boolean overwrite) throws java.io.IOException {
    new java.io.File(from.toUri().getPath()).renameTo(new java.io.File(to.toUri().getPath()));
  }
}
"""
_LIKE_A_STORE = """
public static class Older extends org.apache.hadoop.fs.RawLocalFileSystem {
  public java.net.URI getUri() { return java.net.URI.create("SCHEME:///"); }
  public boolean hasPathCapability(Path path, String capability) throws java.io.IOException {
    return "fs.capability.outputstream.abortable".equals(capability);
  }
  public boolean rename(Path from, Path to) throws java.io.IOException {
    throw new java.io.IOException("a store copies " + from);
  }
}
"""
_WITHOUT_FILE_CONTEXT = """
public static class Older extends org.apache.hadoop.fs.RawLocalFileSystem {
  public java.net.URI getUri() { return java.net.URI.create("SCHEME:///"); }
  public boolean rename(Path from, Path to) throws java.io.IOException {
    if (exists(to)) {
      throw new org.apache.hadoop.fs.FileAlreadyExistsException(to.toString());
    }
    return super.rename(from, to);
  }
}
"""


@pytest.mark.parametrize("kind", [_LIKE_HDFS, _LIKE_A_STORE, _WITHOUT_FILE_CONTEXT])
def test_a_file_is_replaced_by_what_the_file_system_has_for_it(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    files = Files(spark, f"{_file_system(spark, kind)}://{tmp_path}/folder")

    files.write("_summary.json", b"earlier")
    files.write("_summary.json", b"new")

    assert files.read("_summary.json") == b"new"
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["_summary.json"]


def test_a_reader_of_a_file_of_this_machine_always_finds_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    files = Files(spark, tmp_path.as_uri())
    files.write("_summary.json", b"0" * 1_000)
    found: Counter[int | str] = Counter()
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            try:
                found[len((tmp_path / "_summary.json").read_bytes())] += 1
            except FileNotFoundError:
                found["none"] += 1

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(20):
        files.write("_summary.json", b"1" * 1_000)
    ended.set()
    reader.join()

    assert set(found) == {1_000}


def test_what_a_killed_job_began_to_write_is_not_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "._campaign.json.new").write_bytes(b"{")

    assert Files(spark, str(tmp_path)).read("_campaign.json") is None


def _file_system(spark: SparkSession, code: str) -> str:
    """A new scheme for the file system with this code."""
    scheme = f"highwater{uuid.uuid4().hex}"
    assert spark._jvm is not None
    compiler: JavaObject = spark._jvm.org.codehaus.janino.ClassBodyEvaluator()
    compiler.setDefaultImports(
        _texts(spark, "org.apache.hadoop.fs.Path", "org.apache.hadoop.conf.Configuration")
    )
    compiler.setClassName(scheme)
    compiler.cook(code.replace("SCHEME", scheme))
    assert spark.sparkContext._jsc is not None
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    hadoop.setClassLoader(compiler.getClazz().getClassLoader())
    hadoop.set(f"fs.{scheme}.impl", f"{scheme}$Older")
    if "Newer" in code:
        hadoop.set(f"fs.AbstractFileSystem.{scheme}.impl", f"{scheme}$Newer")
    return scheme


def _texts(spark: SparkSession, *texts: str) -> JavaObject:
    assert spark.sparkContext._gateway is not None
    array = spark.sparkContext._gateway.new_array(spark._jvm.java.lang.String, len(texts))  # type: ignore[union-attr]
    for place, text in enumerate(texts):
        array[place] = text
    return array
