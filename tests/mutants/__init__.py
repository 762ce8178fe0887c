"""Does anybody notice? Each rule of the engine is broken on purpose, and a named test must fail."""
