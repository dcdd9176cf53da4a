"""The units and the state of Magdala to Mafeking: everything a table of figures remembers (MM, "The unit")."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from pydantic import Field

from rules.core.agreement import Noun
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


NOUNS: Mapping[Troop, Noun] = {
    **dict.fromkeys((Troop.GENERAL, Troop.NATIVE_COMMANDER, Troop.IMAM), Noun.MAN),
    **dict.fromkeys((Troop.FIELD_ARTILLERY, Troop.HEAVY_ARTILLERY, Troop.MACHINE_GUN, Troop.MOUNTAIN_GUN), Noun.THING),
    **dict.fromkeys((Troop.POM_POM, Troop.ROCKET, Troop.WAGON), Noun.THING),
}
"""Grammatical number by troop: leaders are male, guns and wagons things, others plural."""


class Weapon(StrEnum):
    """What a unit fires with; rows of the range chart (MM-3.6). `MELEE` fires nothing."""

    BREECHLOADER = "breechloading rifles"
    OTHER_SMALL_ARMS = "other small arms"
    FIELD_GUN = "field artillery"
    HEAVY_GUN = "heavy artillery"
    MACHINE_GUN = "machine gun"
    LIGHT_GUN = "mountain gun or pom-pom"
    ROCKET = "rocket"
    MELEE = "melee weapons"


class Order(StrEnum):
    """Close order, or skirmish order."""

    CLOSE = "close"
    SKIRMISH = "skirmish"


class Nation(StrEnum):
    """Nations that the rules tell apart; `NATIVE` and `EUROPEAN` are everyone else."""

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
    """What a unit is behind (MM-7), or the ground that covers it (MM-3.4)."""

    NONE = "in the open"
    COVER = "in cover"
    ROUGH = "in rough going"
    ZAREBA = "behind a zareba"
    SANDBAGS = "behind wagons or sandbags"
    EARTHWORKS = "behind earthworks"
    SANGAR = "behind a sangar"


class Attack(StrEnum):
    """Where an attack meets its enemy (MM-4.2)."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


class Morale(StrEnum):
    """State of a unit (MM-5). `OFF_TABLE` has left the field or is destroyed."""

    STEADY = "steady"
    PINNED = "pinned"
    HALTED = "halted"
    RETREATING = "retreating"
    ROUTED = "routed"
    PURSUING = "pursuing"
    OFF_TABLE = "off table"


class GunTeam(StrEnum):
    """How a field gun is drawn, and so its rate in good going (MM-2.4)."""

    FOOT = "foot"
    LIGHT = "light"
    HORSE = "horse"


class Health(StrEnum):
    """State of a general (MM-6)."""

    WELL = "well"
    WOUNDED = "wounded"
    KILLED = "killed"


class ThisTurn(Model):
    """What the turn remembers of a unit; cleared as the rules say when turns pass."""

    moved: float = 0.0
    """Inches moved in its own turn."""
    marched: bool = False
    """It has made its move of this turn, however short, or lain down or got up instead of it (MM-3.4)."""
    changed_order: bool = False
    """It took another order in its own turn: close, skirmish, or square (MM-2.1)."""
    half_turn_spent: bool = False
    """Half a turn went on mounting or dismounting (MM-2.3)."""
    whole_turn_spent: bool = False
    """A full turn went on limbering, unlimbering or refilling (MM-2.4, MM-3.9)."""
    charged: bool = False
    advanced: bool = False
    """It moved nearer to the enemy: fire may halt it (MM-5.1), fanatics are advancing (MM-5.4)."""
    fired_full: bool = False
    fired_half: bool = False
    tried_to_clear: bool = False
    reformed: bool = False
    """It sent out or took back a detachment (MM-1)."""
    retested: bool = False
    under_fire: bool = False
    fire_casualties: int = 0
    """Casualties by fire since the turn of the side now active began."""
    figures_at_start: int = 0
    """Figures at the turn's beginning; 0 if not recorded."""
    tested_casualties: int = 0
    """Of the fire casualties, those a test (or an automatic halt) has already answered for (MM-5.2)."""
    halted: bool = False
    """Whether pinned or halted since the active side's turn began; that turn then does not count as held."""
    retreated: bool = False
    """It has made a retreat move in its own turn (MM-5.7)."""
    fought: bool = False
    """It has fought a round of melee in the turn of the side now active (MM-4.5)."""
    fought_with: tuple[str, ...] = ()
    """Ids of the enemies against whom it has fought that turn's round (MM-4.5)."""
    lost_round: bool = False
    """It has lost a round of melee in that turn (MM-5.4)."""

    @property
    def has_moved(self) -> bool:
        """Whether the unit used its move or was carried."""
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
    """Tests a unit can owe (MM-5)."""

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
    """What the game waits for of a unit; `by` is the unit whose fire, flight or blows it comes of.

    `routing` matters to a reaction test: friends rout past (-1), rather than retreat (MM-5.10).
    """

    key: str
    unit: str
    test: Test
    by: str = ""
    routing: bool = False
    failed: bool = False
    """Thrown and failed, but a general with the unit may still re-roll it (MM-6)."""
    lost_in_a_row: int = 0
    half_effect: bool = False
    """Of a defender's fire: the attackers moved under 9" (MM-4.1)."""
    hits: int = 0
    """Of rockets gone astray: what falls on the friends nearest the target, `by` (MM-3.8)."""
    circumstances: tuple[str, ...] = ()
    """Circumstances of a failed test, kept for a re-roll (MM-6)."""
    secret: bool = False
    """Whether the failed test was secret, with all consequences."""


MOST_FIGURES = 500
"""Of a unit, at start."""


class MagdalaUnit(TableUnit):
    """A unit of figures (MM, "The unit")."""

    refers_to = ("parent", "general", "melee_with")

    troop: Troop
    figures: int = Field(ge=1, le=MOST_FIGURES)
    """Figures at start, or crew."""
    casualties: int = Field(default=0, ge=0, le=9999)
    order: Order = Order.CLOSE
    nation: Nation = Nation.NATIVE
    quality: int = Field(default=0, ge=-2, le=0)
    """Inferior quality everyone knows of (MM-5.4)."""
    secret_quality: int = Field(default=0, ge=-2, le=2, json_schema_extra={"hidden": True})
    """The umpire's hidden modifier of its morale tests (MM-5.4); never in a player's view."""
    secret_known: bool = False
    """The umpire has revealed it (MM-5.4)."""
    weapon: Weapon = Weapon.MELEE
    magazine: bool = False
    poor_shots: bool = False
    regular: bool = False
    """Regulars volley, round and defend as such (MM-3.2, MM-5.4); follows troop and list."""
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
    """Aboard the riverboat (MM-A): it keeps to the river."""
    may_detach_half: bool = False
    has_horses: bool = False
    """Mounted troops that can dismount; with `horses_at` when on foot (Boer bug out)."""
    mounted: bool = False
    limbered: bool = False
    horses_at: Place | None = None
    prone: bool = False
    in_square: bool = False
    works: Works = Works.NONE
    building_sangar: int = Field(default=0, ge=0, le=99)
    """Own moves spent on a sangar so far (MM-7)."""
    parent: str | None = None
    """Id of the unit it was detached from; a detachment exactly while set."""
    general: str | None = None
    """Id of the attached general."""
    health: Health = Health.WELL
    """Of a general, native commander or imam."""
    ammunition: Exact = Field(default=Fraction(6), ge=0, le=99)
    """Turns of full effect left, counted in halves (MM-3.9)."""
    ammunition_full: Exact = Field(default=Fraction(6), ge=0, le=99)
    """Ammunition at start and after refilling (MM-3.9)."""
    last_volley_fired: bool = False
    jammed: bool = False
    morale: Morale = Morale.STEADY
    half_effect_next_fire: bool = False
    held_turns: int = Field(default=0, ge=0, le=9999)
    """Own turns wholly spent pinned or halted (MM-5.1, MM-5.7)."""
    retreats_in_a_row: int = Field(default=0, ge=0, le=9999)
    """By failed reaction tests (MM-5.10)."""
    pursuit_moves: int = Field(default=0, ge=0, le=9999)
    last_moved_turn: int | None = None
    """The game turn in which it last moved on its own turn: cavalry never charges from the halt (MM-2.2)."""
    leaving: bool = False
    """Retreating, it makes for the edge of the field rather than for its supports (MM-5.9)."""
    on_supports: bool = False
    """At half strength, and back with its supports (MM-5.9)."""
    flight_seen_by: tuple[str, ...] = ()
    """Ids of friends who have already been made to test by its present retreat or rout (MM-5.10)."""
    melee_with: str | None = None
    """Id of the melee opponent."""
    melee_attacker: bool = False
    melee_attack: Attack = Attack.FRONT
    """Where it attacked its enemy (MM-4.2)."""
    melee_round: int = Field(default=0, ge=0, le=9999)
    melee_lost_in_a_row: int = Field(default=0, ge=0, le=9999)
    this_turn: ThisTurn = ThisTurn()

    @property
    def noun(self) -> Noun:
        """Return the grammatical number."""
        return NOUNS.get(self.troop, Noun.MANY)

    @property
    def strength(self) -> int:
        """Figures or crew left."""
        return max(self.figures - self.casualties, 0)

    @property
    def on_table(self) -> bool:
        """Still in the game."""
        return self.morale is not Morale.OFF_TABLE and self.casualties < self.figures

    @property
    def is_detachment(self) -> bool:
        """Sent out by another unit."""
        return self.parent is not None

    @property
    def half_strength(self) -> bool:
        """At 50% casualties or worse (MM-5.9)."""
        return 2 * self.casualties >= self.figures


class MagdalaState(TableState[MagdalaUnit]):
    """A game of Magdala to Mafeking."""

    deed_counters = ("events", "document")

    ruleset: str = "magdala"
    options: MagdalaOptions = MagdalaOptions()
    opened_by: str = ""
    """The side that has the first half of every turn; known once the first half is over."""
    prompts: tuple[StoredPrompt, ...] = ()
    events: int = 0
    """Counts actions, for the keys of prompts."""
    ending: bool = False
    """Whether the active side ended its turn, which passes once no choice is left."""


MagdalaPlay = Play[MagdalaState]
