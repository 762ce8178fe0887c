"""Pictures of every page and state, compared with those stored next to this file."""
