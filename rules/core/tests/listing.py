"""Lists of a system's options and of the bounds of its stored fields, as lines of text for comparison."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from rules.core.fields import cite_of
from rules.core.model import Cite
from rules.core.options import Options
from rules.core.ruleset import Ruleset

BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)

CORE_TYPES = ("AddUnit", "Cite", "Marker", "Objective", "Place", "Side", "TerrainPiece")
"""Types of the core that systems use. They are listed with the core, not with each system."""


def list_options(options: type[Options]) -> str:
    """Return a line for each option of the system: rule, mark, name, default, and the bounds of a number."""
    lines = []
    for name, field in options.model_fields.items():
        if name in Options.model_fields:
            continue
        cite = cite_of(field, Cite(rule="none"))
        bounds = (getattr(constraint, kind, None) for kind in ("ge", "le") for constraint in field.metadata)
        iterate_bounds = [str(bound) for bound in bounds if bound is not None]
        lines.append(
            " ".join((cite.rule, cite.mark.value, name, str(field.default), " to ".join(iterate_bounds))).rstrip()
        )
    return "\n".join(lines)


def list_stored_bounds(system: Ruleset[Any]) -> str:
    """Return the bounds of the system's states and actions, without options, names and types of the core."""
    lines = dict.fromkeys(iterate_bounds(system.state_type, *system.actions.values()))
    elsewhere = (*CORE_TYPES, system.options_type.__name__)
    return "\n".join(line for line in lines if line.split()[0] not in elsewhere and not line.endswith(" to 80"))


def iterate_bounds(*types: type[BaseModel]) -> Iterator[str]:
    """Yield a line for each numeric field of the types and of their parts: its bounds and default."""
    parts: dict[str, Mapping[str, Any]] = {}
    for model in types:
        schema = model.model_json_schema()
        parts |= {model.__name__: schema, **schema.get("$defs", {})}
    for name, part in parts.items():
        for field, described in part.get("properties", {}).items():
            yield from _field_bounds(f"{name} {field}", described)


def _field_bounds(name: str, described: Mapping[str, Any]) -> Iterator[str]:
    for shape in (described, *described.get("anyOf", ()), described.get("items", {})):
        ranges = [f"{shape.get(low, '')} to {shape.get(high, '')}" for low, high in BOUNDS if {low, high} & {*shape}]
        usual = shape.get("default")
        if isinstance(usual, int | float) and not isinstance(usual, bool):
            ranges.append(f"usually {usual}")
        if ranges:
            yield f"{name} {' '.join(ranges)}".replace("  ", " ").rstrip()
