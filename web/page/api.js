// Requests of one seat, and its news.

import { recall, remember } from "/assets/state.js";

const KEY = "umpire-seats";
const RETRY = 3000; // milliseconds until a lost stream of news is opened again
const SILENCE = 30000; // milliseconds without a sign of life after which the page says so

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The seat of this tab: from the link's key, which is used up, or from the address. */
export async function findSeat() {
  const key = location.hash.slice(1);
  const params = new URLSearchParams(location.search);
  if (key) {
    const { seat } = await post("/api/session", { key }, "");
    history.replaceState(null, "", `/?seat=${seat}`);
    remember(KEY, seat); // in private mode the address has it
    return seat;
  }
  const seat = params.get("seat") || recall(KEY);
  if (!seat) throw new Refusal(403, "Open the map from the chat: /page open gives you a link.");
  if (!params.get("seat")) history.replaceState(null, "", `/?seat=${seat}`);
  return seat;
}

/** Sends a request. Throws Refusal if there is no connection, or if the answer is a refusal. */
async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Refusal(0, "No connection. Look whether it was done before you press again.");
  }
  const body = await response.json().catch(() => ({ error: "The answer cannot be read." }));
  if (!response.ok) throw new Refusal(response.status, body.error || "That was refused.");
  return body;
}

let viewer = "";

/** The seat, and the view that an umpire looks as, for an address. */
export const seatQuery = (seat) => new URLSearchParams({ seat, ...(viewer ? { as: viewer } : {}) });

/** Lets all further requests of the umpire be answered in the view of a side; of an empty id, in the umpire's own. */
export function lookAs(id, seat) {
  viewer = id;
  history.replaceState(null, "", `/?${seatQuery(seat)}`);
}

export async function get(path, seat, params = {}) {
  const query = new URLSearchParams([...seatQuery(seat), ...Object.entries(params)]);
  return send(`${path}?${query}`);
}

export async function post(path, body, seat) {
  return send(viewer ? `${path}?${new URLSearchParams({ as: viewer })}` : path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat": seat },
    body: JSON.stringify(body),
  });
}

/** Why the server refuses the seat; an empty string if it does not, or does not answer. */
async function seatRefusal(seat) {
  try {
    await get("/api/view", seat);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return error.message;
  }
  return "";
}

/**
 * Calls `changed` with the seat's news, `stale` when nothing has been heard for half a minute, and `refused` once the
 * server refuses the seat. Returns a function that ends the news for good.
 */
export function watchNews(seat, { changed, stale, refused }) {
  let source = null;
  let silence = 0;
  let retry = 0;
  let isStopped = false;
  const listen = () => { clearTimeout(silence); silence = setTimeout(() => stale(true), SILENCE); };
  const heard = () => { stale(false); listen(); };
  const close = () => { clearTimeout(retry); if (source) source.close(); source = null; };
  const tell = (news) => {
    heard();
    if (news !== "replaced") { changed(news); return; }
    close(); // a newer page of this session has the news, until this one is touched again
    addEventListener("pointerdown", open, { once: true });
  };
  const tryAgain = async (lost) => {
    const why = await seatRefusal(seat);
    if (isStopped || source !== lost) return;
    if (why) refused(why); else open();
  };
  function open() {
    close();
    if (isStopped || document.hidden) return;
    const opened = new EventSource(`/api/news?${new URLSearchParams({ seat })}`);
    source = opened;
    opened.onopen = () => { heard(); changed(""); };
    opened.onmessage = (event) => tell(event.data);
    opened.addEventListener("here", heard);
    opened.onerror = () => { // the browser itself does not try again after an answer such as a proxy's 502
      if (opened.readyState === EventSource.CLOSED) retry = setTimeout(() => tryAgain(opened), RETRY);
    };
  }
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else open(); });
  listen();
  open();
  return () => { isStopped = true; clearTimeout(silence); close(); };
}
