"""Fights between units in contact: how they begin (CH-4.1), and how survivors fall back (CH-4.5)."""

from collections import defaultdict

from rules.core.model import Cite
from rules.core.refusal import passes_check
from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Way
from rules.core.wording import inches, join_with_and

from .figures import PLACEMENT, WAYS, move_to_base
from .ground import distance_to_barrier
from .model import ChargePlay, ChargeState, ChargeUnit, Fight
from .tables import value

CONTACT = Cite(rule="CH-4.1")
BACK = Cite(rule="CH-4.5")
FALL_BACK_STEP = 0.25
"""Step in inches by which a fall-back is shortened until the unit has clearance."""


def bring_into_contact(play: ChargePlay, attacker: str, met: tuple[str, ...]) -> None:
    """Bring the unit `attacker` into contact with the enemies `met`, to fight after the fire of their next turn.

    If one of these units is already in a fight, all join that fight. But if that fight is due this turn, new enemies
    stay out, because they have had no turn to fire (ruling).
    """
    if not met:
        return
    state, unit_ids = play.state, {attacker, *met}
    touched_fights = tuple(fight for fight in state.fights if not unit_ids.isdisjoint(fight.units))
    at_once = tuple(fight for fight in fights_due(state) if fight in touched_fights)
    joined_fights = at_once or touched_fights
    fighters = (unit_id for fight in joined_fights for unit_id in fight.units)
    units = tuple(dict.fromkeys((*fighters, attacker, *(() if at_once else met))))
    since = min((fight.since for fight in joined_fights), default=state.began)
    fight = Fight(units=units, since=since)
    play.set(fights=(*(other for other in state.fights if other not in joined_fights), fight))
    names, enemy_side = join_with_and(state.unit(unit_id).name for unit_id in met), state.side(state.unit(met[0]).side)
    when = "at the end of this turn" if at_once else f"in the next turn of {enemy_side:the}"
    cite = CONTACT.as_ruling if at_once else CONTACT
    play.note(f"{state.unit(attacker):come} into contact with {names}", cite, f"the mêlée is fought {when}")
    for unit in (state.unit(unit_id) for unit_id in met if unit_id not in units):
        play.note(f"{unit:stay} out of it: {unit:they have} had no turn to fire", cite)


def fights_due(state: ChargeState) -> tuple[Fight, ...]:
    """Return the fights due this turn: those that began in an earlier turn (CH-4.1)."""
    return tuple(fight for fight in state.fights if fight.since < state.began)


def remove_from_fight(state: ChargeState, unit_id: str) -> ChargeState:
    """Return the state with the unit removed from its fight. A fight with only one side left ends."""
    fights = (
        fight.model_copy(update={"units": tuple(u for u in fight.units if u != unit_id)}) for fight in state.fights
    )
    return drop_one_sided_fights(state.model_copy(update={"fights": tuple(fights)}))


def drop_one_sided_fights(state: ChargeState) -> ChargeState:
    """Return the state without fights in which only one side is left."""
    pairs = ((fight, map(state.unit, fight.units)) for fight in state.fights)
    fights = tuple(fight for fight, units in pairs if len({unit.side for unit in units if unit.on_table}) > 1)
    return state.model_copy(update={"fights": fights})


def end_fight(play: ChargePlay, fight: Fight) -> None:
    """End a fight. Survivors fall back straight away from the enemy as far as clearance allows (CH-4.5)."""
    before = play.state
    play.set(fights=tuple(other for other in before.fights if other != fight))
    units_by_text = defaultdict[str, list[ChargeUnit]](list)
    survivors = [before.units[unit_id] for unit_id in fight.units if before.units[unit_id].on_table]
    for unit in survivors:
        far = float(value("movement", unit.arm, "falls back"))
        enemies = (enemy for enemy in map(before.unit, fight.units) if enemy.side != unit.side)
        foes = [PLACEMENT.base(enemy) for enemy in enemies]
        start = PLACEMENT.base(play.state.units[unit.id])
        if start is None:
            units_by_text[f"fall back: move the figures {inches(far)} straight away from the enemy"].append(unit)
            continue
        run, end = _measure_fall_back(play.state, unit, start, [base.at for base in foes if base is not None], far)
        play.change(unit.id, place=move_to_base(unit, end).place)
        shortfall = "" if run >= far else f", with no room for {inches(far)}"
        how = f"fall back {inches(run)}{shortfall}" if run else "have no room to fall back"
        units_by_text[how].append(unit)
    verbs = {how: units[0].verb(how) if len(units) == 1 else how for how, units in units_by_text.items()}
    if text := "; ".join(
        f"{join_with_and(unit.name for unit in units)} {verbs[how]}" for how, units in units_by_text.items()
    ):
        play.note(text, BACK)


def _measure_fall_back(
    state: ChargeState, unit: ChargeUnit, start: Base, foes: list[Point], far: float
) -> tuple[float, Base]:
    """Return how far `unit` falls back from `start`, in inches, and the base on which it halts.

    `foes` are the middles of the enemies' bases, and `far` is the full distance in inches.
    """
    enemy_middle = (sum(x for x, _ in foes) / len(foes), sum(y for _, y in foes) / len(foes)) if foes else start.at
    is_apart = table.distance(enemy_middle, start.at) > table.CONTACT
    way = table.bearing(enemy_middle, start.at) if is_apart else (start.facing + 180) % 360
    back = Way(way, far, start)
    ahead = [foe_base for _, foe_base in WAYS.foes_on_way(state, unit, back, far)]
    runs_to_foes = (table.run_until_contact(start, way, far, foe_base) for foe_base in ahead)
    run = min([distance_to_barrier(state, unit, back), *runs_to_foes])
    while run > 0:
        end = back.base_after(run)
        is_clear = passes_check(WAYS.require_clearance, state, move_to_base(unit, end))
        if is_clear and not any(table.are_touching(end, foe_base) for foe_base in ahead):
            break
        run = max(run - FALL_BACK_STEP, 0.0)
    return run, back.base_after(run)
