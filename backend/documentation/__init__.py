"""The documentation at `/docs`: the folder docs/ as pages, and what code says of itself.

A page is a Markdown file, read and laid out when it is first asked for. Where it has a line
`<!-- generated: NAME -->`, a generator of `generated/` writes what stands there: the steps, the
commands, the requests, the settings and the limits that this service has. So no reference is
written twice.
"""
