"""What the next failure of each sort does to each partition of a real cluster."""
