"""Casualties at the end of the turn's fire (CH-3), and the count of the armies' losses (CH-5)."""

from rules.core.dice import Throw
from rules.core.model import Cite
from rules.core.report import Step
from rules.core.wording import count_of, join_with_and, number_text

from .contact import drop_one_sided_fights
from .model import Arm, ChargePlay, ChargeState, ChargeUnit
from .scenarios import MORALE, VICTORY
from .tables import SIDES, limit
from .volley import SUM, round_to_men

WHO = Cite(rule="CH-3.3")
CREW = Cite(rule="CH-3.4")
NTH = {1: "in order from the right", 2: "every second man", 3: "every third man"}


def remove_casualties(play: ChargePlay) -> None:
    """Add up each unit's pending hits, fractions included, and remove the men who fall (CH-3.1)."""
    before = play.state
    for unit_id, unit in tuple(play.state.units.items()):
        if unit.hits:
            play.change(unit_id, hits=())
            _remove_fallen_men(play, unit)
    report_army_losses(play, before)
    play.state = drop_one_sided_fights(play.state)


def _remove_fallen_men(play: ChargePlay, unit: ChargeUnit) -> None:
    if not unit.pending_casualties:
        return
    reached = tuple(sorted({number for hits in unit.hits for number in hits.reached if number <= unit.figures}))
    fallen = min(round_to_men(unit.pending_casualties), len(reached))
    enemies = [play.state.units[hits.by] for hits in unit.hits]
    names = join_with_and(dict.fromkeys(enemy.name for enemy in enemies))
    text = f"{unit.name}: {number_text(unit.pending_casualties)} by the fire of {names}"
    if not fallen:
        play.note(f"{text} is under a half", SUM, "nobody falls")
        return
    play.note_calculation(text, SUM, count_of(fallen, "man", "men"))
    by_gun = any(enemy.arm is Arm.GUN and hits.casualties for enemy, hits in zip(enemies, unit.hits, strict=True))
    men, throw = choose_casualties(play, unit, reached, fallen, by_gun=by_gun)
    cite = WHO if unit.arm is not Arm.GUN else CREW
    if throw is not None and not men:
        play.change(unit.id, gun_destroyed=True)
        verdict = "destroyed, and no man with it"
        play.say(Step(text=f"The gun of {unit.name}", cite=cite, throws=(throw,), verdict=verdict))
        return
    men_left, throws = unit.figures - len(men), (throw,) if throw is not None else ()
    play.change(unit.id, figures=men_left)
    numbers = join_with_and(map(str, sorted(men)))
    text = f"{unit:lose} {count_of(len(men), 'man', 'men')} (No {numbers} of {unit.figures})"
    nth = "".join(NTH.get(nth_throw.total, f"every {nth_throw.total}th man") for nth_throw in throws)
    play.say(Step(text=text, cite=cite, throws=throws, needed=nth, verdict=f"{men_left or 'none'} left"))


def choose_casualties(
    play: ChargePlay, unit: ChargeUnit, reached: tuple[int, ...], fallen: int, *, by_gun: bool
) -> tuple[tuple[int, ...], Throw | None]:
    """Return the numbers of the figures that fall, and the die thrown for them, if any (CH-3.3, CH-3.4).

    A die showing n takes every n-th figure of `reached`. No die is thrown if all fall. If a gun fired (`by_gun`), the
    die may destroy the unit's gun; then no figure falls.
    """
    crewed = unit.arm is Arm.GUN and not unit.gun_destroyed
    if fallen >= len(reached):
        return reached, None
    destroys = limit("face that destroys a gun")
    while True:
        throw = play.throw(1, SIDES, f"{unit.name}, who falls", side=unit.side)
        gun = crewed and throw.total == destroys
        if gun and not by_gun:
            verdict = "no gun fired: thrown again"
            play.say(Step(text=f"{unit.name}: who falls", cite=CREW, throws=(throw,), verdict=verdict))
            continue
        return (() if gun else take_every_nth(reached, throw.total, fallen)), throw


def take_every_nth(reached: tuple[int, ...], nth: int, fallen: int) -> tuple[int, ...]:
    """Return the numbers of the figures that fall: every `nth` of `reached` from the right, `fallen` in all.

    After the last figure, the count goes on from the right over the figures still standing (ruling).
    """
    standing, numbers, at = list(reached), [], 0
    for _ in range(fallen):
        at = (at + nth - 1) % len(standing)
        numbers.append(standing.pop(at))
        at = at % len(standing) if standing else 0
    return tuple(numbers)


def report_army_losses(play: ChargePlay, before: ChargeState) -> None:
    """Report the total losses of each army that lost men since the state `before` (CH-5).

    Unless an army is beaten, only the detailed report shows them.
    """
    if not play.state.scenario:
        return
    counts: list[str] = []
    for side in play.state.sides:
        lost, began = VICTORY.lost_and_total_strength(play.state, side.id)
        if lost > VICTORY.lost_and_total_strength(before, side.id)[0]:
            least = int(play.state.options.beaten_at * began) + 1
            beaten = "beaten" if lost >= least else f"beaten at {least}"
            verb, noun = ("", "") if counts else (" have lost", " soldiers")
            counts.append(f"{side:the}{verb} {lost} of {began}{noun} ({beaten})")
    if text := join_with_and(counts):
        tell = play.note if "(beaten)" in text else play.note_calculation
        tell(f"{text[0].upper()}{text[1:]}", MORALE)
