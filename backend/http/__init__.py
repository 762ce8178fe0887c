"""The parts of request and response handling that all features share."""
