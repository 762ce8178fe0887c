"""The ZooKeeper controller."""
