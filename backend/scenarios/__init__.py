"""The shipped scenarios, the Kafka versions, and the engine's texts."""
