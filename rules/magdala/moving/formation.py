"""Changes of a unit besides marching, and their time: order, square, lying down, mounting, cover and works."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from rules.core.action_type import SimpleType
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.scene import Feature, TerrainPiece
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.formation_changes import FormationChange, Update, changes_by_word
from rules.core.tabletop.placement import terrain_under
from rules.core.test_action import Trial, TrialType
from rules.core.throws import ScoreThrow
from rules.core.wording import inches
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Troop, Works
from rules.magdala.placement import COVERING, ROUGH_GOING, base, within
from rules.magdala.shared import OwnTurnType, complete_action, find_unit_on_table, require_may_be_ordered
from rules.magdala.tables import SIDES, mishap_value

from .allowance import MOUNTING, must_limber_to_move

ORDERS = Cite(rule="MM-2.1", mark=Mark.RULING)
LIMBERING = Cite(rule="MM-2.4")
WORKS = Cite(rule="MM-7", mark=Mark.RULING)
STANDING = Cite(rule="MM-3.1")
ONE_MOVE = Cite(rule="MM-2", mark=Mark.RULING)
LYING_DOWN = Cite(rule="MM-3.4", mark=Mark.RULING)
HALTED = Cite(rule="MM-5.7")
BUILDING = Cite(rule="MM-7")

SKIRMISH, LIE_DOWN, STAND_UP = "skirmish order", "lie down", "stand up"
ORDER_WORDS = frozenset((SKIRMISH, "close order", "form square", "leave square"))
"""Changes of order (MM-2.1)."""
GET_UP_WORDS = frozenset((STAND_UP, "form square"))
"""Changes by which a unit that lies down gets up."""
HALF_TURN = frozenset(("mount", "dismount"))
WHOLE_TURN = frozenset(("limber", "unlimber"))
FIELDS_ON_MOVE: Mapping[str, Any] = {"works": Works.NONE, "building_sangar": 0, "prone": False}
"""Fields of a unit on the move: out of its works and half-built sangar, and on its feet (MM-3.4, MM-7)."""
ROCKY, ROCKY_GROUND = (Feature.ROUGH, Feature.HILL), "rocky ground"

NOT_ON_FOOT = (lambda unit: not is_infantry(unit), "{unit} cannot obey “{word}”: that is for troops on foot.")
IN_SQUARE = (lambda unit: unit.in_square, "{unit:are} in square. Say “leave square” first.")
STANDS_IN_SQUARE = (lambda unit: unit.in_square, "{unit:are} in square, and {unit:they stand}.")
NO_SQUARE = (
    lambda unit: unit.troop is not Troop.REGULAR_INFANTRY or unit.order is not Order.CLOSE,
    "{unit} cannot form square: regular infantry in close order do.",
)
MOUNTED = (lambda unit: unit.mounted, "{unit:are} mounted.")
NO_HORSES = (lambda unit: not unit.has_horses, "{unit:have} no horses to mount.")
ALWAYS_MOUNTED = (lambda unit: not unit.has_horses, "{unit:do} not fight on foot.")
DISMOUNTED = (lambda unit: not unit.mounted, "{unit:are} on foot.")
NO_LIMBER = (
    lambda unit: not must_limber_to_move(unit),
    "{unit:have} no limber: that is for field guns, heavy guns and pom-poms.",
)
LIMBERED = (lambda unit: unit.limbered, "{unit:are} limbered already.")
UNLIMBERED = (lambda unit: not unit.limbered, "{unit:are} unlimbered already.")


def _mount_unit(state: MagdalaState, unit: MagdalaUnit) -> Update:
    """Return the changed fields of a unit that mounts. Mounted regulars are always in close order (ruling)."""
    away = inches_to_horses(unit)
    if away is not None and away > state.options.at_hand:
        raise Refused(f"The horses of {unit.name} stand {inches(away)} off. Move to “horses” first.", MOUNTING)
    order = Order.CLOSE if unit.regular else unit.order
    return {"mounted": True, "horses_at": None, "prone": False, "order": order}


def _dismount_unit(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    return {"mounted": False, "horses_at": unit.place}


def inches_to_horses(unit: MagdalaUnit) -> float | None:
    """Return the inches from a unit to its horses; None if they are with the unit or positions are unknown."""
    own_base = base(unit)
    return None if own_base is None or unit.horses_at is None else table.gap_to_point(own_base, unit.horses_at.point)


def _take_cover(works: Works, features: Collection[Feature], state: MagdalaState, unit: MagdalaUnit) -> Update:
    """Return the changed field, `works`. Raises Refused if the unit's place is known to have none of `features`."""
    if unit.place is not None and terrain_under(state, unit, features) is None:
        kinds = " or ".join(features)
        raise Refused(f"{unit:do} not stand in {kinds}. Move there, or ask the umpire for cover.", WORKS)
    return {"works": works}


TAKE_COVER = partial(_take_cover, Works.COVER, COVERING)
ENTER_ROUGH = partial(_take_cover, Works.ROUGH, ROUGH_GOING)


def _occupy_works(feature: Feature, state: MagdalaState, unit: MagdalaUnit) -> Update:
    """Return the changed `works`. Raises Refused unless the `feature`, or a wagon as sandbags, is near (MM-7)."""
    own_base, at_hand = base(unit), state.options.at_hand
    pieces = [piece for piece in state.terrain if piece.feature is feature]
    near = own_base and any(table.gap_to_piece(piece, own_base) <= at_hand for piece in pieces)
    wagons = (friend for friend in state.units_of(unit.side) if friend.troop is Troop.WAGON and friend.id != unit.id)
    wagon = feature is Feature.SANDBAGS and within(unit, wagons, at_hand)
    refuse(WORKS, (own_base and not near and not wagon, f"{unit:are} not within {inches(at_hand)} of any {feature}."))
    return {"works": Works[feature.name]}


CHANGES: Mapping[str, FormationChange[MagdalaState, MagdalaUnit]] = changes_by_word(
    FormationChange("leave square", ORDERS, {"in_square": False}),
    FormationChange(STAND_UP, ORDERS, {"prone": False}),
    FormationChange(SKIRMISH, ORDERS, {"order": Order.SKIRMISH}, (NOT_ON_FOOT, IN_SQUARE), says="take skirmish order"),
    FormationChange("close order", ORDERS, {"order": Order.CLOSE}, (NOT_ON_FOOT,), says="take close order"),
    FormationChange("leave cover", ORDERS, {"works": Works.NONE}),
    FormationChange("mount", MOUNTING, _mount_unit, (MOUNTED, NO_HORSES)),
    FormationChange("limber", LIMBERING, {"limbered": True}, (NO_LIMBER, LIMBERED), says="limber up"),
    FormationChange("unlimber", LIMBERING, {"limbered": False}, (NO_LIMBER, UNLIMBERED)),
    FormationChange("dismount", MOUNTING, _dismount_unit, (ALWAYS_MOUNTED, DISMOUNTED), at_halt=True),
    FormationChange("form square", ORDERS, {"in_square": True, "prone": False}, (NO_SQUARE,), at_halt=True),
    FormationChange(LIE_DOWN, ORDERS, {"prone": True}, (NOT_ON_FOOT, STANDS_IN_SQUARE), at_halt=True),
    FormationChange("take cover", WORKS, TAKE_COVER, at_halt=True),
    FormationChange("enter rough going", WORKS, ENTER_ROUGH, at_halt=True, says="go into rough going"),
    *(
        FormationChange(f"occupy {feature}", WORKS, partial(_occupy_works, feature), at_halt=True)
        for feature in (Feature.ZAREBA, Feature.SANDBAGS, Feature.EARTHWORKS, Feature.SANGAR)
    ),
)
CHANGES_AT_HALT = frozenset(word for word, change in CHANGES.items() if change.rule == WORKS)
"""Changes that depend on where the move ends."""


def require_time(state: MagdalaState, unit: MagdalaUnit, words: Collection[str], *, marches: bool, moves: bool) -> None:
    """Raise Refused if the unit has no time left in its turn for the changes named in `words`.

    `moves` is also true if lying down or getting up takes the place of a march.
    """
    memory, changes = unit.this_turn, frozenset(words)
    half, whole = bool(changes & HALF_TURN), bool(changes & WHOLE_TURN)
    order = state.options.one_change_of_order and bool(changes & ORDER_WORDS)
    busy = memory.has_moved or memory.half_turn_spent or memory.has_fired or marches or half
    lies_down = marches and replaces_move(state, unit, changes, marches=True)
    halted = marches and unit.morale is Morale.HALTED
    changed = f"{unit:have} changed {unit:their} order this turn. {unit:They} may again in {unit:their} next."
    fired = f"{unit:have} fired. {unit:They} may change {unit:their} order in {unit:their} next turn."
    refuse(ORDERS, (order and memory.changed_order, changed), (order and memory.has_fired, fired))
    full_turn = f"Limbering or unlimbering takes a full turn: {unit:do} nothing else in it."
    refuse(LIMBERING, (whole and busy, full_turn))
    refuse(LYING_DOWN, (lies_down, f"Lying down takes the place of a move: {unit:do} one or the other."))
    must_test = f"{unit:are} halted: {unit:they} may retreat, or after a turn test {unit:their} morale to go on."
    refuse(HALTED, (halted, must_test))
    if moves or half:
        refuse(STANDING, (memory.fired_full, f"{unit:have} fired at full effect, which needs {unit:them} to stand."))
        led_name = next((led_unit.name for led_unit in state.units.values() if led_unit.general == unit.id), "")
        along = f" A general goes along with his unit, {led_name}." if led_name else ""
        refuse(ONE_MOVE, (memory.has_moved, f"{unit:have} made {unit:their} move of this turn.{along}"))
    refuse(MOUNTING, (half and memory.half_turn_spent, f"{unit.name} can mount or dismount once a turn."))


def replaces_move(state: MagdalaState, unit: MagdalaUnit, changes: Collection[str], *, marches: bool) -> bool:
    """Whether lying down or getting up takes the place of the unit's move (option prone_takes_the_move).

    A unit on the march gets up without losing its move.
    """
    gets_up = unit.prone and not marches and not GET_UP_WORDS.isdisjoint(changes)
    return state.options.prone_takes_the_move and (LIE_DOWN in changes or gets_up)


class Build(Action):
    """Spend the unit's turn on a sangar; `rocky ground` states the ground if the table does not show it."""

    circumstance_names = (ROCKY_GROUND,)


class BuildType(TrialType[MagdalaState, Build, Build], SimpleType[MagdalaState, Build], OwnTurnType[Build, Build]):
    """The building of a sangar over several turns. From the third turn on, a throw of 5-6 completes it (MM-7)."""

    action = Build
    says = "Sangar of {}"
    words_decided_by_place = (ROCKY_GROUND,)

    def check(self, state: MagdalaState, action: Build) -> None:
        """Raise Refused unless the unit is a detachment or skirmishers, in rocky ground, not under fire."""
        unit = find_unit_on_table(state, action.unit)
        require_may_be_ordered(state, unit)
        memory, under_fire = unit.this_turn, unit.this_turn.under_fire or unit.morale is Morale.PINNED
        builds = is_infantry(unit) and (unit.is_detachment or unit.order is Order.SKIRMISH)
        rocky = ROCKY_GROUND in action.circumstances or terrain_under(state, unit, ROCKY) is not None
        says = f"{'say' if unit.place is None else 'the umpire may say'} “{ROCKY_GROUND}”"
        not_rocky = f"{unit:are} not in rough ground or on a hill. If it is rocky, {says}."
        busy = memory.has_moved or memory.half_turn_spent or memory.has_fired
        refuse(
            BUILDING,
            (not builds, f"{unit:build} no sangar: detachments and skirmishers on foot do."),
            (unit.works is Works.SANGAR, f"{unit:lie} behind {unit:their} sangar already."),
            (under_fire, f"{unit:are} under fire and cannot build. Try again when {unit:they are} not."),
        )
        refuse(BUILDING.as_ruling, (busy, f"{unit:have} moved or fired; building takes {unit:their} whole turn."))
        refuse(BUILDING, (not rocky, not_rocky))

    def trial(self, state: MagdalaState, plan: Build) -> Trial:
        """Return the D6 that completes the sangar; no dice before enough moves are spent."""
        unit = find_unit_on_table(state, plan.unit)
        first = mishap_value("moves spent on a sangar before it can be complete")
        needed = mishap_value("a sangar is complete on a D6 of at least")
        throws = unit.building_sangar >= first
        text = f"{unit.name}, move {unit.building_sangar + 1} on {unit:their} sangar"
        words = ("to complete it", "complete", "not yet complete")
        against = f"on {needed} or more" if throws else f"no throw before move {first + 1}"
        question = f"{unit.verb('do').capitalize()} {unit.name} complete {unit:their} sangar?"
        return Trial(unit.id, text, BUILDING, ScoreThrow(int(throws), SIDES, needed), *words, against, question)

    def resolve(self, play: MagdalaPlay, plan: Build) -> None:
        """Count the turn of building, and throw if enough turns are spent. A complete sangar stays on the table."""
        unit, trial = find_unit_on_table(play.state, plan.unit), self.trial(play.state, plan)
        moves = unit.building_sangar + 1
        if not trial.test.dice:
            play.note(f"Move {moves} spent on the sangar", BUILDING)
        complete = bool(trial.test.dice) and trial.take(play)
        works = Works.SANGAR if complete else unit.works
        play.change(unit.id, building_sangar=0 if complete else moves, works=works)
        play.remember(unit.id, whole_turn_spent=True)
        if complete:
            play.state = _place_sangar(play.state, unit)
        outcome = f"{unit:They are} covered from small arms." if complete else f"{moves} moves spent so far."
        headline = f"{unit:complete} {unit:their} sangar" if complete else f"{unit:build} a sangar"
        complete_action(play, headline, unit.id, outcome=outcome)


def _place_sangar(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """Return the state with the sangar on the table, along the unit's front; unchanged without a position."""
    own_base = base(unit)
    if own_base is None:
        return state
    front = tuple((round(x, 2), round(y, 2)) for x, y in list(own_base.outline.exterior.coords)[:2])
    sangar = TerrainPiece(feature=Feature.SANGAR, points=front, closed=False, width=0.5, name=f"Sangar of {unit.name}")
    return state.model_copy(update={"terrain": (*state.terrain, sangar)})


BUILD = BuildType()
