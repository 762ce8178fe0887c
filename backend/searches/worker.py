"""The process that searches: `python -m backend.searches.worker`.

It reads one search request as JSON from standard input and writes lines of JSON: progress, and
finally the result. SIGINT and SIGTERM end the search with the result so far. Its parent may kill it
at any moment, because it holds no resources.
"""

import contextlib
import sys
from functools import partial

import msgspec

from backend.answers.searching import SearchRequest, run_search
from backend.processes.lines import interrupted_by_signals, write_line


def main() -> None:
    """Run the search that standard input requests."""
    interrupted_by_signals()
    with contextlib.suppress(KeyboardInterrupt):  # before the search begins
        request = msgspec.json.decode(sys.stdin.buffer.read(), type=SearchRequest)
        result = run_search(request, partial(write_line, "progress"))
        # Who asks the same again after an interrupt wants a result.
        write_line("result", result, keep=result["limit"] != "interrupt")


if __name__ == "__main__":
    main()
