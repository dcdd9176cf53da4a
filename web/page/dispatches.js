// Dispatches to other commands: the form, which keeps typed text on a redraw, and the dispatches sent and received.

import { post } from "/assets/api.js";
import { node } from "/assets/dom.js";
import { state } from "/assets/state.js";
import { act, tell } from "/assets/talk.js";

const find = (part) => document.querySelector(`#dispatch-${part}`);
const box = document.querySelector("#dispatches");
const [form, to, text, sightings, list] = ["form", "to", "text", "sightings", "list"].map(find);

let shown = "";

/** Shows the dispatches while `isHome`. Hides them otherwise, and in games without dispatches. */
export function showDispatches(isHome) {
  const { dispatches } = state.view;
  box.hidden = !(isHome && dispatches);
  const now = JSON.stringify(dispatches);
  if (!dispatches || now === shown) return;
  shown = now;
  const chosen = to.value;
  to.replaceChildren(...dispatches.to.map(({ id, name }) => new Option(name, id)));
  if (dispatches.to.some(({ id }) => id === chosen)) to.value = chosen;
  form.hidden = !dispatches.to.length;
  text.maxLength = dispatches.most;
  list.replaceChildren(...dispatches.known.map(lineOf));
}

function lineOf({ heading, contents, fate }) {
  const line = node("li", "small", `${heading}: ${contents} `);
  line.append(node("em", "", fate));
  return line;
}

find("send").addEventListener("click", async () => {
  const typed = text.value;
  const body = { to: to.value, text: typed, with_sightings: sightings.checked };
  if (!typed.trim() || !await act(() => post("/api/dispatch", body, state.seat))) return;
  tell("The dispatch is written.");
  if (text.value === typed) text.value = "";
});
