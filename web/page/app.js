// The page of one seat: connects the map, the panel, the lists and the news.

import { findSeat, get, lookAs, post, seatQuery, watchNews } from "/assets/api.js";
import { formPanel, placePanel } from "/assets/conduct.js";
import { showDispatches } from "/assets/dispatches.js";
import { acts, button, disableActs, head, heading, node, row, show, walkWithArrows } from "/assets/dom.js";
import { HandMap } from "/assets/hand_map.js";
import * as orders from "/assets/orders.js";
import { chooserPanel, draftPanel, promptList, sheetPanel, unitPanel } from "/assets/panels.js";
import { desk, state, unitOf } from "/assets/state.js";
import { closeStory, countUnseen, openStory, storyList, storyPanel, tellResult } from "/assets/story.js";
import { act, ask, follow, hush, on, tell } from "/assets/talk.js";
import { Hand } from "/assets/umpire.js";

const PRESS_MS = 60; // from a lifted finger to its click

const find = (selector) => document.querySelector(selector);
const panel = find("#panel-body");
const side = find("#side");
const write = find("#write");
const lines = find("#write-lines");
const goOn = find("#go-on");

/** Closes the story before `work` handles a gesture on the map. */
const now = (work) => (...given) => { closeStory(); work(...given); };

desk.draw = drawPanel;
desk.map = new HandMap(find("#map"), {
  tapUnits: now((...given) => desk.hand.tapUnits(...given) || orders.tapUnits(...given)),
  tapGround: now((...given) => desk.hand.tapGround(...given) || orders.tapGround(...given)),
  drop: (...given) => desk.hand.drop(...given) || orders.drop(...given),
  turn: (degrees) => desk.hand.turn(degrees) || orders.turn(degrees),
});
desk.hand = new Hand(() => promptList(state.view.prompts, { answer, rule: showRule }));
Object.assign(on, { take, leave, idle: askAnyway });

function take(view) {
  state.view = view;
  if (state.question && (!view.sheet || view.sheet.revision !== state.question.revision)) state.question = null;
  document.body.classList.toggle("no-map", view.map.kind === "none");
  find("#turn").textContent = view.game.turn;
  find("#waiting").textContent = view.game.over || view.waiting;
  document.title = `${view.game.name}: ${view.game.turn}`;
  desk.map.show(view, seatQuery(state.seat), state.symbols);
  desk.hand.take();
  if (!state.selected.every(unitOf)) orders.select([]);
  else orders.loadSelected();
  drawPanel();
}

// Actions.

async function carryOut(end, anyway = false) {
  const body = { revision: state.view.sheet.revision, end, anyway };
  if (await act(() => post("/api/do", body, state.seat))) showResult();
}

async function answer(prompt, offer) {
  if (await act(() => post("/api/answer", { key: prompt.key, offer: offer.tag }, state.seat))) showResult();
}

/** Opens the page of the battle's game. */
async function openBattle(battle) {
  const found = await ask(() => post("/api/battle", { battle }, state.seat));
  if (found) location.href = `/?${new URLSearchParams({ battle })}#${found.key}`;
}

function showResult() {
  orders.select([]);
  tellResult();
}

/** Asks whether to end a turn in which some units did nothing. The question stays until the order sheet changes. */
function askAnyway(words) {
  state.question = { words, revision: state.view.sheet.revision };
  drawPanel();
}

// The panel.

// Redrawing the panel under a finger would lose the press, so it waits.
let isPressed = false;
let isAwaited = false;

panel.addEventListener("pointerdown", () => { isPressed = true; });
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, () => setTimeout(() => {
    isPressed = false;
    if (isAwaited) drawPanel();
  }, PRESS_MS));
}

function drawPanel() {
  isAwaited = isPressed;
  if (!state.view || isPressed) return;
  const isHome = !(state.question || state.story || state.chooser || state.draft || state.form || state.place || state.selected.length);
  const bar = state.question || state.story ? [] : desk.hand.bar();
  show(panel, ...bar, ...panelParts());
  if (state.unit) desk.map.uncover();
  write.hidden = !(isHome && state.view.sheet && !desk.hand.isOn); // typed text stays when the panel above is redrawn
  showDispatches(isHome && !desk.hand.isOn);
  if (state.view.sheet) goOn.checked = state.view.sheet.goOn;
  const unseen = countUnseen();
  find("#unseen").textContent = unseen || "";
  find("#unseen").hidden = !unseen;
}

function panelParts() {
  const { select, change, draftOrder } = orders;
  if (state.question) return questionParts();
  if (state.story) return storyPanel({ rule: showRule, list: openList });
  if (state.chooser) {
    const go = ({ point, hex }) => orders.move(point, hex);
    return chooserPanel(state.chooser, { draft: draftOrder, select, go, back: orders.cancel, look: openBattle });
  }
  const byHand = desk.hand.parts();
  if (byHand) return byHand;
  const { decide, openForm } = orders;
  if (state.form) return formPanel(state.form, { fill: orders.fillForm, close: orders.cancel });
  if (state.place) return placePanel(state.place, { close: orders.cancel, select, look: openBattle });
  if (state.draft) return draftPanel(state.draft, { add: orders.addDraft, turn: orders.turn, cancel: orders.cancel, decide, open: openForm });
  if (state.selected.length) {
    return unitPanel(state.selected.map(unitOf), state.unit, {
      draft: (option) => draftOrder(option), decide, open: openForm, look: openBattle, close: () => select([]), gather: () => select(state.selected, !state.gathers),
    });
  }
  const unseen = countUnseen();
  const news = unseen ? [row(button(`What happened since you looked (${unseen})`, openStory))] : [];
  const [required, others] = [true, false].map((is) => promptList(
    state.view.prompts.filter((prompt) => prompt.required === is), { answer, rule: showRule }));
  const sheet = state.view.sheet
    ? sheetPanel(state.view, { change, carryOut })
    : [node("p", "small", "You are looking on. Tap a unit to read how it stands.")];
  return [...news, ...required, ...sheet, ...others];
}

function questionParts() {
  const end = acts(button("End it anyway", () => carryOut(true, true), "danger"), state.stale);
  const back = button("Back", () => { state.question = null; drawPanel(); });
  return [heading("End the turn?"), node("p", "bad", state.question.words), row(end, back)];
}

find("#write-add").addEventListener("click", async () => {
  const typed = lines.value;
  if (typed.trim() && await orders.change({ lines: typed }) && lines.value === typed) lines.value = "";
});
goOn.addEventListener("change", async () => {
  if (!await orders.change({ go_on: goOn.checked })) goOn.checked = state.view.sheet.goOn;
});

// The lists beside the map.

let opener = null;

function closeSide() {
  if (side.hidden) return;
  side.hidden = true;
  find("#open-units").setAttribute("aria-expanded", "false");
  if (opener && opener.isConnected) opener.focus();
}

function openSide(title, ...parts) {
  if (side.hidden) opener = document.activeElement;
  side.style.setProperty("--head", `${find("#head").offsetHeight}px`);
  const top = head(title, closeSide);
  show(side, top, ...parts);
  side.hidden = false;
  top.firstChild.focus();
}

async function showRule(number) {
  const rule = await ask(() => get("/api/rule", state.seat, { number }));
  if (!rule) return;
  const more = [rule.rulings, rule.house].filter(Boolean).map((words) => node("p", "small", words));
  openSide(rule.title, node("p", "", rule.text), ...more);
}

function openList() {
  openSide("What happened", ...storyList(closeSide));
}

function openUnits() {
  const { view } = state;
  const ordered = new Set(view.sheet ? view.sheet.orders.flatMap((order) => order.units) : []);
  const line = (unit) => button(`${ordered.has(unit.id) ? "✓ " : ""}${unit.name} · ${unit.line || "on the map"}`, () => {
    closeSide();
    closeStory();
    if (unit.at) desk.map.centre(unit);
    if (state.gathers && state.selected.length) orders.gather([unit.id]);
    else orders.select([unit.id]);
    panel.querySelector("[tabindex='-1']").focus();
  }, "unit-row");
  const sides = [...view.sides].sort((one, other) => (other.id === view.seat.side) - (one.id === view.seat.side));
  openSide("Units", ...sides.flatMap(({ id, name }) => {
    const units = view.units.filter((unit) => unit.side === id);
    return units.length ? [node("h3", "", name), ...units.map(line)] : [];
  }));
  find("#open-units").setAttribute("aria-expanded", "true");
}

find("#open-units").addEventListener("click", () => (side.hidden ? openUnits() : closeSide()));
find("#open-news").addEventListener("click", () => { closeSide(); openStory(); });
find("#zoom-in").addEventListener("click", () => desk.map.zoom(1.5));
find("#zoom-out").addEventListener("click", () => desk.map.zoom(1 / 1.5));
find("#zoom-all").addEventListener("click", () => desk.map.showAll());
find("#note").addEventListener("click", hush);
addEventListener("pointerdown", () => document.body.classList.add("by-touch"), true);
addEventListener("keydown", (event) => {
  document.body.classList.remove("by-touch");
  if (event.key !== "Escape") return;
  if (!side.hidden) closeSide();
  else if (state.story) { closeStory(); drawPanel(); } else orders.cancel();
});
for (const box of [side, panel]) walkWithArrows(box);

// Start, news, and end of the page.

function setStale(is) {
  if (state.stale === is || state.left) return;
  state.stale = is;
  const line = find("#stale");
  line.hidden = !is;
  line.textContent = `As of ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}: no connection.`;
  disableActs(is);
}

let stopNews = () => {};

/** Stops the page because the server refuses its seat, and shows why. */
function leave(why) {
  if (state.left) return;
  stopNews();
  setStale(true);
  state.left = true;
  find("#stale").textContent = why;
  tell(why);
}

async function begin() {
  try {
    state.seat = await findSeat();
    state.symbols = await get("/api/symbols", state.seat);
    lookAs(new URLSearchParams(location.search).get("as") || "", state.seat);
    take(await get("/api/view", state.seat));
  } catch (error) {
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
