"""Rallying (TA-H.8)."""

from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.refused import Refused
from rules.tanga.field import board_of, leader_bonus, units_at
from rules.tanga.model import Condition, TangaState, TangaUnit

from .strike import Factor, weighed

RALLYING = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def may_rally(unit: TangaUnit) -> bool:
    """Whether it is disrupted, in its RO hex, and has not tried this turn."""
    return unit.is_disrupted and unit.at == unit.ro and not unit.tried_to_rally


def needed(state: TangaState, unit_id: str) -> Factor:
    """What 2D6 must not exceed: 6 and the best EB with a leader in the hex, 4 without. Raises Refused."""
    unit, options = state.unit(unit_id), state.options
    require(state, unit)
    assert unit.at is not None
    leaders = [other for other in units_at(state, unit.at) if other.side == unit.side and other.is_leader]
    if not leaders:
        text = f"{unit.name}, without a leader, rallies at or under"
        return Factor(text=text, start=options.rally_alone, cite=RALLYING)
    bonus = leader_bonus(leaders)
    leader = next(other for other in leaders if other.eb == bonus)
    return Factor(
        text=f"{unit.name}, with {leader.name}, rallies at or under",
        start=options.rally_with_leader,
        modifiers=weighed(RALLYING, (bonus, f"EB of {leader.name}")),
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


def rally(play: Play[TangaState], unit_id: str) -> None:
    """Throws 2D6 for a unit that may rally."""
    factor, unit = needed(play.state, unit_id), play.state.unit(unit_id)
    words = ("still disrupted", Condition.GOOD.value)
    rallies = factor.throw(play, f"{unit.name} rallies", unit.side, words, "to rally") > 0
    tried(play, unit_id, rallies=rallies)


def tried(play: Play[TangaState], unit_id: str, *, rallies: bool) -> None:
    """The unit has tried; rallied, it is in good order, and its RO hex and retreat marker go."""
    play.change(unit_id, tried_to_rally=True)
    if rallies:
        play.change(unit_id, condition=Condition.GOOD, ro=None, retreating=False)


def odds(state: TangaState, unit_id: str) -> Odds:
    """The exact chance that it rallies. Raises Refused as `rally` does."""
    factor = needed(state, unit_id)
    labels = (("rallies", factor.chance), ("stays disrupted", 1 - factor.chance))
    outcomes = tuple(Outcome(label=label, chance=chance, good=label == "rallies") for label, chance in labels)
    return Odds(question=f"Does {state.unit(unit_id).name} rally?", steps=(factor.step,), outcomes=outcomes)
