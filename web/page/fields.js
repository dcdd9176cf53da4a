// The umpire's form for correcting any field of a unit.

import { get } from "/assets/api.js";
import { acts, button, input, menu, node, row } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";
import { ask, tell } from "/assets/talk.js";

const RARELY_CORRECTED = ["name", "side", "place", "at"]; // fields not offered first

export class FieldForm {
  constructor(hand) {
    this.hand = hand;
    this.unit = "";
    this.fields = [];
    this.isOpen = false;
    this.name = ""; // the chosen field and the typed value; both survive a redraw
    this.typed = "";
  }

  async load(unit) {
    this.fields = unit === this.unit ? this.fields : [];
    this.unit = unit;
    const found = await ask(() => get("/api/fields", state.seat, { unit }));
    if (!found || this.unit !== unit) return;
    this.fields = found.fields;
    if (!this.fields.some((field) => field.name === this.name)) {
      const usual = this.fields.find((field) => !RARELY_CORRECTED.includes(field.name)) || this.fields[0];
      this.choose(usual ? usual.name : "");
    }
    if (!this.hand.asked) desk.draw(); // not while a change waits to be confirmed: its button must stay
  }

  choose(name) {
    this.name = name;
    this.typed = "";
  }

  parts(unit) {
    if (unit.id !== this.unit || !this.fields.length) return [];
    const box = node("details", "fields");
    box.open = this.isOpen;
    box.addEventListener("toggle", () => { this.isOpen = box.open; });
    const field = this.fields.find((known) => known.name === this.name) || this.fields[0];
    const does = acts(button("Correct", () => this.send(unit, field)), state.stale);
    box.append(node("summary", "", "Correct something else"), this.fieldChoice(field), row(this.valueInput(field), does));
    if (field.secret) box.append(node("p", "small", "Only you know this."));
    return [box];
  }

  fieldChoice(field) {
    const options = this.fields.map((field) => [field.name, `${field.words}: ${field.value}`]);
    return menu("What to correct", options, field.name, (name) => { this.choose(name); desk.draw(); });
  }

  valueInput(field) {
    const words = `New value of ${field.words}`;
    const typed = (value) => { this.typed = value; };
    if (field.values.length > 1) return menu(words, field.values.map((value) => [value, value]), this.typed || field.value, typed);
    const made = input(words, "its new value, or +2, -1", this.typed, typed);
    made.enterKeyHint = "go";
    return made;
  }

  send(unit, field) {
    const value = this.typed || (field.values.length > 1 ? field.value : "");
    if (!value) { tell("Write the new value first."); return; }
    const change = { do: "correct", unit: unit.id, field: field.name, value, secret: Boolean(field.secret) };
    this.hand.preview(change);
  }
}
