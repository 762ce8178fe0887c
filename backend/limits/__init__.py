"""The enforcement of the limits of `backend.limit_table`: quotas, lanes, connections, guesses."""
