"""Who falls when the turn's fire is over (CH-3), and the count of the army (CH-5)."""

from rules.core.dice import Throw
from rules.core.model import Cite
from rules.core.report import Step
from rules.core.wording import count_of, in_a_row, number

from .contact import over_where_one_is_left
from .model import Arm, ChargePlay, ChargeState, ChargeUnit
from .scenarios import MORALE, VICTORY
from .tables import SIDES, limit
from .volley import SUM, whole_men

WHO = Cite(rule="CH-3.3")
CREW = Cite(rule="CH-3.4")
NTH = {1: "in order from the right", 2: "every second man", 3: "every third man"}


def fall(play: ChargePlay) -> None:
    """Add up the turn's fire with its fractions, and remove the men who fall (CH-3.1)."""
    before = play.state
    for unit_id, unit in tuple(play.state.units.items()):
        if unit.hits:
            play.change(unit_id, hits=())
            _fall(play, unit)
    count_armies(play, before)
    play.state = over_where_one_is_left(play.state)


def _fall(play: ChargePlay, unit: ChargeUnit) -> None:
    if not unit.to_fall:
        return
    reached = tuple(sorted({number for hits in unit.hits for number in hits.reached if number <= unit.figures}))
    fallen = min(whole_men(unit.to_fall), len(reached))
    by = [play.state.units[hits.by] for hits in unit.hits]
    text = f"{unit.name}: {number(unit.to_fall)} by the fire of {in_a_row(dict.fromkeys(each.name for each in by))}"
    if not fallen:
        play.note(f"{text} is under a half", SUM, "nobody falls")
        return
    play.reckon(text, SUM, count_of(fallen, "man", "men"))
    by_gun = any(each.arm is Arm.GUN and hits.casualties for each, hits in zip(by, unit.hits, strict=True))
    men, throw = choose_casualties(play, unit, reached, fallen, by_gun=by_gun)
    cite = WHO if unit.arm is not Arm.GUN else CREW
    if throw is not None and not men:
        play.change(unit.id, gun_destroyed=True)
        verdict = "destroyed, and no man with it"
        play.say(Step(text=f"The gun of {unit.name}", cite=cite, throws=(throw,), verdict=verdict))
        return
    left, thrown = unit.figures - len(men), (throw,) if throw is not None else ()
    play.change(unit.id, figures=left)
    text = f"{unit:lose} {count_of(len(men), 'man', 'men')} (No {in_a_row(map(str, sorted(men)))} of {unit.figures})"
    nth = "".join(NTH.get(each.total, f"every {each.total}th man") for each in thrown)
    play.say(Step(text=text, cite=cite, throws=thrown, needed=nth, verdict=f"{left or 'none'} left"))


def choose_casualties(
    play: ChargePlay, unit: ChargeUnit, reached: tuple[int, ...], fallen: int, *, by_gun: bool
) -> tuple[tuple[int, ...], Throw | None]:
    """Return the fallen figures' numbers and the deciding throw; empty if the gun is destroyed (CH-3.3, CH-3.4).

    All within range are the obvious men; otherwise a die n takes every n-th of them, thrown for the side that is hit.
    """
    crewed = unit.arm is Arm.GUN and not unit.gun_destroyed
    if fallen >= len(reached):
        return reached, None
    destroys = limit("face that destroys a gun")
    while True:
        throw = play.throw(1, SIDES, f"{unit.name}, who falls", side=unit.side)
        gun = crewed and throw.total == destroys
        if gun and not by_gun:
            again = "no gun fired: thrown again"
            play.say(Step(text=f"{unit.name}: who falls", cite=CREW, throws=(throw,), verdict=again))
            continue
        return (() if gun else every(reached, throw.total, fallen)), throw


def every(reached: tuple[int, ...], nth: int, fallen: int) -> tuple[int, ...]:
    """Return every `nth` of these men, counted on from the right over those still standing (ruling)."""
    standing, taken, at = list(reached), [], 0
    for _ in range(fallen):
        at = (at + nth - 1) % len(standing)
        taken.append(standing.pop(at))
        at = at % len(standing) if standing else 0
    return tuple(taken)


def count_armies(play: ChargePlay, before: ChargeState) -> None:
    """Tell the losses of every army that lost units since, at a glance only if an army is beaten (CH-5).

    Without a game there are no armies.
    """
    if not play.state.scenario:
        return
    counts: list[str] = []
    for side in play.state.sides:
        lost, began = VICTORY.losses(play.state, side.id)
        if lost > VICTORY.losses(before, side.id)[0]:
            least = int(play.state.options.beaten_at * began) + 1
            beaten = "beaten" if lost >= least else f"beaten at {least}"
            verb, what = ("", "") if counts else (" have lost", " soldiers")
            counts.append(f"{side:the}{verb} {lost} of {began}{what} ({beaten})")
    if said := in_a_row(counts):
        tell = play.note if "(beaten)" in said else play.reckon
        tell(f"{said[0].upper()}{said[1:]}", MORALE)
