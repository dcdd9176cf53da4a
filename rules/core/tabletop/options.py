"""Options of every game on a table in inches."""

from rules.core.state import Options, house


class TableOptions(Options):
    """What each system's options begin with."""

    sight: float = house(
        6, "the umpire", "Inches at which an enemy in clear view sees a hidden unit; 0: nobody comes to see it.", 0, 240
    )
