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

export function show(box, ...parts) {
  box.replaceChildren(...parts);
  box.scrollTop = 0;
}
