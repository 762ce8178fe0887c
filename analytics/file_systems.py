"""The files of a job in a folder of any file system.

Spark writes the rows. The driver reads and writes small documents beside them through Hadoop's
FileSystem, which Spark has for every address that it can write to: `s3a:`, `hdfs:`, `abfs:`,
`file:`. A path without a scheme is in Spark's default file system.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from py4j.java_gateway import JavaObject  # type: ignore[import-untyped]
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession

from analytics.errors import CampaignFolderError
from analytics.spark import reason_of

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def local_path(address: str) -> Path | None:
    """The path of a folder of this machine, which may be written as `file:///…`; None for an
    address in another file system.
    """
    scheme = _ADDRESS.match(address)
    if scheme is None:
        return Path(address)
    return Path(re.sub("^[^/]*(//[^/]*)?", "", address)) if scheme[1].lower() == "file" else None


_WRITING = {
    "compression": "zstd",
    # What a task writes is one file, which is complete or absent.
    "maxRecordsPerFile": "0",
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}


class Files:
    """The files of one folder. `address` is as the user wrote it.

    Every method raises `CampaignFolderError` if the file system cannot be used.
    """

    def __init__(self, spark: SparkSession, address: str) -> None:
        self.spark = spark
        self.address = address.rstrip("/") or "/"
        with self._using():
            self._path: JavaObject = spark._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
            hadoop = spark._jsparkSession.sessionState().newHadoopConf()
            self._files: JavaObject = self._path(self.address).getFileSystem(hadoop)
            # Readers that are not Hadoop would see its files of checksums.
            self._files.setWriteChecksum(False)

    def at(self, name: str) -> str:
        """The address of a file or folder in this folder."""
        return f"{self.address}/{name}"

    def exists(self, name: str) -> bool:
        """Whether there is such a file or folder."""
        with self._using():
            return bool(self._files.exists(self._path(self.at(name))))

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        with self._using():
            for path in (self._path(self.at(name)), self._new(name)):
                if self._files.exists(path):
                    opened = self._files.open(path)
                    try:
                        return bytes(opened.readAllBytes())
                    finally:
                        opened.close()
        return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file, replacing any earlier one. If it is interrupted, `read` returns the earlier
        content or the new one.
        """
        with self._using():
            new, path = self._new(name), self._path(self.at(name))
            stream = self._files.create(new, True)
            stream.write(content)
            stream.close()
            # No file system replaces a file by renaming, except for some.
            self._files.delete(path, False)
            if not self._files.rename(new, path):
                raise CampaignFolderError(f"cannot write {self.at(name)}")

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with everything in it, if it exists."""
        with self._using():
            self._files.delete(self._path(self.at(name)), True)

    def append(self, rows: DataFrame, name: str, *partitioned_by: str) -> None:
        """Write rows as Parquet to a folder, beside those that it has: of each task, one file for
        each value of the columns by which the folder is partitioned.

        Only one job at a time may write to the folder.
        """
        # Hadoop would add to these rows what a killed job has left.
        self.delete(f"{name}/_temporary")
        writer = rows.write.options(**_WRITING).partitionBy(*partitioned_by).mode("append")
        writer.parquet(self.at(name))

    def _new(self, name: str) -> JavaObject:
        folder, slash, file = name.rpartition("/")
        return self._path(self.at(f"{folder}{slash}.{file}.new"))

    @contextmanager
    def _using(self) -> Iterator[None]:
        try:
            yield
        except Py4JError as error:
            raise CampaignFolderError(
                f"cannot use {self.address}: {reason_of(str(error))}"
            ) from error
