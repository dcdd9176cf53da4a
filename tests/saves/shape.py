"""The shape of what a system stores: every field of its states, actions, options and reports, with its default."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from rules.core.report import Report
from rules.core.sealed_dice import SealedThrow

Shape = dict[str, str]
"""Each field, `MagdalaUnit.figures`, and what may stand in it, as the JSON Schema has it, but for what it means."""

WORDS = ("title", "description", "rule", "mark")
"""Keys of a schema that say what a field means, not what it may be."""


def shape(system: Any) -> Shape:
    """The shape of all that the system stores."""
    models: list[type[BaseModel]] = [system.state_type, system.options_type, Report, SealedThrow]
    kinds = {f"action {kind}": action for kind, action in system.actions.items()}
    _, schema = models_json_schema([(model, "validation") for model in [*models, *kinds.values()]], by_alias=True)
    names = {action.__name__: kind for kind, action in kinds.items()}
    return dict(field for name, told in schema["$defs"].items() for field in _fields(names.get(name, name), told))


def _fields(name: str, told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "properties" not in told:
        yield name, _written(told)
        return
    required = told.get("required", ())
    for field, allowed in told["properties"].items():
        yield f"{name}.{field}", _written({"required": True, **allowed} if field in required else allowed)


def _written(allowed: Any) -> str:
    return json.dumps(_without_words(allowed), sort_keys=True, ensure_ascii=False)


def _without_words(allowed: Any) -> Any:
    if isinstance(allowed, dict):
        return {key: _without_words(value) for key, value in allowed.items() if key not in WORDS}
    return [_without_words(value) for value in allowed] if isinstance(allowed, list) else allowed
