"""Presenting a run: others follow its playhead live, and answer its questions anonymously."""
