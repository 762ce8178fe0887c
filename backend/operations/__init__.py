"""How a running service is operated: schema, health, metrics, logs and housekeeping."""
