"""A stack on its way, one hex or one enemy's shot at a time (TA-9.5, TA-H.6)."""

from collections.abc import Sequence
from dataclasses import replace

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import reveal as revealing
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, units_at, within_limit
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit, Trail
from rules.tanga.progress import March, Stage
from rules.tanga.ways.next_hex import next_hex
from rules.tanga.ways.prohibited import may_stay, stays_behind

from . import under_fire
from .stacks import mf_left
from .stepped import Stepped, acted, ids, mark, names, plural

TOWARDS = "towards "
MOVING = Cite(rule="TA-9.5")
RETREATING = Cite(rule="TA-6")
ROOM = Cite(rule="TA-H.3", mark=Mark.HOUSE)
LEAVES = Cite(rule="TA-9.5", mark=Mark.RULING)
"""An MG leaves its stack where the path goes next to a German; one turned up goes on with its company if it can."""


def begin(
    play: Play[TangaState], units: Sequence[TangaUnit], goal: Hex, *, hexes: int | None = None, why: str = ""
) -> None:
    """Sets a stack, all in one hex, on its way; `hexes` are those of a retreat or rout, else MF counts.

    Whose goal is where it stands has just come ashore there: it has entered that hex, and goes no further now.
    """
    start = units[0].at
    assert start is not None
    left = mf_left(units) if hexes is None else hexes
    way = (start,) if goal != start else (start, start)
    march = March(units=ids(units), goal=goal, left=left, way=way, retreats=hexes is not None, why=why)
    mark(play, march=march, offered=())


def advance(play: Play[TangaState], forced: Hex | None) -> Stepped:
    """The next thing that befalls the march: a shot at it, a hex entered, or its end."""
    march = _march(play.state)
    if (shot := under_fire.next_shot(play, march)) is not None:
        return shot
    going = able(play.state, march)
    if not going or march.way[-1] == march.goal or march.left <= 0 or _breaks(play.state, march):
        return halt(play)
    decision = next_hex(play.state, march.model_copy(update={"units": ids(going)}))
    if decision.chosen is None:
        stepped = halt(play)
        play.say(Step(text=names(play.state, going), cite=MOVING, verdict=decision.why))
        return replace(stepped, decision=decision)
    decision = decision.by_word(forced)
    assert decision.chosen is not None
    _enter(play, going, decision.chosen)
    return Stepped(decision)


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


def _enter(play: Play[TangaState], going: tuple[TangaUnit, ...], hex_: Hex) -> None:
    """Enters the hex decided on; what comes into a German's sight is turned up (TA-1)."""
    march, board = _march(play.state), board_of(play.state)
    if stays := stays_behind(play.state, going, hex_):
        text = f"{names(play.state, stays)} stays in {board.title(march.way[-1])}: the way goes next to Germans"
        play.say(Step(text=text, cite=LEAVES))
        if march.retreats and len(march.way) > 1:
            acted(play, ids(stays))
        going = tuple(unit for unit in going if unit not in stays)
    spent = 1 if march.retreats else board.cost(hex_) or 1
    play.state = play.state.with_unit(*(gone_into(play.state, unit, hex_, spent) for unit in going))
    before = ids(units_at(play.state, hex_))
    entered(play, hex_, BRITISH)
    revealing.reveal(play)
    there = units_at(play.state, hex_)
    shown = tuple(unit for unit in there if unit.arm is Arm.MACHINE_GUN and unit.id not in before)
    moved = tuple(play.state.units[unit.id] for unit in going)
    if within_limit(play.state, (*moved, *shown)) and (march.retreats or all(unit.is_good for unit in shown)):
        moved = (*moved, *shown)
    else:
        _send_back(play, shown, (*march.way, hex_))
    left = march.left - spent if march.retreats else mf_left(moved)
    onward = march.model_copy(update={"units": ids(moved), "left": left, "way": (*march.way, hex_)})
    mark(play, march=onward, offered=())


def halt(play: Play[TangaState]) -> Stepped:
    """The march ends where it has come to; who was on it has had his turn in this stage.

    Who finds no room there, and could not go on, goes back on his way to the last hex with room.
    """
    march = _march(play.state)
    acted(play, march.units)
    mark(play, march=None, offered=())
    if len(set(march.way)) == 1:
        return Stepped()
    said = play.said
    last = tuple(play.state.units[unit] for unit in march.units if play.state.units[unit].at == march.way[-1])
    march = march.model_copy(update={"way": _send_back(play, last, march.way)})
    state = play.state
    units = tuple(state.units[unit] for unit in march.units)
    trail = Trail(hexes=march.way, kind="retreat" if march.retreats else "move", side=BRITISH)
    play.set(trails=(*state.trails, trail))
    text = f"{names(state, units)}: {' → '.join(hex_.label for hex_ in march.way)}"
    play.say_before(said, Step(text=text, cite=RETREATING if march.retreats else MOVING, verdict=march.why))
    one, more = _verbs(state, march)
    told = f"{names(state, units)} {plural(units, one, more)} {_whither(state, march)}"
    return Stepped(told=told, joined=f"{more} {march.why}" if march.way[-1] != march.goal and march.why else "")


def _verbs(state: TangaState, march: March) -> tuple[str, str]:
    if march.retreats:
        return "retreats", "retreat"
    return ("advances", "advance") if state.british.stage is Stage.MOVE else ("goes", "go")


def _whither(state: TangaState, march: March) -> str:
    """`to 2914 towards entry hex 2516 (TA-9.A)`, or to what they have reached."""
    if march.way[-1] == march.goal and march.why.startswith(TOWARDS):
        return f"to {march.why.removeprefix(TOWARDS)}"
    return f"to {board_of(state).title(march.way[-1])} {march.why}".strip()


def _send_back(play: Play[TangaState], units: Sequence[TangaUnit], way: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """The units, at the end of a way, go back to its last hex with room for them; returns the way with it (TA-H.3).

    Failing that where they came from; an MG turned up on the way goes back with its company, over the limit if need be.
    """
    state = play.state
    if not units or may_stay(state, units, way[-1]):
        return way
    back = next((hex_ for hex_ in reversed(way) if may_stay(state, units, hex_)), way[0])
    returned = (gone_into(state, unit, back).model_copy(update={"turned_up": unit.turned_up}) for unit in units)
    play.state = state.with_unit(*returned)
    title = board_of(state).title
    text = f"No room for {names(state, units)} in {title(way[-1])}"
    play.say(Step(text=text, cite=ROOM, verdict=f"back to {title(back)}"))
    return (*way, back)
