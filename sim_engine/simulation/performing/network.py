"""Cuts and restores links between endpoints, and slows down a broker's messages."""

from msgspec.structs import replace

from sim_engine.actions import Cut, Heal, Isolate, Slow
from sim_engine.events.network import BrokerSlowed, LinkCut, LinkHealed
from sim_engine.identifiers import CONTROLLER, Endpoint
from sim_engine.protocol.messages import COMMANDS
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.processes import lose_contact
from sim_engine.simulation.effects.reconnection import regain_contact
from sim_engine.simulation.performing.producers import handle_waiting_produces
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import ChangesBrokers, CutsLinks, HealsLinks
from sim_engine.simulation.refusal import RefusedError


def cut(work: CutsLinks, action: Cut) -> None:
    """Cut one direction of a link: its messages in flight are lost with their connections."""
    link = (action.from_, action.to)
    if work.cluster.is_cut(*link):
        raise RefusedError("already_cut", link=link)
    _cut(work, (link,))


def _cut(work: CutsLinks, links: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
    work.put_links_cut(tuple(sorted({*work.cluster.links_cut, *links}, key=_link_order)))
    for sender, receiver in links:
        work.say(LinkCut(from_=sender, to=receiver))
    for message in work.cluster.messages:
        if (message.sender, message.receiver) in links and message.kind not in COMMANDS:
            lose(work, message)
    for broker in work.cluster.brokers:
        if not work.cluster.reaches_controller(broker.broker_id):
            lose_contact(work, broker.broker_id)


def _link_order(link: tuple[Endpoint, Endpoint]) -> tuple[str, str]:
    return str(link[0]), str(link[1])


def heal(work: HealsLinks, action: Heal) -> None:
    """Restore one direction of a link, or all links of a broker."""
    if action.broker is not None:
        broker_id = action.broker
        healed = tuple(link for link in work.cluster.links_cut if broker_id in link)
        if not healed:
            raise RefusedError("no_link_cut", broker=broker_id)
    else:
        assert action.from_ is not None, "it says a broker or a link"
        assert action.to is not None, "it says a broker or a link"
        link = (action.from_, action.to)
        if not work.cluster.is_cut(*link):
            raise RefusedError("not_cut", link=link)
        healed = (link,)
    work.put_links_cut(tuple(link for link in work.cluster.links_cut if link not in healed))
    for sender, receiver in healed:
        work.say(LinkHealed(from_=sender, to=receiver))
    for broker in work.cluster.brokers:
        regain_contact(work, broker.broker_id)
        handle_waiting_produces(work, broker.broker_id)


def isolate(work: CutsLinks, action: Isolate) -> None:
    """Cut a broker off in both directions from the controller, the other brokers, or
    all of them.
    """
    broker_id = action.broker
    whom = action.from_
    others: list[Endpoint] = []
    if whom in ("controller", "all"):
        others.append(CONTROLLER)
    if whom in ("brokers", "all"):
        others.extend(
            broker.broker_id for broker in work.cluster.brokers if broker.broker_id != broker_id
        )
    links = tuple(
        link
        for other in others
        for link in ((broker_id, other), (other, broker_id))
        if not work.cluster.is_cut(*link)
    )
    if not others:
        raise RefusedError("no_other_broker", broker=broker_id)
    if not links:
        raise RefusedError("already_cut", link=(broker_id, whom))
    _cut(work, links)


def slow(work: ChangesBrokers, action: Slow) -> None:
    """Delay every message that a broker sends or receives by `action.ms` of virtual time."""
    broker = work.cluster.broker(action.broker)
    work.put_broker(replace(broker, slow_ms=action.ms))
    work.say(BrokerSlowed(broker=broker.broker_id, ms=action.ms))


PERFORMED: tuple[Entry, ...] = (
    performs(Cut, cut),
    performs(Heal, heal),
    performs(Isolate, isolate),
    performs(Slow, slow),
)
