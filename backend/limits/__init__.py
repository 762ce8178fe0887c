"""The limits of the service: one table of all limits, and their enforcement."""
