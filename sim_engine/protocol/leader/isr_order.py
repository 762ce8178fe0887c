"""The order of the members in an ISR that a leader proposes.

`Partition.prepareIsrExpand` and `prepareIsrShrink` in Kafka compute the new ISR as a set and send
its elements in the order of that set. No rule reads the order, but tools and metadata records
show it. The orders were compared with those that the set classes of Scala 2.11.12, 2.12.20 and
2.13.18 give.

The Scala version of a release is the one of its recommended download or, where no page says, the
default of its build (`scalaVersion` in `gradle.properties` at the tag):

    0.8.0            2.8.0 (`project/Build.scala`; also built for 2.8.2 to 2.10.1)
    0.8.1            2.9.2 (kafka.apache.org/downloads; the default of the build is 2.8.0)
    0.8.2            2.10.4 (the same page and the build)
    0.9 to 2.0       2.11 (the same page up to 1.0.0, although the build of 0.9 and 0.10 defaults
                     to 2.10; from 1.0.1 the build: 2.11.12)
    2.1 to 2.5       2.12.7 to 2.12.10 (KIP-531, `gradle/dependencies.gradle`; the build from 2.2)
    2.6 to 3.9       2.13 (the build: 2.13.2 in 2.6, 2.13.14 in 3.8); also built for 2.12
    from 4.0         2.13 alone (KIP-751, KAFKA-12895)

Most releases were built for two to four versions of Scala, and any of these builds may be in use.
The orders of versions before 2.11 were not compared.
"""

from collections.abc import Sequence
from itertools import groupby

from sim_engine.identifiers import BrokerId
from sim_engine.kafka_history import Rules

_MOST_IN_ORDER_OF_JOINING = 4
"""Scala has classes for immutable sets of up to four elements, which keep the order in which the
elements were added; a larger set is a hash trie.
"""
_BITS_OF_A_LEVEL = 5
_WORD = 0xFFFF_FFFF


def after_expansion(isr: tuple[BrokerId, ...], joins: BrokerId, rules: Rules) -> Sequence[BrokerId]:
    """The ISR that a leader proposes when a replica joins."""
    proposed = (*isr, joins)
    if rules.proposed_isr_in_hash_order:
        return _in_hash_table(proposed, _places(len(proposed)))
    return proposed if len(proposed) <= _MOST_IN_ORDER_OF_JOINING else _in_hash_trie(proposed)


def after_shrink(
    isr: tuple[BrokerId, ...], leave: Sequence[BrokerId], rules: Rules
) -> Sequence[BrokerId]:
    """The ISR that a leader proposes when replicas leave. A hash trie stays one if it becomes
    smaller.
    """
    proposed = tuple(member for member in isr if member not in leave)
    if rules.proposed_isr_in_hash_order:
        return _in_hash_table(proposed, _PLACES_OF_A_NEW_TABLE)
    return proposed if len(isr) <= _MOST_IN_ORDER_OF_JOINING else _in_hash_trie(proposed)


# --- from 4.2: scala.collection.mutable.HashSet --------------------------------------------------

_PLACES_OF_A_NEW_TABLE = 16


def _places(members: int) -> int:
    """The places of the table of an expanded ISR: a power of two, 8 or more, of which less than
    three quarters are used.
    """
    places = 8
    while 4 * members >= 3 * places:
        places *= 2
    return places


def _in_hash_table(members: Sequence[BrokerId], places: int) -> tuple[BrokerId, ...]:
    """The hash of a broker id (below 65,536) is the id; members of one place are in its order."""
    return tuple(sorted(members, key=lambda member: (member % places, member)))


# --- up to 4.1: scala.collection.immutable.HashSet -----------------------------------------------


def _in_hash_trie(members: Sequence[BrokerId], level: int = 0) -> tuple[BrokerId, ...]:
    """Each level of the trie takes five bits of the hash: first the members that are alone there,
    then those that share a place.
    """

    def place(member: BrokerId) -> int:
        return _mixed(member) >> level & (1 << _BITS_OF_A_LEVEL) - 1

    groups = [tuple(group) for _, group in groupby(sorted(members, key=place), key=place)]
    alone = [group[0] for group in groups if len(group) == 1]
    shared = [
        member
        for group in groups
        if len(group) > 1
        for member in _in_hash_trie(group, level + _BITS_OF_A_LEVEL)
    ]
    return (*alone, *shared)


def _mixed(member: BrokerId) -> int:
    """The hash of a broker id, mixed (`scala.collection.Hashing.improve`)."""
    mixed = member + ~(member << 9) & _WORD
    mixed ^= mixed >> 14
    mixed = mixed + (mixed << 4) & _WORD
    return mixed ^ mixed >> 10
