"""Scenarios that are being written: validation, preview, and import from a real cluster."""
