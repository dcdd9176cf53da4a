"""The move of a unit (MM-2): made, measured, remembered, and into contact where it meets the enemy (MM-4.1)."""

from collections.abc import Iterable
from typing import Any

from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.tabletop.place import Towards
from rules.core.tabletop.placement import placed
from rules.core.tabletop.ways import Halt
from rules.core.wording import inches, percent
from rules.magdala import placement
from rules.magdala.action_types import OwnTurnType
from rules.magdala.attack import meets, said_to_be
from rules.magdala.fighting.contact import contact
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.placement import base, with_leader
from rules.magdala.tables import SIDES

from . import allowance, formation, leading, move_odds, travel
from .ending import Halted, tell, where_to
from .marching import ATTACKS, CHARGE, GOOD, INTO_CONTACT, NOT_ADVANCING, March, Move, planned, setting_out

MOVING = Cite(rule="MM-2")


class MoveType(OwnTurnType[Move, March]):
    """A unit's move, and its changes of order, formation, mount, limber or cover (MM-2)."""

    action = Move

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Move) -> Iterable[str]:  # noqa: ARG002
        """Where the table knows the place it knows the going, the enemy's flank, and what is an advance."""
        return (GOOD, NOT_ADVANCING, *ATTACKS) if unit.place is not None else ()

    def tries(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[Move]:
        """On the nearest enemy, forward, back, to the sides, and every change of formation."""
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

    def plan(self, state: MagdalaState, action: Move, *, supposing: bool = False) -> March:  # noqa: ARG002
        """Settles all that comes before the dice. Raises Refused with the rule; then nothing has moved."""
        march = planned(state, action)
        if march.sure:
            _halted(state, march, float(allowance.allowed(march.rate, None, march.modifiers).score or 0))
        return march

    def label(self, state: MagdalaState, plan: March) -> str:
        """`Berkshires: forward 8, close order`, and the chance where dice say whether it gets there."""
        said = ", ".join(word for word in (plan.to or "", *plan.words) if word)
        text = f"{state.unit(plan.unit).name}: {said or 'move'}"
        if plan.sure or plan.wanted is None:
            return text
        return f"{text}: {percent(self.odds(state, plan).outcomes[0].chance)}"

    def odds(self, state: MagdalaState, plan: March) -> Odds:
        """The chance of each number of inches, or of getting there."""
        return move_odds.odds(plan, state.unit(plan.unit).name)

    def resolve(self, play: MagdalaPlay, plan: March) -> None:
        """Throws the dice of a dice move, goes as far as it may, and makes the changes."""
        unit = play.state.unit(plan.unit)
        play.say(*plan.steps)
        may_go = 0.0
        if plan.marches:
            dice = plan.rate.dice
            throw = play.throw(dice, SIDES, f"{unit.name} moves", side=unit.side) if dice else None
            allowed = allowance.allowed(plan.rate, throw, plan.modifiers)
            play.say(allowed)
            may_go = float(allowed.score or 0)
        halted = _halted(play.state, plan, may_go)
        play.state = leading.led(with_leader(play.state, halted.unit), halted.unit, halted.run)
        play.say(*halted.steps, *where_to(plan, halted))
        _meets(play, plan, halted)
        leading.joins(play, plan, halted.run)
        tell(play, plan, halted)


def _halted(state: MagdalaState, march: March, may_go: float) -> Halted:
    """The end of a move of so many inches at most. Raises Refused, if no dice were thrown, on changes it cannot make.

    After a throw what cannot be made is told, no longer refused.
    """
    unit = setting_out(state, state.unit(march.unit), march.changes)
    run, halt = _run(state, march, unit, may_go) if march.marches else (0.0, None)
    unit = _settled(state, march, unit, run, halt)
    stays = leading.left_behind(state, march, unit)
    steps: tuple[Step, ...] = ()
    if stays is not None:
        unit = unit.model_copy(update={"general": None})
        steps = (Step(text=f"{stays.name} has ridden this turn and stays behind", cite=leading.JOINING),)
    unmade = {}
    for word in march.changes:
        if word in formation.AFTER:
            try:
                unit = formation.change(state.with_unit(unit), unit, word)
            except Refused as refused:
                if march.sure:
                    raise
                unmade[word] = str(refused)
    return Halted(unit, run, halt, unmade, steps)


def _run(state: MagdalaState, march: March, unit: MagdalaUnit, may_go: float) -> tuple[float, Halt[MagdalaUnit] | None]:
    """Inches run, and where it halts if positions are known."""
    if march.path is None:
        return (may_go if march.wanted is None else min(march.wanted, may_go)), None
    halt = travel.go(state, unit, march.path, may_go)
    return halt.run, halt


def _settled(
    state: MagdalaState, march: March, unit: MagdalaUnit, run: float, halt: Halt[MagdalaUnit] | None
) -> MagdalaUnit:
    """The unit where it halts, remembering its move: it leaves works and sangar, stands up, and leads its horses."""
    memory = unit.this_turn
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
        "charged": CHARGE in march.words and march.marches,
    }
    moved = unit.model_copy(update=update)
    advanced = march.marches and run > 0 and NOT_ADVANCING not in march.words and _advances(state, unit, moved)
    spent["advanced"] = memory.advanced or advanced
    return moved.model_copy(update={"this_turn": memory.model_copy(update=spent)})


def _advances(state: MagdalaState, before: MagdalaUnit, after: MagdalaUnit) -> bool:
    """Whether it ends nearer the enemy nearest to it than it was; where that cannot be measured, it does (MM-5.1)."""
    was, now = (placement.nearest_enemy_gap(state, unit) for unit in (before, after))
    return was is None or now is None or now < was - table.CLOSE


def _meets(play: MagdalaPlay, march: March, halted: Halted) -> None:
    """Into contact, where it ends on an enemy's base, or the umpire says whom it reaches (MM-4.1)."""
    met, attack, halt = None, said_to_be(march.words, ATTACKS), halted.halt
    if halt is not None and halt.met is not None:
        met = halt.met
        if attack is None and march.start is not None:
            attack = meets(play.state, play.state.unit(met), march.start, halt.base)
    elif halt is None and INTO_CONTACT in march.words and isinstance(march.destination, Towards):
        met = march.destination.unit if march.wanted is not None and halted.run >= march.wanted else None
        if met is None:
            verdict = f"{inches(halted.run)} is too short"
            play.say(Step(text="It does not reach the enemy", cite=MOVING, verdict=verdict))
    if met is not None:
        contact(play, march.unit, met, halted.run, attack or Attack.FRONT)


MOVE = MoveType()
