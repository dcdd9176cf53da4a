// The map for changes by hand: dragged units, drawn strokes, and outlines of terrain.

import { el, hexagon } from "/assets/shapes.js";
import { WayMap } from "/assets/way_map.js";

const STROKE_STEP_PIXELS = 3; // between two points of a stroke
const REDRAW_DELAY_MS = 2500; // without a stroke of paint before the ground is redrawn

export class HandMap extends WayMap {
  constructor(svg, on) {
    super(svg, on);
    for (const name of ["pieces", "kept", "hand"]) {
      this.layers[name] = this.world.appendChild(el("g", { "data-layer": name }));
    }
    this.layers.letters = this.world.insertBefore(el("g", { "data-layer": "letters" }), this.layers.reach);
    this.grabs = null; // tells whether a unit may be dragged without being selected first
    this.pen = null; // set while a finger draws an outline or a line
    this.wantsGround = false; // whether taps ignore units and mean the ground
    this.isPainting = false; // whether hexes are being painted; the ground is redrawn when the finger rests
  }

  unitsAt(event) {
    return this.wantsGround ? [] : super.unitsAt(event);
  }

  dragAt(event) {
    if (this.past) return super.dragAt(event);
    if (this.pen) return { kind: "stroke", units: [], points: [this.point(event)] };
    const usual = super.dragAt(event);
    if (!this.grabs || (usual && usual.kind === "turn")) return usual;
    const hit = this.unitsAt(event);
    const id = hit.find((unitId) => this.selected.includes(unitId)) || hit[0];
    const unit = this.units.find((candidate) => candidate.id === id);
    return unit && this.grabs(unit) ? { kind: "carry", units: [id], unit, from: this.point(event) } : null;
  }

  dragTo(drag, event) {
    if (drag.kind === "stroke") this.draw(drag.points, this.point(event));
    else if (drag.kind === "carry") {
      drag.goal = this.goalOf(drag, event);
      this.carry(drag.unit, drag.goal);
    } else super.dragTo(drag, event);
  }

  /** Returns where a dragged unit goes: moved as far as the finger, or to the middle of the hex under the finger. */
  goalOf({ unit, from }, event) {
    const hex = this.hexAt(event);
    if (hex) return this.view.map.hexes.find((spec) => spec[2] === hex).slice(0, 2);
    const [x, y] = this.point(event);
    return [unit.at[0] + x - from[0], unit.at[1] + y - from[1]];
  }

  draw(points, [x, y]) {
    const [x0, y0] = points[points.length - 1];
    if (Math.hypot(x - x0, y - y0) * this.at.scale < STROKE_STEP_PIXELS) return;
    points.push([x, y]);
    if (this.pen && this.pen.show) this.pen.show(points);
    else this.showStroke(points, this.pen && this.pen.closed);
  }

  /** Shows the draft, and cancels a drag or stroke, as when a second finger touches the map. */
  showDraft(draft) {
    super.showDraft(draft);
    this.release();
  }

  /** Shows a copy of the unit at its goal, and a line from the unit to the goal. */
  carry(unit, [x, y]) {
    const group = [...this.layers.units.children].find((drawn) => drawn.dataset.unit === unit.id);
    if (!group) return;
    const copy = group.cloneNode(true);
    copy.setAttribute("transform", `translate(${x - unit.at[0]} ${y - unit.at[1]})`);
    copy.setAttribute("class", "carried");
    const way = el("line", { class: "ghost", x1: unit.at[0], y1: unit.at[1], x2: x, y2: y, "stroke-width": this.thin * 1.5 });
    this.layers.hand.replaceChildren(way, copy);
  }

  /** Removes the copy of a dragged unit, and a stroke. */
  release() {
    this.layers.hand.replaceChildren();
  }

  showStroke(points, closed) {
    const made = points.map((point) => point.join(",")).join(" ");
    this.layers.hand.replaceChildren(el(closed ? "polygon" : "polyline", { class: "stroke", points: made }));
  }

  drawGround(map, query) {
    clearTimeout(this.resting);
    const draw = () => super.drawGround(map, query);
    if (this.isPainting) this.resting = setTimeout(draw, REDRAW_DELAY_MS);
    else draw();
  }

  /** Keeps a stroke of paint on the map until the redrawn ground shows it. */
  keepStroke() {
    this.layers.kept.append(...this.layers.hand.children);
  }

  groundIsShown() {
    this.layers.kept.replaceChildren();
  }

  /** Shows the hexes or hexsides that a stroke of paint has crossed. */
  showPainted(labels, { stroke, colour }) {
    const at = (label) => this.centres.get(label);
    if (stroke === "sides") {
      this.layers.hand.replaceChildren(...labels.map((label) => {
        const [[x1, y1], [x2, y2]] = label.split("/").map(at);
        const [x, y, dx, dy] = [(x1 + x2) / 2, (y1 + y2) / 2, (y2 - y1) * 0.29, (x1 - x2) * 0.29];
        return el("line", { class: "stroke", x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy });
      }));
      return;
    }
    const hexes = labels.map((label) => el("polygon", { class: "painted", points: hexagon(at(label)), fill: colour || "#f0b020" }));
    const way = el("polyline", { class: "stroke", points: labels.map((label) => at(label).join(",")).join(" ") });
    this.layers.hand.replaceChildren(...hexes, ...(stroke === "way" ? [way] : []));
  }

  /** Draws on each hex the letter and colour of its terrain. */
  showLetters(letters, colours = {}) {
    this.layers.letters.replaceChildren(...Object.entries(letters).flatMap(([label, letter]) => {
      const at = this.centres.get(label);
      if (!at) return [];
      return [
        el("polygon", { class: "lettered", points: hexagon(at), fill: colours[letter] || "none" }),
        el("text", { class: "letter", x: at[0], y: at[1] + 0.13 }, letter),
      ];
    }));
  }

  /** Outlines and names the pieces of terrain. The chosen piece has a stronger outline. */
  showPieces(pieces, chosen) {
    this.layers.pieces.replaceChildren(...pieces.flatMap((piece) => {
      const points = piece.points.map((point) => point.join(",")).join(" ");
      const [x, y] = piece.closed ? middle(piece.points) : piece.points[Math.floor(piece.points.length / 2)];
      return [
        el(piece.closed ? "polygon" : "polyline", { class: `piece${piece.name === chosen ? " chosen" : ""}`, points }),
        el("text", { class: "label piece-name", "data-x": x, "data-y": y }, piece.name),
      ];
    }));
    this.sizeNames();
  }

  put() {
    super.put();
    if (this.sizedAt !== this.at.scale) this.sizeNames();
  }

  /** Keeps the names of terrain at the same size on the screen. */
  sizeNames() {
    this.sizedAt = this.at.scale;
    for (const name of this.layers.pieces.querySelectorAll("text")) {
      name.setAttribute("transform", `translate(${name.dataset.x} ${name.dataset.y}) scale(${1 / this.at.scale})`);
    }
  }
}

function middle(points) {
  return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}
