"""Serves the built frontend: the app's pages, their assets, and the page of a share."""
