"""The gallery: shares that their authors allow to be listed."""
