"""The units and the state of Magdala to Mafeking: everything a table of figures remembers (MM, "The unit")."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from pydantic import Field

from rules.core.agreement import NounForm
from rules.core.model import Exact, Model
from rules.core.play import Play
from rules.core.tabletop.battle import Place, TableState, TableUnit

from .options import MagdalaOptions


class Troop(StrEnum):
    """Troop types."""

    REGULAR_INFANTRY = "regular infantry"
    REGULAR_CAVALRY = "regular cavalry"
    MOUNTED_INFANTRY = "mounted infantry"
    KOMMANDO = "Boer kommando"
    FIELD_ARTILLERY = "field artillery"
    HEAVY_ARTILLERY = "heavy artillery"
    MACHINE_GUN = "machine gun"
    MOUNTAIN_GUN = "mountain gun"
    POM_POM = "pom-pom"
    ROCKET = "rocket"
    NATIVE_FOOT = "native foot"
    NATIVE_MOUNTED = "native mounted"
    WAGON = "supply wagon"
    PACK_MULES = "pack mules"
    GENERAL = "general"
    NATIVE_COMMANDER = "native commander"
    IMAM = "imam"


NOUNS: Mapping[Troop, NounForm] = {
    **dict.fromkeys((Troop.GENERAL, Troop.NATIVE_COMMANDER, Troop.IMAM), NounForm.MAN),
    **dict.fromkeys((Troop.FIELD_ARTILLERY, Troop.HEAVY_ARTILLERY, Troop.MACHINE_GUN), NounForm.THING),
    **dict.fromkeys((Troop.MOUNTAIN_GUN, Troop.POM_POM, Troop.ROCKET, Troop.WAGON), NounForm.THING),
}
"""Grammatical number by troop: leaders are male, guns and wagons things, others plural."""


class Weapon(StrEnum):
    """Weapons of units, as named in the range chart (MM-3.6); a unit with `MELEE` cannot fire."""

    BREECHLOADER = "breechloading rifles"
    OTHER_SMALL_ARMS = "other small arms"
    FIELD_GUN = "field artillery"
    HEAVY_GUN = "heavy artillery"
    MACHINE_GUN = "machine gun"
    LIGHT_GUN = "mountain gun or pom-pom"
    ROCKET = "rocket"
    MELEE = "melee weapons"


class Order(StrEnum):
    """Orders of a unit's figures: close or skirmish."""

    CLOSE = "close"
    SKIRMISH = "skirmish"


class Nation(StrEnum):
    """Nations that the rules distinguish; `NATIVE` and `EUROPEAN` stand for all others."""

    BRITISH = "British"
    FOREIGN_LEGION = "Foreign Legion"
    EUROPEAN = "European"
    INDIAN = "Indian"
    EGYPTIAN = "Egyptian"
    SUDANESE = "Sudanese"
    BOER = "Boer"
    ZULU = "Zulu"
    MAHDIST = "Mahdist"
    PATHAN = "Pathan"
    NATIVE = "native"


class Works(StrEnum):
    """Works that a unit stands behind (MM-7), or ground that covers the unit (MM-3.4)."""

    NONE = "in the open"
    COVER = "in cover"
    ROUGH = "in rough going"
    ZAREBA = "behind a zareba"
    SANDBAGS = "behind wagons or sandbags"
    EARTHWORKS = "behind earthworks"
    SANGAR = "behind a sangar"


class Attack(StrEnum):
    """The side of the enemy that an attack strikes: front, flank or rear (MM-4.2)."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


class Morale(StrEnum):
    """Morale of a unit (MM-5); a unit `OFF_TABLE` has left the table or is destroyed."""

    STEADY = "steady"
    PINNED = "pinned"
    HALTED = "halted"
    RETREATING = "retreating"
    ROUTED = "routed"
    PURSUING = "pursuing"
    OFF_TABLE = "off table"


class GunTeam(StrEnum):
    """Teams that draw a field gun; the team sets the gun's rate in good going (MM-2.4)."""

    FOOT = "foot"
    LIGHT = "light"
    HORSE = "horse"


class Health(StrEnum):
    """Health of a general (MM-6)."""

    WELL = "well"
    WOUNDED = "wounded"
    KILLED = "killed"


class UnitTurn(Model):
    """A unit's moves, fire, losses and melee in the present turn; cleared when turns begin."""

    moved: float = 0.0
    """Inches moved in its own turn."""
    marched: bool = False
    """Whether the unit has made this turn's move, of any length, or lain down or stood up instead (MM-3.4)."""
    changed_order: bool = False
    """Whether the unit changed its order in its own turn: close, skirmish or square (MM-2.1)."""
    half_turn_spent: bool = False
    """Whether the unit spent half a turn on mounting or dismounting (MM-2.3)."""
    whole_turn_spent: bool = False
    """Whether the unit spent a full turn, for example on limbering, unlimbering or refilling (MM-2.4, MM-3.9)."""
    charged: bool = False
    advanced: bool = False
    """Whether the unit moved nearer to the enemy: fire may halt it (MM-5.1), fanatics gain in morale (MM-5.4)."""
    fired_full: bool = False
    fired_half: bool = False
    tried_to_clear: bool = False
    reformed: bool = False
    """Whether the unit sent out or took back a detachment (MM-1)."""
    retested: bool = False
    under_fire: bool = False
    fire_casualties: int = 0
    """Casualties by fire since the active side's turn began."""
    figures_at_start: int = 0
    """Figures at the turn's beginning; 0 if not recorded."""
    tested_casualties: int = 0
    """Fire casualties for which the unit has already tested or been halted (MM-5.2)."""
    halted: bool = False
    """Whether the unit was pinned or halted since the active side's turn began; `held_turns` then skips this turn."""
    retreated: bool = False
    """Whether the unit made a retreat move in its own turn (MM-5.7)."""
    fought: bool = False
    """Whether the unit fought a round of melee in the active side's turn (MM-4.5)."""
    fought_with: tuple[str, ...] = ()
    """Ids of the enemies against whom the unit has fought this turn's round of melee (MM-4.5)."""
    lost_round: bool = False
    """Whether the unit lost a round of melee in the active side's turn (MM-5.4)."""

    @property
    def has_moved(self) -> bool:
        """Whether the unit has used its move, or moved along with another unit."""
        return self.marched or self.moved > 0

    @property
    def has_fired(self) -> bool:
        """Whether the unit fired in its own turn."""
        return self.fired_full or self.fired_half

    @property
    def has_acted(self) -> bool:
        """Whether the unit used part of its own turn."""
        spent = self.half_turn_spent or self.whole_turn_spent or self.changed_order
        return self.has_moved or self.has_fired or spent or self.retreated or self.retested or self.tried_to_clear


class Test(StrEnum):
    """Tests, moves and answers that a unit can owe (MM-5)."""

    UNDER_FIRE = "morale under fire"
    MELEE_LOST = "morale after losing a melee"
    REACTION = "reaction"
    PURSUIT = "pursuit"
    RETREAT = "retreat"
    GENERAL_RISK = "risk to the general"
    RETEST = "morale to go on"
    DEFENSIVE_FIRE = "defender's fire"
    PURSUIT_MOVE = "pursuit move"
    WITNESS = "friends who see it go"
    STRAY_ROCKETS = "stray rockets"


class StoredPrompt(Model):
    """A test, move or answer that `unit` owes because of the fire, flight or melee of the unit `by`.

    For a reaction test, `routing` is whether the fleeing friends rout, which makes the test harder (MM-5.10).
    """

    key: str
    unit: str
    test: Test
    by: str = ""
    routing: bool = False
    failed: bool = False
    """Whether the test was failed, and a general may still have it thrown again (MM-6)."""
    lost_in_a_row: int = 0
    half_effect: bool = False
    """For defensive fire: whether it has half effect, because the attackers' move was short (MM-4.1)."""
    hits: int = 0
    """For stray rockets: the hits on the friends nearest the target; `by` is the target (MM-3.8)."""
    circumstances: tuple[str, ...] = ()
    """Circumstances of a failed test, kept for a re-roll (MM-6)."""
    secret: bool = False
    """Whether the failed test was thrown in secret; only its side and the umpire may then know its outcome."""


MOST_FIGURES = 500
"""Maximum figures of a unit at the start of a game."""


class MagdalaUnit(TableUnit):
    """A unit of figures (MM, "The unit")."""

    refers_to = ("parent", "general", "melee_with")

    troop: Troop
    figures: int = Field(ge=1, le=MOST_FIGURES)
    """Figures at the start; for a gun, the crew."""
    casualties: int = Field(default=0, ge=0, le=9999)
    order: Order = Order.CLOSE
    nation: Nation = Nation.NATIVE
    quality: int = Field(default=0, ge=-2, le=0)
    """Modifier of morale tests for inferior quality, known to everyone (MM-5.4)."""
    secret_quality: int = Field(default=0, ge=-2, le=2, json_schema_extra={"hidden": True})
    """The umpire's secret modifier of the unit's morale tests (MM-5.4); 0 in players' views until revealed."""
    secret_known: bool = False
    """Whether the umpire has revealed `secret_quality` (MM-5.4)."""
    weapon: Weapon = Weapon.MELEE
    magazine: bool = False
    poor_shots: bool = False
    regular: bool = False
    """Whether the unit fires and tests morale as regulars (MM-3.2, MM-5.4)."""
    european: bool = False
    british_equivalent: bool = False
    sharpshooter: bool = False
    sniper: bool = False
    fanatic: bool = False
    fierce: bool = False
    lancer: bool = False
    pre_maxim: bool = False
    gun_team: GunTeam = GunTeam.FOOT
    camels: bool = False
    afloat: bool = False
    """Whether the unit is aboard the riverboat, which keeps to the river (MM-A)."""
    may_detach_half: bool = False
    has_horses: bool = False
    """Whether the unit can mount and dismount; while it is on foot, its horses stand at `horses_at`."""
    mounted: bool = False
    limbered: bool = False
    horses_at: Place | None = None
    prone: bool = False
    in_square: bool = False
    works: Works = Works.NONE
    building_sangar: int = Field(default=0, ge=0, le=99)
    """Own turns that the unit has spent on building a sangar so far (MM-7)."""
    parent: str | None = None
    """Id of the unit that sent out this detachment; None for any other unit."""
    general: str | None = None
    """Id of the attached general."""
    health: Health = Health.WELL
    """Health of a leader: a general, native commander or imam."""
    ammunition: Exact = Field(default=Fraction(6), ge=0, le=99)
    """Rounds of ammunition left; a volley at full effect costs one (MM-3.9)."""
    ammunition_full: Exact = Field(default=Fraction(6), ge=0, le=99)
    """Ammunition at start and after refilling (MM-3.9)."""
    last_volley_fired: bool = False
    jammed: bool = False
    morale: Morale = Morale.STEADY
    half_effect_next_fire: bool = False
    held_turns: int = Field(default=0, ge=0, le=9999)
    """Own turns that the unit has spent pinned or halted from beginning to end (MM-5.1, MM-5.7)."""
    retreats_in_a_row: int = Field(default=0, ge=0, le=9999)
    """Retreats in a row after failed reaction tests (MM-5.10)."""
    pursuit_moves: int = Field(default=0, ge=0, le=9999)
    last_moved_turn: int | None = None
    """The last game turn in which the unit moved far enough to let cavalry charge next turn; None if never (MM-2.2)."""
    leaving: bool = False
    """Whether the fleeing unit makes for the edge of the table rather than for its supports (MM-5.9)."""
    on_supports: bool = False
    """Whether the unit, at half strength, has reached its supports (MM-5.9)."""
    flight_seen_by: tuple[str, ...] = ()
    """Ids of friends who need not test again because of this unit's present flight (MM-5.10)."""
    melee_with: str | None = None
    """Id of the melee opponent."""
    melee_attacker: bool = False
    melee_attack: Attack = Attack.FRONT
    """The side of the enemy that the unit attacked: front, flank or rear (MM-4.2)."""
    melee_round: int = Field(default=0, ge=0, le=9999)
    melee_lost_in_a_row: int = Field(default=0, ge=0, le=9999)
    this_turn: UnitTurn = UnitTurn()

    @property
    def noun(self) -> NounForm:
        """Return the grammatical number of the unit's name."""
        return NOUNS.get(self.troop, NounForm.MANY)

    @property
    def strength(self) -> int:
        """Return the figures or crew left."""
        return max(self.figures - self.casualties, 0)

    @property
    def on_table(self) -> bool:
        """Whether the unit is on the table with figures left."""
        return self.morale is not Morale.OFF_TABLE and self.casualties < self.figures

    @property
    def parent_id(self) -> str | None:
        """Return the id of the unit that sent out this detachment."""
        return self.parent

    @property
    def is_detachment(self) -> bool:
        """Whether the unit is a detachment of another unit."""
        return self.parent is not None

    @property
    def is_at_half_strength(self) -> bool:
        """Whether the unit has lost 50% of its figures or more (MM-5.9)."""
        return 2 * self.casualties >= self.figures


class MagdalaState(TableState[MagdalaUnit]):
    """A game of Magdala to Mafeking."""

    action_counters = ("events", "document")

    ruleset: str = "magdala"
    options: MagdalaOptions = MagdalaOptions()
    opened_by: str = ""
    """Id of the side that moves first in every turn; empty until that side's first turn has ended."""
    prompts: tuple[StoredPrompt, ...] = ()
    events: int = 0
    """Number of actions so far; it makes the keys of prompts unique."""
    ending: bool = False
    """Whether the active side has ended its turn; the other side's turn begins once no required prompt is open."""


MagdalaPlay = Play[MagdalaState]
