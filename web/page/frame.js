// The visible part of the map: panning, zooming, and the area that the panel does not cover.

const CLEARANCE_PIXELS = 80; // between a selected unit with its handles and the panel
const MARGIN_PIXELS = 60; // beyond the map's edge that can be shown
const DECLUTTER_DELAY_MS = 150; // after the last zoom, before overlapping names are hidden

export class Frame {
  /** The part of the screen that the panel never covers. On a telephone, the panel covers the lower part of the map. */
  get room() {
    const { width, height } = this.svg.getBoundingClientRect();
    const covered = Number.parseFloat(getComputedStyle(this.svg).getPropertyValue("--covered")) || 0;
    return { width, height: height * (1 - covered), covered };
  }

  /** Frames the units again after a change of size, unless the user has moved the map. */
  fit() {
    if (!this.view || this.view.map.kind === "none") return;
    if (this.isMoved) this.place();
    else this.showUnits();
  }

  /** Shows the map at the position and scale `at`, at most once per animation frame. */
  place() {
    if (!this.view || this.view.map.kind === "none") return;
    this.clamp();
    this.placing ||= requestAnimationFrame(() => {
      this.placing = 0;
      this.put();
    });
  }

  put() {
    const { x, y, scale } = this.at;
    const transform = `translate(${x} ${y}) scale(${scale})`;
    for (const group of [this.world, this.layers.handles]) group.setAttribute("transform", transform);
    this.names.place(this.at);
    if (this.placedAt === scale) return;
    this.placedAt = scale;
    this.drawHandles();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.declutter(), DECLUTTER_DELAY_MS);
  }

  /** Keeps the map on the screen. A map smaller than the screen is centred; a larger one has a narrow margin. */
  clamp() {
    const { width, height, covered } = this.room;
    const { map } = this.view;
    const fit = (at, low, size, room, beyond, slack) => {
      const [first, last] = [-low * this.at.scale, room - (low + size) * this.at.scale];
      const middle = (first + last) / 2;
      if (size * this.at.scale <= room) return Math.min(Math.max(at, middle - slack), middle);
      return Math.min(Math.max(at, last - beyond), first + MARGIN_PIXELS);
    };
    const lift = covered ? height / 3 : 0; // lets the map rise above an unusually high panel
    this.at.x = fit(this.at.x, map.left, map.width, width, MARGIN_PIXELS, 0);
    this.at.y = fit(this.at.y, map.top, map.height, height, MARGIN_PIXELS + lift, lift);
  }

  /** Shows the part of the map where the units are, as large as the screen allows. */
  showUnits() {
    this.showAll();
    this.isMoved = false;
    const placed = this.view.units.filter((unit) => unit.at).map((unit) => unit.at);
    if (!placed.length) return;
    const pad = this.isHexes ? 1.5 : 5;
    this.frame(placed, pad, this.view.map.ways ? 1 : 1.7);
  }

  frame(points, pad, zoom) {
    const { width, height } = this.room;
    const [[left, right], [top, bottom]] = [0, 1].map((axis) => {
      const some = points.map((point) => point[axis]);
      return [Math.min(...some) - pad, Math.max(...some) + pad];
    });
    const fits = Math.min(width / (right - left), height / (bottom - top));
    const fills = Math.min(Math.max(width / (right - left), height / (bottom - top)), fits * zoom);
    const scale = Math.max(this.least || 0, fills);
    this.at = { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale };
    this.place();
  }

  /** Moves the map, and zooms out if necessary, until all points are on the screen. */
  bringIntoView(points) {
    if (!points.length) return;
    const { width, height } = this.room;
    const isShown = points.every(([x, y]) => {
      const [left, top] = [x * this.at.scale + this.at.x, y * this.at.scale + this.at.y];
      return left > 0 && top > 0 && left < width && top < height;
    });
    if (isShown) return;
    this.isMoved = true;
    this.frame(points, this.isHexes ? 2 : 8, 1);
  }

  showAll() {
    this.isMoved = true;
    const { width, height } = this.room;
    const { map } = this.view;
    if (!width || !height) return;
    const scale = Math.min(width / map.width, height / map.height) * 0.98;
    this.at = { scale, x: 0, y: 0 };
    this.least = scale * 0.9;
    this.place();
  }

  /** Moves the map, once per selection, if the panel covers the held unit. */
  uncover() {
    const { held } = this;
    if (!held || this.isUncovered) return;
    this.isUncovered = true;
    const panel = document.querySelector("#panel").getBoundingClientRect();
    const box = this.svg.getBoundingClientRect();
    const y = held.at[1] * this.at.scale + this.at.y;
    const bottom = panel.left < box.right ? panel.top - box.top : box.height;
    const limit = bottom - CLEARANCE_PIXELS;
    if (y > limit) this.pan(0, limit - y);
  }

  centre(unit) {
    this.isMoved = true;
    const { width, height } = this.room;
    this.at.x = width / 2 - unit.at[0] * this.at.scale;
    this.at.y = height / 2 - unit.at[1] * this.at.scale;
    this.place();
  }

  pan(dx, dy) {
    this.isMoved = true;
    this.at.x += dx;
    this.at.y += dy;
    this.place();
  }

  zoom(by, clientX, clientY) {
    this.isMoved = true;
    const box = this.svg.getBoundingClientRect();
    const x = (clientX ?? box.left + box.width / 2) - box.left;
    const y = (clientY ?? box.top + box.height / 2) - box.top;
    const scale = Math.min(Math.max(this.at.scale * by, this.least || 1), (this.least || 1) * 40);
    const real = scale / this.at.scale;
    this.at = { scale, x: x - (x - this.at.x) * real, y: y - (y - this.at.y) * real };
    this.place();
  }

  /** Returns the point of the map under a finger. */
  point(event) {
    const box = this.svg.getBoundingClientRect();
    return [(event.clientX - box.left - this.at.x) / this.at.scale, (event.clientY - box.top - this.at.y) / this.at.scale];
  }
}
