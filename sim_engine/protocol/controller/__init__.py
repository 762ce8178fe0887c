"""What the controller does under ZooKeeper and under KRaft."""
