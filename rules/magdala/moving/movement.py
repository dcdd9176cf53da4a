"""The move of a unit (MM-2): made, measured, remembered, and into contact where it meets the enemy (MM-4.1)."""

from collections.abc import Iterable
from typing import Any

from rules.core.action_type import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.tabletop.place import Towards, Turn
from rules.core.tabletop.placement import placed, spoken
from rules.core.tabletop.setting_down import towards_each
from rules.core.tabletop.ways import Halt, stand
from rules.core.wording import inches, tenths
from rules.magdala import placement
from rules.magdala.attack import meets, said_to_be
from rules.magdala.fighting.melee import contact
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit
from rules.magdala.orders import counted
from rules.magdala.placement import base, with_leader
from rules.magdala.tables import SIDES

from . import allowance, astray, formation, leading, move_odds, travel
from .marching import ATTACKS, CHARGE, INTO_CONTACT, NOT_ADVANCING, March, Move, plan

MOVING = Cite(rule="MM-2")
FLANKING = Cite(rule="MM-4.2", mark=Mark.RULING)
MOST_WORDS = 120
"""Characters of a player's own words for a place."""
DONE = {
    formation.SKIRMISH: "takes skirmish order",
    formation.CLOSE: "takes close order",
    formation.FORM_SQUARE: "forms square",
    formation.LEAVE_SQUARE: "leaves its square",
    formation.LIE_DOWN: "lies down",
    formation.STAND_UP: "stands up",
    formation.MOUNT: "mounts",
    formation.DISMOUNT: "dismounts",
    formation.LIMBER: "limbers up",
    formation.UNLIMBER: "unlimbers",
    formation.TAKE_COVER: "takes cover",
    formation.ROUGH: "goes into rough going",
    formation.LEAVE_COVER: "leaves cover",
    **{word: f"occupies {word.split()[-1]}" for word in formation.OCCUPY},
}


def move(state: MagdalaState, action: Move, dice: Dice) -> tuple[MagdalaState, Report]:
    """Throws the dice of a dice move, goes as far as it may, and makes the changes. Raises Refused before any die."""
    march = plan(state, action)
    words = action.circumstances
    unit, steps, run, halt = march.unit, list(march.steps), 0.0, None
    if march.marches:
        throw = dice.throw(march.rate.dice, SIDES, f"{unit.name} moves", side=unit.side) if march.rate.dice else None
        may_go = allowance.allowed(march.rate, throw, march.modifiers)
        steps.append(may_go)
        run, halt = _run(state, march, float(may_go.score or 0))
    unit = _settled(state, march, words, run, halt)
    unit, stays = leading.left_behind(state, march, unit)
    unit, unmade = _changed_after(state, march, unit)
    after = leading.led(with_leader(state, unit), unit, run)
    after, met = _meets(after, march, words, run, halt)
    after, joined = leading.joins(after, march, run)
    moved = after.unit(unit.id)
    enemy = after.unit(moved.melee_with).name if moved.melee_with else ""
    steps.extend((*stays, *_where_to(march, moved, run, action.to), *met, *joined))
    by = halt.crowded_by if halt else ()
    crowded = (f"There was no room further on, where {stand(by)}: it halts after {inches(run)}.",) if by else ()
    report = Report(
        headline=_headline(march, moved, words, run, unmade, enemy),
        units=(unit.id, *((moved.melee_with,) if moved.melee_with else ())),
        side=unit.side,
        steps=tuple(steps),
        outcome=_outcome(march, moved, run),
        warnings=(
            *crowded,
            *unmade.values(),
            *_of_no_account(after, moved, words),
            *(astray.warnings(after, moved) if march.marches else ()),
        ),
    )
    return counted(after), report


def _run(state: MagdalaState, march: March, may_go: float) -> tuple[float, Halt[MagdalaUnit] | None]:
    """Inches run, and where it halts if positions are known."""
    if march.path is None:
        return (may_go if march.wanted is None else min(march.wanted, may_go)), None
    halt = travel.go(state, march.unit, march.path, may_go)
    return halt.run, halt


def _settled(
    state: MagdalaState, march: March, words: tuple[str, ...], run: float, halt: Halt[MagdalaUnit] | None
) -> MagdalaUnit:
    """The unit where it halts, remembering its move: it leaves works and sangar, stands up, and leads its horses."""
    unit, memory = march.unit, march.unit.this_turn
    turned = march.path.base if march.path and not march.marches else None
    there = halt.base if halt else turned
    update: dict[str, Any] = {"place": placed(there)} if there else {}
    if run > 0:
        trotted = state.turn if run >= state.options.least_trot else unit.last_moved_turn
        update |= {**formation.UNDER_WAY, "last_moved_turn": trotted}
    spent = {
        "moved": memory.moved + run,
        "marched": memory.marched or march.moves,
        "changed_order": memory.changed_order or any(word in formation.ORDER_WORDS for word in march.changes),
        "half_turn_spent": memory.half_turn_spent or any(word in formation.HALF_TURN for word in march.changes),
        "whole_turn_spent": any(word in formation.WHOLE_TURN for word in march.changes),
        "charged": CHARGE in words and march.marches,
    }
    moved = unit.model_copy(update=update)
    advanced = march.marches and run > 0 and NOT_ADVANCING not in words and _advances(state, unit, moved)
    spent["advanced"] = memory.advanced or advanced
    return moved.model_copy(update={"this_turn": memory.model_copy(update=spent)})


def _advances(state: MagdalaState, before: MagdalaUnit, after: MagdalaUnit) -> bool:
    """Whether it ends nearer the enemy nearest to it than it was; where that cannot be measured, it does (MM-5.1)."""
    was, now = (placement.nearest_enemy_gap(state, unit) for unit in (before, after))
    return was is None or now is None or now < was - table.CLOSE


def _changed_after(state: MagdalaState, march: March, unit: MagdalaUnit) -> tuple[MagdalaUnit, dict[str, str]]:
    """The changes made where it halts. After a throw what cannot be made is told, no longer refused."""
    unmade = {}
    for word in march.changes:
        if word in formation.AFTER:
            try:
                unit = formation.change(state.with_unit(unit), unit, word)
            except Refused as refused:
                if not (march.marches and march.rate.dice):
                    raise
                unmade[word] = str(refused)
    return unit, unmade


def _meets(
    state: MagdalaState, march: March, words: tuple[str, ...], run: float, halt: Halt[MagdalaUnit] | None
) -> tuple[MagdalaState, tuple[Step, ...]]:
    """Into contact, where it ends on an enemy's base, or the umpire says whom it reaches (MM-4.1)."""
    met, attack = None, said_to_be(words, ATTACKS)
    if halt is not None and halt.met is not None:
        met = halt.met
        if attack is None and march.start is not None:
            attack = meets(state, state.unit(met), march.start, halt.base)
    elif halt is None and INTO_CONTACT in words and isinstance(march.destination, Towards):
        met = march.destination.unit if march.wanted is not None and run >= march.wanted else None
        if met is None:
            step = Step(text="It does not reach the enemy", cite=MOVING, verdict=f"{inches(run)} is too short")
            return state, (step,)
    if met is None:
        return state, ()
    play = Play(state, NoDice())
    contact(play, march.unit.id, met, run, attack or Attack.FRONT)
    return play.state, play.report.steps


def _of_no_account(state: MagdalaState, moved: MagdalaUnit, words: tuple[str, ...]) -> Iterable[str]:
    """What was said of an attack where there is none, or one on a square (MM-4.2)."""
    enemy = state.units.get(moved.melee_with or "")
    for word in words:
        if word in ATTACKS and (enemy is None or enemy.in_square):
            why = f"{enemy.name} is in square, which has none" if enemy else f"{moved.name} has come into no melee"
            yield f"“{word}” changes nothing here: {why} ({FLANKING})."


def _where_to(march: March, moved: MagdalaUnit, run: float, to: str | None) -> tuple[Step, ...]:
    """Where no place is kept, the player's own words for it."""
    if not march.marches or moved.place is not None or to is None:
        return ()
    return (Step(text=f"Moves {inches(run)}, {to[:MOST_WORDS]}", cite=march.rate.cite),)


def _headline(
    march: March, unit: MagdalaUnit, words: tuple[str, ...], run: float, unmade: dict[str, str], enemy: str
) -> str:
    did = []
    if march.marches:
        did.append(f"{'charges' if CHARGE in words else 'moves'} {inches(run)}")
    elif isinstance(march.destination, Turn):
        did.append(f"turns to face {tenths(march.destination.facing)}°")
    if march.unit.prone and not unit.prone:
        did.append(DONE[formation.STAND_UP])
    did.extend(DONE[word] for word in march.changes if word not in unmade)
    if enemy:
        did.append(f"into contact with {enemy}")
    return f"{unit.name} {', '.join(did)}."


def _outcome(march: March, unit: MagdalaUnit, run: float) -> str:
    if unit.place is None:
        return f"Move the figures {inches(run)}." if march.marches else ""
    return f"It stands at {spoken(unit.place)}."


def odds(state: MagdalaState, action: Move) -> Odds:
    """The chance of each number of inches, or of getting there. Raises Refused as the deed does."""
    march = plan(state, action)
    if not (march.marches and march.rate.dice):
        move(state, action, NoDice())
    return move_odds.odds(march)


def legal(state: MagdalaState, side: Viewer) -> Iterable[Move]:
    """Moves the side may make now: on the nearest enemy, forward, back, and every change of formation."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        for order in _thinkable(state, unit):
            try:
                plan(state, order)
            except Refused:
                continue
            yield order


def towards(state: MagdalaState, unit_id: str) -> tuple[str, ...]:
    """`towards` every other unit that this one may now go towards."""
    return tuple(towards_each(state, unit_id, lambda to: plan(state, Move(unit=unit_id, to=to))))


def _thinkable(state: MagdalaState, unit: MagdalaUnit) -> Iterable[Move]:
    if base(unit) is None:
        yield Move(unit=unit.id)
    else:
        own = allowance.rate(unit, state.options)
        enemy = placement.nearest(unit, state.enemies(unit.side))
        if enemy is not None:
            yield Move(unit=unit.id, to=f"towards {enemy.id}")
            yield Move(unit=unit.id, to=f"towards {enemy.id}", circumstances=(CHARGE,))
        for step in ("forward", "back", "left", "right"):
            yield Move(unit=unit.id, to=f"{step} {own.dice + own.inches}")
    for word in formation.WORDS:
        yield Move(unit=unit.id, circumstances=(word,))


MOVE: Deed[MagdalaState] = Deed(Move, move, odds, legal)
