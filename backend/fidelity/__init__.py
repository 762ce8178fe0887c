"""What is modelled, simplified and left out, and what holds the engine to Kafka."""
