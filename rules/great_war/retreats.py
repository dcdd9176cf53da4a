"""Flags thrown at a unit: how many flags its owner ignores, and where the unit retreats (GW-1.4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.core.action_type import ActionType, Caption
from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.wording import count_of

from .ground import board_of, can_enter_hex
from .ground_gained import gain_ground
from .model import Flags, GreatWarPlay, GreatWarState, GreatWarUnit
from .moving import crush_wire
from .shared import flags_key, lose_figures, unit_statuses

FLAGS = Cite(rule="GW-1.4", mark=Mark.FOUND)
NO_WAY = Cite(rule="GW-1.4", mark=Mark.HOUSE)
OCCASION = "flags"
"""Occasion of the prompt, for standing answers."""


class Retreat(Action):
    """Answer the flags thrown at a unit: the unit retreats to the hex `to`, and ignores `ignores` flags."""

    unit: str
    to: str
    ignores: int = 0


@dataclass(frozen=True)
class RetreatPlan:
    """An answer to flags: the hexes of the retreat, and the number of flags ignored.

    `missed` is the number of further hexes that the unit must retreat but cannot.
    """

    flags: Flags
    way: tuple[Hex, ...]
    ignores: int
    missed: int


def next_retreat_hexes(state: GreatWarState, unit: GreatWarUnit, start: Hex) -> tuple[Hex, ...]:
    """Return the hexes next to `start` into which the unit may retreat, towards its own edge (GW-1.4)."""
    towards = -1 if unit.side == state.west else 1
    near = (hex_ for hex_ in start.neighbours() if hex_.column == start.column + towards)
    return tuple(hex_ for hex_ in near if can_enter_hex(state, unit.arm, hex_))


def retreat_paths(state: GreatWarState, unit: GreatWarUnit, hexes: int) -> Mapping[Hex, tuple[Hex, ...]]:
    """Return the hexes in which a retreat of `hexes` hexes may end, each with a path to it, longest path first.

    A blocked retreat ends early. Of several paths to a hex, the one with the fewest hexes of wire counts (house).
    """

    def count_wire(way: tuple[Hex, ...]) -> int:
        return len(state.wire.intersection(way))

    paths: dict[Hex, tuple[Hex, ...]] = {}
    edge: dict[Hex, tuple[Hex, ...]] = {unit_hex(unit): ()}
    for steps in range(hexes + 1):
        next_edge: dict[Hex, tuple[Hex, ...]] = {}
        for hex_, way in edge.items():
            next_hexes = next_retreat_hexes(state, unit, hex_) if steps < hexes else ()
            if not next_hexes:
                paths[hex_] = way
            for next_hex in next_hexes:
                further = (*way, next_hex)
                next_edge[next_hex] = min(next_edge.get(next_hex, further), further, key=count_wire)
        edge = next_edge
    return dict(sorted(paths.items(), key=lambda end: -len(end[1])))


def possible_retreats(state: GreatWarState) -> Iterable[RetreatPlan]:
    """Yield the possible answers to unanswered flags, starting with those that ignore the most flags."""
    flags = state.flags
    if flags is None:
        return
    unit = state.unit(flags.unit)
    for ignores in range(min(flags.may_ignore, flags.flags), -1, -1):
        hexes = flags.flags - ignores
        for way in retreat_paths(state, unit, hexes).values():
            yield RetreatPlan(flags, way, ignores, hexes - len(way))


class RetreatType(ActionType[GreatWarState, Retreat, RetreatPlan]):
    """The answer to flags (GW-1.4)."""

    action = Retreat

    def suggest_actions(self, state: GreatWarState) -> Iterable[Retreat]:
        """Yield every possible answer to unanswered flags."""
        for plan in possible_retreats(state):
            yield Retreat(unit=plan.flags.unit, to=_hex_after_retreat(state, plan).label, ignores=plan.ignores)

    def plan(self, state: GreatWarState, action: Retreat) -> RetreatPlan:
        """Return the chosen answer. Raises Refused with the possible answers."""
        flags = state.flags
        refuse(FLAGS, (flags is None or flags.unit != action.unit, "No flags wait for an answer of that unit."))
        to = board_of(state).parse_hexes(action.to)[-1]
        for plan in possible_retreats(state):
            if _hex_after_retreat(state, plan) == to and plan.ignores == action.ignores:
                return plan
        choices = "; ".join(self.label(state, plan) for plan in possible_retreats(state))
        raise Refused(f"That is no answer to the flags. Choose one: {choices}.", FLAGS)

    def caption(self, state: GreatWarState, plan: RetreatPlan) -> Caption:
        """Return a caption: `Bavarians: stand fast`, `… retreat to 0304, ignoring 1 flag`, `… lose 1 figure`."""
        unit = state.unit(plan.flags.unit)
        words = [f"retreat to {plan.way[-1].label}"] if plan.way else []
        lost = self._figures_lost(state, plan)
        words += [f"lose {count_of(lost, _figure_noun(unit))}"] if lost else []
        words += [f"ignoring {count_of(plan.ignores, 'flag')}"] if plan.ignores and words else []
        return Caption(f"{unit.name}: {', '.join(words) or 'stand fast'}")

    def _figures_lost(self, state: GreatWarState, plan: RetreatPlan) -> int:
        return plan.missed * state.options.lost_for_a_flag

    def resolve(self, play: GreatWarPlay, plan: RetreatPlan) -> None:
        """Move the unit back, or let it stand. An attacking tank gains the ground that the unit leaves."""
        state, flags = play.state, plan.flags
        unit = state.unit(flags.unit)
        start = unit_hex(unit)
        play.set(flags=None)
        ignored = f"{count_of(plan.ignores, 'flag')} ignored, " if plan.ignores else ""
        if plan.way:
            play.change(unit.id, at=plan.way[-1])
            play.set(tracks=(*state.tracks, Track(hexes=(start, *plan.way), kind="retreat", side=unit.side)))
            ending = f"{unit:retreat} to {board_of(state).title(plan.way[-1])}"
        else:
            ending = f"{unit:stand} fast" if not plan.missed else f"{unit:have} no way back"
        play.note(f"{ignored}{ending}", FLAGS, in_headline=not ignored)
        for hex_ in plan.way:
            crush_wire(play, unit, hex_)
        losses = self._figures_lost(state, plan)
        is_destroyed = False
        if losses:
            missed = count_of(plan.missed, "hex", "hexes")
            play.note(f"{unit:lose} {count_of(losses, _figure_noun(unit))}: {missed} not made", NO_WAY)
            is_destroyed = lose_figures(play, unit.id, losses, NO_WAY)
        if flags.may_gain and (is_destroyed or plan.way):
            gain_ground(play, flags.by, start)
        both = unit.id, flags.by
        play.tell(headline=f"{ending}.", units=both, standing=unit_statuses(play.state, both))


def _hex_after_retreat(state: GreatWarState, plan: RetreatPlan) -> Hex:
    return plan.way[-1] if plan.way else unit_hex(state.unit(plan.flags.unit))


def _figure_noun(unit: GreatWarUnit) -> str:
    return "token" if unit.is_tank else "figure"


RETREAT = RetreatType()


def flags_prompt(state: GreatWarState) -> Iterable[Prompt]:
    """Yield the prompt to answer the flags thrown at a unit, if any are unanswered."""
    if state.flags is not None:
        unit, flags = state.unit(state.flags.unit), count_of(state.flags.flags, "flag")
        actions = [*RETREAT.suggest_actions(state)]
        key = flags_key(state, unit.id)
        yield RETREAT.prompt(state, actions, key, f"{flags} at {unit.name}", FLAGS, occasion=OCCASION)
