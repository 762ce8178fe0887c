"""The documentation at `/docs`: the pages of the folder docs/, and references generated from the
code.

A page is a Markdown file, rendered at the first request. A generator in `generated/` replaces each
line `<!-- generated: NAME -->` with a reference of this service's steps, commands, requests,
settings or limits, so that no reference is written twice.
"""
