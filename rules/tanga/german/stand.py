"""German orders that go nowhere: improving a position, rallying, standing orders (TA-H.6, TA-H.8)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import percent
from rules.tanga.automaton.asking import ask_table
from rules.tanga.combat import rally as rallies
from rules.tanga.field import board_of, is_next_to
from rules.tanga.model import BRITISH, GERMAN, Arm, Phase, Standing, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask

from .orders import GermanType, german, germans, phase_of, place, require_good, require_house, require_phase

WORKS = Cite(rule="TA-H.8", mark=Mark.HOUSE)
WATCH = Cite(rule="TA-H.6", mark=Mark.HOUSE)
FORMATION, ALL = "formation", "all"


class Improve(Action):
    """Infantry that has done nothing this turn builds an improved position in its hex."""

    kind: ClassVar[str] = "improve"

    unit: str


class Rally(Action):
    """A disrupted unit in its RO hex tries to rally."""

    kind: ClassVar[str] = "rally"

    unit: str


class StandingOrder(Action):
    """What a unit does when the British enter a hex it could fire at: hold, fire within some hexes, or ask."""

    kind: ClassVar[str] = "standing"
    is_word: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = (FORMATION, ALL)

    unit: str
    order: Standing
    hexes: int | None = Field(default=None, ge=1, le=10)


@dataclass(frozen=True)
class ImprovePlan:
    """The unit that builds, and where."""

    unit: str
    at: Hex


class ImproveType(GermanType[Improve, ImprovePlan]):
    """Building an improved position, at once (TA-H.8)."""

    action = Improve

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Improve]:
        """Every unit that is on the map."""
        if viewer in (GERMAN, UMPIRE) and phase_of(state) is Phase.RALLY:
            yield from (Improve(unit=one.id) for one in germans(state) if unit in (None, one.id))

    @override
    def plan(self, state: TangaState, action: Improve, *, supposing: bool = False) -> ImprovePlan:
        """Who builds. Raises Refused next to an enemy, or when the unit has moved, fired or fought."""
        require_phase(state, Phase.RALLY)
        unit = _builder(state, action)
        assert unit.at is not None
        return ImprovePlan(unit.id, unit.at)

    @override
    def label(self, state: TangaState, plan: ImprovePlan) -> str:
        """`Dig in: 1st Platoon 17. FK in 2712`."""
        return f"Dig in: {state.unit(plan.unit).name} in {board_of(state).title(plan.at)}"

    @override
    def resolve(self, play: Play[TangaState], plan: ImprovePlan) -> None:
        """The position stands."""
        where, bonus = board_of(play.state).title(plan.at), play.state.options.improved_protection
        play.change(plan.unit, stirred=True)
        play.set(improved=tuple(sorted({*play.state.improved, plan.at})))
        play.say(Step(text=f"An improved position in {where}: protection +{bonus}", cite=WORKS))
        play.tell(headline=f"{play.state.unit(plan.unit).name} digs in at {where}", units=(plan.unit,))


def _builder(state: TangaState, action: Improve) -> TangaUnit:
    """The unit that builds. Raises Refused."""
    unit = german(state, action.unit)
    require_good(unit, "build")
    assert unit.at is not None
    if unit.arm is not Arm.INFANTRY:
        raise Refused(f"{unit.name} is no infantry: only infantry builds.", WORKS)
    if unit.stirred:
        raise Refused(f"{unit.name} has moved, fired or fought this turn. It builds in a turn without.", WORKS)
    if unit.at in state.improved:
        raise Refused(f"There is an improved position in {place(state, unit)} already.", WORKS)
    if is_next_to(state, unit.at, BRITISH):
        raise Refused(f"{unit.name} is next to the British, and cannot build there.", WORKS)
    return unit


@dataclass(frozen=True)
class RallyPlan:
    """The unit that tries."""

    unit: str


class RallyType(GermanType[Rally, RallyPlan]):
    """Rallying a unit; in a player's own game his box is asked whether it does."""

    action = Rally

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Rally]:
        """Every unit that is on the map."""
        if viewer in (GERMAN, UMPIRE) and phase_of(state) is Phase.RALLY:
            yield from (Rally(unit=one.id) for one in germans(state) if unit in (None, one.id))

    @override
    def plan(self, state: TangaState, action: Rally, *, supposing: bool = False) -> RallyPlan:
        """Raises Refused unless it is disrupted, in its RO hex, and has not tried."""
        if supposing:
            require_house(state)
        else:
            require_phase(state, Phase.RALLY)
        return RallyPlan(rallier(state, action).id)

    @override
    def label(self, state: TangaState, plan: RallyPlan) -> str:
        """`Rally 1st Platoon 17. FK: 42%`."""
        return f"Rally {state.unit(plan.unit).name}: {percent(rallies.chance(state, plan.unit))}"

    @override
    def odds(self, state: TangaState, plan: RallyPlan) -> Odds:
        """The chance."""
        return rallies.odds(state, plan.unit)

    @override
    def resolve(self, play: Play[TangaState], plan: RallyPlan) -> None:
        """Throws for it, or asks the player's own table."""
        unit = play.state.unit(plan.unit)
        if play.state.options.resolution is Resolution.OWN:
            ask_table(play, Ask.RALLY_RESULT, unit, unit.at)
            return
        rallies.rally(play, plan.unit)
        play.tell(headline=f"{unit.name} tries to rally in {place(play.state, unit)}", units=(plan.unit,))


def rallier(state: TangaState, action: Rally) -> TangaUnit:
    """The unit that rallies, in whatever phase. Raises Refused."""
    unit = german(state, action.unit)
    if unit.is_good:
        raise Refused(f"{unit.name} is in good order and need not rally.", WORKS)
    if unit.tried_to_rally:
        raise Refused(f"{unit.name} has tried to rally this turn.", WORKS)
    if unit.at != unit.ro:
        ro = board_of(state).title(unit.ro) if unit.ro else "none yet"
        raise Refused(f"{unit.name} rallies only in its RO hex ({ro}), where it retreats to.", WORKS)
    return unit


@dataclass(frozen=True)
class StandingPlan:
    """The order, up to how many hexes it has them fire, ids of those it is given to, and who they are in words."""

    order: Standing
    within: int
    units: tuple[str, ...]
    who: str


class StandingType(GermanType[StandingOrder, StandingPlan]):
    """A standing order for opportunity fire, given at any time (TA-H.6)."""

    action = StandingOrder

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[StandingOrder]:
        """Another standing order for every combat unit."""
        if viewer in (GERMAN, UMPIRE):
            for one in germans(state):
                for order in Standing:
                    if one.is_combat and order is not one.standing and unit in (None, one.id):
                        yield StandingOrder(unit=one.id, order=order)

    @override
    def plan(self, state: TangaState, action: StandingOrder, *, supposing: bool = False) -> StandingPlan:
        """To the unit, its formation or all Germans. Raises Refused where the unit is no German on the map."""
        unit = german(state, action.unit)
        usual = state.options.standing_within if action.order is Standing.WITHIN else unit.fires_within
        given = tuple(other.id for other in state.units.values() if _shares(other, unit, action.circumstances))
        who = "All Germans" if ALL in action.circumstances else unit.name
        if FORMATION in action.circumstances:
            who = state.formation(unit.formation).name
        return StandingPlan(action.order, action.hexes or usual, given, who)

    @override
    def label(self, state: TangaState, plan: StandingPlan) -> str:
        """`1st Platoon 17. FK: ask each time the British come into reach`."""
        return f"{plan.who}: {words(plan.order, plan.within)}"

    @override
    def resolve(self, play: Play[TangaState], plan: StandingPlan) -> None:
        """They have it."""
        for unit in plan.units:
            play.change(unit, standing=plan.order, fires_within=plan.within)
        play.say(Step(text=self.label(play.state, plan), cite=WATCH))
        play.tell(headline=f"{plan.who}: standing order for opportunity fire")


def _shares(other: TangaUnit, unit: TangaUnit, said: tuple[str, ...]) -> bool:
    """Whether the order to `unit` is for `other` too."""
    if other.side != GERMAN or not other.is_combat:
        return other.id == unit.id
    return ALL in said or other.id == unit.id or (FORMATION in said and other.formation == unit.formation)


def words(order: Standing, within: int) -> str:
    """A standing order in words."""
    near = "the adjacent hex" if within == 1 else f"{within} hexes"
    told = {
        Standing.HOLD: "hold fire when the British come into reach",
        Standing.WITHIN: f"fire when the British come within {near}",
        Standing.ASK: "ask each time the British come into reach",
    }
    return told[order]


IMPROVE, RALLY, STANDING = ImproveType(), RallyType(), StandingType()
