"""A search in shares: its states are dealt out by their keys, for several processes.

The search goes level by level. Each share owns the states whose keys fall to it. It takes those
that were handed to it and that it does not have yet, and hands what follows from them to their
owners. A key is a digest of a state's values, so it is the same in every process, and no two shares
take the same state. The verdict and the length of a violation are those of `search`, whatever the
number of shares; of several shortest violations, another one may be found.

Nothing here stores or sends anything: a caller does, between the levels.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Happening
from sim_engine.exploration.checkpoint import LeftOut
from sim_engine.exploration.relevance import confirmed_steps
from sim_engine.exploration.scope import scope_of
from sim_engine.exploration.search import Search, SearchOptions, SearchResult, is_covered
from sim_engine.exploration.states import State
from sim_engine.simulation.timeline import Frame

Left = tuple[int, ...]
"""What is left of a budget."""
Path = tuple[Happening, ...]
"""The steps of a move."""
Seen = Mapping[bytes, tuple[Left, ...]]
"""The states that a share has taken: key → what was left of the budget, each time."""

_KEY_BYTES = 16


class Handed(NamedTuple):
    """A state on its way to its owner: its parts are indexes in the parcel's values."""

    key: bytes
    parts: tuple[int | tuple[int, ...], ...]
    left: Left
    before: int
    """The row of the state before it, among those that the sender took."""
    steps: int
    """The steps that lead to it, as an index in the parcel's."""


class Parcel(NamedTuple):
    """The states that one share hands to another after a level, and their values by place."""

    values: list[tuple[int, object]]
    steps: list[Path]
    states: list[Handed]


class Taken(NamedTuple):
    """A state that a share took: enough to know it again, and to find the way to it."""

    key: bytes
    left: Left
    sender: int
    before: int
    steps: Path


class Level(Struct, frozen=True, kw_only=True):
    """What a share did in one level. `found` is the row of a state from which `path` leads to a
    violation; null if none does.
    """

    taken: int
    handed: int
    """States that it handed on, each counted once."""
    transitions: int
    exercised: bool
    left_out: LeftOut | None
    is_cut: bool
    """Whether it stopped because it would have handed on too many states."""
    found: int | None
    cpu_ms: int = 0


class LevelOfShare(NamedTuple):
    """A share's level, with what it took and what it hands on: owner → parcel. `path` is empty
    unless a violation was found.
    """

    level: Level
    taken: list[Taken]
    parcels: dict[int, Parcel]
    path: Path


class ShareSearch(Search):
    """The part of a search that one process does, for any of `count` shares."""

    def __init__(self, start: Frame, options: SearchOptions, count: int) -> None:
        scope = scope_of(start.cluster, options.grain, options.budget, options.acks)
        super().__init__(start, options, scope, None, None)
        self._count = count
        self._digests: dict[tuple[int, int], bytes] = {}

    def first(self) -> tuple[int, Parcel]:
        """The share that owns the start, and the start."""
        state = self._space.start
        key = self._key(state)
        parcel = _Packing(self._space.value_at)
        parcel.add(key, state, self._budget, 0, ())
        return self._owner(key), parcel.parcel

    def search_level(
        self, arrivals: Iterable[tuple[int, Parcel]], seen: Seen, *, most_handed: int, is_last: bool
    ) -> LevelOfShare:
        """Take the new ones of the states that have arrived from other shares, and search what
        follows from each.

        `seen` are the states that this share took before. If `is_last`, nothing is tried from the
        states that it takes. The result depends only on the arguments.
        """
        self._transitions, self._exercised, self._left_out = 0, False, None
        taken: list[Taken] = []
        states: list[State] = []
        for state, handed in self._unseen(arrivals, seen):
            taken.append(handed)
            states.append(state)
        packing = [_Packing(self._space.value_at) for _ in range(self._count)]
        handed_on: dict[State, tuple[Left, ...]] = {}
        found: int | None = None
        path: Path = ()
        is_cut = False
        for row, state in enumerate(() if is_last else states):
            if len(handed_on) >= most_handed:
                is_cut = True
                break
            for reached in self._moves_from(state, taken[row].left):
                if self._is_violated(state, reached.states):
                    found, path = row, reached.steps
                    break
                after, left = reached.states[-1], reached.left
                known = handed_on.get(after, ())
                if not is_covered(known, left):
                    handed_on[after] = (*known, left)
                    key = self._key(after)
                    packing[self._owner(key)].add(key, after, left, row, reached.steps)
            if found is not None:
                break
        level = Level(
            taken=len(taken),
            handed=len(handed_on),
            transitions=self._transitions,
            exercised=self._exercised,
            left_out=self._left_out,
            is_cut=is_cut,
            found=found,
        )
        parcels = {owner: one.parcel for owner, one in enumerate(packing) if one.parcel.states}
        return LevelOfShare(level, taken, {} if found is not None else parcels, path)

    def _unseen(
        self, arrivals: Iterable[tuple[int, Parcel]], seen: Seen
    ) -> Iterator[tuple[State, Taken]]:
        """The states to take, in an order that does not depend on the senders' speed. Of one state,
        the one with the most left of the budget comes first.
        """
        parcels = dict(arrivals)
        rows = sorted(
            (one.key, tuple(-left for left in one.left), sender, place)
            for sender, parcel in parcels.items()
            for place, one in enumerate(parcel.states)
        )
        numbers = {
            sender: [self._space.number_at(place, value) for place, value in parcel.values]
            for sender, parcel in parcels.items()
        }
        new: dict[bytes, tuple[Left, ...]] = {}
        for key, _, sender, place in rows:
            parcel = parcels[sender]
            handed = parcel.states[place]
            known = new.get(key, ())
            if is_covered((*seen.get(key, ()), *known), handed.left):
                continue
            new[key] = (*known, handed.left)
            state = tuple(
                tuple(numbers[sender][each] for each in part)
                if isinstance(part, tuple)
                else numbers[sender][part]
                for part in handed.parts
            )
            yield (
                cast("State", state),
                Taken(key, handed.left, sender, handed.before, parcel.steps[handed.steps]),
            )

    def _owner(self, key: bytes) -> int:
        return int.from_bytes(key[:4], "big") % self._count

    def _key(self, state: State) -> bytes:
        digests: list[bytes] = []
        for place, part in enumerate(cast("tuple[int | tuple[int, ...], ...]", state)):
            if isinstance(part, tuple):
                digests.append(len(part).to_bytes(2, "big"))
                digests += [self._digest(place, each) for each in part]
            else:
                digests.append(self._digest(place, part))
        return hashlib.blake2b(b"".join(digests), digest_size=_KEY_BYTES).digest()

    def _digest(self, place: int, number: int) -> bytes:
        known = self._digests.get((place, number))
        if known is None:
            text = repr(self._space.value_at(place, number)).encode()
            known = hashlib.blake2b(text, digest_size=_KEY_BYTES).digest()
            self._digests[place, number] = known
        return known

    # --- the result ----------------------------------------------------------------------------

    def result(self, levels: Sequence[Sequence[Level]], path: Path) -> SearchResult | None:
        """The result of a search after these levels, each of all shares; None while it goes on.

        `path` are the steps from the start to the violation if one was found; empty otherwise. If a
        run does not come to the violation with them, the search ends as unconfirmed.
        """
        every = [share for level in levels for share in level]
        self._depth = len(levels) - 1
        self._transitions = sum(share.transitions for share in every)
        self._exercised = any(share.exercised for share in every)
        self._left_out = next((share.left_out for share in every if share.left_out), None)
        taken = sum(share.taken for share in every)
        result = self._result_after(levels[-1], taken, path)
        return None if result is None else replace(result, states=taken)

    def _result_after(self, last: Sequence[Level], taken: int, path: Path) -> SearchResult | None:
        if any(share.found is not None for share in last):
            self._depth += 1
            steps = confirmed_steps(self._start, path, self._is_sought)
            return self.cut("unconfirmed") if steps is None else self._violated(steps)
        if not any(share.taken for share in last):
            return self._none(self._left_out)
        if self._depth == self._options.max_depth:
            return self._none("depth")
        is_full = taken + sum(share.handed for share in last) >= self._options.max_states
        if is_full or any(share.is_cut for share in last):
            self._depth += 1
            return self.cut("states")
        return None


class _Packing:
    """A parcel in the making."""

    def __init__(self, value_at: Callable[[int, int], object]) -> None:
        self._value_at = value_at
        self._values: dict[tuple[int, int], int] = {}
        self._steps: dict[Path, int] = {}
        self.parcel = Parcel([], [], [])

    def add(self, key: bytes, state: State, left: Left, before: int, steps: Path) -> None:
        """Add a state, to which `steps` lead from row `before` of the sender."""
        parts = tuple(
            tuple(self._index(place, each) for each in part)
            if isinstance(part, tuple)
            else self._index(place, part)
            for place, part in enumerate(cast("tuple[int | tuple[int, ...], ...]", state))
        )
        index = self._steps.get(steps)
        if index is None:
            index = self._steps[steps] = len(self.parcel.steps)
            self.parcel.steps.append(steps)
        self.parcel.states.append(Handed(key, parts, left, before, index))

    def _index(self, place: int, number: int) -> int:
        index = self._values.get((place, number))
        if index is None:
            index = self._values[place, number] = len(self.parcel.values)
            self.parcel.values.append((place, self._value_at(place, number)))
        return index
