"""Build small games for tests from lines of text, on the house map or on ground made for the test.

    state_of("13 A 3010", "13 B 3010 disrupted", "17.FK 1 2813 bp", "17.FK mg 2813")

A line names a formation, a unit of the formation, a hex (or `off`) and further properties. Units are companies A to H
of battalions, platoons 1 to 3 of Germans, mg, art, hq, stev, L (leader), CO (command officer). Ids: `13-a`, `17.fk-1`,
`17.fk-mg`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.dice import Dice, NoDice
from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.core.report import Report, Step
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.maps import OwnMap, house_map, read_map
from rules.tanga.model import BRITISH, GERMAN, Arm, Condition, Formation, GunMarker, Kind, Phase, TangaState, TangaUnit

SIDES = (Side(id=BRITISH, name="British", index=0), Side(id=GERMAN, name="Germans", index=1))
ORDER = ("13", "61", "LNL", "63", "98", "101", "2K", "3K", "IS", "27", "IEF")
STAFFS = {"IS": "A", "27": "B", "IEF": "C"}
"""Beach letter of each staff."""
OF_WORD = {
    "mg": (Arm.MACHINE_GUN, 7, 3),
    "art": (Arm.ARTILLERY, 6, 3),
    "hq": (Arm.INFANTRY, 4, 4),
    "stev": (Arm.STEVEDORES, 0, 4),
    "l": (Arm.LEADER, 0, 6),
    "co": (Arm.COMMANDER, 0, 6),
}
FLAGS: Mapping[str, Mapping[str, Any]] = {
    "bp": {"black_powder": True},
    "disrupted": {"condition": Condition.DISRUPTED},
    "eliminated": {"condition": Condition.ELIMINATED, "at": None},
    "retreating": {"retreating": True},
    "fired": {"fired": True, "acted": True},
    "acted": {"acted": True},
    "fought": {"fought": True, "acted": True},
    "inland": {"inland": True},
    "landing": {"inland": False},
}
NUMBERS = {"cf": "cf", "mf": "mf", "eb": "eb", "rounds": "rounds", "moved": "moved", "within": "fires_within"}


def hex_at(label: str) -> Hex:
    """Return the hex with this label."""
    return Hex.from_label(label)


def hexes(hex_labels: str) -> tuple[Hex, ...]:
    """Return the hexes of a text such as `2411 2410`."""
    return tuple(map(hex_at, hex_labels.split()))


def hex_labels(hexes: Any) -> str:
    """Return the labels of hexes, sorted, as one text."""
    return " ".join(hex_.label for hex_ in sorted(hexes))


def unit(line: str, **fields: Any) -> TangaUnit:
    """Build the unit described by a line, with fields replaced by `fields`."""
    formation, word, place, *flags = line.split()
    key = word.lower() if word.isdigit() else word.lower().rstrip("12")
    arm, cf, mf = OF_WORD.get(key, (Arm.INFANTRY, 5, 4))
    values: dict[str, Any] = {
        "id": f"{formation.lower()}-{word.lower()}",
        "name": f"{formation} {word}",
        "side": BRITISH if formation in ORDER else GERMAN,
        "formation": formation,
        "arm": arm,
        "letter": word if arm is Arm.INFANTRY and len(word) == 1 and word.isalpha() else "",
        "cf": cf,
        "mf": mf,
        "eb": 1 if arm in (Arm.LEADER, Arm.COMMANDER) else 0,
        "headquarters": key == "hq",
        "rounds": 4 if arm is Arm.ARTILLERY else None,
        "rounds_full": 4 if arm is Arm.ARTILLERY else None,
        "at": None if place == "off" else hex_at(place),
        "inland": formation not in STAFFS,
    }
    for flag in flags:
        number = next((name for name in NUMBERS if flag.startswith(name) and flag[len(name) :].isdigit()), None)
        values |= {NUMBERS[number]: int(flag[len(number) :])} if number else FLAGS[flag]
    return TangaUnit.model_validate(values | fields)


def formation(name: str, **fields: Any) -> Formation:
    """Build the formation with this short name: a battalion with FBN 5, a staff or German company with FBN 3."""
    kind = Kind.COMPANY if name not in ORDER else Kind.STAFF if name in STAFFS else Kind.BATTALION
    values: dict[str, Any] = {
        "id": name,
        "name": name,
        "short": name,
        "side": BRITISH if name in ORDER else GERMAN,
        "kind": kind,
        "fbn": 5 if kind is Kind.BATTALION else 3,
        "order": ORDER.index(name) + 1 if name in ORDER else 0,
        "beach": STAFFS.get(name, ""),
    }
    return Formation.model_validate(values | fields)


def marker(company: str, real: bool | None = None) -> GunMarker:
    """Build an MG marker under the company with this id, such as `13-a`."""
    return GunMarker(id=f"{company}-marker", formation=company.rpartition("-")[0].upper(), company=company, real=real)


def ground(over: Mapping[str, str] | str) -> OwnMap:
    """Build a map: the house map with terrain replaced in some hexes (`*` for all hexes), or the map of a text."""
    if isinstance(over, str):
        return OwnMap.model_validate(read_map(over, "the test's map").model_dump())
    house = house_map()
    covered = dict.fromkeys(house.hexes, over["*"]) if "*" in over else dict(house.hexes)
    covered |= {hex_at(label): terrain for label, terrain in over.items() if label != "*"}
    return OwnMap.model_validate(house.model_dump() | {"hexes": covered})


def state_of(*lines: str | TangaUnit, on: Mapping[str, str] | str | None = None, **fields: Any) -> TangaState:
    """Build a game with these units and their formations, on the house map or on `ground(on)`; `fields` sets fields.

    `formations` replaces default formations; `markers` and `improved` may be plain tuples.
    """
    units = [line if isinstance(line, TangaUnit) else unit(line) for line in lines]
    formations = {formation.id: formation for formation in fields.pop("formations", ())}
    names = dict.fromkeys((*(unit.formation for unit in units), *formations))
    values: dict[str, Any] = {
        "ruleset": "tanga",
        "scenario": "initial-assault",
        "sides": SIDES,
        "active": BRITISH,
        "phase": Phase.BRITISH.value,
        "units": {unit.id: unit for unit in units},
        "formations": {name: formations.get(name) or formation(name) for name in names},
        "markers": {marker.id: marker for marker in fields.pop("markers", ())},
        "own": None if on is None else ground(on),
    }
    return TangaState.model_validate(values | fields)


def dice(*faces: int) -> ScriptedDice:
    """Return dice that show these faces in order."""
    return ScriptedDice(faces)


def play_part(part: Callable[..., Any], state: TangaState, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Call a function with a `Play`, and return state, steps and the function's result, if any.

    Dice among the arguments are used for the play.
    """
    fallen = next((argument for argument in args if hasattr(argument, "throw")), NoDice())
    play = Play(state, fallen)
    result = part(play, *(argument for argument in args if argument is not fallen), **kwargs)
    return (play.state, play.report.steps) if result is None else (play.state, play.report.steps, result)


def fire(state: TangaState, units: Any, target: Hex, fallen: Dice, entering: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Fire a volley of the units; return state and steps. Raises Refused."""
    return play_part(fires.fire_volley, state, fires.plan_fire(state, units, target, entering), fallen)


def melee(state: TangaState, attackers: Hex, defenders: Hex, fallen: Dice) -> tuple[Any, ...]:
    """Fight a melee; return state and steps. Raises Refused."""
    melees.require_may_attack(state, attackers, defenders)
    return play_part(melees.fight_melee, state, attackers, defenders, fallen)


def text_of(report: Report | tuple[Step, ...]) -> str:
    """Return the complete text of a report, or of its steps, for searching."""
    steps = report.steps if isinstance(report, Report) else report
    lines = [f"{s.text}|{'|'.join(m.reason for m in s.modifiers)}|{s.verdict or s.needed}|{s.cite}" for s in steps]
    return "\n".join((report.headline, *lines, report.outcome) if isinstance(report, Report) else lines)
