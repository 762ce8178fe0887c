"""A replica's log on disk: its records, its leader epochs and what it knows of producers."""
