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

/** A button with a sign, and words for those who hear it. */
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

/** A heading that takes the focus when the panel's old parts, one of which had it, are gone. */
export function heading(words, level = "h2") {
  const made = node(level, "", words);
  made.tabIndex = -1;
  return made;
}

/** The head of a panel: its words, and the sign that closes it. */
export function head(words, close) {
  const made = node("div", "head");
  made.append(heading(words), sign("✕", "Close", close));
  return made;
}

/** A button that stays pressed while its choice is `isOn`. */
export function toggle(words, press, isOn, className = "") {
  const made = button(words, press, className);
  made.setAttribute("aria-pressed", String(Boolean(isOn)));
  return made;
}

/** A menu named `words` for those who hear it; `options` are pairs of a value and its words. */
export function menu(words, options, chosen, change) {
  const made = node("select");
  made.setAttribute("aria-label", words);
  made.append(...options.map(([value, shown]) => new Option(shown, value, false, value === chosen)));
  made.addEventListener("change", () => change(made.value));
  return made;
}

/** A field for text, named `words`; `typed` gets its value with every letter. */
export function input(words, hint, value, typed) {
  const made = node("input");
  made.setAttribute("aria-label", words);
  Object.assign(made, { placeholder: hint, value });
  made.addEventListener("input", () => typed(made.value));
  return made;
}

/** Two signs that turn something by some degrees. */
export const turnSigns = (turn, degrees) => [
  sign("↺", "Turn left", () => turn(-degrees)), sign("↻", "Turn right", () => turn(degrees)),
];

/** A button with a rule's number, which shows the rule. */
export function cite(number, rule) {
  return button(number, () => rule(number.split(",")[0]), "cite");
}

/** Marks a button that acts on the game: disabled while there is no connection, or if it is `barred`. */
export function acts(made, isStale, barred = false) {
  made.classList.add("acts");
  made.dataset.barred = barred ? "yes" : "";
  made.disabled = barred || isStale;
  return made;
}

/** Disables the buttons that act while there is no connection, and enables them again. Redraws nothing. */
export function disableActs(isStale) {
  for (const made of document.querySelectorAll("button.acts")) made.disabled = isStale || made.dataset.barred === "yes";
}

/** Replaces the parts of a box. The focus stays on the button of the same words, else goes to the first heading. */
export function show(box, ...parts) {
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  const label = held && (held.getAttribute("aria-label") || held.textContent);
  box.replaceChildren(...parts);
  box.scrollTop = 0;
  if (!held) return;
  const alike = [...box.querySelectorAll("button, summary")].find(
    (one) => !one.disabled && (one.getAttribute("aria-label") || one.textContent) === label);
  const next = alike || box.querySelector("[tabindex='-1']");
  if (next) next.focus();
}

/** Lets the arrow keys go from button to button in a box. */
export function walkWithArrows(box) {
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.matches("textarea, input")) return;
    const stops = [...box.querySelectorAll("button:not(:disabled), summary")].filter((one) => one.offsetParent);
    const at = stops.indexOf(document.activeElement);
    const next = stops[at < 0 ? 0 : Math.min(Math.max(at + step, 0), stops.length - 1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
