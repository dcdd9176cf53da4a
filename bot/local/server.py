"""What the browser is given of the local table: SimCord's page with a few changes, pictures, and how a tab stands."""

import io
import time
from typing import Any

from aiohttp import web
from PIL import Image
from simcord.preview import Preview
from simcord.preview._media import MAX_DIMENSION, MAX_PIXELS, MediaInfo, MediaWorker
from simcord.preview._server import PreviewServer

_FOCUSED = 'const current = String(field.value || "");'
_ASK = (
    "if (!autocompleteResults.has(autocompleteKey(currentDraft(), option.name, current)))"
    " queryAutocomplete(option, current);"
)
_SCROLLED = 'if (state.scrollIntent.policy === "bottom") ui'
_STAY = (
    'if (was?.policy === "bottom" && ui.timeline.scrollTop >= (was.oldScrollTop ?? 0))'
    " state.scrollIntent = { ...was, oldScrollTop: ui.timeline.scrollTop };"
)
_WAS = 'if (!state.ready && state.scrollIntent?.policy === "target") return;'
_LAID = "ui.historyNewer.hidden = !snapshot.history?.hasAfter;"
_SIZED, _COME = "image.height = height;", "image.width = displayWidth;"
_KEEPS_ROOM = "image.style.aspectRatio = `${width} / ${height}`; image.style.display = 'block';"
_GALLERY = ".gallery-image { width: 100%; height: auto; }"
_AS_WIDE = (
    "@container preview (max-width: 600px) {"
    " .component-container > .component-gallery { width: calc(100% + 26px); margin-inline: -13px; } }"
)
CHANGED = {
    # In a tab as wide as a telephone a picture is as wide as Discord shows it there, 300 pixels, and not 275.
    "/preview.css": ((_GALLERY, f"{_GALLERY} {_AS_WIDE}"),),
    # A tab asks whether anything is new; twice a second, an answer would stand unread for half a second.
    "/session.js": (("interval = 500", "interval = 150"),),
    # Who is at the newest message stays there when its picture has come; only who scrolls up goes away from it.
    "/timeline.js": (
        (_WAS, f"{_WAS} const was = state.scrollIntent;"),
        (_SCROLLED, f"{_STAY} {_SCROLLED}"),
        ("clientHeight <= 1 ?", "clientHeight <= 48 ?"),
        # A menu that opens has all messages laid out anew: unless they stand where they stood, it closes at once.
        (_LAID, f"{_LAID} reconcileScrollIntent();"),
    ),
    # A picture that is laid out anew keeps its room until it has come, so that nothing below it leaps away.
    "/media.js": ((_SIZED, f"{_SIZED} {_KEEPS_ROOM}"), (_COME, f"{_COME} image.style.aspectRatio = '';")),
    # As on Discord, an option with names shows them when it is clicked, before a letter is typed.
    "/commands.js": (
        (_FOCUSED, f"{_FOCUSED} {_ASK}"),
        ('"Loading options failed" : "No', '"Loading options failed" : autocomplete.state === "loading" ? "…" : "No'),
    ),
}
"""What is written otherwise in the files of SimCord's page."""


def otherwise(path: str, text: str) -> str:
    """Return a file of SimCord's page as the local table gives it. Raises LookupError where SimCord is another."""
    for there, here in CHANGED.get(path, ()):
        if text.count(there) != 1:
            raise LookupError(f"{path} of SimCord has not just one {there!r}")
        text = text.replace(there, here)
    return text


class Pictures(MediaWorker):
    """Gives a PNG that stands still as it is; SimCord draws each anew, in a process started for it."""

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Return what the page must know of a picture. Raises SimCord's MediaError."""
        size = size_of(blob)
        if size is None:
            return await super().validate(key, blob, media_time=media_time)
        width, height = size
        return MediaInfo("PNG", width, height, 1, width * height * 4, blob, "image/png", memory_limited=True)


def size_of(blob: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG that stands still and upright, read from its head; None: it is something else."""
    if not blob.startswith(b"\x89PNG") or b"eXIf" in blob or b"acTL" in blob:
        return None
    try:
        width, height = Image.open(io.BytesIO(blob)).size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return (width, height) if max(width, height) <= MAX_DIMENSION and width * height <= MAX_PIXELS else None


class Server(PreviewServer):
    """Gives a tab that asks again what it was given before, where nothing changed since."""

    def __init__(self, preview: Preview, port: int = 0) -> None:
        super().__init__(preview, port)
        self._given: dict[str, tuple[Any, Any]] = {}

    async def _static(self, request: Any) -> Any:
        response = await super()._static(request)
        if request.path in CHANGED:
            response.text = otherwise(request.path, response.text)
        return response

    async def _state(self, request: Any) -> Any:
        context = request.headers.get("X-Simcord-Context")
        tab = self.preview._pages.get(context)
        if tab is None or not self._authorized(request, context=context):
            return await super()._state(request)
        last = tab.last_action or {}
        ready = sum(asset.validated for asset in tab.assets.values())
        mark = tab.revision, tab.status, ready, last.get("correlation"), last.get("settlement"), last.get("revision")
        known, body = self._given.get(tab.id, (None, None))
        if known != mark:
            body = (await super()._state(request)).body
            for closed in self._given.keys() - self.preview._pages.keys():
                del self._given[closed]
            self._given[tab.id] = mark, body
        tab.last_activity = time.monotonic()
        return web.Response(body=body, content_type="application/json", headers=self._SECURITY_HEADERS)
