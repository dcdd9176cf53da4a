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

export function show(box, ...parts) {
  box.replaceChildren(...parts);
  box.scrollTop = 0;
}
