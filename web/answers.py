"""Bodies of requests, and answers with JSON."""

import asyncio
import json
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from .connections import receive

LEAST_COMPRESSED = 1024
"""Characters of JSON beyond which it is compressed."""

B = TypeVar("B", bound=BaseModel)


async def read_body(request: web.Request, model: type[B]) -> B:
    """Return the request's body. Raises ValidationError for a body that is no JSON or has other fields."""
    return model.model_validate_json(await receive(request))


async def answer_json(data: Any) -> web.Response:
    """Return the answer with `data` as JSON."""
    return answer_text(await asyncio.to_thread(json.dumps, data, separators=(",", ":")))


def answer_text(text: str) -> web.Response:
    """Return the answer with JSON, compressed for browsers that read it so, unless it is short."""
    response = web.json_response(text=text)
    if len(text) > LEAST_COMPRESSED:
        response.enable_compression()
    return response


def answer_error(status: int, reason: str) -> web.Response:
    """Return the answer that refuses a request, with the reason."""
    return web.json_response({"error": reason}, status=status)
