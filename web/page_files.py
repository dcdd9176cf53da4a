"""The files of the page: HTML, scripts and styles, read once."""

import asyncio
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from aiohttp import web

FOLDER = files("web") / "page"
TYPES: Mapping[str, str] = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


@cache
def _read_files() -> Mapping[str, tuple[bytes, str]]:
    """Return the page's files by name, each with its content type."""
    found = ((file, TYPES.get(f".{file.name.rpartition('.')[2]}")) for file in FOLDER.iterdir())
    return {file.name: (file.read_bytes(), kind) for file, kind in found if kind is not None}


async def page_file(name: str) -> web.Response:
    """Return the answer with one of the page's files. Raises HTTPNotFound for any other name."""
    found = (await asyncio.to_thread(_read_files)).get(name)
    if found is None:
        raise web.HTTPNotFound
    return web.Response(body=found[0], content_type=found[1], charset="utf-8")
