"""The files of a job in a folder of any file system.

Spark writes the rows. The driver reads and writes small documents beside them through Hadoop's
FileSystem, which Spark has for every address that it can write to: `s3a:`, `hdfs:`, `abfs:`,
`file:`. A path without a scheme is in Spark's default file system.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from py4j.java_gateway import JavaObject  # type: ignore[import-untyped]
from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]
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


_APPEARS_WHEN_CLOSED = "fs.capability.outputstream.abortable"
"""What an object store can do: nobody sees a file before it is closed, but the earlier one."""
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
            self._gateway: JavaObject = spark.sparkContext._gateway
            hadoop = spark._jvm.org.apache.hadoop  # type: ignore[union-attr]
            self._api: JavaObject = hadoop.fs
            self._path: JavaObject = hadoop.fs.Path
            self._settings: JavaObject = spark._jsparkSession.sessionState().newHadoopConf()
            self._files: JavaObject = self._path(self.address).getFileSystem(self._settings)
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
            path = self._path(self.at(name))
            if not self._files.exists(path):
                return None
            opened = self._files.open(path)
            try:
                return bytes(opened.readAllBytes())
            finally:
                opened.close()

    def write(self, name: str, content: bytes) -> None:
        """Write a file, replacing any earlier one. Readers see the earlier content or the new one,
        also if this is interrupted, if the file system can do so: those of a machine, HDFS and S3
        can.
        """
        with self._using():
            path = self._path(self.at(name))
            if self._files.hasPathCapability(path, _APPEARS_WHEN_CLOSED):
                self._create(path, content)
            else:
                new = self._new(name)
                self._create(new, content)
                self._replace(path, new)

    def _create(self, path: JavaObject, content: bytes) -> None:
        stream = self._files.create(path, True)
        stream.write(content)
        stream.close()

    def _replace(self, path: JavaObject, new: JavaObject) -> None:
        if self._files.getUri().getScheme() == "file":
            # Spark's file system of a machine refuses to do this.
            os.replace(*(self._files.makeQualified(one).toUri().getPath() for one in (new, path)))
            return
        try:
            context = self._api.FileContext.getFileContext(self._files.getUri(), self._settings)
        except Py4JJavaError:
            # A file system that has only the older interface, which does not replace files.
            self._files.delete(path, False)
            if not self._files.rename(new, path):
                raise CampaignFolderError(f"cannot write {path}") from None
        else:
            # HDFS replaces the earlier file. Others may delete it first.
            options = self._api.Options.Rename
            overwrite = self._gateway.new_array(options, 1)
            overwrite[0] = options.OVERWRITE
            context.rename(new, path, overwrite)

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
        except (Py4JError, OSError) as error:
            raise CampaignFolderError(
                f"cannot use {self.address}: {reason_of(str(error))}"
            ) from error
