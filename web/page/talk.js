// Asking the server: refusals in words, views in the right order, and following the news.

import { Refusal, get } from "/assets/api.js";
import { state } from "/assets/state.js";

const RETRY = 3000; // milliseconds until a view that could not be loaded is asked for again
const NOTE = 6000; // milliseconds that a refusal stands on the page
const note = document.querySelector("#note");

/** Set once by app.js: `take` shows a view, `leave` ends the page, `idle` asks whether an idle turn shall end. */
export const on = { take: () => {}, leave: () => {}, idle: () => {} };

let noteTimer = 0;

export function tell(words) {
  note.textContent = words;
  note.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note.hidden = true; }, NOTE);
}

export function hush() {
  note.hidden = true;
}

/** Returns what `work` brings, or null after a refusal, which is told. */
export async function ask(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 428) { on.idle(error.message); return null; }
    tell(error.message);
    if (error.status === 409) await refresh();
    return null;
  }
}

// Views arrive in any order. Requests are numbered, and an answer older than the shown one is dropped.
let asked = 0;
let shown = 0;

/** Loads the view and shows it, unless a newer one is shown. Returns whether the server answered. */
export async function refresh() {
  const number = ++asked;
  try {
    const view = await get("/api/view", state.seat);
    if (number > shown) { shown = number; on.take(view); }
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 403) on.leave(error.message);
    else if (error.status && error.status < 500) tell(error.message);
    return false;
  }
}

/** Does something that answers with the view, and shows it. Returns whether it was done. */
export async function act(work) {
  const number = ++asked;
  const view = await ask(work);
  if (!view) return false;
  if (number === asked) { shown = number; on.take(view); } else await refresh();
  return true;
}

let wanted = "";
let isFollowing = false;

/** Loads the view until it is as new as the newest news, one request at a time. */
export async function follow(counter) {
  wanted = counter;
  if (isFollowing) return;
  isFollowing = true;
  while (!state.left && wanted !== state.counter) {
    const loading = wanted;
    if (await refresh()) state.counter = loading;
    else await new Promise((done) => setTimeout(done, RETRY));
  }
  isFollowing = false;
}
