// Painting a hex map: terrain in hexes, roads along hexes, rivers along hexsides. Each stroke changes the map at once.

import { get } from "/assets/api.js";
import { node, toggle } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";
import { ask } from "/assets/talk.js";
import { nameInput } from "/assets/terrain.js";

const HINTS = {
  hexes: "Draw over the hexes with one finger, or tap one. Two fingers move the map.",
  way: "Draw from hex to hex with one finger. Two fingers move the map.",
  sides: "Draw along the sides of hexes with one finger, or tap one. Two fingers move the map.",
};
const STROKE_STEP = 0.12; // step along a stroke, in distances between neighbouring hexes
const NEAR_HEXSIDE = 0.3; // greatest distance of a finger from its hexside, in the same unit
const NAMED_KINDS = ["road", "river"];

export class Paint {
  constructor(hand) {
    this.hand = hand;
    this.kinds = [];
    this.letters = {};
    this.kind = null;
    this.name = "";
    this.isShown = false;
    this.painted = ""; // the ground whose letters are loaded
    this.doing = Promise.resolve(); // strokes are sent one after another
  }

  get pen() {
    return this.isShown && this.kind ? { show: (points) => this.showStroke(points) } : null;
  }

  /** Whether a choice is open that Escape closes. */
  get isBusy() { return this.isShown && Boolean(this.kind); }

  /** Updates from a new view. `isShown` is true while the map is being painted. */
  take(isShown) {
    if (this.isShown && !isShown) this.leave();
    this.isShown = isShown;
    desk.map.isPainting = isShown;
    if (!isShown) return;
    if (this.painted !== state.view.map.ground) this.load();
    this.showLetters();
  }

  async load() {
    this.painted = state.view.map.ground;
    const found = await ask(() => get("/api/terrain", state.seat));
    if (!found || !found.letters) return;
    this.kinds = found.kinds;
    this.kind = this.kind && this.kinds.find((kind) => kind.word === this.kind.word);
    this.letters = found.letters;
    this.hand.aim();
    this.showLetters();
    desk.draw();
  }

  clear() {}

  leave() {
    this.kind = null;
    desk.map.showLetters({});
  }

  done() {}

  showPreview() {}

  showLetters() {
    const colours = Object.fromEntries(this.kinds.map((kind) => [kind.letter, kind.colour]));
    desk.map.showLetters(this.isShown ? this.letters : {}, colours);
  }

  choose(kind) {
    this.kind = this.kind === kind ? null : kind;
    this.name = "";
    this.hand.aim();
    desk.draw();
  }

  // Strokes.

  /** Returns the hexes or hexsides that a finger has crossed, in order, as the server reads them. */
  labels(points) {
    const isSides = this.kind.stroke === "sides";
    const found = along(points).map(([x, y]) => (isSides ? sideAt(x, y) : desk.map.hexOf(x, y))).filter(Boolean);
    const inOrder = found.filter((label, number) => label !== found[number - 1]);
    return this.kind.stroke === "way" ? inOrder : [...new Set(inOrder)];
  }

  showStroke(points) {
    const labels = this.labels(points);
    desk.map.showPainted(labels, this.kind);
  }

  stroke(points) {
    const labels = this.labels(points);
    desk.map.showPainted(labels, this.kind);
    if (labels.length) this.send(labels);
  }

  tap([x, y]) {
    if (this.kind) this.stroke([[x, y]]);
  }

  /** Sends a stroke after all earlier strokes. The letters show it at once; the server's map follows. */
  send(labels) {
    const { word, letter } = this.kind;
    const change = { do: "paint", what: word, at: labels.join(" "), name: NAMED_KINDS.includes(word) ? this.name.trim() : "" };
    if (letter) {
      for (const label of labels) if (label in this.letters) this.letters[label] = letter;
      this.showLetters();
    }
    this.name = "";
    desk.map.keepStroke();
    this.doing = this.doing.then(async () => {
      if (await this.hand.make(change, () => true)) return;
      desk.map.groundIsShown();
      await this.load();
    });
  }

  // The panel.

  parts() {
    const chips = node("div", "chips paints");
    chips.append(...this.kinds.map((kind) => this.chip(kind)));
    const words = this.kind ? HINTS[this.kind.stroke] : "Choose what to paint. Each stroke is done at once; Undo takes it back.";
    return [chips, node("p", "small", words), this.hand.undoRow(...this.form())];
  }

  chip(kind) {
    const made = toggle("", () => this.choose(kind), kind === this.kind, kind === this.kind ? "on" : "");
    if (kind.letter) {
      const swatch = node("span", "swatch", kind.letter);
      swatch.style.background = kind.colour;
      made.append(swatch);
    }
    made.append(kind.word);
    return made;
  }

  form() {
    if (!this.kind || !NAMED_KINDS.includes(this.kind.word)) return [];
    return [nameInput(this)];
  }
}

/** Returns the points of a stroke, with more points added between distant ones. */
function along(points) {
  const found = [points[0]];
  points.slice(1).forEach(([x, y], number) => {
    const [x0, y0] = points[number];
    const steps = Math.max(1, Math.ceil(Math.hypot(x - x0, y - y0) / STROKE_STEP));
    for (let step = 1; step <= steps; step += 1) found.push([x0 + ((x - x0) * step) / steps, y0 + ((y - y0) * step) / steps]);
  });
  return found;
}

/** The hexside near a point, as its two hexes; nothing in the middle of a hex. */
function sideAt(x, y) {
  let [best, next] = [["", Infinity], ["", Infinity]];
  for (const [cx, cy, label] of state.view.map.hexes) {
    const away = Math.hypot(cx - x, cy - y);
    if (away < best[1]) [best, next] = [[label, away], best];
    else if (away < next[1]) next = [label, away];
  }
  if (next[1] > 1 || next[1] - best[1] > NEAR_HEXSIDE * 2) return "";
  return [best[0], next[0]].sort().join("/");
}
