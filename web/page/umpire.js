// Changes by hand: the mode of the finger, the umpire's corrections and views, and undo.

import { Refusal, get, lookAs, post } from "/assets/api.js";
import { acts, button, head, heading, menu, node, row, toggle, turnSigns } from "/assets/dom.js";
import { FieldForm } from "/assets/fields.js";
import { select } from "/assets/orders.js";
import { Paint } from "/assets/paint.js";
import { SetUp } from "/assets/setup.js";
import { desk, state, unitOf } from "/assets/state.js";
import { countUnseen, markSeen } from "/assets/story.js";
import { act, ask, refresh } from "/assets/talk.js";
import { Ground } from "/assets/terrain.js";

const MODE_NAMES = { orders: "Orders", place: "Set-up", correct: "Correct", ground: "Ground" };
const CORRECT_HINT = "Drag a unit to where it should stand, or tap it for more. You see each correction before it is made.";
const TURN_STEP_DEGREES = 45;

export class Hand {
  /** `prompts` returns the list of open prompts. */
  constructor(prompts) {
    this.prompts = prompts;
    this.mode = "orders";
    this.asked = null; // the previewed change that waits to be confirmed
    this.undoing = null;
    this.form = new FieldForm(this);
    this.setUp = new SetUp(this);
    this.table = new Ground(this);
    this.paint = new Paint(this);
  }

  /** The tool that changes the ground: pieces on a table, or paint on hexes. */
  get ground() { return state.view && state.view.map.kind === "hexes" ? this.paint : this.table; }

  /** Whether a finger changes the table by hand instead of drawing orders. */
  get isOn() { return this.mode !== "orders"; }

  /** The only selected unit. */
  get unit() { return state.selected.length === 1 ? unitOf(state.selected[0]) : undefined; }

  /** The possible modes of the finger, the usual one first. */
  get modes() {
    const { umpire, setUp, sheet, seat, map } = state.view;
    const orders = sheet && !setUp ? ["orders"] : [];
    const correct = umpire && umpire.corrects && !setUp ? ["correct"] : [];
    const ground = umpire && umpire.draws && map.kind !== "none" ? ["ground"] : [];
    const place = setUp ? ["place"] : [];
    const plays = sheet && seat.orders !== "umpire";
    return [...(plays ? [...orders, ...place, ...correct] : [...place, ...correct, ...orders]), ...ground];
  }

  /** Updates from a new view. */
  take() {
    if (!this.isChosen || !this.modes.includes(this.mode)) this.mode = this.modes[0] || "orders";
    this.ground.take(this.mode === "ground");
    this.aim();
  }

  /** Tells the map how to interpret a finger. */
  aim() {
    desk.map.grabs = this.isOn ? (unit) => this.mayMove(unit) : null;
    desk.map.wantsGround = this.mode === "ground" || Boolean(this.setUp.marking);
    desk.map.pen = this.ground.pen;
  }

  mayMove(unit) {
    return Boolean(unit) && (this.mode === "correct" || (this.mode === "place" && this.setUp.isOwn(unit)));
  }

  choose(mode) {
    this.mode = mode;
    this.isChosen = true;
    select([]);
    this.take();
    desk.draw();
  }

  /** Cancels everything that was begun. */
  clear() {
    this.asked = null;
    this.undoing = null;
    this.setUp.marking = "";
    this.ground.clear();
    desk.map.release();
    this.aim();
  }

  /** Cancels the open question or choice. Returns whether there was one. */
  cancel() {
    const { isBusy } = this.ground;
    if (!this.asked && !this.undoing && !this.setUp.marking && !isBusy) return false;
    if (this.asked) {
      this.asked = null;
      desk.map.release();
    } else {
      if (isBusy) this.ground.kind = null;
      this.clear();
    }
    desk.draw();
    return true;
  }

  /** Loads the fields of the selected unit that can be corrected. */
  load() {
    if (!this.mayMove(this.unit)) return;
    desk.map.light(new Set(), { turns: Boolean(this.unit.at) });
    if (state.view.umpire) this.form.load(this.unit.id);
  }

  // Gestures. Each handler returns whether the gesture meant a change by hand.

  tapUnits(ids) {
    if (!this.isOn) return false;
    if (ids.length > 1) {
      state.chooser = { ids, then: (id) => select([id]) };
      desk.draw();
    } else select(state.selected[0] === ids[0] ? [] : ids);
    return true;
  }

  tapGround(point, hex) {
    if (!this.isOn) return false;
    if (this.mode === "ground") this.ground.tap(point);
    else if (this.setUp.marking) this.setUp.putMarker(point);
    else if (this.mayMove(this.unit)) this.put(this.unit, point, hex);
    else select([]);
    return true;
  }

  drop(point, hex, hit, drag) {
    if (drag.kind === "stroke") this.ground.stroke(drag.points);
    else if (drag.kind === "carry") this.put(drag.unit, drag.goal, hex);
    else return false;
    return true;
  }

  turn(degrees) {
    if (!this.isOn) return false;
    const { unit } = this;
    const facing = ((Math.round(degrees) % 360) + 360) % 360;
    this.send(unit.id, `${unit.at.join(",")} facing ${facing}`);
    return true;
  }

  put({ id }, point, hex) {
    if (!this.unit || this.unit.id !== id) select([id]);
    if (this.unit.at) desk.map.carry(this.unit, point);
    this.send(id, hex || point.map((each) => each.toFixed(1)).join(","));
  }

  send(unit, to) {
    if (this.mode === "place") this.setUp.deploy(unit, to);
    else this.preview({ do: "correct", unit, field: "place", value: to });
  }

  // Changes.

  async preview(change) {
    const found = await ask(() => post("/api/table/preview", { change }, state.seat));
    this.asked = found && { ...found, change };
    if (found) desk.map.light(new Set(), {});
    else desk.map.release();
    this.ground.showPreview(this.asked);
    desk.draw();
  }

  async confirm() {
    const { change, tag } = this.asked;
    const done = await this.do(() => post("/api/table/change", { change, tag }, state.seat));
    this.asked = null;
    desk.map.release();
    if (done) this.ground.done();
    desk.draw();
  }

  /** Makes a change at once. If others changed the table meanwhile, tries again if `isSame` returns true. */
  async make(change, isSame = () => false) {
    const send = () => post("/api/table/change", { change, progress: state.view.ownProgress }, state.seat);
    const done = await this.do(async () => {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 409) throw error;
        await refresh();
        if (!isSame()) throw error;
        return send();
      }
    });
    desk.map.release();
    return done;
  }

  /** Sends an action whose answer is the view. The user's own action does not count as unseen news. */
  async do(work) {
    const isUpToDate = !countUnseen();
    const done = await act(work);
    if (done && isUpToDate) markSeen();
    return done;
  }

  async askUndo() {
    this.undoing = await ask(() => get("/api/undo", state.seat));
    desk.draw();
  }

  async undo() {
    const { progress } = this.undoing;
    this.undoing = null;
    await this.do(() => post("/api/undo", { progress }, state.seat));
    desk.draw();
  }

  // The panel.

  /** Returns the bar with the modes of the finger and the choice of the view. */
  bar() {
    const { modes } = this;
    const choice = (mode, isOn) => toggle(MODE_NAMES[mode], () => this.choose(mode), isOn, isOn ? "on" : "");
    const buttons = modes.length < 2 ? [] : modes.map((mode) => choice(mode, mode === this.mode));
    const views = state.view.umpire ? state.view.umpire.views : [];
    if (views.length) buttons.push(viewChoice(views));
    if (!buttons.length) return [];
    const made = row(...buttons);
    made.classList.add("bar");
    return [made];
  }

  /** Returns the panel's parts, or null in the mode for orders. */
  parts() {
    if (this.undoing) return this.undoParts();
    if (this.asked) return this.askedParts();
    if (!this.isOn) return null;
    if (this.mode === "ground") return this.ground.parts();
    const { unit } = this;
    if (this.mode === "place") return unit ? this.setUp.unitParts(unit) : this.setUp.parts();
    return unit ? this.unitParts(unit) : [node("p", "small", CORRECT_HINT), this.undoRow(), ...this.prompts()];
  }

  unitParts(unit) {
    const remove = button("Remove", () => this.preview({ do: "remove", unit: unit.id }), "danger");
    return [...this.head(unit), row(...this.turnButtons(unit), remove), ...this.form.parts(unit)];
  }

  head(unit) {
    return [head(unit.name, () => select([])), ...(unit.line ? [node("p", "small", unit.line)] : [])];
  }

  turnButtons({ at, facing }) {
    if (!at || facing === undefined) return [];
    return turnSigns((degrees) => this.turn(facing + degrees), TURN_STEP_DEGREES).map((made) => acts(made, state.stale));
  }

  undoRow(...more) {
    return row(...more, acts(button("Undo", () => this.askUndo()), state.stale));
  }

  askedParts() {
    const { words, lines, pieces, change } = this.asked;
    const isDrawn = change.do === "draw";
    const does = acts(button(isDrawn ? "Put it on the table" : "Do it", () => this.confirm(), "go"), state.stale);
    const buttons = row(does, button("Back", () => this.cancel()));
    const about = pieces.flatMap((piece) => [
      isDrawn ? heading(`${piece.name}: ${piece.words}`) : node("p", "", `${piece.name}: ${piece.words}`),
      ...piece.lines.map((line) => node("p", "small", line)),
    ]);
    if (isDrawn) return [...about, buttons];
    return [heading(words), ...lines.map((line) => node("p", "", line)), ...about, buttons];
  }

  undoParts() {
    const { entries, free, needs } = this.undoing;
    const does = free ? [acts(button("Take it back", () => this.undo(), "go"), state.stale)] : [];
    return [
      heading("This takes back"), ...entries.map((entry) => node("p", "", entry)),
      ...(free ? [] : [node("p", "bad", needs)]), row(...does, button("Back", () => this.cancel())),
    ];
  }
}

function viewChoice(views) {
  return menu("Whose view", views.map(({ id, name }) => [id, name]), state.view.umpire.shown, (id) => {
    lookAs(id === "umpire" ? "" : id, state.seat);
    select([]);
    refresh();
  });
}
