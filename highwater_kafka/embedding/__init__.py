"""The code of embeds for hosts that are built with Python, and their downloads."""
