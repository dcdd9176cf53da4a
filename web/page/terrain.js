// Terrain drawn with a finger: the kind is chosen, drawn, seen, and put on the table; pieces are moved, turned, removed.

import { get } from "/assets/api.js";
import { acts, button, head, input, node, row, toggle, turnSigns } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";
import { ask } from "/assets/talk.js";

const CLOSED = "Draw around it with one finger. Two fingers move the map.";
const OPEN = "Draw along it with one finger. Two fingers move the map.";
const NEAR = 14; // pixels from a line in which a tap hits it
const LONGEST_NAME = 40;
const STEP = 15; // degrees by which a button turns a piece

export class Ground {
  constructor(hand) {
    this.hand = hand;
    this.kinds = [];
    this.pieces = [];
    this.kind = null; // what the finger draws; without one it moves the map and taps pieces
    this.piece = null;
    this.name = "";
    this.width = 0;
    this.isMoving = false;
    this.isShown = false;
    this.drawn = ""; // the ground for which the pieces were loaded
  }

  get pen() { return this.isShown && this.kind ? { closed: !this.kind.line } : null; }

  /** Whether something is chosen that Escape gives up. */
  get isBusy() { return this.isShown && Boolean(this.kind || this.piece); }

  /** Follows a new view; `isShown` while the ground is being changed. */
  take(isShown) {
    if (this.isShown && !isShown) this.leave();
    this.isShown = isShown;
    if (!isShown) return;
    if (this.drawn !== state.view.map.ground) this.load();
    this.showPieces();
  }

  async load() {
    this.drawn = state.view.map.ground;
    const found = await ask(() => get("/api/terrain", state.seat));
    if (!found) return;
    this.kinds = found.kinds;
    this.kind = this.kind && this.kinds.find((one) => one.feature === this.kind.feature);
    this.pieces = found.pieces;
    this.piece = this.piece && (this.pieces.find((one) => one.name === this.piece.name) || null);
    this.showPieces();
    desk.draw();
  }

  clear() {
    this.isMoving = false;
    this.piece = null;
    this.showPieces();
  }

  leave() {
    this.kind = null;
    this.clear();
    desk.map.showPieces([]);
  }

  /** Makes ready for the next piece, once one lies on the table. */
  done() {
    this.name = "";
  }

  showPieces() {
    desk.map.showPieces(this.isShown ? this.pieces : [], this.piece && this.piece.name);
  }

  showPreview(asked) {
    if (!this.isShown) return;
    const piece = asked && asked.pieces[0];
    if (piece) desk.map.showStroke(piece.points, piece.closed);
    else desk.map.release();
  }

  choose(kind) {
    this.clear();
    this.kind = this.kind === kind ? null : kind;
    this.width = kind.width;
    this.hand.aim();
    desk.draw();
  }

  stroke(points) {
    const { feature, line } = this.kind;
    const stroke = points.map((point) => point.map((each) => Number(each.toFixed(2))));
    desk.map.showStroke(stroke, !line);
    this.hand.preview({ do: "draw", feature, line, stroke: thin(stroke), name: this.name, ...(line ? { width: this.width } : {}) });
  }

  tap(point) {
    if (this.isMoving) {
      const to = point.map((each) => Number(each.toFixed(1)));
      this.isMoving = false;
      this.hand.preview({ do: "move_piece", piece: this.piece.name, to });
      return;
    }
    const reach = NEAR / desk.map.at.scale;
    this.select([...this.pieces].reverse().find((one) => isHit(one, point, reach)) || null);
  }

  select(piece) {
    this.piece = piece;
    this.isMoving = false;
    this.showPieces();
    desk.draw();
  }

  // The panel.

  parts() {
    if (this.piece) return this.pieceParts();
    const kinds = node("div", "chips");
    const look = (kind) => (kind === this.kind ? "on" : kind.matters ? "" : "pale");
    kinds.append(...this.kinds.map((kind) => toggle(kind.feature, () => this.choose(kind), kind === this.kind, look(kind))));
    const words = this.kind ? (this.kind.line ? OPEN : CLOSED) : "Choose what to draw, or tap a piece to change it.";
    return [
      kinds, node("p", "small", words), ...(this.kind ? [this.form()] : []), this.hand.undoRow(), ...this.list(),
    ];
  }

  form() {
    const name = nameInput(this);
    if (!this.kind.line) return row(name);
    const width = node("input", "number");
    Object.assign(width, { type: "number", min: "0.1", max: "48", step: "0.1", value: String(this.width) });
    width.setAttribute("aria-label", "Inches across");
    width.addEventListener("input", () => { this.width = Number(width.value) || this.kind.width; });
    return row(name, width, node("span", "small", "inches"));
  }

  list() {
    if (this.kind || !this.pieces.length) return [];
    return [
      node("h3", "", "On the table"),
      ...this.pieces.map((one) => button(`${one.name} · ${one.words}`, () => this.select(one), "unit-row")),
    ];
  }

  pieceParts() {
    const { name, words } = this.piece;
    const does = (change) => this.hand.preview({ ...change, piece: name });
    const turns = turnSigns((degrees) => does({ do: "turn_piece", degrees }), STEP);
    const how = this.isMoving ? [node("p", "", "Tap where its middle is to lie.")] : [];
    return [head(name, () => this.select(null)), node("p", "small", words), ...how, row(
      button("Move", () => { this.isMoving = true; desk.draw(); }),
      ...turns.map((made) => acts(made, state.stale)),
      acts(button("Take it off", () => does({ do: "remove_piece" }), "danger"), state.stale),
    )];
  }
}

/** The field for the name of what is drawn next. */
export function nameInput(drawer) {
  const made = input("Its name", "Its name, if it has one", drawer.name, (name) => { drawer.name = name; });
  made.maxLength = LONGEST_NAME;
  return made;
}

/** At most as many points as the server takes. */
function thin(stroke) {
  const step = Math.ceil(stroke.length / 1500);
  return stroke.filter((_, number) => number % step === 0 || number === stroke.length - 1);
}

function isHit(piece, [x, y], reach) {
  const { points } = piece;
  const last = points.length - 1;
  if (!piece.closed) {
    return points.some((point, n) => n < last && distance([x, y], point, points[n + 1]) <= Math.max(piece.width / 2, reach));
  }
  let isInside = false;
  points.forEach(([x1, y1], n) => {
    const [x0, y0] = points[n ? n - 1 : last];
    if ((y1 > y) !== (y0 > y) && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) isInside = !isInside;
  });
  return isInside;
}

/** The distance of a point from a stretch. */
function distance([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x0 + along * dx - x, y0 + along * dy - y);
}
