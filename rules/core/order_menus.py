"""Parts of menus of orders: headings, orders in force, and forms with fields."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from .model import Model
from .state import Action, State

S = TypeVar("S", bound=State, contravariant=True)


class FormField(Model):
    """A field of a form: free text, one or `several` choices, or a place clicked on the map."""

    name: str
    words: str
    choices: tuple[str, ...] = ()
    several: bool = False
    is_place: bool = False


class OrderForm(Model):
    """A form for an order whose values no menu can list. `kind` is the kind of action, `words` is the form's name."""

    kind: str
    words: str
    heading: str = ""
    fields: tuple[FormField, ...]


class OrderMenus(Protocol[S]):
    """A system's additions to the menus of orders: headings, orders in force, and forms."""

    def heading(self, action: Action) -> str:
        """Return the heading under which a menu lists an action; empty for the kind's default heading."""

    def is_in_force(self, state: S, action: Action) -> bool:
        """Whether the unit already has this order."""

    def forms(self, state: S, unit: str) -> Iterable[OrderForm]:
        """Yield the forms for orders of a unit (by id)."""
