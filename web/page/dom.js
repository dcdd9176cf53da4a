// Small helpers that make elements. Text is always set as text, never as HTML.

export function node(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

export function button(words, press, className = "", disabled = false) {
  const made = node("button", className, words);
  made.type = "button";
  made.disabled = disabled;
  made.addEventListener("click", press);
  return made;
}

/** A button with a symbol, and words for screen readers. */
export function sign(mark, words, press, className = "") {
  const made = button(mark, press, `sign ${className}`);
  made.setAttribute("aria-label", words);
  made.title = words;
  return made;
}

export function row(...parts) {
  const made = node("div", "row");
  made.append(...parts);
  return made;
}

/** A heading that gets the focus if the focused part of the panel was removed. */
export function heading(words, level = "h2") {
  const made = node(level, "", words);
  made.tabIndex = -1;
  return made;
}

/** The head of a panel: its title and its close button. */
export function head(words, close) {
  const made = node("div", "head");
  made.append(heading(words), sign("✕", "Close", close));
  return made;
}

/** A toggle button; pressed while `isOn`. */
export function toggle(words, press, isOn, className = "") {
  const made = button(words, press, className);
  made.setAttribute("aria-pressed", String(Boolean(isOn)));
  return made;
}

/** A menu with the accessible name `words`; `options` are pairs of a value and its text. */
export function menu(words, options, chosen, change) {
  const made = node("select");
  made.setAttribute("aria-label", words);
  made.append(...options.map(([value, shown]) => new Option(shown, value, false, value === chosen)));
  made.addEventListener("change", () => change(made.value));
  return made;
}

/** A text field with the accessible name `words`; `typed` is called with its value after every keystroke. */
export function input(words, hint, value, typed) {
  const made = node("input");
  made.setAttribute("aria-label", words);
  Object.assign(made, { placeholder: hint, value });
  made.addEventListener("input", () => typed(made.value));
  return made;
}

/** Two buttons that turn something by `degrees` to the left or right. */
export const turnSigns = (turn, degrees) => [
  sign("↺", "Turn left", () => turn(-degrees)), sign("↻", "Turn right", () => turn(degrees)),
];

/** A button with a rule's number that shows the rule. */
export function cite(number, rule) {
  return button(number, () => rule(number.split(",")[0]), "cite");
}

/** Marks a button that acts on the game. It is disabled without a connection, or if `barred`. */
export function acts(made, isStale, barred = false) {
  made.classList.add("acts");
  made.dataset.barred = barred ? "yes" : "";
  made.disabled = barred || isStale;
  return made;
}

/** Disables the buttons that act on the game, or enables them again, without a redraw. */
export function disableActs(isStale) {
  for (const made of document.querySelectorAll("button.acts")) made.disabled = isStale || made.dataset.barred === "yes";
}

/** Replaces the contents of a box. The focus stays on the button of the same words, else moves to the heading. */
export function show(box, ...parts) {
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  const label = held && (held.getAttribute("aria-label") || held.textContent);
  box.replaceChildren(...parts);
  box.scrollTop = 0;
  if (!held) return;
  const alike = [...box.querySelectorAll("button, summary")].find(
    (stop) => !stop.disabled && (stop.getAttribute("aria-label") || stop.textContent) === label);
  const next = alike || box.querySelector("[tabindex='-1']");
  if (next) next.focus();
}

/** Moves the focus from button to button in a box by the arrow keys. */
export function walkWithArrows(box) {
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.matches("textarea, input")) return;
    const stops = [...box.querySelectorAll("button:not(:disabled), summary")].filter((stop) => stop.offsetParent);
    const at = stops.indexOf(document.activeElement);
    const next = stops[at < 0 ? 0 : Math.min(Math.max(at + step, 0), stops.length - 1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
