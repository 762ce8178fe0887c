"""The search over everything that the site shows: lessons and their steps, claims of articles,
terms, settings, errors, documentation, and what is left out."""
