"""The forces of `data/forces.toml` as formations with their counters (TA-2, TA-8, TA-H.10)."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from string import ascii_uppercase

from pydantic import Field

from rules.core.model import Model
from rules.core.state import Named

from .model import BRITISH, GERMAN, Arm, Formation, Kind, TangaUnit

COMPANIES = ascii_uppercase[:8]
PLATOONS = ("1st", "2nd", "3rd")


class ListedUnit(Model):
    """A counter of a staff: its key is what a scenario calls it."""

    key: Named
    name: Named
    arm: Arm
    cf: int = 0
    eb: int = 0
    headquarters: bool = False


class ListedLeader(Model):
    """A German leader, nameless unless one is given."""

    name: str = ""
    eb: int


class Listed(Model):
    """What every formation of the list has."""

    id: Named
    name: Named
    short: str = Field(max_length=12)
    fbn: int


class Battalion(Listed):
    """Eight companies, leaders with their EB, a machine gun."""

    cf: int
    leaders: tuple[int, ...]

    def counters(self) -> Iterable[ListedUnit]:
        """Its companies by letter, its leaders, its machine gun."""
        for letter in COMPANIES:
            yield ListedUnit(key=letter, name=f"{letter} Coy {self.name}", arm=Arm.INFANTRY, cf=self.cf)
        for place, eb in enumerate(self.leaders, start=1):
            yield ListedUnit(key=f"L{place}", name=f"Leader {place} {self.name}", arm=Arm.LEADER, eb=eb)
        yield ListedUnit(key="MG", name=f"MG {self.name}", arm=Arm.MACHINE_GUN)


class Staff(Listed):
    """A staff with its beach and its counters one by one."""

    beach: str
    units: tuple[ListedUnit, ...]

    def counters(self) -> Iterable[ListedUnit]:
        """As listed."""
        return self.units


class Company(Listed):
    """A German company: three platoons, machine guns, a leader."""

    cf: int
    black_powder: bool = False
    machine_guns: int
    leader: ListedLeader

    def counters(self) -> Iterable[ListedUnit]:
        """Its platoons, its machine guns, its leader."""
        for place, platoon in enumerate(PLATOONS, start=1):
            yield ListedUnit(key=str(place), name=f"{platoon} Platoon {self.short}", arm=Arm.INFANTRY, cf=self.cf)
        for place in range(1, self.machine_guns + 1):
            number = f" {place}" if self.machine_guns > 1 else ""
            yield ListedUnit(key=f"MG{place}", name=f"MG{number} {self.short}", arm=Arm.MACHINE_GUN)
        yield ListedUnit(key="L", name=self.leader.name or f"Leader {self.short}", arm=Arm.LEADER, eb=self.leader.eb)


class Guns(Model):
    """Factors that all machine guns and all artillery have."""

    machine_gun_cf: int
    artillery_cf: int
    rounds: int


class Forces(Model):
    """The file: every formation that a scenario can bring."""

    mf: Mapping[Arm, int]
    guns: Guns
    battalions: tuple[Battalion, ...]
    staffs: tuple[Staff, ...]
    companies: tuple[Company, ...]

    def listed(self) -> Iterable[tuple[Battalion | Staff | Company, Kind, int]]:
        """Every formation with its kind and its place in the sequence of play."""
        yield from ((one, Kind.BATTALION, order) for order, one in enumerate(self.battalions, start=1))
        yield from ((one, Kind.STAFF, order) for order, one in enumerate(self.staffs, start=len(self.battalions) + 1))
        yield from ((one, Kind.COMPANY, order) for order, one in enumerate(self.companies, start=1))

    def unit(self, of: Battalion | Staff | Company, side: str, listed: ListedUnit) -> TangaUnit:
        """The counter, off the map. Its id is the formation's and its key: `13-rajputs-a`."""
        cf = {Arm.MACHINE_GUN: self.guns.machine_gun_cf, Arm.ARTILLERY: self.guns.artillery_cf}.get(
            listed.arm, listed.cf
        )
        rounds = self.guns.rounds if listed.arm is Arm.ARTILLERY else None
        return TangaUnit(
            id=f"{of.id}-{listed.key.lower()}",
            name=listed.name,
            side=side,
            formation=of.id,
            arm=listed.arm,
            letter=listed.key if listed.key in tuple(COMPANIES) else "",
            cf=cf,
            mf=self.mf[listed.arm],
            eb=listed.eb,
            black_powder=isinstance(of, Company) and of.black_powder and listed.arm is Arm.INFANTRY,
            headquarters=listed.headquarters,
            rounds=rounds,
            rounds_full=rounds,
        )


class Force(Model):
    """A formation and its counters, off the map, by the keys that scenarios call them."""

    formation: Formation
    units: Mapping[str, TangaUnit]


def read_forces(text: str) -> Mapping[str, Force]:
    """The formations of a TOML text by id. Raises ValueError on a fault, or where two have the same id or name."""
    listed = Forces.model_validate(tomllib.loads(text))
    found: dict[str, Force] = {}
    names = set[str]()
    for one, kind, order in listed.listed():
        side = GERMAN if kind is Kind.COMPANY else BRITISH
        formation = Formation(
            id=one.id, name=one.name, short=one.short, side=side, kind=kind, fbn=one.fbn, order=order,
            beach=one.beach if isinstance(one, Staff) else "",
        )  # fmt: skip
        units = {counter.key: listed.unit(one, side, counter) for counter in one.counters()}
        for name in (one.id, one.name, *(unit.name for unit in units.values())):
            if name in names and name != one.id:
                raise ValueError(f"forces.toml, {one.id}: “{name}” comes twice")
            names.add(name)
        if one.id in found:
            raise ValueError(f"forces.toml, {one.id}: two formations have that id")
        found[one.id] = Force(formation=formation, units=units)
    return found


@cache
def forces() -> Mapping[str, Force]:
    """Every formation of the house game by id, the British in the sequence of play, then the Germans."""
    return read_forces((files("rules.tanga") / "data" / "forces.toml").read_text(encoding="utf-8"))
