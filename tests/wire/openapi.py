"""Check of the bot's requests against Discord's OpenAPI document, if `../shared/discord/openapi.json` exists."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DOCUMENT = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"
DOCUMENT_URI = "urn:discord"


@cache
def _document() -> dict[str, Any]:
    return json.loads(DOCUMENT.read_text(encoding="utf-8")) if DOCUMENT.exists() else {}


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resource(DOCUMENT_URI, Resource(contents=_document(), specification=DRAFT202012))


@cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    """Return every path template with its pattern, templates with the fewest parameters first."""
    paths = sorted(_document().get("paths", ()), key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$"), path) for path in paths]


@cache
def _find_operation(method: str, path: str) -> tuple[str, dict[str, Any]] | None:
    """Return the path template and operation of a request, or None if Discord has no such request."""
    template = next((template for pattern, template in _paths() if pattern.match(path)), None)
    operation = _document()["paths"].get(template, {}).get(method.casefold())
    return None if template is None or operation is None else (template, operation)


@cache
def _validator(method: str, template: str) -> Draft202012Validator:
    pointer = "/".join(
        part.replace("~", "~0").replace("/", "~1")
        for part in ("paths", template, method.casefold(), "requestBody", "content", "application/json", "schema")
    )
    return Draft202012Validator({"$ref": f"{DOCUMENT_URI}#/{pointer}"}, registry=_registry())


def _find_cause(error: ValidationError) -> ValidationError:
    """Return the innermost error of the alternative whose `type` matches; other alternatives were not meant."""
    alternatives: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(inner.relative_schema_path[0], []).append(inner)
    for inside in alternatives.values():
        if not any(list(inner.relative_path)[-1:] == ["type"] or inner.validator == "type" for inner in inside):
            return _find_cause(max(inside, key=lambda inner: len(inner.absolute_path)))
    return error


def _normalize_body(body: Any) -> Any:
    """Return the body with ids of attachments and users as strings. Discord also accepts the numbers of discord.py."""
    if not isinstance(body, dict):
        return body
    changed = {name: _normalize_body(value) for name, value in body.items() if name == "data"}
    if isinstance(body.get("attachments"), list):
        changed["attachments"] = [{**attachment, "id": str(attachment["id"])} for attachment in body["attachments"]]
    if "users" in (mentions := body.get("allowed_mentions") or {}):
        changed["allowed_mentions"] = {**mentions, "users": [str(user) for user in mentions["users"]]}
    return {**body, **changed}


def find_errors(method: str, path: str, body: Any) -> list[str]:
    """Return the errors of a request by Discord's document; an empty list if the document is missing."""
    if not _document():
        return []
    match = _find_operation(method, re.sub(r"/token-\d+", "/token", path))
    if match is None:
        return [f"{method} {path}: Discord knows no such request"]
    template, operation = match
    if "application/json" not in operation.get("requestBody", {}).get("content", {}):
        return [] if body is None else [f"{method} {path}: takes no body"]
    errors = (_find_cause(error) for error in _validator(method, template).iter_errors(_normalize_body(body)))
    return [f"{method} {path}: {error.json_path} {error.message[:500]}" for error in errors]
