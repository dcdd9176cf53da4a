// The map: ground, units, reach, arrows and handles.

import { Frame } from "/assets/frame.js";
import { Gestures } from "/assets/gestures.js";
import { Names } from "/assets/names.js";
import { arrows, base, caption, counter, counterAt, el, hexagon, outline, sizeAlong } from "/assets/shapes.js";

const TOUCH_PIXELS = 24; // around a finger in which units and handles are hit
const HANDLE_DISTANCE_PIXELS = 34; // from a unit's base to its handles
const HANDLE_RADIUS_PIXELS = 13;
const TURN_STEP_DEGREES = 5; // a turn by hand is rounded to this step
const COUNTER_WIDTH = 0.6; // in distances between neighbouring hexes
const LAYERS = ["ground", "goals", "reach", "arrows", "units", "plan", "draft", "ghost"];

export class GameMap extends Frame {
  constructor(svg, on) {
    super();
    this.svg = svg;
    this.world = svg.querySelector("#world");
    this.layers = {};
    for (const name of LAYERS) this.layers[name] = this.world.appendChild(el("g", { "data-layer": name }));
    this.names = new Names(svg);
    this.layers.handles = svg.appendChild(el("g", { "data-layer": "handles" }));
    Object.assign(this, { at: { x: 0, y: 0, scale: 1 }, selected: [], targets: new Set(), can: {}, draft: null, past: null });
    this.hexes = new Set();
    new Gestures(svg, this, on);
    new ResizeObserver(() => this.fit()).observe(svg);
  }

  get isHexes() { return this.view.map.kind === "hexes"; }

  get units() { return this.past ? this.past.units : this.view.units; }

  get thin() { return this.isHexes ? 0.06 : 0.22; }

  // Drawing.

  show(view, query, symbols) {
    const before = this.view && this.view.map;
    const fresh = !before || before.ground !== view.map.ground;
    const isNew = !before || before.width !== view.map.width || before.height !== view.map.height;
    this.view = view;
    if (view.map.kind === "none") return;
    this.svg.classList.toggle("hexes", this.isHexes);
    this.symbols = symbols;
    this.sides = Object.fromEntries(view.sides.map((side) => [side.id, side]));
    if (fresh) this.drawGround(view.map, query);
    if (!this.past) this.drawPresent();
    if (isNew && view.setUp) this.showAll();
    else if (isNew) this.showUnits();
  }

  drawPresent() {
    this.drawUnits();
    this.layers.arrows.replaceChildren(...arrows(this.view.arrows, this.sides, this.thin));
    const plan = this.view.sheet ? this.view.sheet.arrows : [];
    this.layers.plan.replaceChildren(...arrows(plan, this.sides, this.thin, "plan"));
  }

  /** Shows the units and arrows of an earlier entry until showNow is called. */
  showPast(step) {
    this.past = step;
    this.drawUnits();
    this.layers.arrows.replaceChildren(...arrows(step.arrows, this.sides, this.thin));
    this.layers.plan.replaceChildren();
    this.bringIntoView(step.arrows.flatMap((arrow) => arrow.points));
  }

  showNow() {
    this.past = null;
    if (this.view.map.kind !== "none") this.drawPresent();
  }

  drawGround(map, query) {
    const large = Math.max(innerWidth, innerHeight) * devicePixelRatio > 1500 ? "large" : "small";
    const href = `/ground/${map.ground}-${large}?${query}`;
    const box = { x: map.left, y: map.top, width: map.width, height: map.height };
    const [...before] = this.layers.ground.children;
    const image = el("image", { href, ...box, preserveAspectRatio: "none" });
    image.addEventListener("load", () => { // until then the old ground stays
      before.forEach((old) => old.remove());
      this.groundIsShown();
    });
    this.layers.ground.append(image);
    this.svg.setAttribute("aria-label", map.alt || map.title);
    this.layers.goals.replaceChildren(...(map.goals || []).map((goal) => el("circle", {
      class: "goal", cx: goal.at[0], cy: goal.at[1], r: goal.within,
    })));
  }

  groundIsShown() {}

  drawUnits() {
    const draw = this.isHexes ? counter : base;
    const placed = this.units.filter((unit) => unit.at);
    this.layers.units.replaceChildren(...placed.map((unit) => draw(unit, this.sides[unit.side], this.symbols)));
    this.names.draw(this.labels(), this.at);
    this.mark();
    this.declutter();
  }

  /** Returns the labels of the map: each unit's name under the unit. */
  labels() {
    return this.units.filter((unit) => unit.at && !this.isHexes).map((unit) => ({
      id: unit.id, point: [unit.at[0], unit.at[1] + sizeAlong(unit, 180)], dy: "1.1em", words: caption(unit),
    }));
  }

  /** Marks the selected units. light() marks their targets later. */
  select(ids) {
    this.selected = ids;
    this.isUncovered = false;
    this.can = {};
    this.targets = new Set();
    this.showReach({});
    this.showDraft(null);
    this.mark();
  }

  /** Marks the targets, and shows the handles that `can` allows: `moves`, `turns`. */
  light(targets, can) {
    this.targets = targets;
    this.can = can;
    this.mark();
    this.drawHandles();
  }

  mark() {
    if (!this.view || this.view.map.kind === "none") return;
    for (const group of this.layers.units.children) {
      group.classList.toggle("selected", this.selected.includes(group.dataset.unit));
      group.classList.toggle("target", this.targets.has(group.dataset.unit));
    }
  }

  showReach(reach) {
    const points = reach.points || [];
    const hexes = reach.hexes || [];
    this.hexes = new Set(hexes.map((entry) => entry.hex));
    this.layers.reach.replaceChildren(
      ...(points.length ? [el("polygon", { class: "reach", points: points.map((point) => point.join(",")).join(" ") })] : []),
      ...hexes.map((entry) => el("polygon", { class: "reach-hex", points: hexagon(entry.at) })),
    );
  }

  reaches(hex) { return this.hexes.has(hex); }

  /** Draws the drafted order: its arrows, the likely end positions of its units, and the handles there. */
  showDraft(draft) {
    this.draft = draft;
    this.layers.ghost.replaceChildren();
    const ends = draft ? (draft.ends || []).filter((end) => end.at) : [];
    this.layers.draft.replaceChildren(
      ...(draft ? arrows(draft.arrows || [], this.sides, this.thin, "plan") : []),
      ...ends.map((end) => this.ghostBase(end.at, end.facing ?? 0, end)),
    );
    this.drawHandles();
  }

  /** The first selected unit, at the end of the drafted order, or at its present place without one. */
  get held() {
    const unit = !this.past && this.units.find((candidate) => candidate.id === this.selected[0] && candidate.at);
    if (!unit) return null;
    const { draft } = this;
    const end = draft && (draft.ends || []).find((candidate) => candidate.id === unit.id && candidate.at);
    const place = (draft && draft.place) || {};
    const facing = place.facing ?? (end || unit).facing ?? 0;
    return { ...unit, start: unit.at, at: (!this.isHexes && place.point) || (end || unit).at, facing };
  }

  ghostBase(at, facing, unit) {
    if (this.isHexes) return el("polygon", { class: "ghost", points: hexagon(at), "stroke-width": 0.06 });
    const points = outline("square", Math.max(unit.frontage, 1), Math.max(unit.depth, 1));
    return el("polygon", { class: "ghost", points, "stroke-width": 0.25, transform: `translate(${at[0]} ${at[1]}) rotate(${facing})` });
  }

  /** Draws a line from the held unit to the point under a finger. */
  ghost(to) {
    const { held } = this;
    if (!held || !to) return;
    this.layers.ghost.replaceChildren(el("polyline", {
      class: "ghost", points: `${held.start.join(",")} ${to.join(",")}`, "stroke-width": this.thin * 1.5,
    }));
  }

  // Handles: dragging the one in front of the unit turns it, dragging the one behind it moves it.

  handles() {
    const { held } = this;
    if (!held || !(this.can.moves || this.can.turns)) return [];
    const size = this.isHexes ? 0.3 : Math.max(held.depth, 1) / 2;
    const off = size + HANDLE_DISTANCE_PIXELS / this.at.scale;
    const angle = (held.facing * Math.PI) / 180;
    const [dx, dy] = this.isHexes ? [0, -1] : [Math.sin(angle), -Math.cos(angle)];
    const turns = !this.isHexes && (this.can.turns || (this.draft && this.draft.place));
    return [
      ...(this.can.moves ? [{ kind: "move", at: [held.at[0] - dx * off, held.at[1] - dy * off], mark: "✥" }] : []),
      ...(turns ? [{ kind: "turn", at: [held.at[0] + dx * off, held.at[1] + dy * off], mark: "⟳" }] : []),
    ];
  }

  drawHandles() {
    if (!this.view || this.view.map.kind === "none") return;
    const small = 1 / this.at.scale;
    this.layers.handles.replaceChildren(...this.handles().map((handle) => el("g", {
      class: "handle", "data-handle": handle.kind, transform: `translate(${handle.at.join(" ")}) scale(${small})`,
    }, el("circle", { r: HANDLE_RADIUS_PIXELS }), el("text", { y: 6 }, handle.mark))));
  }

  /** Returns what a finger would drag: a handle or the selected unit; null if the finger moves the map. */
  dragAt(event) {
    const [x, y] = this.point(event);
    const near = this.handles().find((handle) => Math.hypot(handle.at[0] - x, handle.at[1] - y) * this.at.scale <= TOUCH_PIXELS);
    if (near) return { kind: near.kind, units: this.selected };
    const onUnit = this.can.moves && this.selected.length && this.unitsAt(event).includes(this.selected[0]);
    return onUnit ? { kind: "move", units: this.selected } : null;
  }

  dragTo(drag, event) {
    const { held } = this;
    if (!held) return;
    if (drag.kind === "turn") {
      this.layers.ghost.replaceChildren(this.ghostBase(held.at, this.bearingTo(event), held));
      return;
    }
    const hex = this.hexAt(event);
    const to = hex ? this.view.map.hexes.find((spec) => spec[2] === hex).slice(0, 2) : this.point(event);
    this.ghost(to);
    this.layers.ghost.append(this.ghostBase(to, held.facing, held));
  }

  /** Returns the bearing from the held unit to a finger, in degrees clockwise from north. */
  bearingTo(event) {
    const [x, y] = this.point(event);
    const [x0, y0] = this.held.at;
    const degrees = (Math.atan2(x - x0, y0 - y) * 180) / Math.PI;
    return (Math.round(degrees / TURN_STEP_DEGREES) * TURN_STEP_DEGREES + 360) % 360;
  }

  /** Hides overlapping names. Names of selected units and of targets are kept first. */
  declutter() {
    this.names.declutter(({ id }) => (this.selected.includes(id) ? 0 : this.targets.has(id) ? 1 : id ? 2 : 3));
  }

  // Hit tests.

  /**
   * The units under the finger, the nearest first. One that the finger merely comes near counts only if none is hit, and
   * while a unit may move, only if it is lit: the ground beside it is a place to go.
   */
  unitsAt(event) {
    const [x, y] = this.point(event);
    const near = TOUCH_PIXELS / this.at.scale;
    const found = [];
    for (const unit of this.units) {
      if (!unit.at) continue;
      const away = this.isHexes
        ? outside(counterAt(unit), 0, COUNTER_WIDTH, COUNTER_WIDTH, x, y)
        : outside(unit.at, unit.facing, Math.max(unit.frontage, 1), Math.max(unit.depth, 1), x, y);
      if (away <= near) found.push({ away, id: unit.id, hex: unit.hex });
    }
    found.sort((unit, other) => unit.away - other.away);
    if (this.isHexes && found.length) { // the complete stack, top counter first
      return this.units.filter((unit) => unit.at && unit.hex === found[0].hex).reverse().map((unit) => unit.id);
    }
    const hits = found.filter((unit) => !unit.away);
    const others = found.filter((unit) => !this.can.moves || this.targets.has(unit.id));
    return (hits.length ? hits : others.slice(0, 1)).map((unit) => unit.id);
  }

  hexAt(event) {
    return this.isHexes ? this.hexOf(...this.point(event)) : "";
  }

  hexOf(x, y) {
    let best = ["", 0.62];
    for (const [cx, cy, label] of this.view.map.hexes) {
      const away = Math.hypot(cx - x, cy - y);
      if (away < best[1]) best = [label, away];
    }
    return best[0];
  }
}

/** Returns a point's distance from a base of this place, facing and size; 0 if the point is on the base. */
function outside(at, facing, frontage, depth, x, y) {
  const angle = (facing * Math.PI) / 180;
  const [dx, dy] = [x - at[0], y - at[1]];
  const side = Math.abs(dx * Math.cos(angle) + dy * Math.sin(angle)) - frontage / 2;
  const front = Math.abs(dy * Math.cos(angle) - dx * Math.sin(angle)) - depth / 2;
  return Math.hypot(Math.max(side, 0), Math.max(front, 0));
}
