"""Presentations: followers see the presenter's playhead live and answer questions anonymously."""
