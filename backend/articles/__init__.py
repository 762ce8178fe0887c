"""What articles claim about Kafka, and the steps of lessons that show what is so."""
