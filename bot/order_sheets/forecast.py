"""The expected result of an order."""

from dataclasses import dataclass

from rules.core.action_type import Chance

from .model import SheetOrder


@dataclass(frozen=True)
class OrderForecast:
    """Expected result of an order. `words` describe the order. `about` is true if the result depends on dice."""

    order: SheetOrder
    words: str
    chances: tuple[tuple[Chance, ...], ...] = ()
    """The chances of each unit, as on an action button. Equal chances appear once."""
    about: bool = False
    warnings: tuple[str, ...] = ()
    foreseen: tuple[str, ...] = ()
    """Expected course of the order, such as a march hex by hex; one line per unit."""
    prevented: tuple[str, ...] = ()
    """Refusals for units that cannot carry out the order."""
    unmet: tuple[str, ...] = ()
    """Why units would leave the order undone in the expected state, such as `no enemy is within 12"`."""
    idle: tuple[str, ...] = ()
    """The units (by id) that would leave the order undone."""
    undone: tuple[str, ...] = ()
    """The units (by id) that would leave the order undone or be refused."""

    @property
    def condition_note(self) -> str:
        """A note whether the order's conditions hold in the expected state; empty without conditions."""
        if not self.unmet:
            holds = self.order.conditions and not self.order.why
            return "◆ Its condition holds as things stand." if holds else ""
        verb = "Left undone" if self.order.unmet else "Would be left undone"
        some = f" by {len(self.idle)} of {len(self.order.units)}" if len(self.idle) < len(self.order.units) else ""
        return f"◇ {verb}{some}: {self.unmet[0]}."
