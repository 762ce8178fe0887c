"""A copy of the site as files, for hosts that only serve files."""
