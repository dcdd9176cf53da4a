// Talking to the server: showing refusals, keeping views in order, and following the news.

import { Refusal, get } from "/assets/api.js";
import { state } from "/assets/state.js";

const RETRY_MS = 3000; // before a view that failed to load is requested again
const NOTE_MS = 6000; // how long a refusal is shown
const note = document.querySelector("#note");

/** Handlers set once by app.js: `take` shows a view, `leave` ends the page, `idle` asks whether to end an idle turn. */
export const on = { take: () => {}, leave: () => {}, idle: () => {} };

let noteTimer = 0;

export function tell(words) {
  note.textContent = words;
  note.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note.hidden = true; }, NOTE_MS);
}

export function hush() {
  note.hidden = true;
}

/** Returns the result of `work`. After a refusal, shows the refusal and returns null. */
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

// Answers may arrive out of order. Requests are numbered; an answer older than the shown view is dropped.
let asked = 0;
let shown = 0;

/** Loads the view, and shows it unless a newer one is shown. Returns whether the server answered. */
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

/** Sends an action whose answer is the view, and shows that view. Returns whether the action was done. */
export async function act(work) {
  const number = ++asked;
  const view = await ask(work);
  if (!view) return false;
  if (number === asked) { shown = number; on.take(view); } else await refresh();
  return true;
}

let wanted = "";
let isFollowing = false;

/** Loads the view until it includes the newest news, one request at a time. */
export async function follow(counter) {
  wanted = counter;
  if (isFollowing) return;
  isFollowing = true;
  while (!state.left && wanted !== state.counter) {
    const loading = wanted;
    if (await refresh()) state.counter = loading;
    else await new Promise((done) => setTimeout(done, RETRY_MS));
  }
  isFollowing = false;
}
