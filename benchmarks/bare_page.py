"""Minimal page with a map: aiohttp, one script, one picture and one JSON, all in memory."""

from aiohttp import web

PAGE = """<!doctype html><meta charset="utf-8"><title>bare</title><svg id="map" width="390" height="600"></svg>
<script type="module">
const view = await (await fetch("/view")).json();
const map = document.querySelector("#map");
const make = (name, given) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  map.append(made);
};
make("image", { href: "/ground", width: 390, height: 600 });
for (const unit of view.units) make("rect", { x: unit.at[0] * 3, y: unit.at[1] * 3, width: 6, height: 3 });
</script>"""


class BarePage:
    """Serves the page on a free port."""

    def __init__(self, view: bytes, ground: bytes) -> None:
        """Store the bytes of the view and of the ground picture."""
        self._view, self._ground = view, ground
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Begin to serve."""
        app = web.Application()
        app.router.add_get("/", self._page)
        app.router.add_get("/view", self._json)
        app.router.add_get("/ground", self._picture)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _page(self, _: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def _json(self, _: web.Request) -> web.Response:
        return web.Response(body=self._view, content_type="application/json")

    async def _picture(self, _: web.Request) -> web.Response:
        return web.Response(body=self._ground, content_type="image/png")
