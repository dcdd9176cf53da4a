"""Fire: volleys, their chances, and opportunity fire (TA-4, TA-H.5, TA-H.6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, combine_outcomes
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.wording import percent_in_words
from rules.tanga.field import board_of, can_fire_at, firing_range, firing_unit, opposing_side, units_able_to_fire
from rules.tanga.model import BRITISH, GERMAN, Arm, FireOrder, TangaState, TangaUnit, Trail
from rules.tanga.progress import March

from .losses import apply_hits, units_under_fire
from .strike import HIT_WORDS, HITS, Factor, full_names, nonzero_modifiers, protection_modifiers

LEAST = Cite(rule="TA-4")
SUPPLY = Cite(rule="TA-8")
ROUNDS = Cite(rule="TA-H.10", mark=Mark.HOUSE)
WATCH = Cite(rule="TA-H.6", mark=Mark.HOUSE)
FIRE, HOLD = "fire", "hold"
ANSWERS = ((FIRE, "Fire"), (HOLD, "Hold fire"))
"""Answers of the German player when German units may fire at a march, with their button labels."""


@dataclass(frozen=True)
class VolleyPlan:
    """A volley before its dice are thrown."""

    units: tuple[TangaUnit, ...]
    """Units able to fire at the target, firing unit first."""
    support: tuple[TangaUnit, ...]
    target: Hex
    aimed_at: TangaUnit
    """The unit of the target stack that is hit first."""
    entering: tuple[str, ...]
    """Ids of the marching units that opportunity fire can hit in the hex (TA-H.6); empty for the whole stack."""
    factor: Factor
    """Target combat factor (TCF): CF plus support, minus terrain and improved position."""

    @property
    def shooter(self) -> TangaUnit:
        """Return the firing unit."""
        return self.units[0]


def plan_fire(state: TangaState, units: Iterable[TangaUnit], target: Hex, entering: tuple[str, ...] = ()) -> VolleyPlan:
    """Return the volley of a stack at a hex. Raises Refused if no unit can fire, or no enemy can be hit.

    Opportunity fire hits only units whose ids are in `entering` (TA-H.6).
    """
    options, title = state.options, board_of(state).title(target)
    shooter, *others = ready = _require_units_able_to_fire(state, tuple(units), target)
    support = tuple(others[: options.most_support])
    aimed_at = firing_unit(units_under_fire(state, target, opposing_side(shooter.side), entering))
    if aimed_at is None:
        raise Refused(f"{title} holds no enemy combat unit. Fire at a hex that does, or enter it.", HITS)
    helped = nonzero_modifiers(HITS, (options.support * len(support), f"support of {full_names(support)}"))
    factor = Factor(
        text=f"TCF of {shooter.name} at {title}",
        start=shooter.cf,
        modifiers=(*helped, *protection_modifiers(state, target)),
        cite=HITS,
        double=options.double_hit,
    )
    return VolleyPlan(ready, support, target, aimed_at, entering, factor)


def _require_units_able_to_fire(state: TangaState, stack: Sequence[TangaUnit], target: Hex) -> tuple[TangaUnit, ...]:
    """Return the units able to fire at the hex, firing unit first. Raises Refused if no unit can."""
    board = board_of(state)
    good = [unit for unit in stack if unit.is_in_good_order and unit.is_combat]
    fresh = [unit for unit in good if not unit.fired]
    refuse(
        HITS,
        (not good, "Nobody there can fire: only combat units in good order do. Choose another stack."),
        (not fresh, f"{full_names(good)} fired this turn already; each unit fires once a turn."),
    )
    at, title = unit_hex(fresh[0]), board.title(target)
    distance, reach = at.distance(target), max(firing_range(state.options, unit) for unit in fresh)
    ready = units_able_to_fire(state, fresh, distance)
    refuse(SUPPLY, (not reach, f"{full_names(fresh)} has no rounds left. Stevedores in its beach hex bring more."))
    refuse(
        HITS,
        (not ready, f"{title} is {distance} hexes away, and {full_names(fresh)} can fire at up to {reach}."),
        (not board.sees(at, target), f"{full_names(ready)} cannot see {title}: something between blocks the line."),
    )
    return ready


def explain_withheld_volley(state: TangaState, volley: VolleyPlan) -> Step | None:
    """Return a report step if the British withhold a volley because its TCF is too low (TA-4); otherwise None."""
    least = state.options.least_tcf
    if volley.shooter.side != BRITISH or volley.factor.total >= least:
        return None
    return volley.factor.step.model_copy(update={"cite": LEAST, "verdict": f"under {least}, it does not fire"})


def record_volley(play: Play[TangaState], volley: VolleyPlan, text: str = "") -> None:
    """Record a volley: its units have fired, artillery has one round fewer, and the picture shows the shot."""
    shooter = volley.shooter
    for unit in (shooter, *volley.support):
        play.change(unit.id, fired=True, acted=True)
        if unit.arm is Arm.ARTILLERY and unit.rounds is not None:
            play.change(unit.id, rounds=unit.rounds - 1)
            play.note_calculation(f"{unit.name}: rounds left", ROUNDS, str(unit.rounds - 1))
    shot = Trail(hexes=(unit_hex(shooter), volley.target), kind="fire", side=shooter.side, text=text)
    play.set(trails=(*play.state.trails, shot))


def fire_volley(play: Play[TangaState], volley: VolleyPlan) -> None:
    """Throw the dice of a volley and apply its hits."""
    title = board_of(play.state).title(volley.target)
    label = f"{volley.shooter.name} fires at {volley.aimed_at.name} in {title}"
    hits = volley.factor.throw(play, label, volley.shooter.side, HIT_WORDS, "to hit", against="TCF ")
    record_volley(play, volley, HIT_WORDS[hits])
    apply_hits(play, volley.target, volley.aimed_at.side, hits, volley.entering)


def volley_odds(state: TangaState, volley: VolleyPlan) -> Odds:
    """Return the exact chances of no hit, one hit and two hits."""
    title = board_of(state).title(volley.target)
    factor = volley.factor
    return Odds(
        question=f"What does {volley.shooter.name} do to {title}?",
        steps=(factor.step,),
        outcomes=combine_outcomes(factor.distribution, lambda hits: (HIT_WORDS[hits], hits > 0)),
        distribution=factor.distribution,
        score_label="hits",
        pass_from=1,
    )


def opportunity_shots(state: TangaState, march: March) -> tuple[VolleyPlan, ...]:
    """Return the volleys that Germans may fire at a march in its present hex, sorted by firing hex.

    Only units of the march can be hit.
    """
    target = march.way[-1]
    if len(march.way) < 2 or firing_unit(units_under_fire(state, target, BRITISH, march.units)) is None:
        return ()
    shooters = (hex_ for hex_ in sorted(hexes_of_side(state, GERMAN)) if can_fire_at(state, hex_, target))
    return tuple(shot for hex_ in shooters for shot in _shots_from_hex(state, hex_, march))


def _shots_from_hex(state: TangaState, hex_: Hex, march: March) -> Iterable[VolleyPlan]:
    """Yield at most two volleys from a hex: by units with orders to fire, and by units that ask their player first."""
    target = march.way[-1]
    distance = hex_.distance(target)
    able = units_able_to_fire(state, units_at(state, hex_), distance)
    open_ = [unit for unit in able if unit.id not in state.british.offered]
    by_order = (unit for unit in open_ if unit.standing is FireOrder.WITHIN and distance <= unit.fires_within)
    asking = (unit for unit in open_ if unit.standing is FireOrder.ASK)
    for units in (tuple(by_order), tuple(asking)):
        if units and (shot := plan_fire(state, units, target, march.units)).factor.chance:
            yield shot


def units_asked_about(state: TangaState, march: March, unit_id: str) -> tuple[TangaUnit, ...]:
    """Return the units that fire in the shot of unit `unit_id`; that unit alone if the shot is no longer possible."""
    party = next((shot.units for shot in opportunity_shots(state, march) if shot.shooter.id == unit_id), None)
    return party or (state.unit(unit_id),)


def describe_shot(state: TangaState, shot: VolleyPlan) -> str:
    """Describe a shot: `17. FK 1 in 2611 may fire at A and B in 2911: TCF 5, 27.8% to hit.`."""
    title, entering = board_of(state).title, units_under_fire(state, shot.target, BRITISH, shot.entering)
    stack = sorted(entering, key=lambda unit: unit.id != shot.aimed_at.id)
    return (
        f"{shot.shooter.name} in {title(unit_hex(shot.shooter))} may fire at {full_names(stack)} "
        f"in {title(shot.target)}: TCF {shot.factor.total}, {percent_in_words(shot.factor.chance)} to hit."
    )
