"""The parts of Kafka that are modelled, simplified or left out, and the checks of the engine."""
