"""The processes of the service: their priority, the messages between them, their interpreter."""
