"""Jobs: storage → transforms → storage. Each is one command of `python -m analytics`."""
