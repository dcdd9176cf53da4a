// The parts of the panel: prompts, the order sheet, a unit, and what happened.

import { acts, button, node } from "/assets/dom.js";

const BY_FINGER = "Tap one of your units, then a lit place or target, or drag it.";
const BY_LIST = "Choose one of your units under Units, or write orders.";
const FEW = 5; // options of a kind that stand in the panel at once

function cite(number, rule) {
  return button(number, () => rule(number.split(",")[0]), "cite");
}

export function promptList(prompts, { answer, rule }) {
  const own = prompts.filter((prompt) => prompt.mine && prompt.offers.length);
  return own.flatMap((prompt) => {
    const line = node("p", prompt.required ? "" : "small", `${prompt.text} `);
    line.append(cite(prompt.cite, rule));
    const row = node("div", "row");
    row.append(...prompt.offers.map((offer) =>
      button(offer.label, () => answer(prompt, offer), offer.danger ? "danger" : prompt.required ? "go" : "")));
    return [line, row];
  });
}

export function sheetPanel(view, { change, carryOut, stale }) {
  const { sheet } = view;
  const parts = [node("h2", "", sheet.orders.length ? "Your orders" : "No orders yet")];
  if (!sheet.orders.length) parts.push(node("p", "small", view.map.kind === "none" ? BY_LIST : BY_FINGER));
  const list = node("ol");
  sheet.orders.forEach((order, place) => list.append(orderRow(order, place, sheet.orders.length, change)));
  parts.push(list);
  parts.push(...sheet.wrong.map((one) => node("p", "bad", `✎ “${one.text}”: ${one.why}`)));
  if (sheet.takes) parts.push(button("Take what was understood", () => change({ take: true })));
  parts.push(...sheet.warnings.map((words) => node("p", "warn", `⚠ ${words}`)));
  const row = node("div", "row");
  if (sheet.orders.length && (sheet.now || !sheet.given)) {
    row.append(acts(button(sheet.now ? "Do all" : "Do all in time", () => carryOut(false), "go"), stale));
  }
  if (sheet.canEnd && (sheet.acts || sheet.orders.length)) {
    const words = sheet.orders.length ? "Do all and end my turn" : "End my turn";
    row.append(acts(button(words, () => carryOut(true), sheet.orders.length ? "go" : ""), stale, !sheet.acts));
  }
  if (sheet.orders.length || sheet.wrong.length) row.append(button("Clear", () => change({ clear: true }), "danger"));
  const goOn = button(`${sheet.goOn ? "☑" : "☐"} Carry on without asking me`, () => change({ go_on: !sheet.goOn }));
  goOn.setAttribute("aria-pressed", String(sheet.goOn));
  parts.push(row, goOn);
  return parts;
}

function orderRow(order, place, count, change) {
  const row = node("li");
  const words = node("div", "grow", order.words);
  const facts = [order.about ? "about" : "", ...order.chances].filter(Boolean).join(", ");
  if (facts) words.append(node("span", "small", ` · ${facts}`));
  words.append(...order.warnings.map((one) => node("div", "small warn", `⚠ ${one}`)));
  if (order.condition) words.append(node("div", "small", order.condition));
  words.append(...order.why.map((one) => node("div", "small bad", `✖ ${one}`)));
  row.append(words);
  if (place > 0) {
    const up = button("↑", () => change({ move: [place, place - 1] }));
    up.setAttribute("aria-label", `Move order ${place + 1} of ${count} up`);
    row.append(up);
  }
  const remove = button("✕", () => change({ remove: place }));
  remove.setAttribute("aria-label", `Remove order ${place + 1}`);
  row.append(remove);
  return row;
}

export function unitPanel(unit, found, { draft, close }) {
  const parts = [node("h2", "", unit.name), node("p", "small", unit.line || "")];
  if (found) {
    const options = found.options.filter((one) => !one.target);
    const attacks = found.options.filter((one) => one.target);
    const add = (title, some) => {
      if (!some.length) return;
      const row = node("div", "row");
      row.append(...some.map((one) => button(label(one), () => draft(one))));
      parts.push(node("h3", "", title), row);
    };
    add("Attack", attacks.slice(0, FEW));
    add("Do", options.slice(0, FEW));
    const more = [...attacks.slice(FEW), ...options.slice(FEW)];
    if (more.length) {
      const rest = node("details");
      const row = node("div", "row");
      row.append(...more.map((one) => button(label(one), () => draft(one))));
      rest.append(node("summary", "small", `${more.length} more`), row);
      parts.push(rest);
    }
    if (!found.options.length) parts.push(node("p", "small", "It can do nothing now."));
  }
  parts.push(button("Close", close));
  return parts;
}

function label(option) {
  const words = option.words.charAt(0).toUpperCase() + option.words.slice(1);
  return option.chance ? `${words} · ${option.chance}` : words;
}

export function newsList(entries, rule) {
  return [...entries].reverse().map((entry) => {
    const card = node("details");
    const head = node("summary", "", `${entry.number}. ${entry.headline || entry.outcome}${entry.undone ? " (taken back)" : ""}`);
    card.append(head);
    for (const step of entry.steps) {
      const line = node("p", "small", step.verdict && step.verdict !== step.text ? `${step.text}: ${step.verdict} ` : `${step.text} `);
      if (step.cite) line.append(cite(step.cite, rule));
      card.append(line);
    }
    if (entry.outcome && entry.headline) card.append(node("p", "small", entry.outcome));
    return card;
  });
}
