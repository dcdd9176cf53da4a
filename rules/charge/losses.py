"""Who falls when the turn's fire is over (CH-3), and the count of the army (CH-5)."""

from fractions import Fraction

from rules.core.model import Cite
from rules.core.report import Step
from rules.core.wording import counted, in_a_row, number

from .contact import over_where_one_is_left
from .model import Arm, ChargePlay, ChargeState, ChargeUnit
from .scenarios import MORALE, least_to_be_beaten, soldiers
from .tables import SIDES, limit
from .volley import SUM, whole_men

WHO = Cite(rule="CH-3.3")
CREW = Cite(rule="CH-3.4")


def fall(play: ChargePlay) -> None:
    """All fire of the turn is over: its fractions are added up, and men fall (CH-3.1)."""
    before = play.state
    for unit_id, unit in tuple(play.state.units.items()):
        if unit.hits:
            play.change(unit_id, hits=())
            _fall(play, unit)
    count_armies(play, before)
    play.state = over_where_one_is_left(play.state)


def _fall(play: ChargePlay, unit: ChargeUnit) -> None:
    total = sum((hits.casualties for hits in unit.hits), Fraction(0))
    if not total:
        return
    reached = tuple(sorted({number for hits in unit.hits for number in hits.reached if number <= unit.figures}))
    fallen = min(whole_men(total), len(reached))
    by = [play.state.units[hits.by].name for hits in unit.hits if hits.by in play.state.units]
    play.reckon(
        f"{unit.name}: {number(total)} by the fire of {in_a_row(dict.fromkeys(by))}", SUM, counted(fallen, "man", "men")
    )
    if not fallen:
        play.note(f"{unit.name}: {number(total)} is under a half", SUM, "nobody falls")
        return
    by_gun = any(hits.by_gun and hits.casualties for hits in unit.hits)
    men, gun = chosen(play, unit, reached, fallen, by_gun=by_gun)
    if gun:
        play.change(unit.id, gun_destroyed=True)
        play.note(f"The gun of {unit.name}", CREW, "destroyed, and no man with it")
        return
    lose(play, unit.id, len(men), f"{_numbers(men)} of {unit.figures}", WHO if unit.arm is not Arm.GUN else CREW)


def chosen(
    play: ChargePlay, unit: ChargeUnit, reached: tuple[int, ...], fallen: int, *, by_gun: bool
) -> tuple[tuple[int, ...], bool]:
    """The numbers of those who fall, and whether it is the gun instead (CH-3.3, CH-3.4).

    All within range are the obvious men; otherwise a die n takes every n-th of them, thrown for the side that is hit.
    """
    crewed = unit.arm is Arm.GUN and not unit.gun_destroyed
    if fallen >= len(reached):
        return reached, False
    destroys = limit("face that destroys a gun")
    while True:
        throw = play.throw(1, SIDES, f"{unit.name}, who falls", side=unit.side)
        gun = crewed and throw.total == destroys
        again = gun and not by_gun
        verdict = "no gun fired: thrown again" if again else "the gun" if gun else f"every {_nth(throw.total)} man"
        play.say(
            Step(
                text=f"{unit.name}: who falls",
                cite=CREW if unit.arm is Arm.GUN else WHO,
                throws=(throw,),
                verdict=verdict,
            )
        )
        if not again:
            return (() if gun else every(reached, throw.total, fallen)), gun


def every(reached: tuple[int, ...], nth: int, fallen: int) -> tuple[int, ...]:
    """Of these men every `nth`, past the left-hand man on from the right over those still standing (ruling)."""
    standing, taken, at = list(reached), [], 0
    for _ in range(fallen):
        at = (at + nth - 1) % len(standing)
        taken.append(standing.pop(at))
        at = at % len(standing) if standing else 0
    return tuple(taken)


def lose(play: ChargePlay, unit_id: str, men: int, who: str, cite: Cite) -> None:
    """A unit loses men, told with the count of its army (CH-5)."""
    unit = play.state.unit(unit_id)
    play.change(unit_id, figures=unit.figures - men)
    left = play.state.unit(unit_id)
    now = f"{left.figures} left" if left.on_table else "none left"
    play.note(f"{unit:lose} {counted(men, 'man', 'men')}{f' (No {who})' if who else ''}", cite, now)


def count_armies(play: ChargePlay, before: ChargeState) -> None:
    """The losses of every army that has had any since, and when it is beaten (CH-5)."""
    for side in play.state.sides:
        lost, began = soldiers(play.state, side.id)
        if lost > soldiers(before, side.id)[0]:
            least = least_to_be_beaten(play.state, side.id, play.state.options.beaten_at)
            beaten = "beaten" if lost >= least else f"beaten at {least}"
            play.note(f"The {side.name} have lost {lost} of {began} soldiers", MORALE, beaten)


def _numbers(men: tuple[int, ...]) -> str:
    return in_a_row(map(str, sorted(men)))


def _nth(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
