"""Throws of units' tests, and generals who may have them thrown again (MM-4.6, MM-5.3 to MM-5.10, MM-6)."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from rules.core.model import Cite
from rules.core.report import Modifier
from rules.core.ruleset import Refused
from rules.core.test_action import Trial
from rules.core.throws import ScoreThrow
from rules.core.wording import count_of
from rules.magdala.arms import COMMANDERS, DEFENCES, counts_as_british, morale_arm
from rules.magdala.engagement import is_engaged
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Nation, StoredPrompt, Test, Troop
from rules.magdala.placement import within
from rules.magdala.shared import AT_ITS_BEST, FOR_UNIT, UMPIRES_CALL
from rules.magdala.tables import SIDES, TABLES, adjustment, cell_value, cite, limit, value

GENERAL = "general"
"""Circumstance that a general is with the unit, for tables without listed generals."""
IMAM = "imam"
IN_SQUARE, BEHIND_DEFENCES = "in square", "behind defences"
LOST_A_MELEE = "lost a melee"
ROUNDS_LOST = {"second round lost": 2, "third round lost": 3, "fourth round lost": 4}
UMPIRE_SAYS = dict(zip(FOR_UNIT, (1, -1), strict=True))
INFERIOR = ("inferior", "extremely inferior")
MORALE_WORDS = (
    *(IN_SQUARE, BEHIND_DEFENCES, "advancing", "fanatic", *INFERIOR, AT_ITS_BEST, IMAM, GENERAL, LOST_A_MELEE),
    *(*ROUNDS_LOST, *UMPIRE_SAYS, UMPIRES_CALL),
)
NOT_ENGAGED, ENGAGED, UNDER_FIRE = "not engaged", "engaged", "under fire"
ROUTING, RETREATING = "routing", "retreating"
POOR = "poor quality"
REACTION_WORDS = (
    *(GENERAL, NOT_ENGAGED, ENGAGED, UNDER_FIRE, POOR, AT_ITS_BEST, ROUTING, RETREATING),
    *(*UMPIRE_SAYS, UMPIRES_CALL),
)
HOPES = {
    Test.UNDER_FIRE: ("to hold", "they hold"),
    Test.MELEE_LOST: ("to fight on", "they fight on"),
    Test.RETEST: ("to go on", "they go on"),
}
MORALE, REACTION = Cite(rule="MM-5.4"), Cite(rule="MM-5.10")


def make_trial(state: MagdalaState, prompt: StoredPrompt) -> Trial:
    """Return the throw of a prompt's test, with its score and modifiers."""
    unit, circumstances = state.unit(prompt.unit), frozenset(prompt.circumstances)
    if prompt.test is Test.PURSUIT:
        needed = value("pursuit", "regular cavalry" if unit.troop is Troop.REGULAR_CAVALRY else "any other troops")
        test = ScoreThrow(1, SIDES, needed)
        kind, words = "pursuit", ("to rally", f"{unit:they rally} on the spot", f"{unit:they pursue}")
        return _build_trial(unit, kind, Cite(rule="MM-4.6"), test, *words)
    if prompt.test is Test.REACTION:
        needs = TABLES.charts["reaction"].row("4 or more").low or 0
        test = ScoreThrow(1, SIDES, needs, _reaction_modifiers(state, unit, circumstances, prompt.routing))
        ends = f"{unit:they carry} on", f"{unit:they retreat}"
        return _build_trial(unit, "reaction", REACTION, test, "to carry on", *ends)
    of_arm, casualties = morale_arm(unit).value, unit.casualties
    dice, always = value("morale-dice", of_arm, "dice"), cell_value("morale-dice", of_arm, "always passes on")
    modifiers = _morale_modifiers(state, unit, circumstances, prompt.lost_in_a_row)
    test = ScoreThrow(dice, SIDES, casualties, modifiers, always)
    against = f"against {count_of(casualties, 'casualty', 'casualties')}"
    kind, (hope, holds) = prompt.test.value, HOPES[prompt.test]
    return _build_trial(unit, kind, Cite(rule="MM-5.6"), test, hope, format(unit, holds), f"{unit:they fail}", against)


def _build_trial(
    unit: MagdalaUnit, kind: str, cite: Cite, test: ScoreThrow, hope: str, passed: str, failed: str, against: str = ""
) -> Trial:
    """Return the unit's test of the given kind. The report's headline contains the test's text and verdict."""
    text = f"{unit.name}: {kind}"
    trial = Trial(unit.id, text, cite, test, hope, passed, failed, against, subject=unit.name, kind=kind)
    return replace(trial, text_in_headline=True, verdict_in_headline=True)


def morale_facts(state: MagdalaState, unit: MagdalaUnit) -> Mapping[str, bool]:
    """Return whether each circumstance of a morale test holds, as far as the state decides it."""
    imams = [imam for imam in state.units_of(unit.side) if imam.troop is Troop.IMAM]
    near = within(unit, (imam for imam in imams if imam.health is not Health.KILLED), limit("imam heartens within"))
    return {
        IN_SQUARE: unit.in_square,
        BEHIND_DEFENCES: unit.works in DEFENCES,
        "advancing": unit.this_turn.advanced or unit.this_turn.charged,
        "fanatic": unit.fanatic,
        **{word: unit.quality <= value("morale-adjustments", word) for word in INFERIOR},
        **({IMAM: bool(near)} if unit.place is not None or not imams else {}),
    }


def _morale_modifiers(
    state: MagdalaState, unit: MagdalaUnit, circumstances: frozenset[str], in_a_row: int
) -> tuple[Modifier, ...]:
    """Return the modifiers of a morale test: the arm's, and every adjustment that applies (MM-5.3, MM-5.4, MM-A)."""
    of_arm, facts = morale_arm(unit).value, {**morale_facts(state, unit), **dict.fromkeys(circumstances, True)}
    adds = value("morale-dice", of_arm, "adds")
    as_nation = unit.nation.value if unit.nation in (Nation.BRITISH, Nation.FOREIGN_LEGION) else "equal to British"
    works = unit.works.value if unit.works in DEFENCES else BEHIND_DEFENCES
    shelter = IN_SQUARE if facts[IN_SQUARE] else works if facts[BEHIND_DEFENCES] else ""
    advances = "advancing" in circumstances or (facts["advancing"] and unit.morale is Morale.STEADY)
    own = 0 if AT_ITS_BEST in circumstances else unit.quality
    quality = min((own, *(value("morale-adjustments", word) for word in INFERIOR if word in circumstances)))
    rounds_lost = max((in_a_row, *(rounds for word, rounds in ROUNDS_LOST.items() if word in circumstances)))
    rows = {
        "British regulars or equivalent": as_nation if counts_as_british(unit) else "",
        "regulars in a square or behind works": shelter if unit.regular else "",
        "advancing fanatics": facts["fanatic"] and advances,
        "imam within 6 inches": "an imam within 6 inches" if facts.get(IMAM) else "",
        **{word: quality == value("morale-adjustments", word) for word in INFERIOR},
    }
    further, in_words = "each further melee round lost", f"{rounds_lost} rounds lost in a row"
    hidden, worth = not unit.secret_known, Fraction(unit.secret_quality)
    secret = Modifier(value=worth, reason="secret quality", cite=MORALE, secret=hidden)
    return (
        *((Modifier(value=Fraction(adds), reason=of_arm, cite=cite("morale-dice", of_arm)),) if adds else ()),
        *TABLES.row_modifiers("morale-adjustments", rows),
        *((adjustment("morale-adjustments", further, in_words, rounds_lost - 1),) if rounds_lost > 1 else ()),
        *_umpire_modifiers(circumstances, MORALE.as_ruling),
        *((secret,) if unit.secret_quality else ()),
    )


def reaction_facts(state: MagdalaState, unit: MagdalaUnit, routing: bool) -> Mapping[str, bool]:
    """Return whether each circumstance of a reaction test holds: engagement, fire, quality, and how friends flee."""
    fights, fired_at = is_engaged(state, unit), unit.this_turn.under_fire
    at = {NOT_ENGAGED: not (fights or fired_at), ENGAGED: fights, UNDER_FIRE: fired_at}
    return {**at, POOR: unit.quality < 0, ROUTING: routing, RETREATING: not routing}


def _reaction_modifiers(
    state: MagdalaState, unit: MagdalaUnit, circumstances: frozenset[str], routing: bool
) -> tuple[Modifier, ...]:
    """Return the modifiers of a reaction test (MM-5.10). Quality that is poor in secret counts as poor (ruling)."""
    facts = {**reaction_facts(state, unit, routing), **dict.fromkeys(circumstances, True)}
    general = state.units.get(unit.general or "")
    is_led = general and general.on_table and general.health is not Health.KILLED and general.troop in COMMANDERS
    poor = POOR in circumstances or (facts[POOR] and AT_ITS_BEST not in circumstances)
    in_secret, hidden = unit.secret_quality < 0, unit.secret_quality and not unit.secret_known
    rows = {
        "British or Foreign Legion": unit.nation in (Nation.BRITISH, Nation.FOREIGN_LEGION),
        "neither engaged nor under fire": facts[NOT_ENGAGED] and not circumstances & {ENGAGED, UNDER_FIRE},
        "general with the unit": bool(is_led) or GENERAL in circumstances,
        POOR: poor or (in_secret and unit.secret_known),
        "friends are routing": facts[ROUTING] and RETREATING not in circumstances,
    }
    worth = adjustment("reaction-adjustments", POOR).value if in_secret and not poor else Fraction(0)
    secret = Modifier(value=worth, reason="secret quality", cite=REACTION.as_ruling, secret=True)
    return (
        *TABLES.row_modifiers("reaction-adjustments", rows),
        *_umpire_modifiers(circumstances, REACTION.as_ruling),
        *((secret,) if hidden else ()),
    )


def _umpire_modifiers(circumstances: frozenset[str], rule: Cite) -> tuple[Modifier, ...]:
    """Return the umpire's own adjustment as a modifier, if stated openly (MM-5.4)."""
    worth = sum(worth for word, worth in UMPIRE_SAYS.items() if word in circumstances)
    return (Modifier(value=Fraction(worth), reason="umpire", cite=rule),) if worth else ()


def find_unwounded_general(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """Return the unwounded general or native commander with a unit, or None."""
    general = state.units.get(unit.general or "")
    fit = general is not None and general.troop in COMMANDERS and general.health is Health.WELL and general.on_table
    return general if fit else None


def can_be_thrown_again(state: MagdalaState, prompt: StoredPrompt) -> bool:
    """Whether an unwounded general is with the unit; if no generals are listed, whether one is stated (MM-6)."""
    unit = state.unit(prompt.unit)
    is_stated = GENERAL in prompt.circumstances and not _generals_of_side(state, unit)
    return is_stated or find_unwounded_general(state, unit) is not None


def require_stated_general(state: MagdalaState, unit: MagdalaUnit, circumstances: tuple[str, ...]) -> None:
    """Raise Refused if a general is stated, but the side's listed generals are wounded or elsewhere."""
    generals = _generals_of_side(state, unit)
    if GENERAL in circumstances and generals and find_unwounded_general(state, unit) is None:
        names = " and ".join(f"{general.name} ({_whereabouts_in_words(general)})" for general in generals)
        raise Refused(f"No unwounded general is with {unit.name}: {names}. Leave out “{GENERAL}”.", Cite(rule="MM-6"))


def _generals_of_side(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Return the generals and native commanders of the unit's side, wherever they are."""
    return tuple(leader for leader in state.units.values() if leader.side == unit.side and leader.troop in COMMANDERS)


def _whereabouts_in_words(general: MagdalaUnit) -> str:
    if general.health is not Health.WELL:
        return general.health.value
    return "elsewhere" if general.on_table else general.morale.value
