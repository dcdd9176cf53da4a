// The parts of the panel: prompts, the order sheet, a unit, a choice, and the drafted order.

import { conductRows, markParts } from "/assets/conduct.js";
import { acts, button, cite, head, heading, node, row, sign, turnSigns } from "/assets/dom.js";
import { isOwn, state, unitOf } from "/assets/state.js";

const TAP_HINT = "Tap one of your units, then a lit place or target, or drag it.";
const WAY_HINT = "Tap one of your units, then its goal, or drag from it over the hexes of its way.";
const ORDERS_GIVEN = "Given: each order is done when its time comes.";
const IS_READY = "You are ready. What you order now is for the next day; to change this day's orders, be not ready yet.";
const LIST_HINT = "Choose one of your units under Units, or write orders.";
const MOST_SHOWN = 4; // options under a heading before *more*
const OPEN_HEADINGS = ["Attack", "Move", "Do"]; // headings whose first options are shown
const HEADINGS = ["Attack", "Move", "Do", "Formation", "Face", "Move towards"];
const CERTAIN = "100%"; // a chance that is not shown
const TURN_STEP_DEGREES = 45;

export function promptList(prompts, { answer, rule }) {
  const hasButton = state.view.sheet && state.view.sheet.canEnd && state.view.sheet.acts; // the order sheet ends the turn
  const own = prompts.filter((prompt) => prompt.mine && prompt.offers.length && !(prompt.ends && hasButton));
  return own.flatMap((prompt) => {
    const line = node("p", prompt.required ? "" : "small", `${prompt.text} `);
    if (/\d/.test(prompt.cite)) line.append(cite(prompt.cite, rule)); // the umpire's own prompts have no rule
    return [line, row(...prompt.offers.map((offer) => acts(button(offer.label, () => answer(prompt, offer),
      offer.danger ? "danger" : prompt.required ? "go" : ""), state.stale)))];
  });
}

export function sheetPanel(view, { change, carryOut }) {
  const { sheet } = view;
  const count = sheet.orders.length;
  const parts = [heading(count ? "Your orders" : view.map.ways ? "No new orders" : "No orders yet")];
  if (!count) parts.push(node("p", "small", view.map.kind === "none" ? LIST_HINT : view.map.ways ? WAY_HINT : TAP_HINT));
  if (view.map.ways && sheet.canEnd && !sheet.acts) parts.push(node("p", "small", IS_READY));
  const list = node("ol");
  sheet.orders.forEach((order, place) => list.append(orderRow(order, place, count, change)));
  parts.push(list, ...sheet.wrong.map((line) => node("p", "bad", `✎ “${line.text}”: ${line.why}`)));
  if (sheet.takes) parts.push(button("Take what was understood", () => change({ take: true })));
  parts.push(...sheet.warnings.map((words) => node("p", "warn", `⚠ ${words}`)));
  const buttons = row();
  if (count && (sheet.now || !sheet.given)) {
    buttons.append(acts(button(sheet.now ? "Do all" : "Do all in time", () => carryOut(false), "go"), state.stale));
  }
  if (sheet.canEnd && sheet.acts) {
    const words = count ? `Do all and ${sheet.end}` : sheet.end.charAt(0).toUpperCase() + sheet.end.slice(1);
    buttons.append(acts(button(words, () => carryOut(true), count ? "go" : ""), state.stale));
  }
  if (count && sheet.given && !sheet.now) parts.push(node("p", "small", ORDERS_GIVEN));
  if (count || sheet.wrong.length) buttons.append(button("Clear", () => change({ clear: true }), "danger"));
  return [...parts, buttons];
}

function orderRow(order, place, count, change) {
  const made = node("li");
  const words = node("div", "grow", order.words);
  const facts = factsOf(order);
  if (facts) words.append(node("span", "small", ` · ${facts}`));
  words.append(...order.foreseen.map((effect) => node("div", "small", effect)), ...order.warnings.map((warning) => node("div", "small warn", `⚠ ${warning}`)));
  if (order.condition) words.append(node("div", "small", order.condition));
  words.append(...order.why.map((reason) => node("div", "small bad", `✖ ${reason}`)));
  made.append(words);
  if (order.rises) made.append(sign("↑", `Move order ${place + 1} of ${count} up`, () => change({ move: [place, place - 1] })));
  made.append(sign("✕", `Remove order ${place + 1}`, () => change({ remove: place })));
  return made;
}

const factsOf = (order) => [order.about ? "about" : "", ...order.chances].filter(Boolean).join(", ");

export function unitPanel(units, found, { draft, decide, open, close, gather, look }) {
  const [unit] = units;
  const isOne = units.length === 1;
  const title = head(isOne ? unit.name : `${units.length} units`, close);
  const parts = [title];
  parts.push(node("p", "small", isOne ? unit.line || "" : units.map((unit) => unit.name).join(", ")));
  const facts = [...markParts(unit.hex, look), ...(found && found.details.length ? [factList(found.details)] : [])];
  if (!isOwn(unit)) return [...parts, ...facts];
  const more = sign("+", "Add more units", gather);
  more.setAttribute("aria-pressed", String(state.gathers));
  title.lastChild.before(more);
  if (state.gathers) parts.push(node("p", "small", "Tap more of your units: they get the order together."));
  if (!found) return [...parts, node("p", "small", "…")];
  parts.push(...conductRows(found, HEADINGS, { draft: decide, open }));
  for (const title of HEADINGS) parts.push(...optionRows(title, found.options.filter((option) => option.group === title), draft));
  if (!found.options.length) parts.push(node("p", "small", "It can do nothing now."));
  return [...parts, ...facts];
}

/** Returns the facts on a unit's card. */
function factList(details) {
  const made = node("dl", "small");
  for (const [name, value] of details) made.append(node("dt", "", name), node("dd", "", value));
  return made;
}

/** Returns the options under a heading: some at once, the others behind *more*; rare headings are closed. */
function optionRows(title, options, draft) {
  if (!options.length) return [];
  const isTwice = (option) => options.some((other) => other !== option && other.words === option.words);
  const buttons = options.map((option) => button(label(option, isTwice(option)), () => draft(option)));
  const few = OPEN_HEADINGS.includes(title) && !(title === "Move" && state.view.map.kind === "hexes") ? buttons.splice(0, MOST_SHOWN) : [];
  const more = node("details");
  more.append(node("summary", "", few.length ? `${buttons.length} more` : `${title} (${options.length})`), row(...buttons));
  return [
    ...(few.length ? [node("h3", "", title), row(...few)] : []),
    ...(buttons.length ? [more] : []),
  ];
}

/** Returns the text of an option's button: words, phase (if other options share the words), chance and cost. */
function label(option, withPhase = false) {
  const phase = withPhase && option.phase ? `, ${option.phase}` : "";
  const words = option.words.charAt(0).toUpperCase() + option.words.slice(1) + phase;
  return [words, option.chance !== CERTAIN && option.chance, option.effect].filter(Boolean).join(" · ");
}

export function chooserPanel(chooser, { draft, select, go, back, look }) {
  const rows = chooser.options
    ? chooser.options.map((option) => button(label(option), () => draft(option), "unit-row"))
    : chooser.ids.map((id) => button([unitOf(id).name, unitOf(id).line].filter(Boolean).join(" · "), () => chooser.then(id), "unit-row"));
  const hex = chooser.ids && chooser.ids.length ? unitOf(chooser.ids[0]).hex : "";
  const own = (chooser.ids || []).filter((id) => isOwn(unitOf(id)));
  if (own.length > 1) rows.unshift(button(`All ${own.length} of mine together`, () => select(own), "unit-row go"));
  if (chooser.place) rows.unshift(button(`Move here${chooser.place.hex ? `: ${chooser.place.hex}` : ""}`, () => go(chooser.place), "unit-row go"));
  return [head(chooser.options ? "What shall they do?" : "Which one?", back), ...rows, ...markParts(hex, look)];
}

export function draftPanel(draft, { add, turn, cancel, decide, open }) {
  const facts = factsOf(draft);
  const buttons = row(button("Add to orders", add, "go", draft.fails));
  if (draft.place && !draft.place.hex) {
    const facing = draft.place.facing ?? ((draft.ends || [])[0] || unitOf(state.selected[0])).facing ?? 0;
    buttons.append(...turnSigns((degrees) => turn(facing + degrees), TURN_STEP_DEGREES));
  }
  buttons.append(button("Cancel", cancel));
  return [
    heading(draft.words),
    ...(facts ? [node("p", "", facts)] : []),
    ...draft.foreseen.map((words) => node("p", "small", words)),
    ...draft.why.map((words) => node("p", "bad", `✖ ${words}`)),
    ...draft.warnings.map((words) => node("p", "warn", `⚠ ${words}`)),
    buttons,
    ...(state.unit ? conductRows(state.unit, HEADINGS, { draft: decide, open }) : []),
  ];
}
