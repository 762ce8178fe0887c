"""A share as a scenario file: the steps of its branch, and its final state as expectations."""

from backend.frames.packing import whole
from backend.shares.replay import replayed
from backend.shares.share import Share
from sim_engine import branch_scenario, ending, read_frame, read_scenario_document, scenario_text

_NOT_EXACT = (
    "# The run left a step before its end, at a point that no step of a file can express.\n"
    "# This file ends differently from the run.\n"
)


def scenario_yaml(share: Share, link: str) -> str:
    """The file as text. It is a valid scenario, and `check` compares its result with the share's
    last frame.

    `link` is the share's address, so that readers of the file can find it.
    """
    timeline = replayed(share)
    branch = timeline.path(timeline.head)
    made = branch_scenario(timeline, branch[min(len(share.entries), len(branch)) - 1])
    expected = (
        ending(read_frame(whole(share.entries, len(share.entries) - 1))) if made.is_exact else []
    )
    document = {
        **made.document,
        "title": share.title,
        "steps": [*made.document["steps"], *expected],
    }
    head = f"# {link}\n# Highwater {share.engine}, frames {share.digest}\n"
    if share.parent is not None:
        head += f"# Forked from {link.removesuffix(share.sid)}{share.parent}\n"
    if share.note is not None:
        head += "".join(f"# {line}".rstrip() + "\n" for line in share.note.split("\n"))
    text = scenario_text(read_scenario_document(document))
    return head + ("" if made.is_exact else _NOT_EXACT) + text
