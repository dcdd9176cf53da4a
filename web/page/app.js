// The page of one seat: what is selected, the order being made, and what the panel shows.

import { Refusal, findSeat, get, post, watchNews } from "/assets/api.js";
import { GameMap } from "/assets/map.js";
import { acts, button, disableActs, node, show } from "/assets/dom.js";
import { newsList, promptList, sheetPanel, unitPanel } from "/assets/panels.js";

const state = {
  seat: "", view: null, symbols: {}, selected: "", unit: null, draft: null, chooser: null, question: null, stale: false,
  counter: null, left: false,
};
const panel = document.querySelector("#panel-body");
const write = document.querySelector("#write");
const lines = document.querySelector("#write-lines");
const side = document.querySelector("#side");
const note = document.querySelector("#note");

const map = new GameMap(document.querySelector("#map"), {
  tapUnits: (ids) => tapUnits(ids),
  tapGround: (point, hex) => tapGround(point, hex),
  drop: (unit, point, hex, hit) => drop(unit, point, hex, hit),
  cancel: () => select(""),
});

// Asking.

async function ask(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(error.message);
    if (error.status === 409) await refresh();
    if (error.status === 428) askAnyway(error.message);
    return null;
  }
}

let noteTimer = 0;

function tell(words) {
  note.textContent = words;
  note.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note.hidden = true; }, 6000);
}

// Views arrive in any order. Requests are numbered, and an answer older than the shown one is dropped.
let asked = 0;
let shown = 0;

/** Loads the view and shows it, unless a newer one is shown. Returns whether the server answered. */
async function refresh() {
  const number = ++asked;
  try {
    const view = await get("/api/view", state.seat);
    if (number > shown) { shown = number; take(view); }
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 403) leave(error.message);
    else if (error.status && error.status < 500) tell(error.message);
    return false;
  }
}

/** Does something that answers with the view, and shows it. Returns whether it was done. */
async function act(work) {
  const number = ++asked;
  const view = await ask(work);
  if (!view) return false;
  if (number === asked) { shown = number; take(view); } else await refresh();
  return true;
}

let wanted = "";
let isFollowing = false;

/** Loads the view until it is as new as the newest news, one request at a time. */
async function follow(counter) {
  wanted = counter;
  if (isFollowing) return;
  isFollowing = true;
  while (!state.left && wanted !== state.counter) {
    const loading = wanted;
    if (await refresh()) state.counter = loading;
    else await new Promise((done) => setTimeout(done, 3000));
  }
  isFollowing = false;
}

function take(view) {
  state.view = view;
  if (state.question && (!view.sheet || view.sheet.revision !== state.question.revision)) state.question = null;
  document.body.classList.toggle("no-map", view.map.kind === "none");
  document.querySelector("#turn").textContent = view.game.turn;
  document.querySelector("#waiting").textContent = view.game.over || view.waiting;
  document.title = `${view.game.name}: ${view.game.turn}`;
  map.canDrag = view.seat.mayOrder;
  map.show(view, state.seat, state.symbols);
  if (state.selected && !view.units.some((unit) => unit.id === state.selected)) state.selected = "";
  if (state.selected && isOwn(unitOf(state.selected))) loadUnit(state.selected);
  drawPanel();
}

const unitOf = (id) => state.view.units.find((unit) => unit.id === id);
const isOwn = (unit) => state.view.seat.mayOrder && (state.view.seat.orders === "umpire" || unit.side === state.view.seat.orders);

// Selecting.

function select(id) {
  state.selected = id;
  state.unit = null;
  state.draft = null;
  state.chooser = null;
  state.question = null;
  map.ghost();
  map.showReach({});
  map.mark(id, new Set());
  drawPanel();
  if (id && isOwn(unitOf(id))) loadUnit(id);
}

async function loadUnit(id) {
  const found = await ask(() => get("/api/unit", state.seat, { unit: id }));
  if (!found || state.selected !== id) return;
  state.unit = found;
  map.mark(id, new Set(found.options.map((one) => one.target).filter(Boolean)));
  drawPanel();
  const reach = await ask(() => get("/api/reach", state.seat, { unit: id }));
  if (reach && state.selected === id) map.showReach(reach);
}

function tapUnits(ids) {
  const lit = ids.filter((id) => map.targets.has(id));
  if (state.unit && lit.length) {
    if (lit.length > 1) choose(lit, attack);
    else attack(lit[0]);
  } else if (ids.length > 1) choose(ids, select);
  else select(ids[0]);
}

function choose(ids, then) {
  state.chooser = { ids, then };
  drawPanel();
}

function attack(target) {
  const options = state.unit.options.filter((one) => one.target === target);
  if (options.length === 1) draftOrder(options[0]);
  else { state.chooser = { options }; drawPanel(); }
}

function tapGround(point, hex) {
  if (state.unit) move(state.selected, point, hex);
  else select("");
}

function drop(unit, point, hex, hit) {
  const lit = hit.filter((id) => map.targets.has(id));
  if (lit.length) attack(lit[0]);
  else move(unit, point, hex);
}

// Making an order.

function move(unit, point, hex, facing = null) {
  const to = hex || `${point[0].toFixed(1)},${point[1].toFixed(1)}${facing === null ? "" : ` facing ${facing}`}`;
  draftOrder({ kind: "move", args: { to }, phase: "" }, { point, hex, facing });
}

async function draftOrder(option, place = null) {
  const order = { units: [state.selected], kind: option.kind, args: option.args, phase: option.phase || "" };
  const from = unitOf(state.selected);
  const goal = place ? place.point : option.target && (unitOf(option.target) || {}).at;
  if (from && from.at && goal) map.ghost(from.at, goal);
  const found = await ask(() => post("/api/draft", order, state.seat));
  state.chooser = null;
  state.draft = found ? { ...found, order: { ...order, phase: found.order.phase }, place } : null;
  if (!found) map.ghost();
  drawPanel();
}

function turnDraft(by) {
  const { place } = state.draft;
  const facing = (((place.facing ?? Math.round(unitOf(state.selected).facing)) + by) + 360) % 360;
  move(state.selected, place.point, place.hex, facing);
}

async function change(body) {
  return act(() => post("/api/sheet", { revision: state.view.sheet.revision, ...body }, state.seat));
}

async function addDraft() {
  const order = state.draft.order;
  if (await change({ add: order })) select("");
}

async function carryOut(end, anyway = false) {
  const body = { revision: state.view.sheet.revision, end, anyway };
  if (await act(() => post("/api/do", body, state.seat))) select("");
}

/** Asks whether an idle turn shall end. News leave the question, unless they change the order sheet. */
function askAnyway(words) {
  state.question = { words, revision: state.view.sheet.revision };
  drawPanel();
}

async function answer(prompt, offer) {
  await act(() => post("/api/answer", { key: prompt.key, offer: offer.tag }, state.seat));
}

// The panel.

function drawPanel() {
  if (!state.view) return;
  const parts = [];
  let isSheet = false;
  if (state.question) parts.push(...questionParts());
  else if (state.chooser) parts.push(...chooserParts());
  else if (state.draft) parts.push(...draftParts());
  else if (state.selected && unitOf(state.selected)) {
    parts.push(...unitPanel(unitOf(state.selected), state.unit, { draft: draftOrder, close: () => select("") }));
  } else {
    parts.push(...promptList(state.view.prompts, { answer, rule: showRule }));
    isSheet = Boolean(state.view.sheet);
    if (isSheet) parts.push(...sheetPanel(state.view, { change, carryOut, stale: state.stale }));
    else parts.push(node("p", "small", "You are looking on. Tap a unit to read how it stands."));
  }
  show(panel, ...parts);
  write.hidden = !isSheet; // what is typed there stays, whatever is drawn above
}

function questionParts() {
  const end = acts(button("End it anyway", () => carryOut(true, true), "danger"), state.stale);
  return [node("p", "bad", state.question.words), end, button("Back", () => { state.question = null; drawPanel(); })];
}

function chooserParts() {
  const { ids, then, options } = state.chooser;
  const rows = options
    ? options.map((one) => button(one.chance ? `${one.words} · ${one.chance}` : one.words, () => draftOrder(one), "unit-row"))
    : ids.map((id) => button(`${unitOf(id).name} · ${unitOf(id).line}`, () => { state.chooser = null; then(id); }, "unit-row"));
  return [node("h2", "", "Which one?"), ...rows, button("Back", () => { state.chooser = null; drawPanel(); })];
}

function draftParts() {
  const { draft } = state;
  const fails = draft.why.length > 0;
  const about = [draft.about ? "about" : "", ...draft.chances].filter(Boolean).join(", ");
  const parts = [
    node("h2", "", draft.words),
    ...(about ? [node("p", "", about)] : []),
    ...draft.why.map((words) => node("p", "bad", `✖ ${words}`)),
    ...draft.warnings.map((words) => node("p", "warn", `⚠ ${words}`)),
  ];
  const row = node("div", "row");
  row.append(button("Add to orders", addDraft, "go", fails));
  if (draft.place && !draft.place.hex) {
    row.append(button("↺ 45°", () => turnDraft(-45)), button("↻ 45°", () => turnDraft(45)));
  }
  row.append(button("Cancel", () => { state.draft = null; map.ghost(); drawPanel(); }));
  return [...parts, row];
}

async function addLines() {
  const typed = lines.value;
  if (typed.trim() && await change({ lines: typed }) && lines.value === typed) lines.value = "";
}

async function showRule(number) {
  const rule = await ask(() => get("/api/rule", state.seat, { number }));
  if (!rule) return;
  const more = [rule.rulings, rule.house].filter(Boolean).map((words) => node("p", "small", words));
  show(side, node("h2", "", rule.title), node("p", "", rule.text), ...more, button("Close", closeSide));
  side.hidden = false;
}

// The lists beside the map.

function closeSide() {
  side.hidden = true;
  for (const id of ["#open-units", "#open-news"]) document.querySelector(id).setAttribute("aria-expanded", "false");
}

function openSide(by, ...parts) {
  const isOpen = by.getAttribute("aria-expanded") === "true";
  closeSide();
  if (isOpen) return;
  side.style.setProperty("--head", `${document.querySelector("#head").offsetHeight}px`);
  show(side, ...parts, button("Close", closeSide));
  side.hidden = false;
  by.setAttribute("aria-expanded", "true");
}

document.querySelector("#open-units").addEventListener("click", (event) => {
  const rows = state.view.units.map((unit) => button(`${unit.name} · ${unit.line || "on the map"}`, () => {
    closeSide();
    if (unit.at) map.centre(unit);
    select(unit.id);
  }, "unit-row"));
  openSide(event.currentTarget, node("h2", "", "Units"), ...rows);
});

document.querySelector("#open-news").addEventListener("click", async (event) => {
  const by = event.currentTarget;
  const found = await ask(() => get("/api/history", state.seat));
  if (found) openSide(by, node("h2", "", "What happened"), ...newsList(found.entries, showRule));
});

document.querySelector("#zoom-in").addEventListener("click", () => map.zoom(1.5));
document.querySelector("#zoom-out").addEventListener("click", () => map.zoom(1 / 1.5));
document.querySelector("#zoom-all").addEventListener("click", () => map.showAll());
note.addEventListener("click", () => { note.hidden = true; });
addEventListener("keydown", (event) => { if (event.key === "Escape") { closeSide(); select(""); } });

document.querySelector("#write-add").addEventListener("click", addLines);

function setStale(is) {
  if (state.stale === is || state.left) return;
  state.stale = is;
  const line = document.querySelector("#stale");
  line.hidden = !is;
  line.textContent = `As of ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}: no connection.`;
  disableActs(is);
}

let stopNews = () => {};

/** Ends the page: the server refuses its seat, and says why. */
function leave(why) {
  if (state.left) return;
  stopNews();
  setStale(true);
  state.left = true;
  document.querySelector("#stale").textContent = why;
  tell(why);
}

async function begin() {
  try {
    state.seat = await findSeat();
    state.symbols = await get("/api/symbols", state.seat);
    take(await get("/api/view", state.seat));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    show(panel, node("h2", "", "The map is not open"), node("p", "", error.message));
    return;
  }
  stopNews = watchNews(state.seat, {
    changed: (counter) => { if (counter !== state.counter) follow(counter); },
    stale: setStale,
    refused: leave,
  });
}

begin();
