"""Read the bodies of requests, and make JSON answers."""

import asyncio
import json
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from .connections import receive_body

LEAST_COMPRESSED = 1024
"""Number of characters beyond which an answer is compressed."""

B = TypeVar("B", bound=BaseModel)


async def read_body(request: web.Request, model: type[B]) -> B:
    """Return a request's body as an object of the class `model`. Raises ValidationError for wrong JSON or fields."""
    return model.model_validate_json(await receive_body(request))


async def answer_json(data: Any) -> web.Response:
    """Return an answer with `data` as JSON."""
    return answer_text(await asyncio.to_thread(json.dumps, data, separators=(",", ":")))


def answer_text(text: str) -> web.Response:
    """Return an answer whose JSON is `text`. A long text is compressed for browsers that accept compression."""
    response = web.json_response(text=text)
    if len(text) > LEAST_COMPRESSED:
        response.enable_compression()
    return response


def answer_error(status: int, reason: str) -> web.Response:
    """Return an answer with an HTTP error status, and with the reason as JSON."""
    return web.json_response({"error": reason}, status=status)
