// The state of the page: the seat's view, the selection, the drafted order, and the shown entry of the story.

export const state = {
  seat: "", view: null, symbols: {}, selected: [], unit: null, draft: null, chooser: null, question: null, form: null, place: "", story: null, gathers: false,
  stale: false, counter: null, left: false,
};

/** The map, the tools for changes by hand, and the function that draws the panel. app.js sets them once. */
export const desk = { map: null, hand: null, draw: () => {} };

/** Returns the value that this browser stored under a key, or null; always null in private browsing. */
export function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* private mode */ }
}

export const unitOf = (id) => state.view.units.find((unit) => unit.id === id);

export const isOwn = (unit) =>
  Boolean(unit) && state.view.seat.mayOrder && (state.view.seat.orders === "umpire" || state.view.seat.represents.includes(unit.side));
