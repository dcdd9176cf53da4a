"""Fire: what a stack fires with, its chances, and the volley (TA-4, TA-H.5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.report import Step
from rules.tanga.field import able_to_fire, board_of, firing_unit, foe, reach_of
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit, Trail

from .losses import shot_at, take_hits
from .strike import HIT_WORDS, HITS, Factor, cover, hit_odds, named, strike, weighed

LEAST = Cite(rule="TA-4")
SUPPLY = Cite(rule="TA-8")
ROUNDS = Cite(rule="TA-H.10", mark=Mark.HOUSE)


@dataclass(frozen=True)
class Reckoning:
    """A volley before its dice: who fires, who supports, at whom, and the factor."""

    shooter: TangaUnit
    """The firing unit."""
    support: tuple[TangaUnit, ...]
    target: Hex
    aimed_at: TangaUnit
    """The firing unit of the target stack."""
    entering: tuple[str, ...]
    """Ids of those who alone can be hit, as they enter the hex (TA-H.6); none: the whole stack."""
    factor: Factor
    """TCF: CF after support, terrain and improved position."""

    @property
    def hit(self) -> Fraction:
        """The chance of a hit at least."""
        return self.factor.chance


def reckon(state: TangaState, units: Iterable[TangaUnit], target: Hex, entering: tuple[str, ...] = ()) -> Reckoning:
    """The volley of those of a stack that can fire at a hex. Raises Refused when none can, or nobody is to be hit.

    Support comes from combat units that could fire at it themselves, at most two (TA-H.5). Opportunity fire is at those
    `entering` alone (TA-H.6).
    """
    options, title = state.options, board_of(state).title(target)
    shooter, *others = _ready(state, tuple(units), target)
    support = tuple(others[: options.most_support])
    aimed_at = firing_unit(shot_at(state, target, foe(shooter.side), entering))
    if aimed_at is None:
        raise Refused(f"{title} holds no enemy combat unit. Fire at a hex that does, or enter it.", HITS)
    helped = weighed(HITS, (options.support * len(support), f"support of {named(support)}"))
    factor = Factor(
        text=f"TCF of {shooter.name} at {title}",
        start=shooter.cf,
        modifiers=(*helped, *cover(state, target)),
        cite=HITS,
        double=options.double_hit,
    )
    return Reckoning(shooter, support, target, aimed_at, entering, factor)


def _ready(state: TangaState, stack: Sequence[TangaUnit], target: Hex) -> tuple[TangaUnit, ...]:
    """Those who can fire at the hex, the firing unit first. Raises Refused."""
    title = board_of(state).title(target)
    good = [unit for unit in stack if unit.is_good and unit.is_combat]
    if not good:
        raise Refused("Nobody there can fire: only combat units in good order do. Choose another stack.", HITS)
    fresh = [unit for unit in good if not unit.fired]
    if not fresh:
        raise Refused(f"{named(good)} fired this turn already; each unit fires once a turn.", HITS)
    at = fresh[0].at
    assert at is not None
    distance = at.distance(target)
    ready = able_to_fire(state, fresh, distance)
    if not ready:
        reach = max(reach_of(state, unit) for unit in fresh)
        if not reach:
            raise Refused(f"{named(fresh)} has no rounds left. Stevedores in its beach hex bring more.", SUPPLY)
        raise Refused(f"{title} is {distance} hexes away, and {named(fresh)} can fire at up to {reach}.", HITS)
    if not board_of(state).sees(at, target):
        raise Refused(f"{named(ready)} cannot see {title}: something between blocks the line.", HITS)
    return ready


def holds_fire(state: TangaState, reckoned: Reckoning) -> Step | None:
    """Why the British do not fire this volley: its TCF is under 2 (TA-4); None where they do."""
    least = state.options.least_tcf
    if reckoned.shooter.side != BRITISH or reckoned.factor.total >= least:
        return None
    return reckoned.factor.step.model_copy(update={"cite": LEAST, "verdict": f"under {least}, it does not fire"})


def spend(play: Play[TangaState], reckoned: Reckoning, text: str = "") -> None:
    """The volley is fired, whatever it does: who took part is marked, artillery has a round less, the shot is shown."""
    shooter = reckoned.shooter
    assert shooter.at is not None
    for unit in (shooter, *reckoned.support):
        play.change(unit.id, fired=True, stirred=True)
        if unit.arm is Arm.ARTILLERY and unit.rounds is not None:
            play.change(unit.id, rounds=unit.rounds - 1)
            play.note(f"{unit.name}: rounds left", ROUNDS, str(unit.rounds - 1))
    shot = Trail(hexes=(shooter.at, reckoned.target), kind="fire", side=shooter.side, text=text)
    play.set(trails=(*play.state.trails, shot))


def fire(play: Play[TangaState], reckoned: Reckoning) -> None:
    """Throws a volley and lets its hits fall."""
    title = board_of(play.state).title(reckoned.target)
    who = f"{reckoned.shooter.name} fires at {reckoned.aimed_at.name} in {title}"
    hits = strike(play, reckoned.factor, who, "TCF", reckoned.shooter.side)
    spend(play, reckoned, HIT_WORDS[hits])
    take_hits(play, reckoned.target, reckoned.aimed_at.side, hits, reckoned.entering)


def odds(state: TangaState, reckoned: Reckoning) -> Odds:
    """The exact chances of no hit, one and two."""
    title = board_of(state).title(reckoned.target)
    return hit_odds(f"What does {reckoned.shooter.name} do to {title}?", reckoned.factor)
