// The form with every field of a unit that the umpire can correct.

import { get } from "/assets/api.js";
import { acts, button, node, row } from "/assets/dom.js";
import { desk, state } from "/assets/state.js";
import { ask, tell } from "/assets/talk.js";

const RARE = ["name", "side", "place", "at"]; // not what is corrected most often

export class FieldForm {
  constructor(hand) {
    this.hand = hand;
    this.unit = "";
    this.fields = [];
    this.isOpen = false;
    this.name = ""; // the chosen field, and what was typed for it, so that news do not take it away
    this.typed = "";
  }

  async load(unit) {
    this.fields = unit === this.unit ? this.fields : [];
    this.unit = unit;
    const found = await ask(() => get("/api/fields", state.seat, { unit }));
    if (!found || this.unit !== unit) return;
    this.fields = found.fields;
    if (!this.fields.some((one) => one.name === this.name)) {
      const usual = this.fields.find((one) => !RARE.includes(one.name)) || this.fields[0];
      this.choose(usual ? usual.name : "");
    }
    if (!this.hand.asked) desk.draw(); // a button that is about to be pressed stays
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
    const field = this.fields.find((one) => one.name === this.name) || this.fields[0];
    const does = acts(button("Correct", () => this.send(unit, field)), state.stale);
    box.append(node("summary", "", "Correct something else"), this.fieldChoice(field), row(this.valueInput(field), does));
    if (field.secret) box.append(node("p", "small", "Only you know this."));
    return [box];
  }

  fieldChoice(field) {
    const made = node("select");
    made.setAttribute("aria-label", "What to correct");
    made.append(...this.fields.map((one) => {
      const option = node("option", "", `${one.words}: ${one.value}`);
      option.value = one.name;
      option.selected = one === field;
      return option;
    }));
    made.addEventListener("change", () => { this.choose(made.value); desk.draw(); });
    return made;
  }

  valueInput(field) {
    const isClosed = field.values.length > 1;
    const made = node(isClosed ? "select" : "input");
    made.setAttribute("aria-label", `New value of ${field.words}`);
    if (isClosed) {
      made.append(...field.values.map((one) => {
        const option = node("option", "", one);
        option.selected = one === (this.typed || field.value);
        return option;
      }));
    } else {
      made.value = this.typed;
      made.placeholder = "its new value, or +2, -1";
      made.enterKeyHint = "go";
    }
    made.addEventListener("input", () => { this.typed = made.value; });
    return made;
  }

  send(unit, field) {
    const value = this.typed || (field.values.length > 1 ? field.value : "");
    if (!value) { tell("Write the new value first."); return; }
    const change = { do: "correct", unit: unit.id, field: field.name, value, secret: Boolean(field.secret) };
    this.hand.preview(change);
  }
}
