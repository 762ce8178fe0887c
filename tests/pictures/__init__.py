"""Pictures of every page and state, compared with those that are kept beside this file."""
