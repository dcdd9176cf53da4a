"""Effects of conduct results on a unit: recoil, and destruction outside the chart (BE-6, BE-6.1, BE-M.5)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from shapely.ops import nearest_points

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.tabletop import table
from rules.core.tabletop.placement import place_of_base
from rules.core.tabletop.table import Base
from rules.core.wording import decimal_text, inches, join_with_and
from rules.empire.fighting.effects import destroy_unit, make_unit_give_way
from rules.empire.model import Arm, Doom, EmpireState, EmpireUnit, Formation
from rules.empire.phases import Phase
from rules.empire.placement import GIVEN_UP, base, bases, move_with_pieces
from rules.empire.shared import change_turn_record

from .charts import MASSED_OPPONENT, MELEE_SAID, MOUNTED_OPPONENT, ConductResult

CONDUCT, AT_ONCE = Cite(rule="BE-6"), Cite(rule="BE-6.1")
RECOILING = Cite(rule="BE-M.5", mark=Mark.HOUSE)


@dataclass(frozen=True)
class ConductEffects:
    """Effects of a conduct result on a unit.

    `end` is why the unit is destroyed at once, or empty; `move_inches` is how far it may move.
    """

    unit: EmpireUnit
    result: ConductResult
    in_melee: bool
    move_inches: float
    end: str
    dooms: tuple[Doom, ...]

    @property
    def is_destroyed(self) -> bool:
        """Whether the unit is destroyed: by the chart's result, or by an immediate end."""
        return self.result.destroyed or bool(self.end)

    @property
    def becomes_fanatic(self) -> bool:
        """Whether the unit goes into fanatic charge. Crews never charge."""
        return self.unit.conduct in self.result.fanatic and not self.unit.is_crew

    @property
    def may_mount_freely(self) -> bool:
        """Whether the unit may mount or dismount without penalty."""
        return self.unit.conduct in self.result.free_mounting

    @property
    def is_good(self) -> bool:
        """Whether the result is good for the unit's owner: a shaken unit rallies, or a steady unit may move."""
        return self.result.allows_move if self.unit.shaken else self.move_inches > 0

    @property
    def label(self) -> str:
        """Return the unit's fate in a few words."""
        return ", ".join(words for words, _ in self._effects_in_words())

    @property
    def sentences(self) -> str:
        """Return sentences on the effects that the label does not fully describe."""
        return " ".join(sentence for _, sentence in self._effects_in_words() if sentence)

    def _effects_in_words(self) -> Iterable[tuple[str, str]]:
        """Yield each effect in a few words and in a sentence. The sentence is empty if the words suffice."""
        unit, result = self.unit, self.result
        stay, hold, go_back = unit.verb("stay"), unit.verb("hold"), unit.verb("recoil")
        if self.is_destroyed:
            yield "destroyed at once" if self.end else "destroyed", f"{unit:They are} destroyed."
        elif not result.allows_move and not result.recoil:
            yield f"{stay} shaken, {hold}", f"{unit:They} {stay} shaken and {hold}."
        elif not result.allows_move and not self.in_melee:
            yield f"{stay} shaken, not in melee to recoil", f"{unit:They} {stay} shaken, and {unit:they do} not move."
        elif not result.allows_move:
            unless = f", destroyed unless {unit:their} enemy is held" if self.dooms else ""
            yield f"{stay} shaken, {go_back}{unless}", f"{unit:They} {stay} shaken and {go_back}."
        elif unit.shaken:
            yield unit.verb("rally"), ""
        may = f"may {'do everything and ' if unit.is_crew else ''}move {decimal_text(self.move_inches)} inches"
        if result.allows_move and self.in_melee:
            yield hold, f"In contact, {unit:they hold}."
        elif result.allows_move and (self.move_inches or unit.is_crew):
            yield may, ""
        elif result.allows_move:
            yield "no move", f"{unit:They may} not move."
        free = {"changing formation or facing": result.free_change, "mounting or dismounting": self.may_mount_freely}
        for change in (change for change, is_free in free.items() if is_free):
            yield f"no penalty for {change}", f"{change.capitalize()} costs {unit:them} nothing."
        if self.becomes_fanatic:
            yield "fanatic charge", f"{unit:They are} in fanatic charge until this turn's melee is over."


def find_conduct_effects(
    state: EmpireState, unit: EmpireUnit, result: ConductResult, claims: tuple[str, ...] = ()
) -> ConductEffects:
    """Return the effects that the conduct result would have on the unit now."""
    melee, end = is_in_melee(state, unit, claims), ""
    if melee and not result.allows_move and unit.is_crew:
        end = "guns and machine guns that fail to rally in melee"
    elif melee and result.recoil and unit.formation is Formation.COMPANY_SQUARE:
        end = "a company square that has to recoil"
    dooms = _find_dooming_pursuits(state, unit, claims) if melee and result.recoil and not end else ()
    return ConductEffects(unit, result, melee, float(0 if melee else result.inches_for(unit)), end, dooms)


def is_in_melee(state: EmpireState, unit: EmpireUnit, claims: Iterable[str] = ()) -> bool:
    """Whether the unit is in contact, or a word in `claims` says so."""
    return bool(state.opponents(unit.id)) or any(word in MELEE_SAID for word in claims)


def _find_dooming_pursuits(state: EmpireState, unit: EmpireUnit, claims: tuple[str, ...]) -> tuple[Doom, ...]:
    """Return a `Doom` for each group of enemies whose pursuit dooms the recoiling unit (BE-6.1).

    Foot is doomed by mounted pursuers, skirmishers also by massed foot.
    """
    foes = state.opponents(unit.id)
    mounted = tuple(foe.id for foe in foes if foe.arm is Arm.MOUNTED)
    shock = tuple(foe.id for foe in foes if foe.arm is Arm.MOUNTED or (foe.arm is Arm.FOOT and foe.is_massed))
    pursuits = []
    if unit.arm is Arm.FOOT and (mounted or MOUNTED_OPPONENT in claims):
        pursuits.append(mounted)
    if unit.formation is Formation.SKIRMISH and (shock or MOUNTED_OPPONENT in claims or MASSED_OPPONENT in claims):
        pursuits.append(shock)
    return tuple(Doom(unit=unit.id, rule=AT_ONCE.rule, pursuers=pursuers) for pursuers in dict.fromkeys(pursuits))


def apply_conduct_effects(play: Play[EmpireState], effects: ConductEffects, score: int) -> None:
    """Apply the effects to the unit, and report them. A unit that rallies in contact holds its ground (ruling)."""
    unit, before, exploiting = effects.unit, effects.unit.this_turn, play.state.current_phase is Phase.EXPLOITATION
    play.change(unit.id, shaken=unit.shaken and not effects.result.allows_move)
    play.remember(
        unit.id,
        tested=before.tested or not exploiting,
        exploited=exploiting,
        score=score,
        result=effects.result.words,
        allowed=effects.move_inches,
        spent=0.0,
        free_change=effects.result.free_change,
        free_mounting=effects.may_mount_freely,
        fanatic=effects.becomes_fanatic or before.fanatic,
    )
    if effects.result.recoil and effects.in_melee and not effects.end:
        make_unit_recoil(play, unit.id)
    if effects.is_destroyed:
        play.state = destroy_unit(play.state, unit.id)
        cite, verdict = (AT_ONCE, f"{effects.end}: destroyed at once") if effects.end else (CONDUCT, "destroyed")
        play.note(unit.name, cite, verdict, in_headline=not effects.end)
        return
    if effects.result.allows_move and effects.in_melee:
        play.note(f"{unit:are} in contact", CONDUCT.as_ruling, f"rallied, {unit:they hold}")
    for doom in effects.dooms:
        unless = f"unless another unit is then in contact with {_pursuer_names(play.state, doom)}"
        play.note(f"{unit:are} destroyed when movement ends, {unless}", AT_ONCE)
    play.set(dooms=(*play.state.dooms, *effects.dooms))


def make_unit_recoil(play: Play[EmpireState], unit_id: str) -> None:
    """Move the unit back by option `recoil` inches, with its attached pieces, and break its contacts."""
    state = play.state
    unit, foes, back = state.unit(unit_id), state.opponents(unit_id), float(state.options.recoil)
    unit_base, place, run = base(unit), unit.place, back
    cite, verdict = CONDUCT, f"move the stands {inches(back)} straight back"
    if unit_base is not None:
        halt = _find_recoil_halt(state, unit, unit_base, recoil_bearing(unit_base, bases(foes)), back)
        place, run = place_of_base(halt), table.distance(unit_base.at, halt.at)
        cite, verdict = CONDUCT, f"at {place.spot_in_words}"
        if run > back + table.CONTACT:
            cite, verdict = RECOILING, f"{verdict}, where there is room"
        elif run < back - table.CONTACT:
            cite, verdict = RECOILING, f"{verdict}; there is no room further back"
    moved_unit = unit.model_copy(update={"place": place, **(GIVEN_UP if run > 0 else {})})
    moved_unit = change_turn_record(moved_unit, recoiled=True, moved=round(unit.this_turn.moved + run, 3))
    play.state = make_unit_give_way(move_with_pieces(state, moved_unit), unit_id)
    foe_words = f" from {join_with_and(foe.name for foe in foes)}" if foes else ""
    play.note(f"{unit:recoil} {inches(run)}{foe_words}", cite, verdict)


def recoil_bearing(unit_base: Base, foes: Iterable[Base]) -> float:
    """Return the bearing of a recoil: away from the touching enemies, or straight back without contact."""
    sides, end = [_bearing_of_touched_side(unit_base, foe) for foe in foes] or [unit_base.facing], unit_base.at
    for side in sides:
        end = table.shift_point(end, side + 180, 1.0)
    opposed = table.distance(unit_base.at, end) <= table.CLOSE
    return (sides[0] + 180) % 360 if opposed else table.bearing(unit_base.at, end)


def _bearing_of_touched_side(unit_base: Base, foe: Base) -> float:
    """Return the bearing of the side of `unit_base` that the enemy touches. A corner counts as the front or rear."""
    nearest, _ = nearest_points(foe.outline, unit_base.outline)
    distance = table.distance(unit_base.at, (nearest.x, nearest.y))
    angle = math.radians(table.bearing(unit_base.at, (nearest.x, nearest.y)) - unit_base.facing)
    ahead, sideways = distance * math.cos(angle), distance * math.sin(angle)
    if abs(ahead) - unit_base.depth / 2 >= abs(sideways) - unit_base.frontage / 2:
        return unit_base.facing if ahead >= 0 else (unit_base.facing + 180) % 360
    return (unit_base.facing + math.copysign(90, sideways)) % 360


def _find_recoil_halt(state: EmpireState, unit: EmpireUnit, unit_base: Base, way: float, back: float) -> Base:
    """Return the base where the unit's recoil of `back` inches in the direction `way` ends.

    If that place is taken, the unit goes on to the next free place, or else stops short. Enemies block the way, except
    those in contact at the start.
    """
    others = bases(other for other in state.fighters() if other.id != unit.id)
    enemies = bases(state.foes(unit))
    step, furthest = unit_base.moved_to(table.shift_point(unit_base.at, way, table.STRIDE)), state.width + state.height
    beyond = [back + table.STRIDE * n for n in range(int(furthest / table.STRIDE))]
    short = [back - table.STRIDE * n for n in range(1, math.ceil(back / table.STRIDE))]
    for enemy in enemies:
        if not table.are_touching(unit_base, enemy) or table.are_overlapping(step, enemy):
            furthest = min(furthest, table.run_until_contact(unit_base, way, furthest, enemy))
    for run in (*beyond, *short):
        halt = unit_base.moved_to(table.shift_point(unit_base.at, way, run))
        if run > furthest + table.CLOSE or not table.is_on_table(halt, state.width, state.height):
            continue
        touches = any(table.are_touching(halt, enemy) for enemy in enemies)
        if not touches and not any(table.are_overlapping(halt, other) for other in others):
            return halt
    return unit_base


def _pursuer_names(state: EmpireState, doom: Doom) -> str:
    """Return the names of the doom's pursuers, or `their enemy`."""
    return join_with_and(state.unit(foe).name for foe in doom.pursuers) or f"{state.unit(doom.unit):their} enemy"


def destroy_doomed_units(play: Play[EmpireState]) -> None:
    """Destroy the doomed units when phase 4B ends, unless another unit is in contact with a pursuer (BE-6.1)."""
    state, ended = play.state, list[str]()
    for doom in state.dooms:
        unit = state.unit(doom.unit)
        if not unit.on_table or unit.id in ended:
            continue
        held_pursuers = [foe for foe in doom.pursuers if any(enemy.id != unit.id for enemy in state.opponents(foe))]
        if not held_pursuers:
            ended.append(unit.id)
        names = join_with_and(state.unit(foe).name for foe in held_pursuers)
        why = f"another unit is in contact with {names}: {unit:they live}" if held_pursuers else "destroyed"
        cite = AT_ONCE.as_ruling if held_pursuers and len(held_pursuers) < len(doom.pursuers) else AT_ONCE
        play.note(f"{unit.name} recoiled from {_pursuer_names(state, doom)}", cite, why)
    for unit_id in ended:
        play.state = destroy_unit(play.state, unit_id)
    play.set(dooms=())
