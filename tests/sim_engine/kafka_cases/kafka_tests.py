"""Kafka's test classes that several files of cases cite."""


def pt(method: str) -> str:
    """A test of `PartitionTest`."""
    return f"PartitionTest.{method}"


def rmt(method: str) -> str:
    """A test of `ReplicaManagerTest`."""
    return f"ReplicaManagerTest.{method}"
