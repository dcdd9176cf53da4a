// Requests of one seat, and its news.

const KEY = "umpire-seats";

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
    remember(seat);
    return seat;
  }
  const seat = params.get("seat") || recall();
  if (!seat) throw new Refusal(403, "Open the map from the chat: /page open gives you a link.");
  if (!params.get("seat")) history.replaceState(null, "", `/?seat=${seat}`);
  return seat;
}

function remember(seat) {
  try { localStorage.setItem(KEY, seat); } catch { /* private mode: the address has it */ }
}

function recall() {
  try { return localStorage.getItem(KEY) || ""; } catch { return ""; }
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

export async function get(path, seat, params = {}) {
  const query = new URLSearchParams({ seat, ...params });
  return send(`${path}?${query}`);
}

export async function post(path, body, seat) {
  return send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat": seat },
    body: JSON.stringify(body),
  });
}

/** Calls `changed` when the seat has news, and `stale` when nothing has been heard for half a minute. */
export function watchNews(seat, changed, stale) {
  let source = null;
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    stale(false);
    timer = setTimeout(() => stale(true), 30000);
  };
  const open = () => {
    if (source) source.close();
    source = new EventSource(`/api/news?${new URLSearchParams({ seat })}`);
    source.onopen = () => { heard(); changed(""); };
    source.onmessage = (event) => { heard(); changed(event.data); };
    source.addEventListener("here", heard);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { if (source) source.close(); source = null; } else open();
  });
  open();
}
