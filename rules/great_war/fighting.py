"""The throw of a battle: hits and their confirmation, tokens, flags, and ground gained (GW-1.4, GW-1.6, GW-6.1)."""

from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.stacks import unit_hex
from rules.core.report import Step
from rules.core.scene import DieFace
from rules.core.wording import count_of

from .battle_dice import faces_in_words, faces_shown
from .battle_strength import AT_TANKS, HITS, d6_scores_in_words
from .estimates import BattlePlan
from .ground_gained import GAINING, gain_ground
from .model import Flags, GreatWarPlay, GreatWarUnit
from .shared import lose_figures, unit_statuses
from .tables import SIDES


def fight_battle(play: GreatWarPlay, plan: BattlePlan, text: str) -> None:
    """Throw the battle dice, and take figures off the target. Flags at a surviving target wait for an answer."""
    unit, target, volley = play.state.unit(plan.unit), play.state.unit(plan.target), plan.volley
    play.say(*plan.steps)
    throw = play.throw(volley.dice, SIDES, text, side=unit.side)
    faces = faces_shown(throw.dice)
    counts = volley.count_faces(faces)
    hits_thrown, flags = volley.unconfirmed_hits(counts), volley.flags_to_answer(counts)
    step = Step(text=text, cite=HITS, needed=faces_in_words(faces), chance=volley.chance_to_hit, hope="to hit at all")
    thrown = {"throws": (throw,), "verdict": _hits_and_flags_in_words(hits_thrown, flags), "text_in_headline": True}
    play.say(step.model_copy(update=thrown))
    play.set(faces=faces, battles=play.state.battles + 1)
    _award_tokens(play, unit, faces.count(DieFace.HQ))
    _record_battle(play, unit)
    hits = _confirm_hits(play, volley.confirmed, hits_thrown)
    if play.state.map:
        _apply_hits_and_flags(play, plan, hits, flags)
    both = unit.id, target.id
    headline = f"{text}: {_hits_and_flags_in_words(hits, flags)}."
    play.tell(headline=headline, units=both, standing=unit_statuses(play.state, both))


def _hits_and_flags_in_words(hits: int, flags: int) -> str:
    """Return hits and flags in words: `2 hits, 1 flag`."""
    return count_of(hits, "hit") + (f", {count_of(flags, 'flag')}" if flags else "")


def _award_tokens(play: GreatWarPlay, unit: GreatWarUnit, tokens: int) -> None:
    """Give the unit's side an HQ token for each HQ thrown (GW-1.4)."""
    if tokens and play.state.scenario:
        had = play.state.tokens.get(unit.side, 0)
        play.set(tokens={**play.state.tokens, unit.side: had + tokens})
        play.note(f"{count_of(tokens, 'HQ token')} to {play.state.side(unit.side):the}", HITS)


def _record_battle(play: GreatWarPlay, unit: GreatWarUnit) -> None:
    """Record the unit's battle. Its side loses any bonus combats that it has not fought yet (GW-6.3)."""
    now = unit.this_turn
    play.remember(unit.id, has_battled=True, bonus=False, had_bonus=now.had_bonus or now.bonus)
    for other in play.state.units_of(unit.side):
        if other.this_turn.bonus:
            play.remember(other.id, bonus=False)


def _confirm_hits(play: GreatWarPlay, needed: int | None, hits: int) -> int:
    """Return the number of hits that count. Hits on a tank must first be confirmed by D6 (GW-1.6)."""
    if needed is None or not hits:
        return hits
    throw = play.throw(hits, SIDES, "hits on a tank confirmed")
    total = sum(die >= needed for die in throw.dice)
    needs = f"each on {d6_scores_in_words(needed)}"
    play.say(Step(text="Confirmed", cite=AT_TANKS, throws=(throw,), needed=needs, verdict=count_of(total, "hit")))
    return total


def _apply_hits_and_flags(play: GreatWarPlay, plan: BattlePlan, hits: int, flags: int) -> None:
    unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
    target_hex, is_close = unit_hex(target), plan.hexes == 1
    kind = "melee" if is_close else "fire" if hits or flags else "miss"
    play.set(tracks=(Track(hexes=(unit_hex(unit), target_hex), kind=kind, side=unit.side),))
    if hits and lose_figures(play, target.id, hits, HITS):
        if plan.may_gain:
            gain_ground(play, unit.id, target_hex)
        elif plan.no_gain:
            play.note(f"{unit:gain} no ground: {plan.no_gain}", GAINING)
    elif flags:
        may_ignore = min(plan.volley.may_ignore, flags)
        play.set(flags=Flags(unit=target.id, by=unit.id, flags=flags, may_ignore=may_ignore, may_gain=plan.may_gain))
