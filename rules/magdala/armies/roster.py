"""Units as lists and cards show them."""

from collections.abc import Mapping
from fractions import Fraction

from rules.core.model import UMPIRE, Viewer
from rules.core.wording import number
from rules.magdala.arms import CREWED, LEADERS
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Troop, Weapon, Works

FLAGS = {
    "regular": "regulars",
    "european": "Europeans",
    "british_equivalent": "equal to British",
    "sharpshooter": "sharpshooters",
    "sniper": "snipers",
    "fanatic": "fanatics",
    "fierce": "fierce",
    "lancer": "lancers",
    "poor_shots": "poor shots",
    "pre_maxim": "pre-Maxim",
    "camels": "on camels",
    "afloat": "on the riverboat",
    "may_detach_half": "may detach half",
}


def strength(unit: MagdalaUnit) -> str:
    """`24 figures, 3 lost`, or what remains of a crew."""
    if unit.troop in LEADERS:
        return unit.health.value
    noun = "crew" if unit.troop in CREWED else "figures"
    lost = f", {unit.casualties} lost" if unit.casualties else ""
    return f"{unit.figures} {noun}{lost}"


def condition(unit: MagdalaUnit) -> tuple[str, ...]:
    """What else is to be said of it, shortest first: order, state, place in works, melee, jam."""
    if unit.troop in LEADERS:
        return (unit.morale.value,) if unit.morale is Morale.OFF_TABLE else ()
    drill = unit.troop in (Troop.REGULAR_INFANTRY, Troop.NATIVE_FOOT, Troop.KOMMANDO, Troop.MOUNTED_INFANTRY)
    said = {
        "in square": unit.in_square,
        f"{unit.order.value} order": drill and not unit.mounted and not unit.in_square,
        "mounted" if unit.mounted else "dismounted": unit.has_horses,
        "limbered": unit.limbered,
        "prone": unit.prone,
        unit.works.value: unit.works is not Works.NONE,
        unit.morale.value: unit.morale is not Morale.STEADY,
        f"melee round {unit.melee_round}": unit.melee_with is not None,
        "jammed": unit.jammed,
    }
    return tuple(words for words, is_so in said.items() if is_so) if unit.on_table else (Morale.OFF_TABLE.value,)


def rounds(ammunition: Fraction) -> str:
    """`6 rounds`, `½ round`: one is what a volley at full effect costs."""
    return f"{number(ammunition)} {'round' if ammunition <= 1 else 'rounds'}"


def ammunition(unit: MagdalaUnit) -> str | None:
    """`4½ rounds`, `½ round`; None for those who fire nothing or, as a detachment, count none (MM-3.9)."""
    if unit.weapon is Weapon.MELEE or unit.is_detachment or not unit.on_table:
        return None
    if not unit.ammunition:
        return "out of ammunition"
    return rounds(unit.ammunition)


def line(unit: MagdalaUnit) -> str:
    """`24 figures, 3 lost · close order · pinned · 4½ rounds`."""
    carried = ammunition(unit)
    return " · ".join((strength(unit), *condition(unit), *((carried,) if carried else ())))


def details(state: MagdalaState, unit: MagdalaUnit, viewer: Viewer) -> Mapping[str, str]:
    """What a unit's card says, by label; a secret quality only for the umpire."""

    def name(other: str | None) -> str:
        known = state.units.get(other or "")
        return known.name if known is not None else ""

    flags = ", ".join(words for field, words in FLAGS.items() if getattr(unit, field))
    weapon = f"magazine {unit.weapon.value}" if unit.magazine else unit.weapon.value
    secret = "Umpire's modifier" if unit.secret_known else "Secret quality"
    return {
        "Troops": f"{unit.nation.value} {unit.troop.value}",
        "Strength": f"{unit.strength} of {unit.figures}",
        "Weapon": weapon if unit.troop not in LEADERS else "",
        "Known for": flags,
        "Quality": f"{unit.quality}" if unit.quality else "",
        secret: f"{unit.secret_quality:+d}" if unit.secret_quality and (viewer == UMPIRE or unit.secret_known) else "",
        "Ammunition": ammunition(unit) or "",
        "State": ", ".join(condition(unit)),
        "In melee with": name(unit.melee_with),
        "General": name(unit.general),
        "Detached from": name(unit.parent),
        "Health": unit.health.value if unit.health is not Health.WELL else "",
    }
