"""The share dialog's code in the sites that people paste it into, each built by its own tool."""
