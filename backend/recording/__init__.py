"""Real Kafka brokers carry out the steps of a scenario file, and what is read after each step is
written as a recording (`sim_engine.conformance.recording`).
"""
