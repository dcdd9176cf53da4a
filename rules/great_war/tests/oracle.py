"""A second model of a battle, written from the rules alone in a different way: plain dicts, offset numbers.

It shares no code with the rules that it checks; only the numbers of the arms are repeated here.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from rules.great_war.model import GreatWarState

TANKS = {"Mark IV male", "Mark IV female", "A7V"}
DICE = {
    "infantry": "3211",
    "machine gun": "33311",
    "mortar": "22222",
    "field artillery": "333221",
    "Mark IV male": "4321",
    "Mark IV female": "4321",
    "A7V": "4321",
}
MEDALS = {**dict.fromkeys(DICE, 1), **dict.fromkeys(TANKS, 2)}
SHELTER = {  # soldiers and flags ignored: from afar, close by
    "trench": ((2, 2), (1, 1)),
    "crater": ((1, 1), (1, 1)),
    "forest": ((1, 0), (1, 0)),
    "building": ((1, 1), (1, 1)),
}
BLOCK = {"forest", "building", "hill"}
Place = tuple[int, int]
MIDDLE = math.sqrt(3) / 2


class Answer(NamedTuple):
    """One answer to flags."""

    to: Place
    ignores: int
    missed: int


def neighbours(place: Place) -> list[Place]:
    """Return the six neighbours of a hex. Odd columns lie half a hex lower."""
    column, row = place
    down = column % 2
    beside = [(column + side, row + down + step) for side in (-1, 1) for step in (-1, 0)]
    return [(column, row - 1), (column, row + 1), *beside]


@cache
def distance(start: Place, end: Place) -> int:
    """Return the distance in hexes: columns first, each of which also gives half a row."""
    columns = abs(start[0] - end[0])
    height = abs((start[1] + start[0] % 2 / 2) - (end[1] + end[0] % 2 / 2))
    return columns + max(0, math.ceil(height - columns / 2))


def centre(place: Place) -> tuple[float, float]:
    """Return the position of a hex's middle; a hex has height 1."""
    return place[0] * MIDDLE, place[1] + place[0] % 2 / 2


@cache
def crossed_hexes(start: Place, end: Place) -> frozenset[frozenset[Place]]:
    """Return the hexes on the line between two, in pairs where the line runs between hexes."""
    (x, y), (to_x, to_y) = centre(start), centre(end)
    length, steps = math.hypot(to_x - x, to_y - y), 120
    offset = ((to_y - y) / length * 1e-6, (x - to_x) / length * 1e-6)
    pairs = set()
    for step in range(steps):
        part = (step + 0.5) / steps
        middle = x + (to_x - x) * part, y + (to_y - y) * part
        pairs.add(frozenset(nearest_hex(middle[0] + s * offset[0], middle[1] + s * offset[1]) for s in (-1, 1)))
    return frozenset(pair for pair in pairs if not pair & {start, end})


def nearest_hex(x: float, y: float) -> Place:
    """Return the hex whose middle is nearest to a point."""
    column = round(x / MIDDLE)
    near = [(c, round(y - c % 2 / 2) + r) for c in (column - 1, column, column + 1) for r in (-1, 0, 1)]
    return min(near, key=lambda place: math.dist(centre(place), (x, y)))


class Battlefield:
    """State of a battle in the second model."""

    def __init__(self, state: GreatWarState, ground: dict[Place, str]) -> None:
        self.ground = ground
        self.units: dict[str, dict[str, Any]] = {
            unit.id: {
                "side": unit.side,
                "arm": str(unit.arm),
                "left": unit.figures,
                "at": (unit.at.column, unit.at.row) if unit.at else None,
                "stuck": str(unit.bogged),
                **unit.this_turn.model_dump(exclude={"entered", "recovery"}),
                "entered": (e.column, e.row) if (e := unit.this_turn.entered) else None,
                "failed": unit.this_turn.recovery == "failed",
            }
            for unit in state.units.values()
        }
        self.wire = {(hex_.column, hex_.row) for hex_ in state.wire}
        self.active, self.west = state.active, state.west
        self.tokens, self.medals = dict(state.tokens), dict(state.medals)
        self.flags: dict[str, Any] | None = None

    def taken(self) -> set[Place]:
        """Return the hexes that units occupy."""
        return {unit["at"] for unit in self.units.values() if unit["at"]}

    def open_to(self, arm: str, place: Place) -> bool:
        """Whether units of the arm may enter the hex."""
        ground = self.ground.get(place, "waterway")
        wet = ground == "waterway" or (ground == "ford" and (arm in TANKS or arm == "field artillery"))
        return not wet and place not in self.taken()

    def dice(self, name: str, hexes: int) -> int:
        """Return the unit's number of dice at this range."""
        unit = self.units[name]
        row = DICE[unit["arm"]]
        number = int(row[hexes - 1]) if hexes <= len(row) else 0
        number -= unit["entered"] is not None and self.ground[unit["entered"]] == "forest"
        number -= unit["arm"] not in TANKS and unit["at"] in self.wire
        return number - (unit["stuck"] == "bogged" and unit["failed"])

    def against(self, name: str, whom: str, close: bool, card: str) -> set[str]:
        """Return the rules that forbid the battle."""
        unit, target = self.units[name], self.units[whom]
        hexes, tank = distance(unit["at"], target["at"]), unit["arm"] in TANKS
        enemies = [enemy for enemy in self.units.values() if enemy["at"] and enemy["side"] != unit["side"]]
        beside = any(distance(unit["at"], enemy["at"]) == 1 for enemy in enemies)
        beyond = hexes > len(DICE[unit["arm"]])
        rules = {
            "GW-5.1": close and hexes != 1,
            "GW-6.3": not close and unit["bonus"] and unit["arm"] == "Mark IV male",
            "GW-4": not close and (beside or beyond or not self._sees(unit, target)),
            "GW-1.2": self.dice(name, hexes) < 1,
        }
        return {rule for rule, holds in rules.items() if holds} | set(self._against(unit, tank, close, card))

    def battle(self, name: str, whom: str, close: bool, card: str, fell: list[int]) -> None:
        """Fight one battle."""
        unit, target = self.units[name], self.units[whom]
        tank, at_tank = unit["arm"] in TANKS, target["arm"] in TANKS
        hexes = distance(unit["at"], target["at"])
        number = self.dice(name, hexes)
        halted = unit["entered"] is not None and self.ground[unit["entered"]] in ("forest", "building")
        gains = close and tank and not (card or halted or unit["by_first_strike"] or unit["stuck"] != "no")
        faces = [fell.pop(0) for _ in range(number)]
        self.tokens[unit["side"]] = self.tokens.get(unit["side"], 0) + faces.count(5)
        ground = self.ground[target["at"]]
        soldiers, flags_off = SHELTER.get(ground, ((0, 0), (0, 0)))[close] if not at_tank else (0, 0)
        hits = faces.count(3)
        if close or (hexes == 2 and unit["arm"] in ("Mark IV male", "A7V")):
            hits += faces.count(6)
        if not at_tank:
            hits += max(faces.count(1) + faces.count(2) - soldiers, 0)
        elif hits:
            needed = 3 if unit["arm"] == "field artillery" else 5 if close and not tank else 6
            hits = sum(fell.pop(0) >= needed for _ in range(hits))
        for ally in self.units.values():
            if ally["side"] == unit["side"]:
                ally["bonus_was"], ally["bonus"] = ally["bonus"], False
        unit["had_bonus"] = unit["had_bonus"] or unit["bonus_was"]
        unit["has_battled"] = True
        if self._lose(target, hits):
            if gains:
                self._gain(unit, target["was"], fell)
            return
        flags = faces.count(4) - at_tank
        if target["stuck"] != "no" or flags <= 0:
            return
        afraid = tank and close and not at_tank and ground != "building" and target["arm"] != "field artillery"
        self.flags = {
            "of": whom,
            "by": name,
            "flags": flags,
            "may": min(0 if afraid else flags_off, flags),
            "gains": gains,
        }

    def _against(self, unit: dict[str, Any], tank: bool, close: bool, card: str) -> Iterator[str]:
        if card == "surprise ambush" and unit["side"] == self.active:
            yield "GW-5.1"
        if card != "surprise ambush" and (unit["side"] != self.active or not unit["is_ordered"]):
            yield "GW-1.1"
        acted = unit["moved"] or unit["entered"] or unit["has_battled"] or unit["failed"]
        if unit["stuck"] == "ditched" or (unit["stuck"] == "bogged" and unit["is_ordered"] and not acted):
            yield "GW-3.4"
        if (unit["has_battled"] and not unit["bonus"]) or (not tank and unit["moved"] > (unit["arm"] == "infantry")):
            yield "GW-1.2"
        if tank and unit["entered"] and self.ground[unit["entered"]] == "building":
            yield "GW-5.1" if close else "GW-4"
        if not tank and self.ground[unit["at"]] == "ford":
            yield "GW-7"

    def _sees(self, unit: dict[str, Any], target: dict[str, Any]) -> bool:
        if unit["arm"] == "mortar":
            return True
        blocked = {place for place, ground in self.ground.items() if ground in BLOCK} | self.taken()
        return not any(pair <= blocked for pair in crossed_hexes(unit["at"], target["at"]))

    def _lose(self, unit: dict[str, Any], figures: int) -> bool:
        unit["left"] = max(unit["left"] - figures, 0)
        if unit["left"]:
            return False
        unit["was"], unit["at"] = unit["at"], None
        winner = next(enemy["side"] for enemy in self.units.values() if enemy["side"] != unit["side"])
        worth = 1 if unit["stuck"] == "ditched" else MEDALS[unit["arm"]]
        self.medals[winner] = self.medals.get(winner, 0) + worth
        return True

    def _gain(self, tank: dict[str, Any], place: Place, fell: list[int]) -> None:
        if not self.open_to(tank["arm"], place):
            return
        tank["at"] = tank["entered"] = place
        self.wire.discard(place)
        if fell.pop(0) == 4:
            tank["stuck"] = "bogged"
        else:
            tank["bonus"] = self.ground[place] != "building" and not tank["had_bonus"]

    def _back(self, unit: dict[str, Any], place: Place, end: Place) -> Iterator[tuple[Place, ...]]:
        """Yield every way back to the hex `end`, as hexes from its end to its start."""
        if place == end:
            yield ()
        for onto in neighbours(place) if place != end else ():
            if abs(onto[0] - end[0]) < abs(place[0] - end[0]) and self.open_to(unit["arm"], onto):
                yield from ((*path, onto) for path in self._back(unit, onto, end))

    def _least(self, way: tuple[Place, ...]) -> tuple[int, tuple[Place, ...]]:
        """Return a sort key: the number of wire hexes, then the northern way from its end."""
        return len(self.wire & {*way}), way

    def answers(self) -> Iterator[Answer]:
        """Yield every possible answer to the open flags."""
        flags = self.flags
        assert flags is not None
        unit = self.units[flags["of"]]
        back = -1 if unit["side"] == self.west else 1

        def ways(place: Place, steps: int) -> Iterator[tuple[Place, int]]:
            onto = [
                next_ for next_ in neighbours(place) if next_[0] == place[0] + back and self.open_to(unit["arm"], next_)
            ]
            if not steps or not onto:
                yield place, steps
            else:
                for next_ in onto:
                    yield from ways(next_, steps - 1)

        for ignores in range(flags["may"] + 1):
            for end, missed in set(ways(unit["at"], flags["flags"] - ignores)):
                yield Answer(end, ignores, missed)

    def answer(self, answer: Answer, fell: list[int]) -> None:
        """Apply an answer to the open flags."""
        flags = self.flags
        assert flags is not None
        unit, start = self.units[flags["of"]], self.units[flags["of"]]["at"]
        if unit["arm"] in TANKS:
            self.wire -= set(min(self._back(unit, start, answer.to), key=self._least))
        self.flags, unit["at"] = None, answer.to
        gone = self._lose(unit, answer.missed) if answer.missed else False
        if flags["gains"] and (gone or answer.to != start):
            self._gain(self.units[flags["by"]], start, fell)


def compared_fields(units: dict[str, dict[str, Any]]) -> dict[str, Sequence[Any]]:
    """Return the compared fields of all units."""
    return {
        name: [u[key] for key in ("at", "left", "stuck", "has_battled", "bonus", "entered")]
        for name, u in units.items()
    }
