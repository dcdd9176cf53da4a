// Selecting units and drafting an order for them. The server decides what is possible.

import { get, post } from "/assets/api.js";
import { choose as chooseConduct } from "/assets/conduct.js";
import { desk, isOwn, state, unitOf } from "/assets/state.js";
import { act, ask, hush, tell } from "/assets/talk.js";

const SEVERAL_UNITS_HINT = "Several units move by the buttons below, or towards a unit that you tap.";

/** Selects units. With `gathers`, units tapped next are added to the selection. */
export function select(ids, gathers = false) {
  hush();
  Object.assign(state, { selected: ids, gathers, unit: null, draft: null, chooser: null, question: null, form: null, place: "" });
  desk.map.select(ids);
  desk.hand.clear();
  desk.draw();
  loadSelected();
}

/** Loads the options of the selected units. */
export function loadSelected() {
  if (desk.hand.isOn) desk.hand.load();
  else if (state.selected.length && state.view.seat.mayOrder) loadUnit();
}

/** Cancels the draft, else the open choice, else the selection. */
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

/** Loads the selected units' options, and the reach of the first unit. */
async function loadUnit() {
  const key = state.selected.join(",");
  const isMeant = () => state.selected.join(",") === key;
  const found = await ask(() => get("/api/unit", state.seat, { unit: key }));
  if (!found || !isMeant()) return;
  state.unit = found;
  const moves = found.options.some((option) => option.kind === "move");
  desk.map.light(new Set(found.options.map((option) => option.target).filter(Boolean)), {
    moves: moves && isSent(), turns: found.options.some((option) => option.group === "Face"),
  });
  if (!state.draft && !state.chooser) desk.draw();
  if (!moves || !isSent()) return;
  const reach = await ask(() => get("/api/reach", state.seat, { unit: key }));
  if (reach && isMeant()) desk.map.showReach(reach);
}

/** Adds units of the same side to the selection, or removes them if they are all selected. */
export function gather(ids) {
  const { side } = unitOf(state.selected[0]);
  const some = ids.filter((id) => isOwn(unitOf(id)) && unitOf(id).side === side);
  const isOut = some.every((id) => state.selected.includes(id));
  const rest = state.selected.filter((id) => !some.includes(id));
  if (some.length && (!isOut || rest.length)) select(isOut ? rest : [...rest, ...some], true);
}

/** Whether the selected units can move to a place; several units only if they may share it. */
const isSent = () => state.selected.length === 1 || state.view.map.kind === "hexes";

const optionsAt = (id) => (state.unit ? state.unit.options.filter((option) => option.target === id || option.goal === id) : []);
const canMove = () => Boolean(state.unit) && state.unit.options.some((option) => option.kind === "move");

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

/** Asks which of several units the user means; `place` adds the choice to move there instead. */
function choose(ids, then, place) {
  state.chooser = { ids, then, place };
  desk.draw();
}

/** Drafts an attack on a target, else a move towards the unit. Asks if several attacks are possible. */
function aim(target) {
  const attacks = optionsAt(target).filter((option) => option.target);
  const options = attacks.length === 1 ? attacks : optionsAt(target);
  if (options.length === 1) draftOrder(options[0]);
  else { state.chooser = { options }; desk.draw(); }
}

export function tapGround(point, hex) {
  if (state.form) { fillPlace(hex); return; }
  if (canMove() && !isSent()) tell(SEVERAL_UNITS_HINT);
  else if (canMove()) move(point, hex);
  else if (state.selected.length || state.place || !hex) { select([]); showPlace(""); }
  else showPlace(hex);
}

/** Shows what is in a hex. An empty hex closes the panel of the last one. */
export function showPlace(hex) {
  state.place = hex;
  desk.draw();
}

export function drop(point, hex, hit, drag) {
  if (drag && drag.kind === "way") { sendAlong(drag.way); return; }
  const aimed = hit.filter((id) => optionsAt(id).some((option) => option.target));
  if (aimed.length) aim(aimed[0]);
  else move(point, hex, state.draft && state.draft.place ? state.draft.place.facing : null);
}

// Drafting an order.

export function move(point, hex, facing = null) {
  const to = hex || `${point[0].toFixed(1)},${point[1].toFixed(1)}${facing === null ? "" : ` facing ${facing}`}`;
  draftOrder({ kind: "move", args: { ...conduct(), to }, phase: "" }, { point, hex, facing, ...(hex ? { way: [hex] } : {}) });
}

/** The arguments of a drafted march, which a newly drawn route keeps. */
const conduct = () => (state.view.map.ways && state.draft && state.draft.order.kind === "move" ? state.draft.order.args : {});

/** Drafts an order along a route that a finger has drawn. A route back to its start drafts nothing. */
function sendAlong(way) {
  if (!way.length) { desk.map.showDraft(state.draft); return; }
  const point = desk.map.centres.get(way[way.length - 1]);
  draftOrder({ kind: "move", args: { ...conduct(), to: way.join(" ") }, phase: "" }, { point, hex: way[way.length - 1], facing: null, way });
}

/** Adds a choice to the drafted order, or drafts an order from it. */
export function decide(option) {
  const { draft } = state;
  if (!draft || draft.order.kind !== option.kind) { draftOrder(option); return; }
  const { with: words, ...rest } = chooseConduct(draft.order.args, option);
  const args = words ? { ...rest, with: words } : rest;
  if (Object.keys(args).length) draftOrder({ kind: option.kind, args, phase: "" }, draft.place);
  else cancel();
}

/** Opens a form of the selected unit; null closes the form. */
export function openForm(form) {
  state.form = form && { form, values: {} };
  desk.draw();
}

/** Drafts an order from a form's values. */
export function fillForm(values) {
  const { form } = state.form;
  state.form = null;
  decide({ kind: form.kind, group: form.heading || form.group, args: values, phase: "" });
}

function fillPlace(hex) {
  const field = state.form.form.fields.find((candidate) => candidate.place);
  if (field && hex) fillForm({ [field.name]: hex });
}

/** Turns the units at the end of the drafted order, or on the spot without a draft. */
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
