// The map on which a finger draws routes over hexes. It shows marks of hexes, names, and planned marches with times.

import { GameMap } from "/assets/map.js";
import { el, hexagon } from "/assets/shapes.js";

const STROKE_STEP = 0.2; // step along a fast finger's route, in distances between neighbouring hexes
const EDGE_PIXELS = 40; // from the edge of the uncovered map within which a drawing finger moves the map
const GLIDE_PIXELS = 4; // how far the map moves in a frame
const FRAME_MS = 16;
const REST_MS = 250; // how long a finger rests near the edge before the map moves

export class WayMap extends GameMap {
  constructor(svg, on) {
    super(svg, on);
    this.layers.notes = this.world.insertBefore(el("g", { "data-layer": "notes" }), this.layers.reach);
  }

  get drawsWays() { return Boolean(this.view.map.ways); }

  show(view, query, symbols) {
    super.show(view, query, symbols);
    this.centres = new Map((view.map.hexes || []).map(([x, y, label]) => [label, [x, y]]));
    this.svg.classList.toggle("ways", this.isHexes && this.drawsWays);
    const notes = [...(view.map.notes || [])].sort((note, other) => (note.kind === "battle") - (other.kind === "battle"));
    this.layers.notes.replaceChildren(...notes.flatMap((note) => this.noteShapes(note)));
  }

  /** Draws a ring around an objective in its holder's colour with its points, or a battle's ring. */
  noteShapes(note) {
    const colour = (this.sides[note.side] || {}).colour || "#2a231e";
    const ring = el("polygon", { class: `note note-${note.kind.replace(/ /g, "-")}`, points: hexagon(note.at), stroke: colour });
    if (!note.text || note.kind !== "objective") return [ring];
    const [x, y] = [note.at[0] + 0.45, note.at[1] + 0.3];
    return [ring, el("circle", { class: "worth", cx: x, cy: y, r: 0.13, fill: colour }),
      el("text", { class: "hex-label worth-label", x, y: y + 0.065 }, note.text)];
  }

  /** Hides planned marches behind the marches on the order sheet, and both behind the drafted order. */
  drawPresent() {
    super.drawPresent();
    this.svg.classList.toggle("planned", Boolean(this.view.sheet && this.view.sheet.arrows.length));
  }

  showDraft(draft) {
    super.showDraft(draft);
    this.svg.classList.toggle("drafted", Boolean(draft && draft.arrows && draft.arrows.length));
    const place = draft && draft.place;
    if (place && place.way && !draft.arrows) this.showWay(this.held.start, place.way);
  }

  /** The held unit. On a map with routes, it is shown at the end of the drawn route. */
  get held() {
    const held = super.held;
    const way = held && this.drawsWays && this.draft && this.draft.place && this.draft.place.way;
    return way && way.length ? { ...held, at: this.centres.get(way[way.length - 1]) } : held;
  }

  dragAt(event) {
    const drag = super.dragAt(event);
    if (!drag || drag.kind !== "move" || !this.drawsWays || !this.held) return drag;
    const place = (this.draft && this.draft.place) || {};
    const isAtEnd = this.hexAt(event) !== this.held.hex && place.way;
    return { ...drag, kind: "way", way: isAtEnd ? [...place.way] : [], from: null };
  }

  dragTo(drag, event) {
    if (drag.kind !== "way") { super.dragTo(drag, event); return; }
    if (!this.held) return;
    this.follow(drag, this.point(event));
    this.showWay(this.held.start, drag.way);
    this.glide(drag, event);
  }

  /** Adds the hexes that the finger has crossed since the last call. Going back removes them again. */
  follow(drag, [x, y]) {
    const [x0, y0] = drag.from || [x, y];
    const steps = Math.max(1, Math.ceil(Math.hypot(x - x0, y - y0) / STROKE_STEP));
    for (let step = 1; step <= steps; step += 1) {
      this.enter(drag.way, this.hexOf(x0 + ((x - x0) * step) / steps, y0 + ((y - y0) * step) / steps));
    }
    drag.from = [x, y];
  }

  enter(way, hex) {
    if (!hex || way[way.length - 1] === hex) return;
    const at = way.indexOf(hex);
    if (hex === this.held.hex) way.length = 0;
    else if (at >= 0) way.length = at + 1;
    else way.push(hex);
  }

  showWay(start, way) {
    const points = [start, ...way.map((hex) => this.centres.get(hex))];
    const [x, y] = points[points.length - 1];
    const [, , label, name] = this.view.map.hexes.find((spec) => spec[2] === way[way.length - 1]) || [];
    this.layers.ghost.replaceChildren(
      ...way.map((hex) => el("polygon", { class: "ghost", points: hexagon(this.centres.get(hex)), "stroke-width": 0.04 })),
      el("polyline", { class: "ghost", points: points.map((point) => point.join(",")).join(" "), "stroke-width": this.thin * 1.5 }),
      ...(label ? [el("text", { class: "stop-label way-label", x, y: y - 0.7 }, name ? `${label} ${name}` : label)] : []),
    );
  }

  /** Moves the map while a drawing finger rests near its edge. */
  glide(drag, event) {
    clearTimeout(this.rests);
    const step = () => {
      const [dx, dy] = drag.isOn === false || !this.held ? [0, 0] : this.towardsEdge(event);
      if (!dx && !dy) return;
      this.pan(dx, dy);
      this.follow(drag, this.point(event));
      this.showWay(this.held.start, drag.way);
      this.rests = setTimeout(step, FRAME_MS);
    };
    this.rests = setTimeout(step, REST_MS);
  }

  towardsEdge(event) {
    const box = this.svg.getBoundingClientRect();
    const panel = document.querySelector("#panel").getBoundingClientRect();
    const bottom = panel.left < box.right ? Math.min(panel.top, box.bottom) : box.bottom;
    const [x, y] = [event.clientX, event.clientY];
    return [
      x < box.left + EDGE_PIXELS ? GLIDE_PIXELS : x > box.right - EDGE_PIXELS ? -GLIDE_PIXELS : 0,
      y < box.top + EDGE_PIXELS ? GLIDE_PIXELS : y > bottom - EDGE_PIXELS ? -GLIDE_PIXELS : 0,
    ];
  }

  /** Returns the labels of a hex map: a unit's name under its counter, a place's name above its hex. */
  labels() {
    if (!this.isHexes) return super.labels();
    const tops = this.units.filter((unit) => unit.at && unit.place === 0);
    return [
      ...tops.map((unit) => ({
        id: unit.id, point: [unit.at[0], unit.at[1] + 0.32], dy: "1em", words: unit.name + (unit.of > 1 ? ` +${unit.of - 1}` : ""),
      })),
      ...this.view.map.hexes.filter((spec) => spec[3]).map(([x, y, , name]) => ({
        id: "", point: [x, y - 0.36], dy: "-.2em", words: name, kind: "place",
      })),
    ];
  }
}
