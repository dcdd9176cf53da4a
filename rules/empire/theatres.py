"""The theatres of war, an option of a game (BE-6)."""

from enum import StrEnum


class Theatre(StrEnum):
    """Whose conduct charts are used; all types is the general one (BE-6)."""

    ALL_TYPES = "all types"
    ZULU_WAR = "Zulu War"
    SUDAN = "Sudan"
    FRONTIER = "North West Frontier and Afghanistan"
