"""What routes of sessions, and of features built on them, are handed."""

from typing import Annotated

from fastapi import Depends, Request

from backend.sessions.timelines import Timelines


def get_timelines(request: Request) -> Timelines:
    timelines = request.app.state.timelines
    assert isinstance(timelines, Timelines)
    return timelines


TimelinesDep = Annotated[Timelines, Depends(get_timelines)]
