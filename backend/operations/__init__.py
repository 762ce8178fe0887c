"""Running the service: its commands, schema, health, metrics, log lines and housekeeping."""
