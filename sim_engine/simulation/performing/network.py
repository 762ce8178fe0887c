"""Links between endpoints are cut and carry messages again; a broker's messages become slow."""

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
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn


def cut(turn: Turn, action: Cut) -> None:
    """One direction of one link: what is in flight there is lost with its connection."""
    link = (action.from_, action.to)
    if turn.cluster.is_cut(*link):
        raise RefusedError("already_cut", link=link)
    _cut(turn, (link,))


def _cut(turn: Turn, links: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
    turn.cluster = replace(
        turn.cluster,
        links_cut=tuple(sorted({*turn.cluster.links_cut, *links}, key=_link_order)),
    )
    for sender, receiver in links:
        turn.say(LinkCut(from_=sender, to=receiver))
    for message in turn.cluster.messages:
        if (message.sender, message.receiver) in links and message.kind not in COMMANDS:
            lose(turn, message)
    for broker in turn.cluster.brokers:
        if not turn.cluster.reaches_controller(broker.broker_id):
            lose_contact(turn, broker.broker_id)


def _link_order(link: tuple[Endpoint, Endpoint]) -> tuple[str, str]:
    return str(link[0]), str(link[1])


def heal(turn: Turn, action: Heal) -> None:
    """One direction of one link, or all links of a broker, carry messages again."""
    if action.broker is not None:
        broker_id = action.broker
        healed = tuple(link for link in turn.cluster.links_cut if broker_id in link)
        if not healed:
            raise RefusedError("not_cut", link=(broker_id, broker_id))
    else:
        assert action.from_ is not None, "it says a broker or a link"
        assert action.to is not None, "it says a broker or a link"
        link = (action.from_, action.to)
        if not turn.cluster.is_cut(*link):
            raise RefusedError("not_cut", link=link)
        healed = (link,)
    turn.cluster = replace(
        turn.cluster,
        links_cut=tuple(link for link in turn.cluster.links_cut if link not in healed),
    )
    for sender, receiver in healed:
        turn.say(LinkHealed(from_=sender, to=receiver))
    for broker in turn.cluster.brokers:
        regain_contact(turn, broker.broker_id)
        handle_waiting_produces(turn, broker.broker_id)


def isolate(turn: Turn, action: Isolate) -> None:
    """Cut a broker off both ways from the controller, the other brokers, or everybody."""
    broker_id = action.broker
    whom = action.from_
    others: list[Endpoint] = []
    if whom in ("controller", "all"):
        others.append(CONTROLLER)
    if whom in ("brokers", "all"):
        others.extend(
            broker.broker_id for broker in turn.cluster.brokers if broker.broker_id != broker_id
        )
    links = tuple(
        link
        for other in others
        for link in ((broker_id, other), (other, broker_id))
        if not turn.cluster.is_cut(*link)
    )
    if not links:
        raise RefusedError("already_cut", link=(broker_id, whom))
    _cut(turn, links)


def slow(turn: Turn, action: Slow) -> None:
    """A broker's messages take that much longer whenever time passes."""
    broker = turn.cluster.broker(action.broker)
    turn.put_broker(replace(broker, slow_ms=action.ms))
    turn.say(BrokerSlowed(broker=broker.broker_id, ms=action.ms))


PERFORMED: tuple[Entry, ...] = (
    performs(Cut, cut),
    performs(Heal, heal),
    performs(Isolate, isolate),
    performs(Slow, slow),
)
