"""The sum of a morale test (MM-5.3 to MM-5.6): dice by arm, adjustments, casualties so far."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.report import Modifier
from rules.core.throws import Against
from rules.core.trial import Trial
from rules.magdala.action_types import AT_ITS_BEST, UMPIRES_CALL
from rules.magdala.arms import DEFENCES, arm, stands_like_british
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Nation, Test, Troop
from rules.magdala.placement import within
from rules.magdala.tables import SIDES, adjustment, cite, entry, limit, value

from .generalship import GENERAL

IN_SQUARE = "in square"
LOST_A_MELEE = "lost a melee"
ROUNDS_LOST = {"second round lost": 2, "third round lost": 3, "fourth round lost": 4}
UMPIRE_SAYS = {"umpire +1": 1, "umpire -1": -1}
MORALE_WORDS = (
    IN_SQUARE,
    "behind defences",
    "advancing",
    "fanatic",
    "inferior",
    "extremely inferior",
    AT_ITS_BEST,
    "imam",
    GENERAL,
    LOST_A_MELEE,
    *ROUNDS_LOST,
    *UMPIRE_SAYS,
    UMPIRES_CALL,
)

HOPES = {
    Test.UNDER_FIRE: ("to hold", "holds", "fails"),
    Test.MELEE_LOST: ("to fight on", "fights on", "fails"),
    Test.RETEST: ("to go on", "goes on", "fails"),
}


def morale_trial(
    state: MagdalaState, unit: MagdalaUnit, test: Test, said: Iterable[str] = (), lost_in_a_row: int = 0
) -> Trial:
    """The test of a unit: 2D6 or a D6 with its adjustments, against all its casualties so far."""
    of_arm = arm(unit).value
    hope, passed, failed = HOPES[test]
    noun = "casualty" if unit.casualties == 1 else "casualties"
    return Trial(
        unit=unit.id,
        text=f"{unit.name}: {test.value}",
        cite=Cite(rule="MM-5.6"),
        test=Against(
            value("morale-dice", of_arm, "dice"),
            SIDES,
            unit.casualties,
            modifiers(state, unit, frozenset(said), lost_in_a_row),
            always=entry("morale-dice", of_arm, "always passes on"),
        ),
        against=f"against {unit.casualties} {noun}",
        hope=hope,
        passed=passed,
        failed=failed,
    )


def modifiers(
    state: MagdalaState, unit: MagdalaUnit, said: frozenset[str], lost_in_a_row: int = 0
) -> tuple[Modifier, ...]:
    """What the arm adds, and every adjustment that applies."""
    of_arm = arm(unit).value
    adds = value("morale-dice", of_arm, "adds")
    rows = {
        "British regulars or equivalent": _british(unit),
        "regulars in a square or behind works": _sheltered(unit, said),
        "advancing fanatics": _fanatic(unit, said),
        "imam within 6 inches": _imam(state, unit, said),
    }
    return (
        *((Modifier(value=Fraction(adds), reason=of_arm, cite=cite("morale-dice", of_arm)),) if adds else ()),
        *(adjustment("morale-adjustments", row, reason) for row, reason in rows.items() if reason),
        *_quality(unit, said),
        *_rounds_lost(said, lost_in_a_row),
        *_umpire(unit, said),
    )


def _british(unit: MagdalaUnit) -> str:
    """British regulars or equivalent +1 (MM-5.4)."""
    if not stands_like_british(unit):
        return ""
    return unit.nation.value if unit.nation in (Nation.BRITISH, Nation.FOREIGN_LEGION) else "equal to British"


def _sheltered(unit: MagdalaUnit, said: frozenset[str]) -> str:
    """Any regulars in square or behind defences +1, once (MM-5.4)."""
    if not unit.regular:
        return ""
    if unit.in_square or IN_SQUARE in said:
        return IN_SQUARE
    return unit.works.value if unit.works in DEFENCES else "behind defences" if "behind defences" in said else ""


def _fanatic(unit: MagdalaUnit, said: frozenset[str]) -> str:
    """Advancing fanatics +1 (MM-5.4)."""
    advancing = (unit.this_turn.advanced or unit.this_turn.charged) and unit.morale is Morale.STEADY
    fanatic = unit.fanatic or "fanatic" in said
    return "advancing fanatics" if fanatic and (advancing or "advancing" in said) else ""


def _imam(state: MagdalaState, unit: MagdalaUnit, said: frozenset[str]) -> str:
    """Within 6" of an imam of its army +1 (MM-A)."""
    imams = (
        other for other in state.of_side(unit.side) if other.troop is Troop.IMAM and other.health is not Health.KILLED
    )
    near = within(unit, imams, limit("imam heartens within"))
    return "an imam within 6 inches" if near or "imam" in said else ""


def _quality(unit: MagdalaUnit, said: frozenset[str]) -> tuple[Modifier, ...]:
    """Inferior quality -1, or -2 in some extreme cases, unless the umpire lifts it for the moment (MM-5.4)."""
    worths = {word: value("morale-adjustments", word) for word in ("inferior", "extremely inferior")}
    own = 0 if AT_ITS_BEST in said else unit.quality
    quality = min((own, *(worth for word, worth in worths.items() if word in said)))
    row = next((word for word, worth in worths.items() if worth == quality), None)
    return (adjustment("morale-adjustments", row),) if row else ()


def _rounds_lost(said: frozenset[str], lost_in_a_row: int) -> tuple[Modifier, ...]:
    """-1 for each successive round of melee lost: for the second and each later one in a row (MM-5.4, ruling)."""
    lost = max(lost_in_a_row, *(rounds for word, rounds in ROUNDS_LOST.items() if word in said), 0)
    row = "each further melee round lost"
    return (adjustment("morale-adjustments", row, f"{lost} rounds lost in a row", lost - 1),) if lost > 1 else ()


def _umpire(unit: MagdalaUnit, said: frozenset[str]) -> tuple[Modifier, ...]:
    """The umpire's own, said openly or kept secret (MM-5.4)."""
    rule, ruling = Cite(rule="MM-5.4"), Cite(rule="MM-5.4", mark=Mark.RULING)
    open_ = sum(worth for word, worth in UMPIRE_SAYS.items() if word in said)
    quality = Fraction(unit.secret_quality)
    return (
        *((Modifier(value=Fraction(open_), reason="umpire", cite=ruling),) if open_ else ()),
        *(
            (Modifier(value=quality, reason="secret quality", cite=rule, secret=not unit.secret_known),)
            if unit.secret_quality
            else ()
        ),
    )
