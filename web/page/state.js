// What the page knows and shows: the seat's view, what is selected, the order being made, the entry being told.

export const state = {
  seat: "", view: null, symbols: {}, selected: [], unit: null, draft: null, chooser: null, question: null, form: null, place: "", story: null, gathers: false,
  stale: false, counter: null, left: false,
};

/** The map, what is changed by hand, and the function that draws the panel: set once by app.js. */
export const desk = { map: null, hand: null, draw: () => {} };

/** What this browser remembers under a key, or null; nothing in private mode. */
export function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* private mode */ }
}

export const unitOf = (id) => state.view.units.find((unit) => unit.id === id);

export const isOwn = (unit) =>
  Boolean(unit) && state.view.seat.mayOrder && (state.view.seat.orders === "umpire" || state.view.seat.represents.includes(unit.side));
