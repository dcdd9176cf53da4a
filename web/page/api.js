// The requests of one seat, and its stream of news from the server.

import { recall, remember } from "/assets/state.js";

const SEAT_KEY = "umpire-seats";
const RETRY_MS = 3000; // before a closed stream of news is opened again
const SILENCE_MS = 30000; // without a message from the server before the page shows "no connection"

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Returns the seat of this tab: from the key in the link, which works once, or from the address. */
export async function findSeat() {
  const key = location.hash.slice(1);
  const params = new URLSearchParams(location.search);
  if (key) {
    const { seat } = await post("/api/session", { key }, "");
    history.replaceState(null, "", `/?seat=${seat}`);
    remember(SEAT_KEY, seat); // private browsing cannot remember it; there the address keeps it
    return seat;
  }
  const seat = params.get("seat") || recall(SEAT_KEY);
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

/** The query of an address: the seat, and the side whose view an umpire has chosen. */
export const seatQuery = (seat) => new URLSearchParams({ seat, ...(viewer ? { as: viewer } : {}) });

/** Makes further requests of the umpire show the view of the side `id`; an empty `id` shows the umpire's own view. */
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

/** Returns why the server refuses the seat; an empty string if it accepts the seat or does not answer. */
async function seatRefusal(seat) {
  try {
    await get("/api/view", seat);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return error.message;
  }
  return "";
}

/**
 * Calls `changed` with each piece of news, `stale` after half a minute without a message, and `refused` once the
 * server refuses the seat. Returns a function that closes the stream for good.
 */
export function watchNews(seat, { changed, stale, refused }) {
  let source = null;
  let silence = 0;
  let retry = 0;
  let isStopped = false;
  const listen = () => { clearTimeout(silence); silence = setTimeout(() => stale(true), SILENCE_MS); };
  const heard = () => { stale(false); listen(); };
  const close = () => { clearTimeout(retry); if (source) source.close(); source = null; };
  const tell = (news) => {
    heard();
    if (news !== "replaced") { changed(news); return; }
    close(); // a newer page of this session gets the news until the user touches this page again
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
    opened.onerror = () => { // the browser does not reconnect by itself after an answer such as a proxy's 502
      if (opened.readyState === EventSource.CLOSED) retry = setTimeout(() => tryAgain(opened), RETRY_MS);
    };
  }
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else open(); });
  listen();
  open();
  return () => { isStopped = true; clearTimeout(silence); close(); };
}
