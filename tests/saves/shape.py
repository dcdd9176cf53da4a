"""The shape of a system's stored data: every field of states, actions, options and reports, with its default."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from rules.core.report import Report
from rules.core.sealed_dice import SealedThrow

Shape = dict[str, str]
"""JSON Schema of each field, such as `MagdalaUnit.figures`, without descriptions."""

DESCRIPTION_KEYS = ("title", "description", "rule", "mark")
"""Keys of a schema that describe a field without restricting its values."""


def describe_shape(system: Any) -> Shape:
    """Return the shape of all data that the system stores."""
    models: list[type[BaseModel]] = [system.state_type, system.options_type, Report, SealedThrow]
    kinds = {f"action {kind}": action for kind, action in system.actions.items()}
    _, schema = models_json_schema([(model, "validation") for model in [*models, *kinds.values()]], by_alias=True)
    names = {action.__name__: kind for kind, action in kinds.items()}
    return dict(
        field for name, definition in schema["$defs"].items() for field in _fields(names.get(name, name), definition)
    )


def _fields(name: str, definition: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "properties" not in definition:
        yield name, _to_json(definition)
        return
    required = definition.get("required", ())
    for field, allowed in definition["properties"].items():
        yield f"{name}.{field}", _to_json({"required": True, **allowed} if field in required else allowed)


def _to_json(allowed: Any) -> str:
    return json.dumps(_remove_descriptions(allowed), sort_keys=True, ensure_ascii=False)


def _remove_descriptions(allowed: Any) -> Any:
    if isinstance(allowed, dict):
        return {key: _remove_descriptions(value) for key, value in allowed.items() if key not in DESCRIPTION_KEYS}
    return [_remove_descriptions(value) for value in allowed] if isinstance(allowed, list) else allowed
