"""Actions on links. A link has two directions, which are cut and restored separately."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, BrokerOrController, MillisecondsOrNone
from sim_engine.actions.processes import OneBroker


class Cut(StepStruct, frozen=True, gc=False, kw_only=True):
    """Cuts one direction of a link. Messages in flight on it are lost."""

    fault = True

    from_: BrokerOrController
    to: BrokerOrController


class Heal(StepStruct, frozen=True, gc=False, kw_only=True):
    """Restores one direction of a link (`from`, `to`), or all links of a `broker`."""

    row = 4

    from_: BrokerOrController | None = None
    to: BrokerOrController | None = None
    broker: Broker | None = None


class Isolate(OneBroker, frozen=True, gc=False, kw_only=True):
    """Cuts all links of a broker in both directions: to the controller, to the other brokers, or
    both."""

    fault = True
    row = 10

    from_: Literal["controller", "brokers", "all"]


class Slow(OneBroker, frozen=True, gc=False, kw_only=True):
    """Delays every message that a broker sends or receives by `ms` of virtual time. 0 removes the
    delay.
    """

    ms: MillisecondsOrNone


Happening = Cut | Heal | Isolate | Slow
"""The steps of this module."""

Action = Cut | Heal | Isolate | Slow
"""The actions of this module."""
