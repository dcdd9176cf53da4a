"""A stack on its way, one hex or one enemy's shot at a time (TA-9.5, TA-H.6)."""

from collections.abc import Sequence
from dataclasses import replace

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.tanga.combat import reveal as revealing
from rules.tanga.decisions import Decision
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, units_at, within_limit
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit, Trail
from rules.tanga.progress import March, Stage

from . import under_fire, ways
from .prohibited import may_stay
from .stacks import mf_left
from .stepped import Stepped, acted, british, ids, names, plural

TOWARDS = "towards "
MOVING = Cite(rule="TA-9.5")
RETREATING = Cite(rule="TA-6")
ROOM = Cite(rule="TA-H.3", mark=Mark.HOUSE)
LEAVES = Cite(rule="TA-9.5", mark=Mark.RULING)
"""An MG leaves its stack where the path goes next to a German; one turned up goes on with its company if it can."""


def begin(
    state: TangaState, units: Sequence[TangaUnit], goal: Hex, *, hexes: int | None = None, why: str = ""
) -> TangaState:
    """Sets a stack, all in one hex, on its way; `hexes` are those of a retreat or rout, else MF counts.

    Whose goal is where it stands has just come ashore there: it has entered that hex, and goes no further now.
    """
    start = units[0].at
    assert start is not None
    left = mf_left(units) if hexes is None else hexes
    way = (start,) if goal != start else (start, start)
    march = March(units=ids(units), goal=goal, left=left, way=way, retreats=hexes is not None, why=why)
    return british(state, march=march, offered=())


def advance(state: TangaState, dice: Dice, forced: Hex | None) -> Stepped:
    """The next thing that befalls the march: a shot at it, a hex entered, or its end."""
    march = _march(state)
    if (shot := under_fire.next_shot(state, march, dice)) is not None:
        return shot
    going = able(state, march)
    if not going or march.way[-1] == march.goal or march.left <= 0 or _breaks(state, march):
        return halt(state)
    decision = ways.next_hex(state, march.model_copy(update={"units": ids(going)}))
    if decision.chosen is None:
        return _held_up(halt(state), going, decision)
    return _enter(state, going, decision.by_word(forced), dice)


def _march(state: TangaState) -> March:
    assert state.british.march is not None
    return state.british.march


def _breaks(state: TangaState, march: March) -> bool:
    """Whether its formation has collapsed on the way: it moves no further but in rout (TA-7)."""
    return not march.retreats and state.formation(state.units[march.units[0]].formation).collapsed


def able(state: TangaState, march: March) -> tuple[TangaUnit, ...]:
    """Those of a march that can go on: in good order, or, retreating, alive; leaders only with who they came with."""
    here = [state.units[unit] for unit in march.units if state.units[unit].at == march.way[-1]]
    going = tuple(unit for unit in here if march.retreats or unit.is_good)
    led = any(state.units[unit].is_combat for unit in march.units)
    return going if not led or any(unit.is_combat for unit in going) else ()


def _enter(state: TangaState, going: tuple[TangaUnit, ...], decision: Decision, dice: Dice) -> Stepped:
    """Enters the hex decided on; what comes into a German's sight is turned up (TA-1)."""
    march, hex_ = _march(state), decision.chosen
    assert hex_ is not None
    steps: tuple[Step, ...] = ()
    stays = ways.stays_behind(state, going, hex_)
    if stays:
        where = board_of(state).title(march.way[-1])
        steps = (Step(text=f"{names(state, stays)} stays in {where}: the way goes next to Germans", cite=LEAVES),)
        if march.retreats and len(march.way) > 1:
            state = acted(state, ids(stays))
        going = tuple(unit for unit in going if unit not in stays)
    spent = 1 if march.retreats else board_of(state).cost(hex_) or 1
    state = state.with_unit(*(gone_into(state, unit, hex_, spent) for unit in going))
    before = ids(units_at(state, hex_))
    state, told = entered(state, hex_, BRITISH)
    state, turned, _ = revealing.reveal(state, dice)
    shown = tuple(unit for unit in units_at(state, hex_) if unit.arm is Arm.MACHINE_GUN and unit.id not in before)
    moved = tuple(state.units[unit.id] for unit in going)
    if within_limit(state, (*moved, *shown)) and (march.retreats or all(unit.is_good for unit in shown)):
        moved = (*moved, *shown)
    else:
        state, _, gone_back = _sent_back(state, shown, (*march.way, hex_))
        turned += gone_back
    left = march.left - spent if march.retreats else mf_left(moved)
    onward = march.model_copy(update={"units": ids(moved), "left": left, "way": (*march.way, hex_)})
    state = british(state, march=onward, offered=())
    return Stepped(state, (*steps, *told, *turned), decision)


def halt(state: TangaState) -> Stepped:
    """The march ends where it has come to; who was on it has had his turn in this stage."""
    march = _march(state)
    state = british(acted(state, march.units), march=None, offered=())
    if len(set(march.way)) == 1:
        return Stepped(state)
    state, march, steps = _turn_back(state, march)
    units = tuple(state.units[unit] for unit in march.units)
    trail = Trail(hexes=march.way, kind="retreat" if march.retreats else "move", side=BRITISH)
    state = state.model_copy(update={"trails": (*state.trails, trail)})
    text = f"{names(state, units)}: {' → '.join(hex_.label for hex_ in march.way)}"
    cite = RETREATING if march.retreats else MOVING
    one, more = _verbs(state, march)
    told = f"{names(state, units)} {plural(units, one, more)} {_whither(state, march)}"
    joined = f"{more} {march.why}" if march.way[-1] != march.goal and march.why else ""
    return Stepped(state, (Step(text=text, cite=cite, verdict=march.why), *steps), told=told, joined=joined)


def _verbs(state: TangaState, march: March) -> tuple[str, str]:
    if march.retreats:
        return "retreats", "retreat"
    return ("advances", "advance") if state.british.stage is Stage.MOVE else ("goes", "go")


def _whither(state: TangaState, march: March) -> str:
    """`to 2914 towards entry hex 2516 (TA-9.A)`, or to what they have reached."""
    if march.way[-1] == march.goal and march.why.startswith(TOWARDS):
        return f"to {march.why.removeprefix(TOWARDS)}"
    return f"to {board_of(state).title(march.way[-1])} {march.why}".strip()


def _turn_back(state: TangaState, march: March) -> tuple[TangaState, March, tuple[Step, ...]]:
    """Who finds no room where the march ends, and could not go on, goes back on its way to the last hex with room."""
    units = tuple(state.units[unit] for unit in march.units if state.units[unit].at == march.way[-1])
    state, way, steps = _sent_back(state, units, march.way)
    return state, march.model_copy(update={"way": way}), steps


def _sent_back(
    state: TangaState, units: Sequence[TangaUnit], way: tuple[Hex, ...]
) -> tuple[TangaState, tuple[Hex, ...], tuple[Step, ...]]:
    """The units, at the end of a way, are back in its last hex with room for them, and the way with it (TA-H.3).

    Failing that where they came from; an MG turned up on the way goes back with its company, over the limit if need be.
    """
    if not units or may_stay(state, units, way[-1]):
        return state, way, ()
    back = next((hex_ for hex_ in reversed(way) if may_stay(state, units, hex_)), way[0])
    returned = (gone_into(state, unit, back).model_copy(update={"turned_up": unit.turned_up}) for unit in units)
    state = state.with_unit(*returned)
    title = board_of(state).title
    text = f"No room for {names(state, units)} in {title(way[-1])}"
    return state, (*way, back), (Step(text=text, cite=ROOM, verdict=f"back to {title(back)}"),)


def _held_up(stepped: Stepped, units: Sequence[TangaUnit], decision: Decision) -> Stepped:
    """The end of a march that could go no further, with the reason."""
    step = Step(text=names(stepped.state, units), cite=MOVING, verdict=decision.why)
    return replace(stepped, steps=(*stepped.steps, step), decision=decision)
