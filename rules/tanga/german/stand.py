"""German orders that go nowhere: improving a position, rallying, standing orders (TA-H.6, TA-H.8)."""

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from pydantic import Field

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.combat import rally as rallies
from rules.tanga.field import board_of, is_next_to
from rules.tanga.model import BRITISH, GERMAN, Arm, Phase, Standing, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.own.table import ask_table
from rules.tanga.progress import Ask

from .orders import allowed, german, germans, phase_of, place, require_good, require_house, require_phase

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


def improve(state: TangaState, action: Improve, _dice: Dice) -> tuple[TangaState, Report]:
    """Builds it at once. Raises Refused next to an enemy, or when the unit has moved, fired or fought."""
    unit = builder(state, action)
    assert unit.at is not None
    where = place(state, unit)
    done = state.with_unit(unit.model_copy(update={"stirred": True}))
    improved = tuple(sorted({*state.improved, unit.at}))
    bonus = state.options.improved_protection
    step = Step(text=f"An improved position in {where}: protection +{bonus}", cite=WORKS)
    report = Report(headline=f"{unit.name} digs in at {where}", side=GERMAN, steps=(step,), units=(unit.id,))
    return done.model_copy(update={"improved": improved}), report


def builder(state: TangaState, action: Improve) -> TangaUnit:
    """The unit that builds. Raises Refused."""
    require_phase(state, Phase.RALLY)
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


def improve_legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every unit that may build."""
    if side in (GERMAN, UMPIRE) and phase_of(state) is Phase.RALLY:
        orders = (Improve(unit=unit.id) for unit in germans(state))
        yield from (order for order in orders if allowed(partial(builder, state, order)))


def rally(state: TangaState, action: Rally, dice: Dice) -> tuple[TangaState, Report]:
    """Throws for it. Raises Refused unless it is disrupted, in its RO hex, and has not tried."""
    require_phase(state, Phase.RALLY)
    unit = rallier(state, action)
    if state.options.resolution is Resolution.OWN:
        return ask_table(state, Ask.RALLY_RESULT, unit, unit.at)
    after, steps = rallies.rally(state, unit.id, dice)
    headline = f"{unit.name} tries to rally in {place(state, unit)}"
    return after, Report(headline=headline, side=GERMAN, steps=steps, units=(unit.id,))


def rally_odds(state: TangaState, action: Rally) -> Odds:
    """The chance. Raises Refused as `rally` does."""
    require_house(state)
    return rallies.odds(state, rallier(state, action).id)


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


def rally_legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every unit that may try."""
    if side in (GERMAN, UMPIRE) and allowed(partial(require_phase, state, Phase.RALLY)):
        orders = (Rally(unit=unit.id) for unit in germans(state))
        yield from (order for order in orders if allowed(partial(rallier, state, order)))


def stand(state: TangaState, action: StandingOrder, _dice: Dice) -> tuple[TangaState, Report]:
    """Gives it, to the unit, its formation or all Germans. It may be given at any time."""
    unit = german(state, action.unit)
    within = action.hexes or (state.options.standing_within if action.order is Standing.WITHIN else unit.fires_within)
    given = tuple(other for other in state.units.values() if _shares(other, unit, action.circumstances))
    changed = (one.model_copy(update={"standing": action.order, "fires_within": within}) for one in given)
    who = "All Germans" if ALL in action.circumstances else unit.name
    if FORMATION in action.circumstances:
        who = state.formation(unit.formation).name
    step = Step(text=f"{who}: {words(action.order, within)}", cite=WATCH)
    report = Report(headline=f"{who}: standing order for opportunity fire", side=GERMAN, steps=(step,))
    return state.with_unit(*changed), report


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


def stand_legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Another standing order for every combat unit."""
    if side in (GERMAN, UMPIRE):
        for unit in germans(state):
            for order in Standing:
                if unit.is_combat and order is not unit.standing:
                    yield StandingOrder(unit=unit.id, order=order)


DEEDS: tuple[Deed[TangaState], ...] = (
    Deed(Improve, improve, legal=improve_legal),
    Deed(Rally, rally, odds=rally_odds, legal=rally_legal),
    Deed(StandingOrder, stand, legal=stand_legal),
)
