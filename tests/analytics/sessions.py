from pyspark.sql import SparkSession


class KeptOpen:
    """The tests' session, which a block does not stop."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def __enter__(self) -> SparkSession:
        return self._spark

    def __exit__(self, *_: object) -> None:
        pass
