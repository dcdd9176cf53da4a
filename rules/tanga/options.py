"""Rulings and house values of Tanga 1914, changed for one game by `/umpire option`."""

from enum import StrEnum
from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from rules.core.state import Options


class Resolution(StrEnum):
    """Who resolves fire, melee and rally: the house rules, or the tables of the player's own box."""

    HOUSE = "house"
    OWN = "own"


def house(default: Any, rule: str, description: str, least: int | None = None, most: int | None = None) -> Any:
    """A value of the house game."""
    extra: JsonDict = {"rule": rule, "mark": "house"}
    return Field(default=default, description=description, ge=least, le=most, json_schema_extra=extra)


def ruling(default: Any, rule: str, description: str, least: int | None = None, most: int | None = None) -> Any:
    """A value that settles what the card leaves open."""
    extra: JsonDict = {"rule": rule, "mark": "ruling"}
    return Field(default=default, description=description, ge=least, le=most, json_schema_extra=extra)


class TangaOptions(Options):
    """Every ruling and house value of TA."""

    resolution: Resolution = house(Resolution.HOUSE, "TA-H", "Fire, melee and rally by house rules or your own box.")
    stack_limit: int = house(3, "TA-H.3", "Combat units to a hex, beside leaders.", 1, 6)
    rifle_range: int = house(3, "TA-H.5", "Hexes that rifles reach.", 1, 10)
    black_powder_range: int = house(2, "TA-H.5", "Hexes that black powder rifles reach.", 1, 10)
    machine_gun_range: int = house(4, "TA-H.5", "Hexes that machine guns reach.", 1, 10)
    artillery_range: int = house(10, "TA-H.5", "Hexes that artillery reaches.", 1, 30)
    support: int = house(1, "TA-H.5", "What each other good-order combat unit of the stack adds to TCF.", 0, 5)
    most_support: int = house(2, "TA-H.5", "Units that may so add.", 0, 5)
    improved_protection: int = house(1, "TA-H.2", "What an improved position adds to its hex's protection.", 0, 5)
    double_hit: int = house(2, "TA-H.5", "A natural throw of this or less on 2D6 hits twice.", 1, 12)
    standing_within: int = house(2, "TA-H.6", "Hexes within which Germans fire unless ordered otherwise.", 1, 10)
    retreat_hexes: int = ruling(3, "TA-9", "Hexes a disrupted unit, or the loser of a melee, retreats.", 1, 10)
    rout_hexes: int = house(6, "TA-H.9", "Hexes the units of a collapsed formation rout.", 1, 12)
    least_tcf: int = Field(
        default=2,
        description="The British do not fire with a TCF under this.",
        ge=0,
        le=12,
        json_schema_extra={"rule": "TA-4", "mark": "text"},
    )
    least_melee: int = Field(
        default=7,
        description="The British retreat from a melee with a hit chance under this.",
        ge=0,
        le=30,
        json_schema_extra={"rule": "TA-5", "mark": "text"},
    )
    advance_on: int = house(4, "TA-H.7", "D6 and EB with which the winner of a melee advances.", 1, 12)
    rally_with_leader: int = house(6, "TA-H.8", "2D6 at or under this and EB rallies a unit with a leader.", 1, 12)
    rally_alone: int = house(4, "TA-H.8", "2D6 at or under this rallies a unit without one.", 1, 12)
    wave: int = Field(
        default=4,
        description="Combat units of a landing wave.",
        ge=1,
        le=12,
        json_schema_extra={"rule": "TA-3", "mark": "text"},
    )
    ro_kept_beyond: int = ruling(3, "TA-9.C", "An RO hex is chosen anew when a German is within so many hexes.", 0, 10)
    near_a_beach: int = Field(
        default=5,
        description="Companies G and H go for Germans within so many hexes of a beach.",
        ge=0,
        le=30,
        json_schema_extra={"rule": "TA-9.B", "mark": "text"},
    )
