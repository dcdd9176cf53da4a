"""The web server of the local table. It serves SimCord's page with patches, pictures, and the state of each tab."""

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
_SENDS = "} else if (content.trim()) {"
_PICK = (
    "A command is picked from the list, not pasted: type / and its name, press Enter, fill in its fields, then send it."
)
_NO_COMMAND_AS_CHAT = (
    '} else if (content.trim().startsWith("/")) {'
    f' currentInput.setCustomValidity("{_PICK}"); currentInput.reportValidity();'
    ' setTimeout(() => currentInput.setCustomValidity(""), 8000); '
)
PATCHES = {
    # A pasted command would be sent as chat, which nothing answers.
    "/composer.js": ((_SENDS, f"{_NO_COMMAND_AS_CHAT}{_SENDS}"),),
    # In a tab of telephone width, show pictures as wide as Discord does: 300 pixels, not 275.
    "/preview.css": ((_GALLERY, f"{_GALLERY} {_AS_WIDE}"),),
    "/": (
        ("<title>SimCord Preview</title>", "<title>Umpire: the local table</title>"),
        (
            '<span class="brand-mark" aria-hidden="true">S</span>',
            '<span class="brand-mark" aria-hidden="true">U</span>',
        ),
        ("<strong>SimCord</strong><small>Preview</small>", "<strong>Umpire</strong><small>Local table</small>"),
        ('aria-label="SimCord preview"', 'aria-label="Umpire: the local table"'),
        ("End preview session", "Close the local table"),
    ),
    # The interval at which a tab polls for news: with 500 ms, an answer could stay unseen for half a second.
    "/session.js": (("interval = 500", "interval = 150"),),
    # A page at the newest message stays there when the message's picture is loaded, unless the user scrolls up.
    "/timeline.js": (
        (_WAS, f"{_WAS} const was = state.scrollIntent;"),
        (_SCROLLED, f"{_STAY} {_SCROLLED}"),
        ("clientHeight <= 1 ?", "clientHeight <= 48 ?"),
        # An opening menu makes the page lay out all messages again; if one moves, the menu closes at once.
        (_LAID, f"{_LAID} reconcileScrollIntent();"),
    ),
    # A picture keeps its space until it is loaded, so that nothing below it jumps.
    "/media.js": ((_SIZED, f"{_SIZED} {_KEEPS_ROOM}"), (_COME, f"{_COME} image.style.aspectRatio = '';")),
    # As on Discord, a click on an option with autocompletion shows its choices.
    "/commands.js": (
        (_FOCUSED, f"{_FOCUSED} {_ASK}"),
        ('"Loading options failed" : "No', '"Loading options failed" : autocomplete.state === "loading" ? "…" : "No'),
    ),
}
"""Replacements in the files of SimCord's page: for each path, pairs of old and new text."""


def patch_file(path: str, text: str) -> str:
    """Return the text of a file of SimCord's page after the replacements in PATCHES.

    Raises LookupError unless each text to replace occurs exactly once.
    """
    for old, new in PATCHES.get(path, ()):
        if text.count(old) != 1:
            raise LookupError(f"{path} of SimCord has not just one {old!r}")
        text = text.replace(old, new)
    return text


class PictureValidator(MediaWorker):
    """Validates pictures, and sends still PNGs unchanged. SimCord would convert each picture in a new process."""

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Return the picture with its properties for the page. Raises SimCord's MediaError."""
        size = read_still_png_size(blob)
        if size is None:
            return await super().validate(key, blob, media_time=media_time)
        width, height = size
        return MediaInfo("PNG", width, height, 1, width * height * 4, blob, "image/png", memory_limited=True)


def read_still_png_size(blob: bytes) -> tuple[int, int] | None:
    """Return the width and the height in pixels of a still, upright PNG; None for any other or too large picture."""
    if not blob.startswith(b"\x89PNG") or b"eXIf" in blob or b"acTL" in blob:
        return None
    try:
        width, height = Image.open(io.BytesIO(blob)).size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return (width, height) if max(width, height) <= MAX_DIMENSION and width * height <= MAX_PIXELS else None


class CachingServer(PreviewServer):
    """Web server that answers a polling tab from a cache if nothing has changed since the tab's last answer."""

    def __init__(self, preview: Preview, port: int = 0) -> None:
        super().__init__(preview, port)
        self._answers: dict[str, tuple[Any, Any]] = {}

    async def _static(self, request: Any) -> Any:
        response = await super()._static(request)
        if request.path in PATCHES:
            response.text = patch_file(request.path, response.text)
        return response

    async def _state(self, request: Any) -> Any:
        context = request.headers.get("X-Simcord-Context")
        tab = self.preview._pages.get(context)
        if tab is None or not self._authorized(request, context=context):
            return await super()._state(request)
        last = tab.last_action or {}
        ready = sum(asset.validated for asset in tab.assets.values())
        mark = tab.revision, tab.status, ready, last.get("correlation"), last.get("settlement"), last.get("revision")
        last_mark, body = self._answers.get(tab.id, (None, None))
        if last_mark != mark:
            body = (await super()._state(request)).body
            for closed in self._answers.keys() - self.preview._pages.keys():
                del self._answers[closed]
            self._answers[tab.id] = mark, body
        tab.last_activity = time.monotonic()
        return web.Response(body=body, content_type="application/json", headers=self._SECURITY_HEADERS)
