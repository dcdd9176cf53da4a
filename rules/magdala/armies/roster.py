"""Units as lists and cards show them."""

from rules.core.model import UMPIRE, Viewer
from rules.core.state import UnitCard
from rules.core.wording import tenths
from rules.magdala.firing.ammunition import rounds
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Troop, Weapon, Works

SINGLE_FIGURES = (Troop.GENERAL, Troop.NATIVE_COMMANDER, Troop.IMAM)
CREWED = (
    Troop.FIELD_ARTILLERY,
    Troop.HEAVY_ARTILLERY,
    Troop.MACHINE_GUN,
    Troop.MOUNTAIN_GUN,
    Troop.POM_POM,
    Troop.ROCKET,
    Troop.WAGON,
    Troop.PACK_MULES,
)
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
    if unit.troop in SINGLE_FIGURES:
        return unit.health.value
    noun = "crew" if unit.troop in CREWED else "figures"
    lost = f", {unit.casualties} lost" if unit.casualties else ""
    return f"{unit.figures} {noun}{lost}"


def condition(unit: MagdalaUnit) -> tuple[str, ...]:
    """What else is to be said of it, shortest first: order, state, place in works, melee, jam."""
    if unit.troop in SINGLE_FIGURES:
        return (unit.morale.value,) if unit.morale is Morale.OFF_TABLE else ()
    drill = unit.troop in (Troop.REGULAR_INFANTRY, Troop.NATIVE_FOOT, Troop.KOMMANDO, Troop.MOUNTED_INFANTRY)
    square = ("in square",) if unit.in_square else ()
    said = (
        *(square or ((f"{unit.order.value} order",) if drill and not unit.mounted else ())),
        *(("mounted" if unit.mounted else "dismounted",) if unit.has_horses else ()),
        *(("limbered",) if unit.limbered else ()),
        *(("prone",) if unit.prone else ()),
        *((unit.works.value,) if unit.works is not Works.NONE else ()),
        *((unit.morale.value,) if unit.morale is not Morale.STEADY else ()),
        *((f"melee round {unit.melee_round}",) if unit.melee_with else ()),
        *(("jammed",) if unit.jammed else ()),
    )
    return said if unit.on_table else (Morale.OFF_TABLE.value,)


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


def details(state: MagdalaState, unit: MagdalaUnit, viewer: Viewer) -> tuple[tuple[str, str], ...]:
    """Label and value pairs of a unit's card; a secret quality only for the umpire."""

    def name(other: str | None) -> str:
        known = state.units.get(other or "")
        return known.name if known is not None else ""

    flags = ", ".join(words for field, words in FLAGS.items() if getattr(unit, field))
    weapon = f"magazine {unit.weapon.value}" if unit.magazine else unit.weapon.value
    place = unit.place
    secret = "Umpire's modifier" if unit.secret_known else "Secret quality"
    pairs = {
        "Troops": f"{unit.nation.value} {unit.troop.value}",
        "Strength": f"{unit.strength} of {unit.figures}",
        "Weapon": weapon if unit.troop not in SINGLE_FIGURES else "",
        "Known for": flags,
        "Quality": f"{unit.quality}" if unit.quality else "",
        secret: f"{unit.secret_quality:+d}" if unit.secret_quality and (viewer == UMPIRE or unit.secret_known) else "",
        "Ammunition": ammunition(unit) or "",
        "State": ", ".join(condition(unit)),
        "In melee with": name(unit.melee_with),
        "General": name(unit.general),
        "Detached from": name(unit.parent),
        "Health": unit.health.value if unit.health is not Health.WELL else "",
        "Place": f"x {tenths(place.x)}, y {tenths(place.y)}, facing {tenths(place.facing)}°" if place else "",
    }
    return tuple((label, value) for label, value in pairs.items() if value)


def roster(state: MagdalaState, viewer: Viewer) -> tuple[UnitCard, ...]:
    """Every unit in order of battle, those off the table last of their side."""
    order = {side.id: side.index for side in state.sides}
    units = sorted(state.units.values(), key=lambda unit: (order.get(unit.side, len(order)), not unit.on_table))
    return tuple(
        UnitCard(id=unit.id, name=unit.name, side=unit.side, line=line(unit), details=details(state, unit, viewer))
        for unit in units
    )
