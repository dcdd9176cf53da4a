"""Rallying (TA-H.8)."""

from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.report import Modifier, Step
from rules.tanga.field import board_of, leader_bonus, units_at
from rules.tanga.model import Condition, TangaState, TangaUnit

from .strike import DICE, SIDES, Factor, at_most

RALLYING = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def may_rally(unit: TangaUnit) -> bool:
    """Whether it is disrupted, in its RO hex, and has not tried this turn."""
    return unit.is_disrupted and unit.at == unit.ro and not unit.tried_to_rally


def needed(state: TangaState, unit_id: str) -> Factor:
    """What 2D6 must not exceed: 6 and the best EB with a leader in the hex, 4 without. Raises Refused."""
    unit = state.unit(unit_id)
    require(state, unit)
    assert unit.at is not None
    friends = [other for other in units_at(state, unit.at) if other.side == unit.side]
    options = state.options
    if not any(other.is_leader for other in friends):
        return Factor(
            text=f"{unit.name}, without a leader, rallies at or under",
            start=options.rally_alone,
            modifiers=(),
            cite=RALLYING,
        )
    bonus = leader_bonus(friends)
    leader = next(other for other in friends if other.is_leader and other.eb == bonus)
    part = Modifier(value=Fraction(bonus), reason=f"EB of {leader.name}", cite=RALLYING)
    return Factor(
        text=f"{unit.name}, with {leader.name}, rallies at or under",
        start=options.rally_with_leader,
        modifiers=(part,) if bonus else (),
        cite=RALLYING,
    )


def require(state: TangaState, unit: TangaUnit) -> None:
    """Raises Refused unless the unit may rally now."""
    if not unit.is_disrupted:
        raise Refused(f"{unit.name} is not disrupted on the map: there is nothing to rally.", RALLYING)
    if unit.tried_to_rally:
        raise Refused(f"{unit.name} has tried to rally this turn; it may again next turn.", RALLYING)
    if unit.at != unit.ro:
        where = f"That is {board_of(state).title(unit.ro)}." if unit.ro else "It gets one when it begins to retreat."
        raise Refused(f"{unit.name} rallies in its RO hex alone. {where}", RALLYING)


def chance(state: TangaState, unit_id: str) -> Fraction:
    """The chance that a unit rallies. Raises Refused as `rally` does."""
    return at_most(needed(state, unit_id).total)


def rally(play: Play[TangaState], unit_id: str) -> None:
    """Throws 2D6 for a unit that may rally."""
    factor, unit = needed(play.state, unit_id), play.state.unit(unit_id)
    throw = play.throw(DICE, SIDES, f"{unit.name} rallies", side=unit.side)
    rallies = throw.total <= factor.total
    step = Step(
        text=throw.label,
        cite=RALLYING,
        throws=(throw,),
        start=Fraction(throw.total),
        score=Fraction(throw.total),
        needed=f"against {factor.total}",
        chance=at_most(factor.total),
        hope="to rally",
        verdict=Condition.GOOD.value if rallies else "still disrupted",
    )
    tried(play, unit_id, rallies=rallies)
    play.say(factor.step, step)


def tried(play: Play[TangaState], unit_id: str, *, rallies: bool) -> None:
    """The unit has tried; rallied, it is in good order, and its RO hex and retreat marker go."""
    update: dict[str, object] = {"tried_to_rally": True}
    if rallies:
        update |= {"condition": Condition.GOOD, "ro": None, "retreating": False}
    play.change(unit_id, **update)


def odds(state: TangaState, unit_id: str) -> Odds:
    """The exact chance that it rallies. Raises Refused as `rally` does."""
    factor = needed(state, unit_id)
    likely = at_most(factor.total)
    return Odds(
        question=f"Does {state.unit(unit_id).name} rally?",
        steps=(factor.step,),
        outcomes=(
            Outcome(label="rallies", chance=likely, good=True),
            Outcome(label="stays disrupted", chance=1 - likely, good=False),
        ),
    )
