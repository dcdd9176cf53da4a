"""The action type of a move: made, recorded and reported, into contact if it meets the enemy (MM-2, MM-4.1)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from typing_extensions import override

from rules.core.action_type import Caption, Chance
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.refusal import Refused
from rules.core.tabletop import table
from rules.core.tabletop.marches import destinations_to_try, destinations_towards_objectives, how_far_question
from rules.core.tabletop.place import TowardsUnit
from rules.core.tabletop.placement import place_of_base
from rules.core.tabletop.values import inches_between
from rules.core.tabletop.ways import Halt
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.engagement import find_stated_attack, side_struck
from rules.magdala.fighting.contact import make_contact
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.moving import allowance, companions, marching
from rules.magdala.moving.formation import CHANGES, FIELDS_ON_MOVE, HALF_TURN, ORDER_WORDS, STAND_UP, WHOLE_TURN
from rules.magdala.moving.marching import ATTACKS, CHARGE, INTO_CONTACT, NOT_ADVANCING, March, Move
from rules.magdala.placement import WAYS
from rules.magdala.shared import OwnTurnType, complete_action

MOVING = Cite(rule="MM-2")
FLANKING = Cite(rule="MM-4.2", mark=Mark.RULING)
NEAREST = 3
"""Number of nearest enemies towards whom candidates move."""


class MoveType(OwnTurnType[Move, March]):
    """A unit's move, and its changes of order, formation, mount, limber or cover (MM-2)."""

    action = Move
    words_decided_by_place = (marching.GOOD, NOT_ADVANCING, *ATTACKS)

    @override
    def circumstances_to_ask(self, state: MagdalaState, action: Move) -> tuple[str, ...]:
        """Return the sides on which a move into contact may strike the enemy; for other moves () (MM-4.2)."""
        return tuple(ATTACKS) if INTO_CONTACT in action.circumstances else ()

    def candidates_of_unit(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[Move]:
        """Yield moves at the nearest enemies, to objectives and in every direction, and every change of formation."""
        if unit.place is None:
            yield Move(unit=unit.id)
            yield from WAYS.moves_into_contact(state, unit, Move, INTO_CONTACT)
        else:
            rate = allowance.move_rate(unit, state.options)
            enemies = sorted(state.enemies(unit.side), key=lambda enemy: inches_between(unit, enemy))[:NEAREST]
            if rate.charge is not None:
                yield from (Move(unit=unit.id, to=f"towards {enemy.id}", circumstances=(CHARGE,)) for enemy in enemies)
            yield from (Move(unit=unit.id, to=f"towards {enemy.id}") for enemy in enemies)
            least = float(rate.distribution[0][0])
            yield from (Move(unit=unit.id, to=to) for to in destinations_towards_objectives(state, unit.place, least))
            yield from (Move(unit=unit.id, to=to) for to in destinations_to_try(None, f"{least:g}"))
        for word in CHANGES:
            yield Move(unit=unit.id, circumstances=(word,))

    def plan(self, state: MagdalaState, action: Move) -> March:
        """Return the settled move. Raises Refused with the rule; then nothing has moved."""
        march = marching.plan_march(state, action)
        if march.needs_no_dice and any(CHANGES[word].at_halt for word in march.changes):
            _finish_move(state, march, march.reach.furthest)
        return march

    @override
    def effect_on_move(self, state: MagdalaState, plan: March) -> str:
        """Return in words how far a unit may march; empty without a march, or for a plain move of a set distance."""
        reach, unit = plan.reach, state.unit(plan.unit)
        if not plan.route.marches or (plan.needs_no_dice and plan.route.wanted_inches is not None and not plan.words):
            return ""
        least = "" if plan.needs_no_dice else f"{inches(reach.least)} to "
        return f"{unit:they} may go {least}{inches(reach.furthest)}"

    def caption(self, state: MagdalaState, plan: March) -> Caption:
        """Return a caption such as `Berkshires: forward 8 inches, close order`, with the chance of a move by dice."""
        to = plan.route.in_words(state) or plan.route.words or ""
        description = ", ".join(word for word in (to[:1].lower() + to[1:], *plan.words) if word)
        text = f"{state.unit(plan.unit).name}: {description or 'move'}"
        if plan.needs_no_dice or plan.route.wanted_inches is None:
            return Caption(text)
        return Caption(text, Chance(self.odds(state, plan).outcomes[0].chance))

    def odds(self, state: MagdalaState, plan: March) -> Odds:
        """Return the chance of each number of inches, or of reaching the destination (MM-2.5, MM-2.6)."""
        unit = state.unit(plan.unit)
        if not plan.needs_no_dice:
            score_label = "inches, before the half turn" if plan.modifiers else "inches"
            return plan.route.odds(unit, plan.rate.step, plan.rate.distribution, plan.factor, score_label)
        label = unit.verb(f"move up to {inches(plan.reach.furthest)}") if plan.route.marches else "it is done"
        return Odds(question=how_far_question(unit), outcomes=(Outcome(label=label, chance=Fraction(1)),))

    def resolve(self, play: MagdalaPlay, plan: March) -> None:
        """Throw the dice that the move needs, move the unit as far as they allow, and make its changes."""
        unit, may_go = play.state.unit(plan.unit), 0.0
        play.say(*plan.steps)
        if plan.route.marches:
            moves = CHARGE not in plan.words
            label = f"{unit:move}"
            may_go = float(allowance.throw_allowance(play, unit, plan.rate, plan.modifiers, label, in_headline=moves))
        moved, halt, unmade = _finish_move(play.state, plan, may_go)
        if unit.general is not None and moved.general is None:
            leader = play.state.unit(unit.general)
            play.note(f"{leader:have} ridden this turn, and {leader:they stay} behind", companions.JOINING)
        companions.move_with_general(play, moved, halt.run)
        play.say(*plan.route.quote_words(moved, halt.run, plan.rate.cite))
        _make_contact_at_halt(play, plan, halt)
        companions.join_reached_unit(play, unit.id, plan.route, halt.run)
        _report_move(play, plan, halt, unmade)


def _finish_move(
    state: MagdalaState, march: March, may_go: float
) -> tuple[MagdalaUnit, Halt[MagdalaUnit], dict[str, str]]:
    """Return the unit at its halt within `may_go` inches, the halt, and each change not made with the reason.

    If the move needs no dice, raise Refused for an impossible change instead.
    """
    unit = marching.make_changes_before_move(state, state.unit(march.unit), march.changes)
    halt = WAYS.find_halt_on_route(state, unit, march.route, may_go)
    unit = _place_at_halt(state, march, unit, halt)
    unmade = {}
    for word in march.changes:
        if CHANGES[word].at_halt:
            try:
                unit = CHANGES[word].apply(state.with_unit(unit), unit)
            except Refused as refused:
                if march.needs_no_dice:
                    raise
                unmade[word] = str(refused)
    return unit, halt, unmade


def _place_at_halt(state: MagdalaState, march: March, unit: MagdalaUnit, halt: Halt[MagdalaUnit]) -> MagdalaUnit:
    """Return the unit placed at its halt, with its move recorded.

    A general who has already moved this turn stays behind (ruling).
    """
    memory, changes, marches = unit.this_turn, march.changes, march.route.marches
    update: dict[str, Any] = {"place": place_of_base(halt.base)} if halt.base else {}
    if halt.run > 0:
        trotted = state.turn if halt.run >= state.options.least_trot else unit.last_moved_turn
        update |= {**FIELDS_ON_MOVE, "last_moved_turn": trotted}
    leader = state.units.get(unit.general or "")
    if leader is not None and marches and leader.this_turn.has_moved:
        update["general"] = None
    moved = unit.model_copy(update=update)
    was, now = (placement.distance_to_enemy(state, version) for version in (unit, moved))
    comes_closer = was is None or now is None or now < was - table.CLOSE  # assumed without positions (MM-5.1)
    advances = marches and halt.run > 0 and NOT_ADVANCING not in march.words and comes_closer
    spent = {
        "moved": memory.moved + halt.run,
        "marched": memory.marched or march.moves,
        "changed_order": memory.changed_order or not ORDER_WORDS.isdisjoint(changes),
        "half_turn_spent": memory.half_turn_spent or not HALF_TURN.isdisjoint(changes),
        "whole_turn_spent": not WHOLE_TURN.isdisjoint(changes),
        "charged": CHARGE in march.words and marches,
        "advanced": memory.advanced or advances,
    }
    return moved.model_copy(update={"this_turn": memory.model_copy(update=spent)})


def _make_contact_at_halt(play: MagdalaPlay, march: March, halt: Halt[MagdalaUnit]) -> None:
    """Bring the unit into contact with the enemy on whose base it ends, or whom the umpire names (MM-4.1)."""
    unit, route = play.state.unit(march.unit), march.route
    enemies = WAYS.enemies_met(play.state, unit, route, halt, attacks=INTO_CONTACT in march.words)
    if enemies:
        attack = find_stated_attack(march.words, ATTACKS)
        if attack is None and route.start is not None and halt.base is not None:
            attack = side_struck(play.state, play.state.unit(enemies[0]), route.start, halt.base)
        make_contact(play, unit.id, enemies[0], halt.run, attack or Attack.FRONT)
    elif INTO_CONTACT in march.words and halt.base is None and isinstance(route.goal, TowardsUnit):
        play.note(f"{unit:They do} not reach the enemy", MOVING, f"{inches(halt.run)} is too short")


def _report_move(play: MagdalaPlay, march: March, halt: Halt[MagdalaUnit], unmade: dict[str, str]) -> None:
    """Report the completed move: headline, place, and omitted changes."""
    state, moved, route = play.state, play.state.unit(march.unit), march.route
    ready = marching.make_changes_before_move(play.before, play.before.unit(march.unit), march.changes)
    enemy = state.units.get(moved.melee_with or "")
    actions = [*route.describe_move(halt.run, "charge" if CHARGE in march.words else "move")]
    actions += [CHANGES[STAND_UP].report_verb] if ready.prone and not moved.prone else []
    actions += [CHANGES[word].report_verb for word in march.changes if word not in unmade]
    into = f", into contact with {enemy.name}" if enemy else ""
    warnings = (
        *halt.warnings,
        *unmade.values(),
        *_ineffective_attack_warnings(moved, enemy, march.words),
        *(companions.separation_warnings(state, moved) if route.marches else ()),
    )
    both = (moved.id, *((enemy.id,) if enemy else ()))
    outcome = route.describe_final_position(moved, halt.run, "figures")
    complete_action(play, f"{moved.describe_actions(actions)}{into}", *both, outcome=outcome, warnings=warnings)


def _ineffective_attack_warnings(moved: MagdalaUnit, enemy: MagdalaUnit | None, words: Iterable[str]) -> Iterable[str]:
    """Yield a warning for a stated flank or rear attack without contact, or against a square (MM-4.2)."""
    for word in words:
        if word in ATTACKS and (enemy is None or enemy.in_square):
            why = f"{enemy:are} in square, which has none" if enemy else f"{moved:have} come into no melee"
            yield f"“{word}” changes nothing here: {why} ({FLANKING})."


MOVE = MoveType()
