// The set-up of a battle: placing, hiding and removing units, and laying markers.

import { acts, button, node, row } from "/assets/dom.js";
import { select } from "/assets/orders.js";
import { desk, state, unitOf } from "/assets/state.js";

const HINT = "Drag units to where they are to stand, or tap a unit and then its place.";

export class SetUp {
  constructor(hand) {
    this.hand = hand;
    this.marking = ""; // the side whose marker the next tap lays
  }

  get rights() { return state.view.setUp; }

  isOwn(unit) {
    return Boolean(this.rights) && (this.rights.side === "umpire" || unit.side === this.rights.side);
  }

  isUnplaced(unit) {
    return this.rights.places && this.rights.unplaced.includes(unit.id);
  }

  deploy(id, to) {
    const was = String(unitOf(id).at);
    return this.hand.make({ do: "deploy", unit: id, to }, () => unitOf(id) && String(unitOf(id).at) === was);
  }

  mark(side) {
    this.marking = side;
    this.hand.aim();
    desk.draw();
  }

  async putMarker(point) {
    const side = this.marking;
    this.mark("");
    await this.hand.make({ do: "marker", side, at: point.map((each) => Number(each.toFixed(1))) });
    desk.draw();
  }

  parts() {
    const { sides, units } = state.view;
    if (this.marking) {
      const { name } = sides.find((side) => side.id === this.marking);
      return [
        node("p", "", `${name}: tap where the marker is to lie. Nothing is under it.`),
        row(button("Back", () => this.mark(""))),
      ];
    }
    const unplaced = units.filter((unit) => this.isUnplaced(unit));
    const own = this.rights.hides && this.rights.places ? sides.filter((side) => this.isOwn({ side: side.id })) : [];
    const markers = own.map((side) => button(own.length > 1 ? `Marker: ${side.name}` : "Put a marker", () => this.mark(side.id)));
    return [
      node("p", "small", HINT),
      ...(unplaced.length ? [node("h3", "", "Not on the table yet")] : []),
      ...unplaced.map((unit) => button(`${unit.name} · ${unit.line}`, () => select([unit.id]), "unit-row")),
      this.hand.undoRow(...markers),
      ...this.hand.prompts(),
    ];
  }

  unitParts(unit) {
    const parts = this.hand.head(unit);
    if (!this.isOwn(unit)) return parts;
    const canPut = this.rights.places && (unit.at || this.isUnplaced(unit));
    return [
      ...parts,
      ...(this.isUnplaced(unit) ? [node("p", "", "Tap a place on the table.")] : []),
      row(...this.hand.turnButtons(unit), ...this.buttons(unit)),
      ...(canPut ? [this.placeForm(unit)] : []),
      ...this.hand.form.parts(unit),
    ];
  }

  buttons(unit) {
    const does = (words, change, className = "") => acts(
      button(words, () => this.hand.make({ ...change, unit: unit.id }), className), state.stale,
    );
    const isHidden = unit.letter || this.rights.hidden.includes(unit.id);
    const hiding = isHidden
      ? [does(unit.letter ? "Turn it over" : "Show to all", { do: "unhide" })]
      : [does("Hide", { do: "hide" }), ...(unit.at ? [does("Hide under a marker", { do: "hide", marker: true })] : [])];
    return [
      ...(this.rights.hides ? hiding : []),
      ...(unit.at ? [does("Take off", { do: "remove" }, "danger")] : []),
    ];
  }

  /** Returns a field for a unit's place in words, for users who do not use the map. */
  placeForm(unit) {
    const box = node("form", "row");
    const input = node("input");
    input.setAttribute("aria-label", `Where ${unit.name} is to stand`);
    input.placeholder = "or write: C2 NW facing south";
    const put = acts(button("Put", () => {}), state.stale);
    put.type = "submit";
    box.append(input, put);
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim()) this.deploy(unit.id, input.value);
    });
    return box;
  }
}
