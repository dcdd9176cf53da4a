"""The files of the page: HTML, scripts and styles. They are read once."""

import asyncio
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from aiohttp import web

FOLDER = files("web") / "page"
TYPES: Mapping[str, str] = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


class PageFile(NamedTuple):
    """A file with its content type, and an ETag that identifies its version."""

    body: bytes
    kind: str
    tag: str


@cache
def _read_files() -> Mapping[str, PageFile]:
    """Return the page's files by name."""
    contents = ((file.name, file.read_bytes()) for file in FOLDER.iterdir() if _content_type(file.name) is not None)
    return {
        name: PageFile(body, _content_type(name) or "", hashlib.sha256(body).hexdigest()[:16])
        for name, body in contents
    }


def _content_type(name: str) -> str | None:
    return TYPES.get(f".{name.rpartition('.')[2]}")


async def answer_page_file(request: web.Request, name: str) -> web.Response:
    """Answer with one of the page's files. Raises HTTPNotFound for any other name."""
    file = (await asyncio.to_thread(_read_files)).get(name)
    if file is None:
        raise web.HTTPNotFound
    if any(tag.value == file.tag for tag in request.if_none_match or ()):
        response = web.Response(status=304)
    else:
        response = web.Response(body=file.body, content_type=file.kind, charset="utf-8")
        response.enable_compression()
    response.etag = file.tag
    return response
