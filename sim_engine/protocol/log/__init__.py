"""A replica's log on disk: its records, its leader epochs and its producer state."""
