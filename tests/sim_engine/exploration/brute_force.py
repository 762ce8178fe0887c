"""The plain search that `search` must agree with: breadth first over `steps_from`, and every state
compared as a whole.

It reduces nothing. Two states are the same if they are equal in every field, once the numbers that
only name something are replaced by their ranks (messages, losses of contact), and frame numbers by
whether there is one.
"""

import re
from collections.abc import Iterable, Mapping
from functools import partial

from msgspec import Struct, json
from msgspec.structs import replace

from sim_engine.actions.steps import Happening
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import Budget, after_elections, steps_from, whole_budget
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST, is_pending, search_target
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.observation import History, Verdicts, observe
from sim_engine.invariants.safety import LIVENESS_BY_NAME, evaluate
from sim_engine.narration import RefusedError
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Frame

MOST_FRAMES_A_STEP = 200

_FRAME = re.compile(rb'"\w*frame":(\d+)')
_RANKED = (
    re.compile(rb'"(?:id|awaiting|in_reply_to|message_id|request)":(\d+)'),
    re.compile(rb'"contact_lost_order":(\d+)'),
)


class Truth(Struct, frozen=True, kw_only=True):
    """What is true of a search: there is a violation after `depth` steps and not before; or there
    is none within `depth` steps, and none at all if it is `complete`.
    """

    violated: bool
    depth: int
    complete: bool = False
    exercised: bool = False
    """Whether some state within `depth` could have violated the property."""


class Node(Struct, frozen=True):
    """A state, what a property reads of its past, and the budget left."""

    cluster: ClusterState
    history: History
    verdicts: Verdicts
    left: Budget
    depth: int = 0


def brute_force(start: Frame, options: SearchOptions, most_steps: int) -> Truth:
    """Search level by level, up to the last level for which so many tried steps are enough."""
    root = start_of(start, options)
    is_sought = search_target(options.property, options.acks)
    if is_sought(root.verdicts, root.cluster):
        return Truth(violated=True, depth=0, exercised=True)
    level, seen, exercised = [root], {whole_state(root)}, is_exercised(root, options)
    for depth in range(options.max_depth):
        following, reached = [], exercised
        for node in level:
            for move, left in steps_from(node.cluster, node.left, options.grain, options.acks):
                most_steps -= 1
                if most_steps < 0:
                    return Truth(violated=False, depth=depth, exercised=exercised)
                after = play(node, move.steps, left)
                if any(is_sought(moment.verdicts, moment.cluster) for moment in after):
                    return Truth(violated=True, depth=depth + 1, exercised=True)
                reached = reached or any(is_exercised(moment, options) for moment in after)
                if after and whole_state(after[-1]) not in seen:
                    seen.add(whole_state(after[-1]))
                    following.append(after[-1])
        exercised, level = reached, following
        if not level:
            return Truth(violated=False, depth=depth + 1, complete=True, exercised=exercised)
    return Truth(violated=False, depth=options.max_depth, exercised=exercised)


def start_of(start: Frame, options: SearchOptions) -> Node:
    """The frame that a search begins at."""
    return Node(start.cluster, start.history, start.verdicts, whole_budget(options.budget))


def play(node: Node, steps: Iterable[Happening], left: Budget) -> list[Node]:
    """The state after each action of some steps, and after all of them; none if one of the steps
    is refused, or if their elections exceed the budget.
    """
    frame = FrameNumber(node.depth + 1)
    execution = StepExecution(node.cluster, frame, MOST_FRAMES_A_STEP)
    try:
        for step in steps:
            execute_step(execution, step)
    except RefusedError:
        return []
    nodes = [replace(node, left=left, depth=frame)]
    for executed in execution.executed:
        was, now = nodes[-1], executed.transition.cluster
        within = after_elections(was.left, was.cluster, now)
        if within is None:
            return []
        history = observe(was.history, was.cluster, now, frame)
        verdicts = evaluate(history, now, frame, was.verdicts)
        nodes.append(Node(now, history, verdicts, within, frame))
    # The last actions may have created no frame.
    return [*nodes[1:], replace(nodes[-1], cluster=execution.cluster)]


def is_exercised(node: Node, options: SearchOptions) -> bool:
    """Whether there has been anything to violate, as `search_target` defines a violation."""
    if options.property == NO_ACKED_RECORD_LOST and options.acks != "all":
        return any(record.outcome == "acked" for record in node.cluster.clients.produced)
    if options.property in LIVENESS_BY_NAME:
        return is_pending(node.cluster, LIVENESS_BY_NAME[options.property].check)
    return node.verdicts[options.property].status != "not_exercised"


def whole_state(node: Node) -> tuple[object, ...]:
    """The state and the committed records as text, without the fields that follow from others."""
    cluster = replace(
        node.cluster,
        profile=None,
        settings=(),
        broker_settings=(),
        next_message_id=0,
        losses_of_contact=0,
    )
    text = _FRAME.sub(b"", json.encode((cluster, node.history.committed)))
    for pattern in _RANKED:
        numbers = sorted(set(map(int, pattern.findall(text))))
        ranks = {number: b"%d" % rank for rank, number in enumerate(numbers)}
        text = pattern.sub(partial(_rank, ranks), text)
    return text, node.cluster.profile, node.left


def _rank(ranks: Mapping[int, bytes], found: re.Match[bytes]) -> bytes:
    return ranks[int(found[1])]
