"""What is answered about runs: functions of a run and a request, which a page calls as well.

The routes call them in the service. In a page without one, `backend.in_page` calls them in the
browser, where neither FastAPI nor a database exists: a contract forbids both here.
"""
