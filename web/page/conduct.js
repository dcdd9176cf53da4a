// Options of an order: choices under the rules' headings, forms, and places that the user taps.

import { button, head, input, menu, node, row, toggle } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";

const MOST_SHOWN = 10; // choices under a heading before *more*

/** Returns an order's arguments with a choice in place of others under its heading, or without it if it was chosen. */
export function choose(args, option) {
  const { options, forms } = state.unit;
  const alike = (other) => other.group === option.group && other.kind === option.kind;
  const fields = [...options.filter(alike).flatMap((rival) => Object.keys(rival.args)),
    ...forms.filter(alike).flatMap((form) => form.fields.map((field) => field.name))];
  const rivals = new Set(options.filter(alike).flatMap((rival) => wordsOf(rival.args)));
  const made = Object.fromEntries(Object.entries(args).filter(([name]) => name === "with" || !fields.includes(name)));
  const isIn = isChosen(args, option);
  const words = [...wordsOf(args).filter((word) => !rivals.has(word)), ...(isIn ? [] : wordsOf(option.args))];
  delete made.with;
  return { ...made, ...(isIn ? {} : { ...option.args }), ...(words.length ? { with: words.join(", ") } : { with: undefined }) };
}

const wordsOf = (args) => (args.with ? args.with.split(", ") : []);

/** Whether an order's arguments already contain everything that a choice adds. */
export function isChosen(args, option) {
  const has = wordsOf(args);
  return wordsOf(option.args).every((word) => has.includes(word))
    && Object.entries(option.args).every(([name, value]) => name === "with" || args[name] === value);
}

/** Returns rows of choices under the rules' headings, for the drafted order if there is one. */
export function conductRows(found, headings, { draft, open }) {
  const isOwn = (item) => item.group && !headings.includes(item.group);
  const groups = [...new Set([...found.options, ...found.forms].filter(isOwn).map((item) => item.group))];
  const making = state.draft && state.draft.order;
  return groups.flatMap((group) => {
    const options = found.options.filter((option) => option.group === group && (!making || option.kind === making.kind));
    const forms = found.forms.filter((form) => form.group === group && (!making || form.kind === making.kind));
    if (!options.length && !forms.length) return [];
    // A choice that the drafted order does not mention keeps its value.
    const isOpen = !making || ![...options, ...forms].some((item) => isIn(making.args, item));
    const buttons = [...options.map((option) => choice(option, isOpen ? null : making, draft)), ...forms.map((form) => formButton(form, making, open))];
    const more = node("details");
    if (buttons.length > MOST_SHOWN) more.append(node("summary", "", "More"), row(...buttons.splice(MOST_SHOWN)));
    return [node("h3", "", group), row(...buttons), ...(more.childNodes.length ? [more] : [])];
  });
}

function choice(option, making, draft) {
  const words = option.words.charAt(0).toUpperCase() + option.words.slice(1);
  const made = toggle(words, () => draft(option), making ? isChosen(making.args, option) : option.inForce);
  if (option.effect) made.title = option.effect;
  return made;
}

function formButton(form, making, open) {
  const made = button(form.words, () => open(form));
  if (making && isIn(making.args, form)) made.setAttribute("aria-pressed", "true");
  return made;
}

/** Whether an order's arguments contain a choice, or a field of a form. */
const isIn = (args, item) => (item.fields ? item.fields.some((field) => args[field.name]) : isChosen(args, item));

/** Returns the open form: fields to fill in, or a place to tap or choose by name. */
export function formPanel({ form, values }, { fill, close }) {
  const top = head(form.words, close);
  const point = form.fields.find((field) => field.place);
  if (point) return [top, node("p", "", `${point.words}: tap a hex, or choose a place.`), row(placeChoice(point, fill))];
  const done = button("Make the order", () => fill(values), "go");
  return [top, ...form.fields.flatMap((field) => fieldParts(field, values)), row(done)];
}

function placeChoice(field, fill) {
  const named = state.view.map.hexes.filter((spec) => spec[3]).map(([, , label, name]) => [label, name]);
  return menu(field.words, [["", "Places"], ...named], "", (place) => place && fill({ [field.name]: place }));
}

function fieldParts(field, values) {
  if (!field.choices.length) {
    return [row(input(field.words, field.words, values[field.name] || "", (text) => { values[field.name] = text; }))];
  }
  const chosen = new Set((values[field.name] || "").split(", ").filter(Boolean));
  const press = (word) => {
    if (!field.several) chosen.clear();
    if (chosen.has(word)) chosen.delete(word);
    else chosen.add(word);
    values[field.name] = field.choices.filter((each) => chosen.has(each)).join(", ");
    desk.draw();
  };
  const buttons = field.choices.map((word) => toggle(word, () => press(word), chosen.has(word)));
  return [node("h3", "", field.words), row(...buttons)];
}

/** Returns the marks of a hex in words. A battle of this seat has a button that opens the battle's page. */
export function markParts(hex, look) {
  const marks = (state.view.map.notes || []).filter((note) => hex && note.hex === hex && note.words);
  return marks.flatMap((note) => [
    node("p", "small", note.words), ...(note.battle ? [row(button("Look at this battle", () => look(note.battle), "go"))] : []),
  ]);
}

/** Returns the panel of a tapped hex: its marks and the units known to be there. */
export function placePanel(hex, { close, select, look }) {
  const [, , label, name] = state.view.map.hexes.find((spec) => spec[2] === hex);
  const top = head(name ? `${label} ${name}` : label, close);
  const units = state.view.units.filter((unit) => unit.hex === hex);
  const parts = [...markParts(hex, look),
    ...units.map((unit) => button(`${unit.name}${unit.line ? ` · ${unit.line}` : ""}`, () => select([unit.id]), "unit-row"))];
  return [top, ...(parts.length ? parts : [node("p", "small", "Nothing is known to be here.")])];
}
