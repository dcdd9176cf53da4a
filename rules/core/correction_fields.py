"""Find what the umpire may correct in a system's games, unit fields and options, from the type of the state."""

from collections.abc import Mapping
from typing import Generic

from pydantic.fields import FieldInfo

from . import fields
from .state import Options, S
from .upgrades import StoredDataFormat


class CorrectionFields(StoredDataFormat[S], Generic[S]):
    """The part of a system's contract that follows from its `state_type`."""

    @property
    def editable(self) -> Mapping[str, FieldInfo]:
        """Return the unit fields that the umpire may `set`, by name; `fields.values` has the words for each."""
        return fields.editable(fields.unit_type(self.state_type))

    @property
    def secrets(self) -> Mapping[str, FieldInfo]:
        """Return the unit fields that only the umpire knows and sets by `secret`, by name."""
        return fields.secrets(fields.unit_type(self.state_type))

    @property
    def options_type(self) -> type[Options]:
        """Return the type of the system's options, taken from the state's field `options`."""
        found = self.state_type.model_fields["options"].annotation
        return found if isinstance(found, type) and issubclass(found, Options) else Options

    @property
    def option_fields(self) -> Mapping[str, FieldInfo]:
        """Return the options that the umpire may change, by name."""
        return fields.settable(self.options_type)
