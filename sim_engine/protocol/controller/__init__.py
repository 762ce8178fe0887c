"""The controller's behaviour under ZooKeeper and under KRaft."""
