"""Operations: the service's commands, schema, health, metrics, logs and housekeeping."""
