"""The units and the state of Battles for Empire: everything a table of stands remembers (BE, "The unit")."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import Noun
from rules.core.memo import remembered
from rules.core.model import Model
from rules.core.tabletop.battle import LATEST, Muster, TableState, TableUnit, mustered

from .options import EmpireOptions
from .phases import MOVEMENT, NUMBERS, Phase


class Arm(StrEnum):
    """Arm of a unit; the last four are attached pieces, neither firing nor fighting."""

    FOOT = "foot"
    MOUNTED = "mounted"
    ARTILLERY = "artillery"
    MACHINE_GUN = "machine gun"
    ARMY_COMMANDER = "army commander"
    LEADER = "leader"
    MULES = "mules"
    WAGON = "wagon"


class Conduct(StrEnum):
    """Which conduct charts a unit is read by (BE-6)."""

    DRILLED = "drilled European"
    TRAINED = "European-trained"
    ASSAULT = "massed assault"
    FICKLE = "massed fickle"
    LOOSE = "loose Boers"
    IRREGULAR_HORSE = "irregular horse"


class Rate(StrEnum):
    """Quality of fire (BE-3, BE-4)."""

    FIRST = "1st rate"
    SECOND = "2nd rate"
    THIRD = "3rd rate"


class Weapon(StrEnum):
    """What a unit fires with. `NONE` fires nothing."""

    RIFLES = "rifles"
    HEAVY_GUN = "heavy gun"
    FIELD_GUN = "field gun"
    LIGHT_GUN = "light gun"
    MOUNTAIN_GUN = "mountain gun"
    MACHINE_GUN = "carriage machine gun"
    MAXIM = "Maxim"
    NONE = "no firearms"


class Formation(StrEnum):
    """How the stands are drawn up. Guns keep to close order."""

    CLOSE = "close order"
    MASSED = "massed"
    DEEP = "deep massed"
    LOOSE = "loose order"
    SKIRMISH = "skirmish order"
    COLUMN = "column"
    SQUARE = "square"
    COMPANY_SQUARE = "company square"


class Cover(StrEnum):
    """What covers a unit from fire (BE-3, BE-4); who may claim it is BE-4.3."""

    NONE = "in the open"
    SOFT = "soft cover"
    HARD = "hard cover"
    SANGAR = "a sangar"


class Defence(StrEnum):
    """What a unit defends (BE-5, BE-6)."""

    NOTHING = "nothing"
    WORKS = "field works"
    OBSTACLE = "an obstacle"
    TERRAIN = "terrain"


class Bayonets(StrEnum):
    """Of units that have none, nothing is asked (BE-5, ruling)."""

    NONE = "none"
    UNFIXED = "unfixed"
    FIXED = "fixed"


class Nation(StrEnum):
    """Nations that the rules tell apart (BE-4.3, BE-6a); everyone else is `OTHER`."""

    BRITISH = "British"
    INDIAN = "Indian"
    EGYPTIAN = "Egyptian"
    NATAL_NATIVE = "Natal native"
    ZULU = "Zulu"
    DERVISH = "Dervish"
    PATHAN = "Pathan"
    BOER = "Boer"
    OTHER = "other"


class Health(StrEnum):
    """State of a commander or mules (BE-7)."""

    WELL = "well"
    OUT = "out for a turn"
    KILLED = "killed"


class Reserve(Model):
    """From `turn` on it arrives on a D6 of `score` or more, at `x`, `y` (inches) or beside them (BE-1, house)."""

    turn: int = Field(ge=1, le=99)
    score: int = Field(default=1, ge=1, le=6)
    x: float
    y: float
    facing: float = 0.0


class ThisTurn(Model):
    """What the turn remembers of a unit; cleared when the next begins."""

    tested: bool = False
    """Its conduct has been thrown in 4B."""
    exploited: bool = False
    """Whether conduct was thrown again in phase 4A."""
    score: int | None = None
    """The last conduct score thrown."""
    result: str = ""
    """The result it read, in the words of the chart."""
    allowed: float | None = None
    """Inches allowed by the last conduct test; None before."""
    spent: float = 0.0
    """Inches of those moved, or given for a change of formation or facing."""
    free_change: bool = False
    """Whether changes of formation or facing are free (BE-6, over 6)."""
    free_mounting: bool = False
    """No penalty for mounting or dismounting: Boers and irregular horse (BE-6, over 6)."""
    moved: float = 0.0
    """Inches moved, in whatever part of phase 4: moving and firing (BE-4)."""
    turned: float = 0.0
    """Degrees turned since its last change of facing that cost it inches (BE-M.2)."""
    pivoted: bool = False
    """It turned to face another way (BE-3)."""
    fanatic: bool = False
    """It is in fanatic charge until this turn's melee is over (BE-6)."""
    recoiled: bool = False
    opponent_gave_way: bool = False
    """Its opponent in melee recoiled or was destroyed in this movement phase (BE-6)."""
    shot: bool = False
    """It has thrown its fire of this turn, or tried to clear a jam instead (BE-4)."""
    fought: bool = False
    """Its blows of this turn have been thrown (BE-5)."""
    kills: int = 0
    """Kills taken this turn: those attached to it are exposed (BE-7)."""
    critical_thrown: bool = False
    """Of a piece: its critical hit has been thrown (BE-7)."""


class EmpireUnit(TableUnit):
    """A unit of stands, or an attached piece (BE, "The unit")."""

    refers_to = ("attached_to",)

    arm: Arm
    conduct: Conduct = Conduct.DRILLED
    rate: Rate = Rate.SECOND
    weapon: Weapon = Weapon.NONE
    stands: int = Field(default=4, ge=1, le=30)
    formation: Formation = Formation.CLOSE
    formations: str = Field(default="", max_length=200)
    """Formations it may take, by comma; empty for any of its arm (house)."""
    limbered: bool = False
    nation: Nation = Nation.OTHER
    elite: bool = False
    fragile: bool = False
    brigade: str = Field(default="", max_length=60)
    """The multi-unit formation it belongs to: a leader attached to any unit of it counts (BE-6)."""
    has_horses: bool = False
    """Mounted troops that may fight on foot, and on foot mount again: `arm` is what they are now."""
    kills: int = Field(default=0, ge=0, le=99)
    disordered: bool = False
    shaken: bool = False
    low_ammo: bool = False
    gone_to_ground: bool = False
    cover: Cover = Cover.NONE
    defending: Defence = Defence.NOTHING
    bayonets: Bayonets = Bayonets.NONE
    jammed: bool = False
    clearing: int = Field(default=0, ge=0, le=99)
    """Attempts already made to clear the jam (BE-4)."""
    reserve: Reserve | None = None
    """Still to arrive."""
    destroyed: bool = False
    attached_to: str | None = None
    """Host's id, for pieces."""
    health: Health = Health.WELL
    out_until: int = Field(default=0, ge=0, le=9999)
    """Last turn of a piece's absence."""
    this_turn: ThisTurn = ThisTurn()

    @property
    def noun(self) -> Noun:
        """Return the grammatical number: commanders male, wagons and single guns things, others plural."""
        if self.arm in COMMANDERS:
            return Noun.MAN
        one = self.stands == 1 and not self.name.endswith("s")
        return Noun.THING if self.arm is Arm.WAGON or (self.is_crew and one) else Noun.MANY

    @property
    def is_piece(self) -> bool:
        """A commander, leader, mules or wagon."""
        return self.arm in PIECES

    @property
    def is_crew(self) -> bool:
        """Artillery or machine gun: half the dice of melee, half the kills, no steady chart."""
        return self.arm in CREWS

    @property
    def in_depth(self) -> bool:
        """In column, or massed in depth (BE-3, BE-4, BE-5)."""
        return self.formation in (Formation.COLUMN, Formation.DEEP)

    @property
    def is_massed(self) -> bool:
        """Massed, in depth or not."""
        return self.formation in (Formation.MASSED, Formation.DEEP)

    @property
    def in_square(self) -> bool:
        """In square of either size."""
        return self.formation in SQUARES

    @property
    def on_table(self) -> bool:
        """Whether the unit is in the game and has arrived."""
        return not self.destroyed and self.reserve is None and self.health is not Health.KILLED

    def goes_with(self, host: "EmpireUnit") -> bool:
        """Whether the unit is a piece and the host a friendly fighting unit (BE-M.6)."""
        return self.is_piece and not host.is_piece and host.side == self.side

    @property
    def may_lead(self) -> bool:
        """Whether the commander or leader is on the table and fit."""
        return self.arm in COMMANDERS and self.on_table and self.health is Health.WELL


SQUARES = (Formation.SQUARE, Formation.COMPANY_SQUARE)
FORMED = (Formation.CLOSE, Formation.MASSED, Formation.DEEP, Formation.COLUMN)
"""Formations with a front: they neither turn as they like nor fire on every side (BE-M.2; BE-4, house)."""
COMMANDERS = (Arm.ARMY_COMMANDER, Arm.LEADER)
SUPPLY = (Arm.MULES, Arm.WAGON)
PIECES = (*COMMANDERS, *SUPPLY)
CREWS = (Arm.ARTILLERY, Arm.MACHINE_GUN)
GUNS = (Weapon.HEAVY_GUN, Weapon.FIELD_GUN, Weapon.LIGHT_GUN, Weapon.MOUNTAIN_GUN)
MACHINE_GUNS = (Weapon.MACHINE_GUN, Weapon.MAXIM)


class Contact(Model):
    """Two units in contact: who charged whom, in the flank or rear or not, and rounds of melee fought so far."""

    attacker: str
    defender: str
    flank: bool = False
    rounds: int = Field(default=0, ge=0, le=9999)


class Support(Model):
    """A unit that supports a friend in the melee of this turn without touching an enemy (BE-5)."""

    unit: str
    friend: str


class Burst(Model):
    """A machine gun that has been given its target and not yet its number of dice (BE-4)."""

    unit: str
    target: str
    range: float
    circumstances: tuple[str, ...] = ()


class Shot(Model):
    """Fire thrown in a simultaneous phase: its hits land when the phase ends (BE-1)."""

    unit: str
    target: str
    hits: int


class Blows(Model):
    """A melee thrown in phase 8: units of each side, the primary first, and their hits; it lands with the phase."""

    units: tuple[str, ...]
    hits: int
    against: tuple[str, ...]
    hits_against: int


class Doom(Model):
    """A recoiled unit's pending destruction, avoided if a pursuer keeps another contact (BE-6.1 a and b)."""

    unit: str
    rule: str
    pursuers: tuple[str, ...]


class EmpireState(TableState[EmpireUnit]):
    """A game of Battles for Empire. `active` is the side that moves; in phases of both sides, the one that is first."""

    ruleset: str = "empire"
    phase: str = Phase.REINFORCEMENTS.value
    options: EmpireOptions = EmpireOptions()
    first: str = ""
    """The side that moves first this turn (BE-1, house)."""
    initiative: Mapping[str, int] = Field(default_factory=dict)
    """What each side threw for the initiative this turn."""
    done: tuple[str, ...] = ()
    """Sides finished with a simultaneous phase."""
    contacts: tuple[Contact, ...] = ()
    supports: tuple[Support, ...] = ()
    bursts: tuple[Burst, ...] = ()
    shots: tuple[Shot, ...] = ()
    """Thrown in this phase, not landed yet."""
    blows: tuple[Blows, ...] = ()
    dooms: tuple[Doom, ...] = ()
    landed: tuple[Shot, ...] = ()
    """What landed when the last phase ended, for the picture."""

    @property
    def now(self) -> Phase:
        """The phase."""
        return Phase(self.phase)

    @property
    def acting(self) -> tuple[str, ...]:
        """Return acting sides: the mover, or all sides not finished."""
        if self.now in MOVEMENT:
            return (self.active,)
        return tuple(side.id for side in self.sides if side.id not in self.done)

    @override
    def title_of(self, turn: str) -> str:
        """`Turn 3, phase 4B: movement of units, British`."""
        if self.setting_up is not None:
            return super().title_of(turn)
        who = f", {self.side(self.active).name}" if self.now in MOVEMENT else ""
        return f"{turn}, phase {NUMBERS[self.now]}: {self.phase}{who}"

    def fighters(self, side: str | None = None) -> tuple[EmpireUnit, ...]:
        """Return fighting units on the table, for a side or all."""
        found = _fighters(self.units)
        return found.everyone if side is None else found.own.get(side, ())

    def foes(self, unit: EmpireUnit) -> tuple[EmpireUnit, ...]:
        """Return fighting enemies on the table."""
        found = _fighters(self.units)
        return found.others.get(unit.side, found.everyone)

    def host(self, piece: EmpireUnit) -> EmpireUnit | None:
        """Return a piece's host, or None."""
        return self.units.get(piece.attached_to or "")

    def opponents(self, unit_id: str) -> tuple[EmpireUnit, ...]:
        """Return enemies in contact, in order of contact."""
        pairs = ((each.attacker, each.defender) for each in self.contacts)
        met = (two[1 - two.index(unit_id)] for two in pairs if unit_id in two)
        return tuple(self.units[other] for other in met)

    def pieces_with(self, unit_id: str) -> tuple[EmpireUnit, ...]:
        """Commanders, leaders and mules attached to a unit, killed ones not counted."""
        return _pieces(self.units).get(unit_id, ())


def _fighting(units: Mapping[str, EmpireUnit]) -> Muster[EmpireUnit]:
    return mustered(unit for unit in units.values() if unit.on_table and not unit.is_piece)


def _attached(units: Mapping[str, EmpireUnit]) -> Mapping[str, tuple[EmpireUnit, ...]]:
    found: dict[str, tuple[EmpireUnit, ...]] = {}
    for piece in units.values():
        if piece.attached_to is not None and piece.on_table:
            found[piece.attached_to] = (*found.get(piece.attached_to, ()), piece)
    return found


_fighters = remembered(_fighting, LATEST)
_pieces = remembered(_attached, LATEST)
