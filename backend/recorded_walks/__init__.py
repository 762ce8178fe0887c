"""Random schedules, carried out by real brokers and replayed by the engine."""
