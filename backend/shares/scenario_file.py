"""A share as a scenario file: what was done on its branch, and what it ended with."""

from backend.frames.packing import whole
from backend.shares.replaying import replayed
from backend.shares.shown import Share
from sim_engine import branch_scenario, ending, read_scenario_document, scenario_text

_NOT_EXACT = (
    "# The run left a step before its end, where no step of a file ends.\n"
    "# This file ends otherwise than the run.\n"
)


def scenario_yaml(share: Share, link: str) -> str:
    """The file as text. It reads back, and `check` holds it to the share's last frame.

    `link` is the share's address, so that readers of the file can find it.
    """
    timeline = replayed(share)
    branch = timeline.path(timeline.head)
    made = branch_scenario(timeline, branch[min(len(share.entries), len(branch)) - 1])
    expected = ending(whole(share.entries, len(share.entries) - 1)) if made.is_exact else []
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
