"""The replication protocol of Apache Kafka and its deterministic simulation.

A run is a function of its scenario and a version: the same frames on any machine. `README.md` in
this folder describes its packages.
"""
