"""Flags: what the owner of a battled unit ignores, and where it retreats (GW-1.4)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.core.action_type import ActionType
from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hex_of
from rules.core.model import Cite, Mark
from rules.core.refused import Refused, refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.wording import counted

from .common import lose
from .gaining import gain_ground
from .ground import board_of, may_stand
from .model import Flags, GreatWarPlay, GreatWarState, GreatWarUnit

FLAGS = Cite(rule="GW-1.4", mark=Mark.FOUND)
NO_WAY = Cite(rule="GW-1.4", mark=Mark.HOUSE)


class Retreat(Action):
    """Answers the flags thrown at a unit: it goes `to` a hex nearer its edge, and `ignores` so many flags."""

    unit: str
    to: str
    ignores: int = 0


@dataclass(frozen=True)
class RetreatPlan:
    """Where a unit ends, the flags that it ignores, and the hexes that it cannot make."""

    flags: Flags
    end: Hex
    ignores: int
    missed: int


def steps_back(state: GreatWarState, unit: GreatWarUnit, here: Hex) -> tuple[Hex, ...]:
    """The hexes nearer to its own edge that a unit may retreat to from one (GW-1.4)."""
    towards = -1 if unit.side == state.west else 1
    near = (hex_ for hex_ in here.neighbours() if hex_.column == here.column + towards)
    return tuple(hex_ for hex_ in near if may_stand(state, unit.arm, hex_))


def ends(state: GreatWarState, unit: GreatWarUnit, hexes: int) -> Iterator[tuple[Hex, int]]:
    """Where a retreat of so many hexes may end, with how many of them are made, the most first: all the way allows."""
    found: dict[tuple[Hex, int], None] = {}
    edge: tuple[Hex, ...] = (hex_of(unit),)
    for made in range(hexes + 1):
        ahead: dict[Hex, None] = {}
        for here in edge:
            back = steps_back(state, unit, here) if made < hexes else ()
            if not back:
                found[here, made] = None
            ahead |= dict.fromkeys(back)
        edge = tuple(ahead)
    yield from sorted(found, key=lambda end: -end[1])


def room(state: GreatWarState, unit: GreatWarUnit, hexes: int) -> int:
    """How many hexes of so many it could retreat."""
    return max(made for _, made in ends(state, unit, hexes))


def answers(state: GreatWarState) -> Iterable[RetreatPlan]:
    """What may be answered to the flags that are open, those that ignore most first."""
    flags = state.flags
    if flags is None:
        return
    unit = state.unit(flags.unit)
    for ignores in range(min(flags.may_ignore, flags.flags), -1, -1):
        left = flags.flags - ignores
        for end, made in ends(state, unit, left):
            yield RetreatPlan(flags, end, ignores, left - made)


class RetreatType(ActionType[GreatWarState, Retreat, RetreatPlan]):
    """The answer to flags (GW-1.4)."""

    action = Retreat

    def thinkable(self, state: GreatWarState) -> Iterable[Retreat]:
        """Every answer there is."""
        yield from (Retreat(unit=plan.flags.unit, to=plan.end.label, ignores=plan.ignores) for plan in answers(state))

    def plan(self, state: GreatWarState, action: Retreat, *, supposing: bool = False) -> RetreatPlan:  # noqa: ARG002
        """That answer. Raises Refused where it is none, with those there are."""
        flags = state.flags
        refuse(FLAGS, (flags is None or flags.unit != action.unit, "No flags wait for an answer of that unit."))
        to = board_of(state).hexes_named(action.to)[-1]
        for plan in answers(state):
            if plan.end == to and plan.ignores == action.ignores:
                return plan
        may = "; ".join(self.label(state, plan) for plan in answers(state))
        raise Refused(f"That is no answer to the flags. Choose one: {may}.", FLAGS)

    def label(self, state: GreatWarState, plan: RetreatPlan) -> str:
        """`Bavarians: stand fast`, `Bavarians: retreat to 0304, ignoring 1 flag`, `Bavarians: lose 1 figure`."""
        unit = state.unit(plan.flags.unit)
        stands = plan.end == unit.at
        words = [] if stands else [f"retreat to {plan.end.label}"]
        words += [f"lose {counted(self._lost(state, plan), _of(unit))}"] if self._lost(state, plan) else []
        words += [f"ignoring {counted(plan.ignores, 'flag')}"] if plan.ignores and words else []
        return f"{unit.name}: {', '.join(words) or 'stand fast'}"

    def _lost(self, state: GreatWarState, plan: RetreatPlan) -> int:
        return plan.missed * state.options.lost_for_a_flag

    def resolve(self, play: GreatWarPlay, plan: RetreatPlan) -> None:
        """It goes, or stands; who made room for a tank is followed."""
        state, flags = play.state, plan.flags
        unit = state.unit(flags.unit)
        start = hex_of(unit)
        play.set(flags=None)
        ignored = f"{counted(plan.ignores, 'flag')} ignored, " if plan.ignores else ""
        if plan.end != start:
            play.change(unit.id, at=plan.end)
            play.set(tracks=(*state.tracks, Track(hexes=(start, plan.end), kind="retreat", side=unit.side)))
            ending = f"{unit:retreat} to {board_of(state).title(plan.end)}"
        else:
            ending = f"{unit:stand} fast" if not plan.missed else f"{unit:have} no way back"
        play.note(f"{ignored}{ending}", FLAGS)
        lost = self._lost(state, plan)
        gone = False
        if lost:
            play.note(
                f"{unit:lose} {counted(lost, _of(unit))}: {counted(plan.missed, 'hex', 'hexes')} not made", NO_WAY
            )
            gone = lose(play, unit.id, lost, NO_WAY)
        play.tell(headline=f"{ending}.", units=(unit.id, flags.by))
        if flags.may_gain and (gone or plan.end != start):
            gain_ground(play, flags.by, start)


def _of(unit: GreatWarUnit) -> str:
    return "token" if unit.is_tank else "figure"


RETREAT = RetreatType()


def prompts(state: GreatWarState) -> Iterable[Prompt]:
    """The flags that wait for an answer."""
    if state.flags is not None:
        unit, flags = state.unit(state.flags.unit), counted(state.flags.flags, "flag")
        actions = [*RETREAT.thinkable(state)]
        key = f"flags:{unit.id}:{state.turn}:{state.battles}"
        yield RETREAT.prompt(state, actions, key, f"{flags} at {unit.name}", FLAGS)
