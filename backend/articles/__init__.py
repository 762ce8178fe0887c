"""The claims of articles about Kafka, and the lesson steps that show what Kafka does."""
