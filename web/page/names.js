// Names on the map. Their size on the screen does not change with the zoom, so zooming redraws no text.

import { el } from "/assets/shapes.js";

const NAME_HEIGHT_PIXELS = 12;
const LETTER_WIDTH_PIXELS = 6.6; // of one letter, on average

export class Names {
  constructor(svg) {
    this.layer = svg.appendChild(el("g", { "data-layer": "names" }));
    this.shown = [];
  }

  /** Draws labels with `id` (of a unit, or empty), `point`, `words`, `dy`, and `kind` (their style). */
  draw(labels, at) {
    this.shown = labels.map((label) => ({ ...label, text: el("text", { class: `label ${label.kind || ""}`, dy: label.dy }, label.words) }));
    this.layer.replaceChildren(...this.shown.map((label) => label.text));
    this.scale = 0;
    this.place(at);
  }

  /** Moves the names to the map's present position and scale. */
  place({ x, y, scale }) {
    this.layer.setAttribute("transform", `translate(${x} ${y})`);
    if (this.scale === scale) return;
    this.scale = scale;
    for (const label of this.shown) if (!label.isCrowded) this.put(label);
  }

  put({ point, text }) {
    text.setAttribute("transform", `translate(${point[0] * this.scale} ${point[1] * this.scale})`);
  }

  /** Hides overlapping names. Names with the lowest rank are kept first. */
  declutter(rank) {
    const taken = [];
    const ranked = this.shown.map((label) => [rank(label), label]).sort(([first], [second]) => first - second);
    for (const [, label] of ranked) {
      const { point, text } = label;
      const half = (label.words.length * LETTER_WIDTH_PIXELS) / 2;
      const [x, y] = [point[0] * this.scale, point[1] * this.scale - (label.dy.startsWith("-") ? NAME_HEIGHT_PIXELS : 0)];
      const box = [x - half, y, x + half, y + NAME_HEIGHT_PIXELS];
      const isFree = taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
      if (isFree) taken.push(box);
      if (label.isCrowded === !isFree) continue;
      label.isCrowded = !isFree;
      text.classList.toggle("crowded", !isFree);
      if (isFree) this.put(label);
    }
  }
}
