"""Options that all games on tables share."""

from rules.core.options import Options, house

BY_UMPIRE = "the umpire"


class TableOptions(Options):
    """Base class of a system's options."""

    hidden_troops: bool = house(
        False, BY_UMPIRE, "Whether units may be hidden: of these the other side sees nothing until they are found."
    )
    deploy_in_secret: bool = house(
        False, BY_UMPIRE, "Whether each side puts its units on unseen by the other, until the battle begins."
    )
    sight: int = house(
        0,
        BY_UMPIRE,
        "Inches from which a hidden unit is seen over open ground; with 0 it is found only by contact.",
        0,
        240,
    )
    marker_move: float = house(8, BY_UMPIRE, "Inches that a marker may move in each turn of its side.", 0, 72)
