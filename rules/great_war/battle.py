"""Ranged and close combat, and the rules that refuse them (GW-1.2, GW-3.4, GW-4, GW-5.1, GW-6.3, GW-7)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, read_whole_number, throwaway_state
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.wording import count_of

from .battle_strength import Target, Thrower, count_battle_dice, make_volley
from .estimates import DESTROYED, DRIVEN, BattlePlan, battle_odds, outcome_chances
from .fighting import fight_battle
from .ground import is_in_sight, last_entered_terrain, terrain_named, terrain_of
from .ground_gained import BONUS, why_no_ground_gained
from .model import Arm, Bogged, GreatWarPlay, GreatWarState, GreatWarUnit, Recovery
from .orders import RECOVERY, has_to_recover
from .retreats import retreat_paths
from .shared import (
    ANOTHER,
    BATTLES,
    DITCHED,
    FRAME,
    ONCE,
    adjacent_enemies,
    find_unit_on_map,
    parse_arm,
    require_flags_answered,
    require_ordered,
    require_phase,
)
from .tables import chart_number, farthest_range

RANGED, CLOSE = Cite(rule="GW-4"), Cite(rule="GW-5.1")
AMBUSH, BAYONET, BARRAGE, CROSS = "surprise ambush", "butt & bayonet", "machine gun barrage", "cross fire"
IN_TERRAIN: Mapping[str, str] = {
    "target in trench": "trench",
    "target in shell crater": "crater",
    "target in forest": "forest",
    "target in building": "building",
}
ON_WIRE, FROM_FOREST = "on wire", "entered forest"
CARDS = (AMBUSH, BAYONET, BARRAGE, CROSS)
"""Cards that players play at their own table; each card may set the number of battle dice."""
AT: Mapping[str, Arm] = {f"at {arm}": arm for arm in Arm}


class Battle(Action):
    """Let a unit throw its battle dice at an enemy; `dice` is the number of dice if a card sets it."""

    unit: str
    target: str
    dice: int | None = Field(default=None, ge=1, le=12)


class Fire(Battle):
    """Fight a ranged combat; `range` is in hexes, for questions without a map."""

    circumstance_names = (BARRAGE, CROSS, *IN_TERRAIN, ON_WIRE, FROM_FOREST, *AT)

    range: int | None = Field(default=None, ge=2, le=12)


class Melee(Battle):
    """Fight a close combat with an adjacent enemy."""

    circumstance_names = (AMBUSH, BAYONET, *IN_TERRAIN, ON_WIRE, FROM_FOREST, *AT)


NOWHERE = Hex.at(0, 0)
"""Hex of units in questions without a game."""
B = TypeVar("B", bound=Battle)


class BattleType(ActionType[GreatWarState, B, BattlePlan]):
    """Base class of ranged and close combat."""

    is_close: ClassVar[bool]
    verb: ClassVar[str]

    def umpire_circumstances(self, state: GreatWarState, action: B) -> Iterable[str]:
        """Return the circumstances that the map decides, such as terrain; none without a map."""
        return set(action.circumstance_names) - set(CARDS) if state.map else ()

    def suggest_actions(self, state: GreatWarState) -> Iterable[Any]:
        """Yield the battles of every ordered unit with every enemy in its range."""
        for unit in state.units_of(state.active) if state.phase == BATTLES else ():
            ready = unit.this_turn.is_ordered and (unit.this_turn.bonus or not unit.this_turn.has_battled)
            for enemy in state.units_of(state.enemy(unit.side)) if ready else ():
                if unit_hex(unit).distance(unit_hex(enemy)) <= (1 if self.is_close else farthest_range(unit.arm)):
                    yield self.action.model_validate({"unit": unit.id, "target": enemy.id})

    def settle(self, state: GreatWarState, action: B, *, supposing: bool) -> BattlePlan:
        """Return the settled battle. Raises Refused with the rule."""
        unit, target = find_unit_on_map(state, action.unit), find_unit_on_map(state, action.target, "target")
        words = action.circumstances
        refuse(FRAME, (unit.side == target.side, f"{target:are} no enemy of {unit.name}."))
        if state.map:
            if not supposing:
                require_flags_answered(state)
                self.require_battle_allowed_now(state, unit, by_ambush=AMBUSH in words)
            self.require_battle_allowed_this_turn(state, unit, action)
        hexes = self.range_in_hexes(state, unit, target, action)
        self.require_in_reach(state, unit, target, hexes, words)
        named_terrains = (terrain_named(IN_TERRAIN[word]) for word in words if word in IN_TERRAIN)
        terrain = next(named_terrains, terrain_of(state, target))
        thrower, at = self._make_thrower(state, unit, action), Target(target.arm, terrain, target.is_stuck)
        number, dice_steps = count_battle_dice(thrower, hexes, state.options)
        refuse(ONCE, (number < 1, f"{unit:have} no dice left for that: no battle."))
        volley, steps = make_volley(thrower, at, hexes, number, state.options)
        paths = retreat_paths(state, target, number) if state.map else {}
        retreat_hexes = max(map(len, paths.values()), default=number)
        card = next((word for word in words if word in (AMBUSH, BAYONET)), "")
        advances = self.is_close and unit.is_tank and bool(state.map)
        no_gain = ""
        if advances:
            no_gain = f"it used {card}" if card else why_no_ground_gained(state, unit)
        return BattlePlan(
            unit.id,
            target.id,
            hexes,
            volley,
            retreat_hexes,
            by_ambush=AMBUSH in words,
            may_gain=advances and not no_gain,
            no_gain=no_gain,
            steps=(*dice_steps, *steps),
        )

    def require_battle_allowed_now(self, state: GreatWarState, unit: GreatWarUnit, *, by_ambush: bool) -> None:
        """Raise Refused in a wrong phase, without order, before recovery, or after a battle (GW-1, GW-3.4, GW-6.3)."""
        now = unit.this_turn
        if by_ambush:
            own = f"A {AMBUSH} is played in the enemy's phase of {BATTLES}."
            refuse(CLOSE.as_ruling, (unit.side == state.active or state.phase != BATTLES, own))
        else:
            require_phase(state, unit, BATTLES)
            require_ordered(state, unit)
        recover = f"{unit:are} bogged: throw {unit:their} recovery dice first."
        refuse(RECOVERY, (has_to_recover(unit), recover))
        battled = f"{unit:have} battled this turn. {ANOTHER}."
        refuse(ONCE, (now.has_battled and not now.bonus, battled))

    def require_battle_allowed_this_turn(self, state: GreatWarState, unit: GreatWarUnit, action: B) -> None:
        """Raise Refused if the unit may not battle at any time this turn (GW-1.2, GW-3.4, GW-4, GW-5.1, GW-7)."""
        now, terrain, onto = unit.this_turn, terrain_of(state, unit), last_entered_terrain(state, unit)
        stuck = f"{unit:are} ditched: {unit:they battle} no more. Choose another unit."
        refuse(DITCHED, (unit.bogged is Bogged.DITCHED, stuck))
        cards = ", ".join(CARDS)
        own = action.dice is not None and not any(word in CARDS for word in action.circumstances)
        refuse(ONCE, (own, f"Other dice than the chart's come of a card. Leave `dice:` out, or name it with: {cards}."))
        far = not unit.is_tank and now.moved > chart_number(unit.arm, "hexes, and battle")
        moved = f"{unit:have} moved {count_of(now.moved, 'hex', 'hexes')}, and {unit:do} not battle."
        refuse(ONCE, (far, f"{moved} Choose another unit."))
        if onto is not None and unit.is_tank:
            house = f"{unit:have} entered a {onto.name} this turn: no battle. Choose another unit."
            refuse(RANGED if not self.is_close else CLOSE, (not onto.tanks_battle, house))
        ford = f"Soldiers on a {terrain.name} do not battle. Choose another unit."
        refuse(terrain.cite, (not unit.is_tank and not terrain.soldiers_battle, ford))

    def range_in_hexes(self, state: GreatWarState, unit: GreatWarUnit, target: GreatWarUnit, action: B) -> int:
        """Return the range in hexes. Without a map, return the stated range, or 1 if none is stated."""
        if state.map:
            return unit_hex(unit).distance(unit_hex(target))
        stated: int | None = getattr(action, "range", None)
        return 1 if stated is None else stated

    def require_in_reach(
        self, state: GreatWarState, unit: GreatWarUnit, target: GreatWarUnit, hexes: int, words: tuple[str, ...]
    ) -> None:
        """Raise Refused if the unit cannot battle the target at this range."""
        raise NotImplementedError

    def _make_thrower(self, state: GreatWarState, unit: GreatWarUnit, action: B) -> Thrower:
        words, now = action.circumstances, unit.this_turn
        return Thrower(
            unit.arm,
            terrain_named("forest") if FROM_FOREST in words else last_entered_terrain(state, unit),
            on_wire=ON_WIRE in words or unit.at in state.wire,
            recovery_failed=unit.bogged is Bogged.BOGGED and now.recovery is Recovery.FAILED,
            card_dice=action.dice,
        )

    def caption(self, state: GreatWarState, plan: BattlePlan) -> Caption:
        """Return a caption such as `Deborah fires at Bavarians: 12% to destroy, 31% to drive back`."""
        ends, unit, target = outcome_chances(state, plan), state.unit(plan.unit), state.unit(plan.target)
        hit = Chance(plan.volley.chance_to_hit, "to hit")
        hopes = Chance(ends[DESTROYED], "to destroy"), Chance(ends[DRIVEN], "to drive back")
        chances = [hope for hope in (hopes[0] if hopes[0].value else hit, hopes[1]) if hope.value]
        first, rest = (chances[0], tuple(chances[1:])) if chances else (None, ())
        return Caption(f"{unit:{self.verb}} {target.name}", first, more=rest)

    def odds(self, state: GreatWarState, plan: BattlePlan) -> Odds:
        """Return the chances to destroy, to drive back and to bog on gained ground, and the expected hits."""
        return battle_odds(state, plan)

    def resolve(self, play: GreatWarPlay, plan: BattlePlan) -> None:
        """Throw the dice. Flags then wait for an answer."""
        fight_battle(play, plan, f"{play.state.unit(plan.unit):{self.verb}} {play.state.unit(plan.target).name}")

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[GreatWarState, Any]:
        """Return a throwaway state with the throwing unit and its target, and the battle between them."""
        arm = parse_arm(options["troop"])
        at = next((AT[word] for word in words if word in AT), Arm.INFANTRY)
        if "against" in options:
            at = parse_arm(options["against"])
        name, target_name = f"{arm[0].upper()}{arm[1:]}", f"the target ({at})"
        figures, target_figures = chart_number(arm, "figures"), chart_number(at, "figures")
        unit = GreatWarUnit(id="unit", name=name, side=OURS, arm=arm, figures=figures, at=NOWHERE)
        target = GreatWarUnit(id="target", name=target_name, side=THEIRS, arm=at, figures=target_figures, at=NOWHERE)
        state = throwaway_state(GreatWarState, unit, target)
        circumstances = tuple(word for word in words if word not in AT)
        fields = {"unit": unit.id, "target": target.id, "with": circumstances, **self._fields_from_options(options)}
        return state, self.action.model_validate(fields)

    def _fields_from_options(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the action's range and dice, as a question without a game states them in `options`."""
        raise NotImplementedError


class FireType(BattleType[Fire]):
    """Ranged combat (GW-4)."""

    action = Fire
    is_close = False
    verb = "fire at"
    question_fields = ("troop", "range", "dice")
    question_circumstances = (*IN_TERRAIN, ON_WIRE, FROM_FOREST, *AT)

    def require_in_reach(
        self, state: GreatWarState, unit: GreatWarUnit, target: GreatWarUnit, hexes: int, words: tuple[str, ...]
    ) -> None:
        """Raise Refused if the arm, the card, an adjacent enemy, range or sight prevents the fire."""
        arm, most = unit.arm, farthest_range(unit.arm)
        for word, rule in ((BARRAGE, "joins a machine gun barrage"), (CROSS, "joins a cross fire")):
            barred = unit.is_tank and not chart_number(arm, rule)
            refuse(Cite(rule="GW-2", mark=Mark.FOUND), (word in words and barred, f"A {arm} joins no {word}."))
        gun = arm is Arm.MACHINE_GUN or unit.is_tank
        refuse(Cite(rule="GW-2", mark=Mark.FOUND), (BARRAGE in words and not gun, f"{unit:have} no machine guns."))
        cite = RANGED if unit.is_tank else Cite(rule="GW-4", mark=Mark.FOUND)
        male = f"The bonus combat of a {arm} is close combat only."
        refuse(BONUS, (unit.this_turn.bonus and not chart_number(arm, "ranged bonus combat"), male))
        if state.map:
            near = ", ".join(enemy.name for enemy in adjacent_enemies(state, unit))
            close = f"{unit:are} next to {near}: {unit:they have} close combat only, with an enemy next to {unit:them}."
            refuse(cite, (near, close))
        far = f"{target:are} {count_of(hexes, 'hex', 'hexes')} away, and {unit:reach} {most}."
        refuse(cite, (hexes > most, far))
        blind = chart_number(arm, "needs no line of sight") or not state.map
        sight = f"{unit:do} not see {target.name}: ground or a unit lies between."
        refuse(cite, (not (blind or is_in_sight(state, unit_hex(unit), unit_hex(target))), sight))

    def _fields_from_options(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        if "range" not in options:
            raise Refused("Say how far: fire needs “range” in hexes, as range:2.")
        return {"range": read_whole_number(options, "range", 2, 12), "dice": options.get("dice")}


class MeleeType(BattleType[Melee]):
    """Close combat (GW-5)."""

    action = Melee
    is_close = True
    verb = "attack"
    question_fields = ("troop", "against")
    question_circumstances = (*IN_TERRAIN, ON_WIRE, FROM_FOREST)

    @override
    def _fields_from_options(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    @override
    def require_in_reach(
        self, state: GreatWarState, unit: GreatWarUnit, target: GreatWarUnit, hexes: int, words: tuple[str, ...]
    ) -> None:
        """Raise Refused unless the units are adjacent."""
        near = ", ".join(enemy.name for enemy in adjacent_enemies(state, unit)) if state.map else ""
        may = f" Next to {unit:them}: {near}." if near else " Move closer first, or fire."
        refuse(CLOSE, (hexes != 1, f"{target:are} {count_of(hexes, 'hex', 'hexes')} away: no close combat.{may}"))


FIRE, MELEE = FireType(), MeleeType()
