"""The process that assesses, or searches a partition: `python -m backend.assessments.worker`.

It reads one request as JSON from standard input and writes lines of JSON: the document as far as it
is computed, and finally the complete one. SIGINT and SIGTERM end it with what is computed so far.
Its parent may kill it at any moment, because it holds no resources.
"""

import contextlib
import sys
from functools import partial

import msgspec

from backend.answers.assessing import AssessmentRequest, assess, read_assessment, search_partition
from backend.processes.lines import interrupted_by_signals, write_line


def main() -> None:
    """Assess the cluster that standard input describes, or search its partition."""
    interrupted_by_signals()
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=AssessmentRequest)
    report = partial(write_line, "progress")
    with contextlib.suppress(KeyboardInterrupt):  # before anything is computed
        cluster = read_assessment(request)
        # Who asks the same again after an interrupt wants a result.
        if request.partition is None:
            page, is_whole = assess(cluster, request.seconds, report)
            write_line("result", page, keep=is_whole)
        else:
            found = search_partition(cluster, request.partition, request.seconds, report)
            write_line("result", found, keep=not found.is_interrupted)


if __name__ == "__main__":
    main()
