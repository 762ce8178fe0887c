"""The JSON documents that the command line and the service return."""
