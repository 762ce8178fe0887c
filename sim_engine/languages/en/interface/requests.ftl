### The requests to the service that get no response.

unreachable = The service cannot be reached. Try again when the connection is restored.
