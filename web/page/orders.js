// Selecting units and making an order of them: every answer comes from the server.

import { get, post } from "/assets/api.js";
import { choose as chooseConduct } from "/assets/conduct.js";
import { desk, isOwn, state, unitOf } from "/assets/state.js";
import { act, ask, hush, tell } from "/assets/talk.js";

const TOGETHER = "Several units move by the buttons below, or towards a unit that you tap.";

/** Selects units; `gathers` keeps adding those that are tapped next. */
export function select(ids, gathers = false) {
  hush();
  Object.assign(state, { selected: ids, gathers, unit: null, draft: null, chooser: null, question: null, form: null, place: "" });
  desk.map.select(ids);
  desk.hand.clear();
  desk.draw();
  loadSelected();
}

/** Loads what can be done with the selected units. */
export function loadSelected() {
  if (desk.hand.isOn) desk.hand.load();
  else if (state.selected.length && state.view.seat.mayOrder) loadUnit();
}

/** Takes one step back: the draft, the choice, then the selection. */
export function cancel() {
  if (desk.hand.cancel()) return;
  if (state.form) openForm(null);
  else if (state.place) showPlace("");
  else if (state.draft || state.chooser || state.question) {
    Object.assign(state, { draft: null, chooser: null, question: null });
    desk.map.showDraft(null);
    desk.draw();
  } else if (state.selected.length) select([]);
}

/** Loads what the selected units can do, and where the first of them can go. */
async function loadUnit() {
  const key = state.selected.join(",");
  const isMeant = () => state.selected.join(",") === key;
  const found = await ask(() => get("/api/unit", state.seat, { unit: key }));
  if (!found || !isMeant()) return;
  state.unit = found;
  const moves = found.options.some((one) => one.kind === "move");
  desk.map.light(new Set(found.options.map((one) => one.target).filter(Boolean)), {
    moves: moves && isSent(), turns: found.options.some((one) => one.group === "Face"),
  });
  if (!state.draft && !state.chooser) desk.draw();
  if (!moves || !isSent()) return;
  const reach = await ask(() => get("/api/reach", state.seat, { unit: key }));
  if (reach && isMeant()) desk.map.showReach(reach);
}

/** Adds units to the selected ones, all of one side, or takes them out if they are selected. */
export function gather(ids) {
  const { side } = unitOf(state.selected[0]);
  const some = ids.filter((id) => isOwn(unitOf(id)) && unitOf(id).side === side);
  const isOut = some.every((id) => state.selected.includes(id));
  const rest = state.selected.filter((id) => !some.includes(id));
  if (some.length && (!isOut || rest.length)) select(isOut ? rest : [...rest, ...some], true);
}

/** Whether the selected units can be sent to a place: several only if they may stand on the same one. */
const isSent = () => state.selected.length === 1 || state.view.map.kind === "hexes";

const optionsAt = (id) => (state.unit ? state.unit.options.filter((one) => one.target === id || one.goal === id) : []);
const canMove = () => Boolean(state.unit) && state.unit.options.some((one) => one.kind === "move");

export function tapUnits(ids, point, hex) {
  if (state.form) { fillPlace(hex); return; }
  if (state.gathers && ids.some((id) => isOwn(unitOf(id)))) { gather(ids); return; }
  const aimed = ids.filter((id) => optionsAt(id).length);
  const isOpen = desk.map.reaches(hex) || (state.view.map.ways && !ids.some((id) => isOwn(unitOf(id))));
  const goes = canMove() && isOpen && !state.selected.some((id) => ids.includes(id));
  if (aimed.length === 1 && !goes) aim(aimed[0]);
  else if (aimed.length) choose(aimed, aim, goes && { point, hex });
  else if (goes && !ids.some((id) => isOwn(unitOf(id)))) move(point, hex);
  else if (goes || ids.length > 1) choose(ids, (id) => select([id]), goes && { point, hex });
  else select(state.selected.length === 1 && state.selected[0] === ids[0] ? [] : ids);
}

/** Asks which of several units is meant; `place` offers to move there instead. */
function choose(ids, then, place) {
  state.chooser = { ids, then, place };
  desk.draw();
}

/** Attacks a lit unit, else goes towards it; asks which attack is meant if there are several. */
function aim(target) {
  const attacks = optionsAt(target).filter((one) => one.target);
  const options = attacks.length === 1 ? attacks : optionsAt(target);
  if (options.length === 1) draftOrder(options[0]);
  else { state.chooser = { options }; desk.draw(); }
}

export function tapGround(point, hex) {
  if (state.form) { fillPlace(hex); return; }
  if (canMove() && !isSent()) tell(TOGETHER);
  else if (canMove()) move(point, hex);
  else if (state.selected.length || state.place || !hex) { select([]); showPlace(""); }
  else showPlace(hex);
}

/** Tells what is in a hex; an empty one closes that. */
export function showPlace(hex) {
  state.place = hex;
  desk.draw();
}

export function drop(point, hex, hit, drag) {
  if (drag && drag.kind === "way") { sendAlong(drag.way); return; }
  const aimed = hit.filter((id) => optionsAt(id).some((one) => one.target));
  if (aimed.length) aim(aimed[0]);
  else move(point, hex, state.draft && state.draft.place ? state.draft.place.facing : null);
}

// Making an order.

export function move(point, hex, facing = null) {
  const to = hex || `${point[0].toFixed(1)},${point[1].toFixed(1)}${facing === null ? "" : ` facing ${facing}`}`;
  draftOrder({ kind: "move", args: { ...conduct(), to }, phase: "" }, { point, hex, facing, ...(hex ? { way: [hex] } : {}) });
}

/** What the order being made says beside its way, which a new way keeps. */
const conduct = () => (state.view.map.ways && state.draft && state.draft.order.kind === "move" ? state.draft.order.args : {});

/** Makes an order of a way that a finger has drawn; a way back to its beginning is none. */
function sendAlong(way) {
  if (!way.length) { desk.map.showDraft(state.draft); return; }
  const point = desk.map.centres.get(way[way.length - 1]);
  draftOrder({ kind: "move", args: { ...conduct(), to: way.join(" ") }, phase: "" }, { point, hex: way[way.length - 1], facing: null, way });
}

/** Puts a choice into the order being made, or makes an order of it. */
export function decide(option) {
  const { draft } = state;
  if (!draft || draft.order.kind !== option.kind) { draftOrder(option); return; }
  const { with: words, ...rest } = chooseConduct(draft.order.args, option);
  const args = words ? { ...rest, with: words } : rest;
  if (Object.keys(args).length) draftOrder({ kind: option.kind, args, phase: "" }, draft.place);
  else cancel();
}

/** Opens a form of the selected unit; null closes it. */
export function openForm(form) {
  state.form = form && { form, values: {} };
  desk.draw();
}

/** Makes an order of a form's values. */
export function fillForm(values) {
  const { form } = state.form;
  state.form = null;
  decide({ kind: form.kind, group: form.heading || form.group, args: values, phase: "" });
}

function fillPlace(hex) {
  const field = state.form.form.fields.find((one) => one.place);
  if (field && hex) fillForm({ [field.name]: hex });
}

/** Turns the order's units at its end, or on the spot without an order. */
export function turn(facing) {
  const { draft } = state;
  const degrees = ((Math.round(facing) % 360) + 360) % 360;
  if (draft && draft.place && draft.place.point) move(draft.place.point, draft.place.hex, degrees);
  else draftOrder({ kind: "move", args: { to: `face ${degrees}` }, phase: "" }, { point: null, hex: "", facing: degrees });
}

let drafts = 0;

export async function draftOrder(option, place = null) {
  const number = ++drafts;
  const order = { units: state.selected, kind: option.kind, args: option.args, phase: option.phase || "" };
  const goal = place && place.point ? place.point : option.target && (unitOf(option.target) || {}).at;
  if (!(place && place.way)) desk.map.ghost(goal);
  const found = await ask(() => post("/api/draft", order, state.seat));
  if (number !== drafts || state.selected !== order.units) return;
  state.chooser = null;
  state.draft = found ? { ...found, order: { ...order, phase: found.order.phase }, place } : null;
  desk.map.showDraft(state.draft);
  desk.draw();
}

export async function change(body) {
  return act(() => post("/api/sheet", { revision: state.view.sheet.revision, ...body }, state.seat));
}

export async function addDraft() {
  if (await change({ add: state.draft.order })) select([]);
}
