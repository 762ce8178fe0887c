"""What released versions stored, exactly as they stored it: the promise of docs/reference/links.md.

Each file is of one version. The file of a released version is never changed and never removed; a
new version adds its own (`python -m tests.museum.collect`).
"""
