"""Answers a page's requests about runs where there is no service: in a worker of the browser."""
