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
    this.shown = labels.map((one) => ({ ...one, text: el("text", { class: `label ${one.kind || ""}`, dy: one.dy }, one.words) }));
    this.layer.replaceChildren(...this.shown.map((one) => one.text));
    this.scale = 0;
    this.place(at);
  }

  /** Moves the names to the map's present position and scale. */
  place({ x, y, scale }) {
    this.layer.setAttribute("transform", `translate(${x} ${y})`);
    if (this.scale === scale) return;
    this.scale = scale;
    for (const one of this.shown) if (!one.isCrowded) this.put(one);
  }

  put({ point, text }) {
    text.setAttribute("transform", `translate(${point[0] * this.scale} ${point[1] * this.scale})`);
  }

  /** Hides overlapping names. Names with the lowest rank are kept first. */
  declutter(rank) {
    const taken = [];
    const ranked = this.shown.map((one) => [rank(one), one]).sort((one, other) => one[0] - other[0]);
    for (const [, one] of ranked) {
      const { point, text } = one;
      const half = (one.words.length * LETTER_WIDTH_PIXELS) / 2;
      const [x, y] = [point[0] * this.scale, point[1] * this.scale - (one.dy.startsWith("-") ? NAME_HEIGHT_PIXELS : 0)];
      const box = [x - half, y, x + half, y + NAME_HEIGHT_PIXELS];
      const isFree = taken.every((one) => box[2] < one[0] || box[0] > one[2] || box[3] < one[1] || box[1] > one[3]);
      if (isFree) taken.push(box);
      if (one.isCrowded === !isFree) continue;
      one.isCrowded = !isFree;
      text.classList.toggle("crowded", !isFree);
      if (isFree) this.put(one);
    }
  }
}
