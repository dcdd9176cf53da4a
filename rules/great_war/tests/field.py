"""Small battlefields for the tests: a map in letters, units in lines of text, everything else left as it is.

    field(OPEN, "british male 0203 ordered", "germans infantry 0303 figures:1")

A line is a side, an arm, a hex and what differs; the id is the arm's, with a number where there are several. The
British retreat to the west and have the turn. A side without a unit has infantry in a far corner.
"""

from collections.abc import Sequence
from typing import Any

from rules.core.hexboard.hexes import Hex
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice, without_automatic_tests
from rules.great_war.ground import Board, read_map
from rules.great_war.model import Arm, Bogged, GreatWarState, GreatWarUnit, UnitTurn
from rules.great_war.options import GreatWarOptions
from rules.great_war.ruleset import GreatWar
from rules.great_war.tables import chart_number

SYSTEM = GreatWar()
BRITISH, GERMANS = "british", "germans"
SOLDIER, SOLDIER_2, BURST, FLAG, HQ, DEADLY = range(1, 7)
"""Faces of a battle die, by number (GW-1.3)."""
MAPS: dict[str, Board] = {}
"""Maps of the tests by name."""
NAMES: dict[str, str] = {}
"""Names of the maps by their text."""
ARMS = {
    "infantry": Arm.INFANTRY,
    "mg": Arm.MACHINE_GUN,
    "mortar": Arm.MORTAR,
    "gun": Arm.FIELD_ARTILLERY,
    "male": Arm.MALE,
    "female": Arm.FEMALE,
    "a7v": Arm.A7V,
}
WORDS: dict[str, dict[str, Any]] = {"bogged": {"bogged": Bogged.BOGGED}, "ditched": {"bogged": Bogged.DITCHED}}


def hex_at(label: str) -> Hex:
    """Return the hex with this number."""
    return Hex.from_label(label)


def map_name(letters: str, wire: str = "") -> str:
    """Store a map of these letters, a line for each row, and return its name; odd columns sit half a hex lower."""
    rows = [line.split() for line in letters.split("\n") if line.strip()]
    lines = [f"columns 00-{len(rows[0]) - 1:02}"]
    for number, row in enumerate(rows):
        lines += [f"{number:02} {' '.join(row[0::2])}", f"{number:02} {' '.join(row[1::2])}"]
    lines += [f"wire: {wire}"] if wire else []
    text = "\n".join(lines)
    name = NAMES.setdefault(text, f"map {len(NAMES) + 1} of the tests")
    if name not in MAPS:
        MAPS[name] = Board(read_map(text, name))
    return name


OPEN = "\n".join([". " * 9] * 7)
"""Nine columns of seven countryside hexes."""


def ground_with(terrain: str, *labels: str, ground: str = OPEN) -> str:
    """Return the ground with a letter of terrain in some hexes."""
    rows = [line.split() for line in ground.split("\n") if line.strip()]
    for label in labels:
        rows[hex_at(label).row][hex_at(label).column] = terrain
    return "\n".join(" ".join(row) for row in rows)


def unit(line: str, number: int = 1) -> GreatWarUnit:
    """Return the unit described by a line."""
    side, word, place, *flags = line.split()
    arm = ARMS[word]
    values: dict[str, Any] = {"figures": chart_number(arm, "figures"), "at": hex_at(place)}
    memory: dict[str, Any] = {}
    for flag in flags:
        name, _, value = flag.partition(":")
        if name in WORDS:
            values |= WORDS[name]
        elif name == "figures":
            values["figures"] = int(value)
        elif name == "entered":
            memory |= {"moved": 1, "entered": hex_at(place)}
        else:
            memory["is_ordered" if name == "ordered" else name] = int(value) if value.isdigit() else value or True
    name = f"{word.title()} {number}" if number > 1 else word.title()
    unit_id = f"{word}-{number}" if number > 1 else word
    return GreatWarUnit(id=unit_id, name=name, side=side, arm=arm, this_turn=UnitTurn(**memory), **values)


def field(ground: str, *lines: str, phase: str = "battles", wire: str = "", **fields: Any) -> GreatWarState:
    """Return a British turn in `phase`, in which each test waits for a button. `fields` may name options."""
    units: dict[str, GreatWarUnit] = {}
    for line in lines:
        number = 1 + sum(unit.arm is ARMS[line.split()[1]] for unit in units.values())
        new_unit = unit(line, number)
        units[new_unit.id] = new_unit
    for side, place in ((BRITISH, "0006"), (GERMANS, "0806")):
        if all(unit.side != side for unit in units.values()):
            units[f"far-{side}"] = unit(f"{side} infantry {place}").model_copy(
                update={"id": f"far-{side}", "name": "Far off"}
            )
    options = {name: fields.pop(name) for name in tuple(fields) if name in SYSTEM.option_fields}
    state = GreatWarState(
        scenario="a field",
        sides=(Side(id=BRITISH, name="British", index=0), Side(id=GERMANS, name="Germans", index=1)),
        active=BRITISH,
        phase=phase,
        map=map_name(ground),
        west=BRITISH,
        wire=frozenset(map(hex_at, wire.split())),
        units=units,
        **fields,
    )
    state = without_automatic_tests(state)
    chosen = GreatWarOptions.model_validate(state.options.model_dump() | options)
    return state.model_copy(update={"options": chosen})


def act(state: GreatWarState, kind: str, fell: Sequence[int] = (), /, **args: Any) -> tuple[GreatWarState, Report]:
    """Do the action with exactly these dice."""
    scripted = ScriptedDice(fell)
    result = SYSTEM.act(state, SYSTEM.parse(kind, args), scripted)
    assert not scripted.left, f"{scripted.left} dice were not thrown"
    return result


def refusal(state: GreatWarState, kind: str, **args: Any) -> str:
    """Return the reason for the action's refusal, which changes nothing."""
    before = state.model_dump_json()
    try:
        SYSTEM.act(state, SYSTEM.parse(kind, args), ScriptedDice(()))
    except Refused as refused:
        assert state.model_dump_json() == before
        return str(refused)
    raise AssertionError(f"{kind} {args} was allowed")


def is_allowed(state: GreatWarState, kind: str, **args: Any) -> bool:
    """Whether the rules allow the action."""
    return SYSTEM.allows(state, SYSTEM.parse(kind, args))


def text_of(report: Report) -> str:
    """Return the text of a report as one line, for searching."""
    steps = "; ".join(f"{step.text} {step.needed} {step.verdict}".strip() for step in report.steps)
    return f"{report.headline} {steps} {report.outcome}"


def label_at(state: GreatWarState, unit_id: str) -> str:
    """Return the number of a unit's hex, or `gone`."""
    hex_ = state.units[unit_id].at
    return hex_.label if hex_ else "gone"


def button_labels(state: GreatWarState, key: str = "") -> list[str]:
    """Return the labels of buttons under prompts whose key begins with `key`."""
    return [offer.label for prompt in SYSTEM.prompts(state) if prompt.key.startswith(key) for offer in prompt.offers]
