"""Dice of fire, scores to hit, claims of cover, and jamming (BE-3, BE-4 to BE-4.3)."""

from collections.abc import Mapping
from fractions import Fraction

from rules.core.action_type import Caption, Chance
from rules.core.chart import Row
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Modifier, Step
from rules.core.test_action import Trial
from rules.core.throws import Distribution, ScoreThrow, Volley
from rules.core.wording import count_of, face_range, join_with_and
from rules.empire.model import GUNS, MACHINE_GUNS, Cover, EmpireState, EmpireUnit, Formation, Weapon
from rules.empire.options import EmpireOptions
from rules.empire.tables import TABLES, adjustment, adjustments, row, value

from .targeting import IN_SANGARS, has_moved, rule_of_fire

SIDES = 6
COVERED = "target in cover, skirmishing or gone to ground"
OVER_MODIFIED = Cite(rule="BE-4.2", mark=Mark.RULING)
CLAIMS = "cover-claims"
JAM = Cite(rule="BE-4")
SCORES, JAMMING = "machine-gun-scores", "on jamming and clearing"
GONE = "gone to ground"
SKIRMISHING = "in skirmish order"


def dice_in_words(dice: int) -> str:
    """Return the number of dice in words: `1 die`, `8 dice`."""
    return count_of(dice, "die", "dice")


def dice_choices() -> tuple[int, ...]:
    """Return the numbers of dice that a machine gun's owner may choose from."""
    return tuple(int(choice.label) for choice in TABLES.charts["machine-gun-dice"].rows)


def count_firing_guns(options: EmpireOptions, unit: EmpireUnit) -> int:
    """Return how many of the unit's guns throw dice separately (options dice_of_each_gun, dice_of_each_machine_gun).

    For rifles, which throw together, return 1.
    """
    guns = GUNS if options.dice_of_each_gun else ()
    machine_guns = MACHINE_GUNS if options.dice_of_each_machine_gun else ()
    return unit.stands if unit.weapon in (*guns, *machine_guns) else 1


def steps_for_several_guns(unit: EmpireUnit, guns: int, dice_each: int) -> tuple[Step, ...]:
    """Return a step such as `2 guns, 4 dice each: 8 dice`; no step for a single gun."""
    if guns == 1:
        return ()
    noun = "guns" if unit.weapon in GUNS else "machine guns"
    text, total = f"{guns} {noun}, {dice_each} dice each", f"{guns * dice_each} dice"
    return (Step(text=text, cite=rule_of_fire(unit).as_ruling, needed=total),)


def count_fire_dice(unit: EmpireUnit, chosen: int | None, band: str) -> int:
    """Return the number of dice that the unit, or each of its guns, throws.

    If `chosen` is None, machine guns throw the fewest dice, and rifles one for each stand. Raises Refused if `chosen`
    is not allowed.
    """
    if unit.weapon in GUNS:
        by_rate = f"The dice of {unit.name} go by {unit:their} rate and the range. Leave “dice” out."
        refuse(rule_of_fire(unit), (chosen is not None, by_rate))
        return value("artillery-dice", unit.rate, band)
    if unit.weapon in MACHINE_GUNS:
        *fewer, most = dice_choices()
        choices = f"{', '.join(map(str, fewer))} or {most} dice"
        refuse(rule_of_fire(unit), (chosen not in (None, *fewer, most), f"{unit:throw} {choices}, not {chosen}."))
        return chosen or min(fewer)
    if chosen is not None and chosen > unit.stands:
        why = f"each throws a die: {unit:they cannot throw} {dice_in_words(chosen)}"
        raise Refused(f"{unit:have} {count_of(unit.stands, 'stand')}, and {why}.", rule_of_fire(unit))
    return chosen or unit.stands


def settle_fire_volley(
    state: EmpireState, unit: EmpireUnit, target: EmpireUnit, dice: int, band: str, *, contact: bool
) -> tuple[Volley, tuple[Step, ...]]:
    """Return the volley of `dice` dice at the range band `band` (BE-4.2), and the report steps."""
    chart, label, column = printed_score_cell(unit, band)
    least, (granted, denied) = value(chart, label, column), judge_cover_claims(target)
    adjusted = _fire_modifiers(state, unit, target, granted, contact=contact)
    total = sum((modifier.value for modifier in adjusted), Fraction(0))
    needed = least - int(total)
    firer = unit.weapon.value if unit.weapon in MACHINE_GUNS else f"{unit.rate.value} {unit.weapon.value}"
    would_hit = f"would hit on {needed}" if needed > SIDES else f"hits on {face_range(max(needed, 1))}"
    come_to = {"score": total, "needed": would_hit} if adjusted else {}
    text = f"{firer[0].upper()}{firer[1:]}, {band} range: each die hits on {face_range(least)}"
    reckoning = Step(text=text, cite=row(chart, label).cite, modifiers=adjusted).model_copy(update=come_to)
    volley = volley_left_to_throw(dice, needed)
    removal = (_removed_dice_step(dice, volley.dice, needed),) if volley.dice < dice else ()
    return volley, (*denied, reckoning, *removal)


def volley_left_to_throw(dice: int, needed: int) -> Volley:
    """Return the volley of `dice` dice less one die for each point of `needed` over 6 (BE-4.2)."""
    return Volley(max(dice - max(needed - SIDES, 0), 0), SIDES, min(max(needed, 1), SIDES))


def printed_score_cell(unit: EmpireUnit, band: str) -> tuple[str, str, str]:
    """Return the chart, row and column that give the score to hit before modifiers (BE-3, BE-4)."""
    if unit.weapon in GUNS:
        return "artillery-dice", unit.rate, "hits on"
    scores = (SCORES, unit.weapon) if unit.weapon in MACHINE_GUNS else ("rifle-scores", unit.rate)
    return (*scores, band)


def _fire_modifiers(
    state: EmpireState, unit: EmpireUnit, target: EmpireUnit, covers: tuple[str, ...], *, contact: bool
) -> tuple[Modifier, ...]:
    """Return all modifiers of each die. The `covers` count once, or each by option covers_add_up (BE-3, BE-4)."""
    guns, (chart, of_firer) = unit.weapon in GUNS, firer_modifier_rows(unit)
    formed = f"target in {target.formation}" if target.formation is Formation.COLUMN else f"target {target.formation}"
    depth = {depth_modifier_row(unit): target.is_in_depth and formed}
    touched = (_contact_modifier(state, unit, target),) if contact and not guns else ()
    several = len(covers) > 1
    reasons = (f"{join_with_and(covers)}, once",) if several and not state.options.covers_add_up else covers
    sheltered = (adjustment(chart, COVERED, f"target {reason}", ruled=several) for reason in reasons)
    return (*adjustments(chart, of_firer), *sheltered, *touched, *adjustments(chart, depth))


def firer_modifier_rows(unit: EmpireUnit) -> tuple[str, Mapping[str, bool]]:
    """Return the name of the unit's modifier chart, and whether each row about the firer applies (BE-3, BE-4)."""
    guns = unit.weapon in GUNS
    return "artillery-modifiers" if guns else "rifle-modifiers", {
        "firer shaken": unit.shaken,
        "moving and firing": not guns and has_moved(unit),
        "firer low on ammunition": unit.low_ammo,
        "pivoted this turn": guns and unit.this_turn.pivoted,
        "heavy gun": unit.weapon is Weapon.HEAVY_GUN,
        "light or mountain gun": unit.weapon in (Weapon.LIGHT_GUN, Weapon.MOUNTAIN_GUN),
    }


def depth_modifier_row(unit: EmpireUnit) -> str:
    """Return the row for a target in depth, from the chart of `firer_modifier_rows`."""
    return f"target in column or deep{'' if unit.weapon in GUNS else ' massed'}"


def _contact_modifier(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> Modifier:
    """Return the modifier of fire at a target in contact, which a fragile or elite quality changes (BE-4).

    Option contact_by_firer decides whether the firer's or the target's quality counts (ruling).
    """
    label, chart = "target in contact", "rifle-modifiers"
    judged, role = (unit, "firer") if state.options.contact_by_firer else (target, "target")
    if judged.fragile == judged.elite:
        return adjustment(chart, label)
    quality = "fragile" if judged.fragile else "elite"
    return adjustment(chart, f"{label}, {quality}", f"{label}, {role} {quality}", ruled=True)


def _removed_dice_step(dice: int, remaining: int, needed: int) -> Step:
    """Return the report step for dice removed because `needed` is over 6. The remaining dice hit on 6 (BE-4.2)."""
    beyond = needed - SIDES
    removal = f"{dice_in_words(beyond)} {'is' if beyond == 1 else 'are'} taken away"
    text = f"{needed} is {beyond} more than a die shows: of {dice}, {removal}"
    if remaining:
        return Step(text=text, cite=OVER_MODIFIED, needed=f"{dice_in_words(remaining)} left, hitting on {SIDES}")
    return Step(text=text, cite=OVER_MODIFIED, verdict="no dice left: no effect")


def judge_cover_claims(target: EmpireUnit) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """Return the covers that the target may claim, such as `in soft cover`, and a step for each denied claim."""
    claims_row = _cover_claims_row(target)
    covers = [target.cover.value] if target.cover is not Cover.NONE else []
    covers += [GONE] if target.gone_to_ground else []
    granted = [SKIRMISHING] if target.formation is Formation.SKIRMISH else []
    denied = []
    for claim in covers:
        if value(CLAIMS, claims_row.label, claim):
            granted.append(claim if claim == GONE else f"in {claim}")
        else:
            text = f"{target.name} may not claim {'to have gone to ground' if claim == GONE else claim}"
            reason = _reason_for_denial(target, claims_row.label, claim)
            denied.append(Step(text=text, cite=claims_row.cite, needed=reason))
    return tuple(granted), tuple(denied)


def _cover_claims_row(target: EmpireUnit) -> Row:
    """Return the target's row in the chart of cover claims (BE-4.3)."""
    if target.formation is Formation.SKIRMISH:
        return row(CLAIMS, f"{SKIRMISHING}, Pathans and Boers" if target.nation in IN_SANGARS else SKIRMISHING)
    if has_moved(target):
        return row(CLAIMS, "moved this turn")
    if target.is_crew:
        return row(CLAIMS, "stationary, guns and machine guns")
    loose = target.formation is Formation.LOOSE
    return row(CLAIMS, "stationary, in loose order" if loose else "stationary, formed or massed")


def _reason_for_denial(target: EmpireUnit, label: str, claim: str) -> str:
    """Return the reason why the target may not claim the cover."""
    if label == SKIRMISHING and claim == Cover.SANGAR:
        return "of those in skirmish order only Pathans and Boers may"
    if label.startswith(SKIRMISHING):
        return "units in skirmish order may not"
    return f"{target:they} moved this turn, and only the stationary may"


def make_jam_trial(state: EmpireState, unit: EmpireUnit, chosen: int, guns: int, remaining: int) -> Trial | None:
    """Return a machine gun's D6 against jamming, or None for other weapons.

    The gun jams if the D6 is less than the number of dice chosen, or of dice left after BE-4.2 (option
    jam_by_dice_chosen). The citation is a ruling if dice were removed, or if several guns throw one D6 together.
    """
    if unit.weapon not in MACHINE_GUNS:
        return None
    fewer, dice_each = remaining < chosen * guns, -(-remaining // guns)
    uses_chosen_dice = state.options.jam_by_dice_chosen
    dice = chosen if uses_chosen_dice else dice_each
    test = ScoreThrow(1, SIDES, dice, jam_modifiers(unit))
    return Trial(
        unit=unit.id,
        text=f"{unit.name}, jamming" if test.chance < 1 else f"{unit.name} cannot jam on {dice_in_words(chosen)}",
        cite=JAM.as_ruling if fewer or guns > 1 else JAM,
        test=test,
        hope="not to jam",
        passed="no jam",
        failed=f"{unit:they jam}",
        against=f"against {dice_in_words(dice)}{' chosen' if uses_chosen_dice and fewer else ''}",
    )


def distribution_of_counted_hits(state: EmpireState, distribution: Distribution, trial: Trial | None) -> Distribution:
    """Return the distribution of hits that count: none if the gun jams, unless option jammed_hits_count is set."""
    if trial is None or trial.test.chance == 1 or state.options.jammed_hits_count:
        return distribution
    clear_chance = trial.test.chance
    shares = {0: 1 - clear_chance}
    for number, share in distribution:
        shares[number] = shares.get(number, Fraction(0)) + share * clear_chance
    return tuple(sorted(shares.items()))


def dice_caption(dice: int, guns: int, trial: Trial) -> Caption:
    """Return a button text such as `3 dice: 33.3% to jam`; for several guns `3 dice each: …`."""
    chance, words = 1 - trial.test.chance, f"{dice_in_words(dice)}{' each' if guns > 1 else ''}"
    return Caption(words, Chance(chance, "to jam")) if chance else Caption(f"{words}: cannot jam")


def jam_modifiers(unit: EmpireUnit) -> tuple[Modifier, ...]:
    """Return a Maxim's modifier for throws against jamming and to clear jams; empty for other weapons."""
    added, rule = value(SCORES, unit.weapon, JAMMING), row(SCORES, unit.weapon).cite
    return (Modifier(value=Fraction(added), reason=Weapon(unit.weapon).value, cite=rule),) if added else ()
