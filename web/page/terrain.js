// Drawing terrain with a finger: choose the kind, draw it, check it, confirm it. Pieces can be moved, turned, removed.

import { get } from "/assets/api.js";
import { acts, button, head, input, node, row, toggle, turnSigns } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";
import { ask } from "/assets/talk.js";

const CLOSED_HINT = "Draw around it with one finger. Two fingers move the map.";
const OPEN_HINT = "Draw along it with one finger. Two fingers move the map.";
const TAP_PIXELS = 14; // greatest distance of a tap from the line that it hits
const LONGEST_NAME = 40;
const TURN_STEP_DEGREES = 15;

export class Ground {
  constructor(hand) {
    this.hand = hand;
    this.kinds = [];
    this.pieces = [];
    this.kind = null; // the kind of terrain that the finger draws; null lets it move the map and tap pieces
    this.piece = null;
    this.name = "";
    this.width = 0;
    this.isMoving = false;
    this.isShown = false;
    this.drawn = ""; // the ground whose pieces are loaded
  }

  get pen() { return this.isShown && this.kind ? { closed: !this.kind.line } : null; }

  /** Whether a choice is open that Escape closes. */
  get isBusy() { return this.isShown && Boolean(this.kind || this.piece); }

  /** Updates from a new view. `isShown` is true while the ground is being changed. */
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
    this.kind = this.kind && this.kinds.find((kind) => kind.feature === this.kind.feature);
    this.pieces = found.pieces;
    this.piece = this.piece && (this.pieces.find((piece) => piece.name === this.piece.name) || null);
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

  /** Prepares for the next piece after one was put on the table. */
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
    const reach = TAP_PIXELS / desk.map.at.scale;
    this.select([...this.pieces].reverse().find((piece) => isHit(piece, point, reach)) || null);
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
    const words = this.kind ? (this.kind.line ? OPEN_HINT : CLOSED_HINT) : "Choose what to draw, or tap a piece to change it.";
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
      ...this.pieces.map((piece) => button(`${piece.name} · ${piece.words}`, () => this.select(piece), "unit-row")),
    ];
  }

  pieceParts() {
    const { name, words } = this.piece;
    const does = (change) => this.hand.preview({ ...change, piece: name });
    const turns = turnSigns((degrees) => does({ do: "turn_piece", degrees }), TURN_STEP_DEGREES);
    const how = this.isMoving ? [node("p", "", "Tap where its middle is to lie.")] : [];
    return [head(name, () => this.select(null)), node("p", "small", words), ...how, row(
      button("Move", () => { this.isMoving = true; desk.draw(); }),
      ...turns.map((made) => acts(made, state.stale)),
      acts(button("Take it off", () => does({ do: "remove_piece" }), "danger"), state.stale),
    )];
  }
}

/** Returns the field for the name of the next piece. */
export function nameInput(drawer) {
  const made = input("Its name", "Its name, if it has one", drawer.name, (name) => { drawer.name = name; });
  made.maxLength = LONGEST_NAME;
  return made;
}

/** Thins out points to the number that the server accepts. */
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

/** Returns the distance of a point from a line segment. */
function distance([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x0 + along * dx - x, y0 + along * dy - y);
}
