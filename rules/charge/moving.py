"""A unit's move and its changes of formation (CH-1), and into contact where it meets the enemy (CH-4.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.action_type import Caption
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.formation_changes import Change, index_by_word
from rules.core.tabletop.marches import Reach, Route, destinations_to_try, read_route
from rules.core.tabletop.ways import Way
from rules.core.wording import inches, tenths

from .candidates import destinations
from .contact import engage
from .figures import DRAWN_UP, PLACEMENT, WAYS, set_at
from .ground import TWICE, Going, barred_at, going, name_of
from .model import Arm, ChargePlay, ChargeState, ChargeUnit, Formation
from .shared import MOVES, TURNS, ChargeType, conclude, find, may_act
from .tables import cite, entry

GROUND = Cite(rule="CH-1.2")
GUN_LOST = Cite(rule="CH-3.4").ruled
IN_CONTACT = Cite(rule="CH-4.5", mark=Mark.RULING)
INTO_CONTACT = "into contact"
SHORTEST = 0.1
"""Inches of the shortest way that is left before barring ground."""
NORMAL_GOING, HINDERED = "normal going", "hindered ground"
CHANGES = index_by_word(
    *(
        Change[ChargeState, ChargeUnit](
            formation.value,
            f"form {formation.value}",
            DRAWN_UP,
            {"formation": formation},
            bars=((lambda unit: unit.arm is Arm.GUN, "{unit:are} a gun, and {unit:have} no formation."),),
        )
        for formation in Formation
    )
)


class Move(Action):
    """Moves a unit, perhaps in another formation. `to` is a place on the table, as `forward 6`, or words for the log.

    Without a place known, `hindered ground` says that all of the way leads through it.
    """

    circumstance_names = (*CHANGES, INTO_CONTACT, HINDERED, NORMAL_GOING)

    to: str | None = None


@dataclass(frozen=True)
class March:
    """An allowed move; `ready` is the unit after any formation change."""

    unit: str
    ready: ChargeUnit
    words: tuple[str, ...]
    change: str
    route: Route
    reach: Reach
    steps: tuple[Step, ...]
    barred: str = ""
    """What keeps it from going further than its reach."""


class MoveType(ChargeType[Move, March]):
    """A unit's move and its change of formation (CH-1)."""

    action = Move
    seen = (NORMAL_GOING, HINDERED, INTO_CONTACT)

    def thinkable(self, state: ChargeState) -> Iterable[Move]:
        """Yield all units' possible moves."""
        for unit in state.of_side(state.active):
            yield from self.of_unit(state, unit.id)

    def of_unit(self, state: ChargeState, unit: str) -> Iterable[Move]:
        """On the nearest enemies, to the ground fought over, ahead as far as the ground allows, and every formation."""
        who = state.units[unit]
        through = state.phase != MOVES or who.this_turn.has_moved or state.fight_of(unit) is not None
        if not who.on_table or who.side != state.active or (state.scenario and through):
            return
        if who.place is None:
            yield Move(unit=unit)
            yield from WAYS.moves_into_contact(state, who, Move, INTO_CONTACT)
            return
        full, enemy = rate(state, who), PLACEMENT.nearest(who, state.enemies(who.side))
        half = f"forward {full * float(1 - state.options.change_of_formation):g}"
        plain = (*destinations_to_try(enemy, f"{full:g}"), f"forward {_ahead(state, who, full):g}", half)
        for to, form in dict.fromkeys((*destinations(state, who, full), *((to, "") for to in plain))):
            yield Move(unit=unit, to=to, circumstances=(form,) if form else ())
        yield from (Move(unit=unit, circumstances=(word,)) for word in CHANGES)
        yield from (Move(unit=unit, to=half, circumstances=(word,)) for word in CHANGES)

    def plan(self, state: ChargeState, action: Move) -> March:
        """Settles how far it may go. Raises Refused with the rule; then nothing has moved."""
        unit, words = find(state, action.unit), action.circumstances
        may_act(state, unit, MOVES)
        refuse(
            IN_CONTACT,
            (state.fight_of(unit.id), f"{unit:are} in contact: {unit:they stand} until the mêlée has been fought."),
        )
        refuse(TURNS, (unit.this_turn.has_moved, f"{unit:have} moved this turn."))
        gunless = unit.arm is Arm.GUN and unit.gun_destroyed
        refuse(GUN_LOST, (gunless, f"The gun of {unit.name} is destroyed; its crew stand by it."))
        change = next((word for word in CHANGES if word in words), "")
        told = read_route(state, unit, action.to, stays=bool(change))
        ready = CHANGES[change].apply(state, unit) if change else unit
        route = WAYS.trace_route(state, ready, told)
        full = rate(state, unit)
        left = full * float(1 - state.options.change_of_formation) if change else full
        steps = [Step(text=f"{unit.arm.capitalize()}: {tenths(full)} inches", cite=cite("movement", unit.arm))]
        if change:
            part = f"{CHANGES[change].done}: {inches(full - left)} of it"
            steps.append(Step(text=unit.verb(part).capitalize(), cite=DRAWN_UP))
        if not route.marches:
            halt = WAYS.check_stay(state, unit, route, changes=bool(change))
            now = set_at(ready, halt.base)
            WAYS.check_room(state, now, WAYS.rule)
            bars = "" if barred_at(state, unit) else barred_at(state, now)
            refuse(GROUND, (bars, f"{unit:have} no room: {bars}. Move {unit:them} clear first."))
            return March(unit.id, ready, words, change, route, Reach(0.0, 0.0, TURNS), tuple(steps))
        far = going(state, ready, route.way, left, full)
        if HINDERED in words or NORMAL_GOING in words:
            far = Going(left / TWICE if HINDERED in words else left, ())
        steps += [
            _ground_step(name_of(one.piece), one.obstacle) for one in far.hindered if one.start < (route.wanted or full)
        ]
        refuse(GROUND, (far.barred and far.inches < SHORTEST, f"{unit:are} barred: {far.barred}."))
        rule = DRAWN_UP if change else cite("movement", unit.arm)
        reach = Reach(far.inches, far.inches, GROUND if far.hindered or far.barred else rule)
        try:
            WAYS.check_march(state, ready, route, reach, attacks=INTO_CONTACT in words)
        except Refused as refused:
            raise Refused(f"{refused.why} {_why(far)}".strip(), refused.cite) from None
        return March(unit.id, ready, words, change, route, reach, tuple(steps), far.barred)

    def caption(self, state: ChargeState, plan: March) -> Caption:
        """`Grenadiers: forward 6, column`."""
        to = plan.route.in_words(state)
        said = ", ".join(word for word in (to[:1].lower() + to[1:], *plan.words) if word)
        return Caption(f"{state.unit(plan.unit).name}: {said or 'move'}")

    def resolve(self, play: ChargePlay, plan: March) -> None:
        """Move the unit as far as allowed, into contact with enemies met."""
        state, unit = play.state, plan.ready
        halt = WAYS.halt_on_route(state, unit, plan.route, plan.reach.furthest)
        play.say(*plan.steps)
        play.change(unit.id, formation=unit.formation, place=set_at(unit, halt.base).place)
        play.remember(unit.id, has_moved=True)
        play.say(*plan.route.quote_words(unit, halt.run, TURNS))
        met = WAYS.enemies_met(state, unit, plan.route, halt, attacks=INTO_CONTACT in plan.words)
        engage(play, unit.id, met)
        done = (*plan.route.describe_move(halt.run), *((CHANGES[plan.change].done,) if plan.change else ()))
        into = f", into contact with {' and '.join(state.unit(each).name for each in met)}" if met else ""
        outcome = plan.route.describe_end(play.state.unit(unit.id), halt.run, "figures")
        stopped = plan.barred and not halt.crowded_by and halt.run >= plan.reach.furthest - table.CLOSE
        short = (f"Halted after {inches(halt.run)}: {plan.barred}.",) if stopped else ()
        warnings = (*halt.warnings, *short)
        conclude(play, f"{unit.doing(done)}{into}", unit.id, *met, outcome=outcome, warnings=warnings)


def _ahead(state: ChargeState, unit: ChargeUnit, full: float) -> float:
    """Inches that a unit may go straight ahead, in whole tenths."""
    here = PLACEMENT.base(unit)
    far = full if here is None else going(state, unit, Way(here.facing, full, here), full, full).inches
    return int(far * 10 + table.CLOSE) / 10


def rate(state: ChargeState, unit: ChargeUnit) -> float:
    """Inches of a unit's full move (CH-1.1)."""
    printed = entry("movement", unit.arm, "a turn")
    return state.options.cavalry_move if printed is None else float(printed)


def _ground_step(where: str, obstacle: bool) -> Step:
    """Return the step describing a terrain piece's effect."""
    text = f"{where}: half of the move to cross" if obstacle else f"{where}: every inch counts two"
    return Step(text=f"{text[0].upper()}{text[1:]}", cite=GROUND.ruled)


def _why(far: Going) -> str:
    """Return why the unit can go no further, in a sentence."""
    if far.barred:
        return f"{far.barred[0].upper()}{far.barred[1:]}."
    names = dict.fromkeys(name_of(one.piece) for one in far.hindered)
    return f"It is slowed by {' and '.join(names)}." if names else ""


MOVE = MoveType()
