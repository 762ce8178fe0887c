"""`highwater mcp`: the tools of an assistant, over standard input and output."""

from importlib.util import find_spec

from sim_engine.command_line import HOLDS
from sim_engine.error_texts import WrongInputError

_LIBRARY = "mcp"


def serve() -> int:
    """Serve until standard input ends, and return the exit status. Raises `WrongInputError` if the
    optional library is missing.
    """
    if find_spec(_LIBRARY) is None:
        raise WrongInputError(
            "this needs the Model Context Protocol, which is not installed: "
            "pip install 'highwater-kafka[mcp]'"
        )
    # The optional library is imported when the command runs.
    from highwater_kafka.mcp_server import server

    server().run("stdio")
    return HOLDS
