"""What routes of shares, and of pages that show them, are handed."""

from typing import Annotated

from fastapi import Depends, Request

from backend.shares.service import Shares


def get_shares(request: Request) -> Shares:
    shares = request.app.state.shares
    assert isinstance(shares, Shares)
    return shares


SharesDep = Annotated[Shares, Depends(get_shares)]
