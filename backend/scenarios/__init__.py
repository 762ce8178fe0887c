"""The stories that are shipped with the engine, its versions and its words."""
