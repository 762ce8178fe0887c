"""What becomes of links. A link has two directions, which break and mend one by one."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, BrokerOrController, MillisecondsOrNone
from sim_engine.actions.processes import OneBroker


class Cut(StepStruct, frozen=True, gc=False, kw_only=True):
    """One direction of one link breaks: what is in flight there is lost."""

    fault = True

    from_: BrokerOrController
    to: BrokerOrController


class Heal(StepStruct, frozen=True, gc=False, kw_only=True):
    """One direction of a link (`from`, `to`), or all links of a `broker`, carry messages again."""

    from_: BrokerOrController | None = None
    to: BrokerOrController | None = None
    broker: Broker | None = None


class Isolate(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker is cut off both ways from the controller, the other brokers, or everybody."""

    fault = True

    from_: Literal["controller", "brokers", "all"]


class Slow(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker's messages take `ms` longer whenever time passes; 0 ends that."""

    ms: MillisecondsOrNone


Happening = Cut | Heal | Isolate | Slow
"""What of these a scenario file may say."""

Action = Cut | Heal | Isolate | Slow
"""What of these the engine performs."""
