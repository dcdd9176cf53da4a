"""The units and the state of Battles for Empire, as stored with a game (BE, "The unit")."""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.memo import cache_by_identity
from rules.core.model import Model
from rules.core.tabletop.battle import CACHE_SIZE, TableState, TableUnit, UnitsBySide, group_by_side

from .options import EmpireOptions
from .phases import MOVEMENT, NUMBERS, Phase


class Arm(StrEnum):
    """Arm of a unit. The last four are attached pieces, which neither fire nor fight."""

    FOOT = "foot"
    MOUNTED = "mounted"
    ARTILLERY = "artillery"
    MACHINE_GUN = "machine gun"
    ARMY_COMMANDER = "army commander"
    LEADER = "leader"
    MULES = "mules"
    WAGON = "wagon"


class Conduct(StrEnum):
    """A unit's class of troops, by which the conduct charts are read (BE-6)."""

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
    """Weapon that a unit fires. A unit with `NONE` cannot fire."""

    RIFLES = "rifles"
    HEAVY_GUN = "heavy gun"
    FIELD_GUN = "field gun"
    LIGHT_GUN = "light gun"
    MOUNTAIN_GUN = "mountain gun"
    MACHINE_GUN = "carriage machine gun"
    MAXIM = "Maxim"
    NONE = "no firearms"


class Formation(StrEnum):
    """Formation of a unit's stands. Guns keep to close order."""

    CLOSE = "close order"
    MASSED = "massed"
    DEEP = "deep massed"
    LOOSE = "loose order"
    SKIRMISH = "skirmish order"
    COLUMN = "column"
    SQUARE = "square"
    COMPANY_SQUARE = "company square"


class Cover(StrEnum):
    """Cover of a unit from fire (BE-3, BE-4). BE-4.3 says which units may claim cover."""

    NONE = "in the open"
    SOFT = "soft cover"
    HARD = "hard cover"
    SANGAR = "a sangar"


class Defence(StrEnum):
    """Works, obstacle or terrain that a unit defends (BE-5, BE-6)."""

    NOTHING = "nothing"
    WORKS = "field works"
    OBSTACLE = "an obstacle"
    TERRAIN = "terrain"


class Bayonets(StrEnum):
    """State of a unit's bayonets. Units with `NONE` need not fix any (BE-5, ruling)."""

    NONE = "none"
    UNFIXED = "unfixed"
    FIXED = "fixed"


class Nation(StrEnum):
    """Nations that the rules name (BE-4.3, BE-6a); every other nation is `OTHER`."""

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
    """Place in inches, first turn, and least score on a D6 with which a reinforcement arrives (BE-1, house)."""

    turn: int = Field(ge=1, le=99)
    score: int = Field(default=1, ge=1, le=6)
    x: float
    y: float
    facing: float = 0.0


class UnitTurn(Model):
    """Events of this turn that concern one unit; cleared when the next turn begins."""

    tested: bool = False
    """Whether the unit tested its conduct in phase 4B."""
    exploited: bool = False
    """Whether the unit tested its conduct again in phase 4a."""
    score: int | None = None
    """The last conduct score, or None before the first test."""
    result: str = ""
    """The result of the last conduct test, in the words of the chart; empty before."""
    allowed: float | None = None
    """Inches allowed by the last conduct test; None before the first test."""
    spent: float = 0.0
    """Inches of `allowed` spent on moves and on changes of formation or facing."""
    free_change: bool = False
    """Whether changes of formation or facing cost no inches, after a conduct score over 6 (BE-6)."""
    free_mounting: bool = False
    """Whether Boers or irregular horse mount or dismount at no cost, after a conduct score over 6 (BE-6)."""
    moved: float = 0.0
    """Inches moved in all parts of phase 4. A unit that moved has the modifier for moving and firing (BE-4)."""
    turned: float = 0.0
    """Degrees turned since the last change of facing that cost inches (BE-M.2)."""
    pivoted: bool = False
    """Whether the gun or machine gun turned to another facing (BE-3)."""
    fanatic: bool = False
    """Whether the unit is in fanatic charge, until this turn's melee is over (BE-6)."""
    recoiled: bool = False
    opponent_gave_way: bool = False
    """Whether an opponent in contact recoiled or was destroyed in phase 4A or 4B (BE-6)."""
    shot: bool = False
    """Whether the unit fired this turn, or tried to clear a jam instead (BE-4)."""
    fought: bool = False
    """Whether the unit threw its melee dice this turn (BE-5)."""
    kills: int = 0
    """Kills taken this turn, which expose the attached pieces (BE-7)."""
    critical_thrown: bool = False
    """Whether the piece's critical hit was thrown (BE-7)."""


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
    """Formations that the unit may take, separated by commas; empty for every formation of its arm (house)."""
    limbered: bool = False
    nation: Nation = Nation.OTHER
    elite: bool = False
    fragile: bool = False
    brigade: str = Field(default="", max_length=60)
    """The unit's brigade. A leader attached to one unit of a brigade counts for all its units (BE-6)."""
    has_horses: bool = False
    """Whether mounted troops may dismount and mount again; `arm` is the present state."""
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
    """Number of attempts already made to clear the jam (BE-4)."""
    reserve: Reserve | None = None
    """Arrival turn and place; None after arrival."""
    destroyed: bool = False
    attached_to: str | None = None
    """Id of the unit that the piece is attached to, or None."""
    health: Health = Health.WELL
    out_until: int = Field(default=0, ge=0, le=9999)
    """Last turn in which the piece is out."""
    this_turn: UnitTurn = UnitTurn()

    @property
    def noun(self) -> NounForm:
        """Return the grammatical form: a commander is `he`, a wagon or single gun `it`, every other unit plural."""
        if self.arm in COMMANDERS:
            return NounForm.MAN
        single = self.stands == 1 and not self.name.endswith("s")
        return NounForm.THING if self.arm is Arm.WAGON or (self.is_crew and single) else NounForm.MANY

    @property
    def is_piece(self) -> bool:
        """Whether the unit is a commander, leader, mules or wagon."""
        return self.arm in PIECES

    @property
    def is_crew(self) -> bool:
        """Whether the unit is artillery or a machine gun, which has fewer melee dice and can take fewer kills."""
        return self.arm in CREWS

    @property
    def is_in_depth(self) -> bool:
        """Whether the unit is in column or deep massed (BE-3, BE-4, BE-5)."""
        return self.formation in (Formation.COLUMN, Formation.DEEP)

    @property
    def is_massed(self) -> bool:
        """Whether the unit is massed or deep massed."""
        return self.formation in (Formation.MASSED, Formation.DEEP)

    @property
    def is_in_square(self) -> bool:
        """Whether the unit is in a square or a company square."""
        return self.formation in SQUARES

    @property
    def on_table(self) -> bool:
        """Whether the unit stands on the table: arrived, neither destroyed nor killed."""
        return not self.destroyed and self.reserve is None and self.health is not Health.KILLED

    def can_attach_to(self, host: "EmpireUnit") -> bool:
        """Whether the unit is a piece and the host a friendly fighting unit (BE-M.6)."""
        return self.is_piece and not host.is_piece and host.side == self.side

    @property
    def can_lead(self) -> bool:
        """Whether the commander or leader is on the table and fit."""
        return self.arm in COMMANDERS and self.on_table and self.health is Health.WELL


SQUARES = (Formation.SQUARE, Formation.COMPANY_SQUARE)
FORMED = (Formation.CLOSE, Formation.MASSED, Formation.DEEP, Formation.COLUMN)
"""Formations with a front: a turn may cost inches, and fire is limited to an arc (BE-M.2; BE-4, house)."""
COMMANDERS = (Arm.ARMY_COMMANDER, Arm.LEADER)
SUPPLY = (Arm.MULES, Arm.WAGON)
PIECES = (*COMMANDERS, *SUPPLY)
CREWS = (Arm.ARTILLERY, Arm.MACHINE_GUN)
GUNS = (Weapon.HEAVY_GUN, Weapon.FIELD_GUN, Weapon.LIGHT_GUN, Weapon.MOUNTAIN_GUN)
MACHINE_GUNS = (Weapon.MACHINE_GUN, Weapon.MAXIM)


class Contact(Model):
    """Two units in contact, and the rounds of melee fought. `flank`: the attacker charged the flank or rear."""

    attacker: str
    defender: str
    flank: bool = False
    rounds: int = Field(default=0, ge=0, le=9999)


class Support(Model):
    """Support in this turn's melee: a unit that touches no enemy supports its friend (BE-5)."""

    unit: str
    friend: str


class Burst(Model):
    """A machine gun that has aimed at its target; its number of dice is still to be chosen (BE-4)."""

    unit: str
    target: str
    range: float
    circumstances: tuple[str, ...] = ()


class Shot(Model):
    """Fire thrown in a simultaneous phase; the hits take effect when the phase ends (BE-1)."""

    unit: str
    target: str
    hits: int


class Blows(Model):
    """A melee thrown in phase 8, with both sides' units, primaries first. Hits take effect when the phase ends."""

    units: tuple[str, ...]
    hits: int
    against: tuple[str, ...]
    hits_against: int


class Doom(Model):
    """A recoiled unit that is destroyed when phase 4B ends, with its pursuers (BE-6.1 a and b).

    The unit survives if another unit is in contact with one of the pursuers.
    """

    unit: str
    rule: str
    pursuers: tuple[str, ...]


class EmpireState(TableState[EmpireUnit]):
    """A game of Battles for Empire. `active` is the moving side; in other phases the side that moves first."""

    ruleset: str = "empire"
    phase: str = Phase.REINFORCEMENTS.value
    options: EmpireOptions = EmpireOptions()
    first: str = ""
    """The side that moves first this turn (BE-1, house)."""
    initiative: Mapping[str, int] = Field(default_factory=dict)
    """The initiative throw of each side this turn, by side id."""
    done: tuple[str, ...] = ()
    """Ids of the sides that have finished the simultaneous phase."""
    contacts: tuple[Contact, ...] = ()
    supports: tuple[Support, ...] = ()
    bursts: tuple[Burst, ...] = ()
    shots: tuple[Shot, ...] = ()
    """Fire thrown in this phase whose hits have not taken effect yet."""
    blows: tuple[Blows, ...] = ()
    dooms: tuple[Doom, ...] = ()
    landed: tuple[Shot, ...] = ()
    """Fire that took effect when the last phase ended, drawn as arrows."""

    @property
    def current_phase(self) -> Phase:
        """Return the current phase."""
        return Phase(self.phase)

    @property
    def acting_sides(self) -> tuple[str, ...]:
        """Return the ids of the sides that may act: the moving side, or all sides that have not finished the phase."""
        if self.current_phase in MOVEMENT:
            return (self.active,)
        return tuple(side.id for side in self.sides if side.id not in self.done)

    @override
    def title_of(self, turn: str) -> str:
        """Return a title such as `Turn 3, phase 4B: movement of units, British`."""
        if self.setting_up is not None:
            return super().title_of(turn)
        mover = f", {self.side(self.active).name}" if self.current_phase in MOVEMENT else ""
        return f"{turn}, phase {NUMBERS[self.current_phase]}: {self.phase}{mover}"

    def fighters(self, side: str | None = None) -> tuple[EmpireUnit, ...]:
        """Return the fighting units on the table, of `side` or of all sides."""
        groups = _group_fighters(self.units)
        return groups.everyone if side is None else groups.own.get(side, ())

    def foes(self, unit: EmpireUnit) -> tuple[EmpireUnit, ...]:
        """Return the enemy fighting units on the table."""
        groups = _group_fighters(self.units)
        return groups.others.get(unit.side, groups.everyone)

    def host(self, piece: EmpireUnit) -> EmpireUnit | None:
        """Return the unit that the piece is attached to, or None."""
        return self.units.get(piece.attached_to or "")

    def opponents(self, unit_id: str) -> tuple[EmpireUnit, ...]:
        """Return the enemies in contact with the unit, in order of contact."""
        pairs = ((contact.attacker, contact.defender) for contact in self.contacts)
        opponent_ids = (pair[1 - pair.index(unit_id)] for pair in pairs if unit_id in pair)
        return tuple(self.units[opponent] for opponent in opponent_ids)

    def pieces_with(self, unit_id: str) -> tuple[EmpireUnit, ...]:
        """Return the pieces attached to the unit, without killed pieces."""
        return _pieces_by_host(self.units).get(unit_id, ())


@partial(cache_by_identity, most=CACHE_SIZE)
def _group_fighters(units: Mapping[str, EmpireUnit]) -> UnitsBySide[EmpireUnit]:
    return group_by_side(unit for unit in units.values() if unit.on_table and not unit.is_piece)


@partial(cache_by_identity, most=CACHE_SIZE)
def _pieces_by_host(units: Mapping[str, EmpireUnit]) -> Mapping[str, tuple[EmpireUnit, ...]]:
    attached: dict[str, tuple[EmpireUnit, ...]] = {}
    for piece in units.values():
        if piece.attached_to is not None and piece.on_table:
            attached[piece.attached_to] = (*attached.get(piece.attached_to, ()), piece)
    return attached
