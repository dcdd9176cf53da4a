// The story: entries as cards, each with its arrows on the map, stepped by hand or played.

import { get } from "/assets/api.js";
import { button, heading, node, row, sign } from "/assets/dom.js";
import { desk, recall, remember, state } from "/assets/state.js";
import { ask, tell } from "/assets/talk.js";

const CARD_MS = 2600; // how long a card is shown while the story plays
const LETTER_MS = 18; // added for each letter of its headline

const key = () => `umpire-seen-${state.view.game.id}-${state.view.seat.side || state.view.seat.role}`;
const total = (progress) => progress.split("-").reduce((sum, count) => sum + Number(count), 0);

/** Returns how many entries the user has not seen in this browser. On the first visit, all count as seen. */
export function countUnseen() {
  const seen = recall(key()); // in private browsing all count as seen
  if (seen === null) remember(key(), state.view.progress);
  return seen === null ? 0 : Math.max(total(state.view.progress) - total(seen), 0);
}

/** Shows the result of an action done here: in one line if no dice were thrown, else as the story. */
export async function tellResult() {
  const unseen = countUnseen();
  const found = unseen && await ask(() => get("/api/history", state.seat));
  if (!found) return;
  const [newest] = found.entries.slice(-1);
  if (unseen > 1 || newest.thrown) { begin(found, unseen); return; }
  remember(key(), found.progress);
  desk.draw();
  tell(newest.headline || newest.outcome);
}

/** Counts all entries of the present view as seen. */
export function markSeen() {
  remember(key(), state.view.progress);
}

/** Opens the story at the first unseen entry, else at the newest. */
export async function openStory() {
  const unseen = countUnseen();
  const found = await ask(() => get("/api/history", state.seat));
  if (found && found.entries.length) begin(found, unseen);
}

function begin(found, unseen) {
  remember(key(), found.progress);
  closeStory();
  state.story = { entries: found.entries, at: 0, timer: 0, steps: {} };
  Object.assign(state, { selected: [], unit: null, draft: null, chooser: null, question: null, form: null, place: "" });
  desk.map.select([]);
  goTo(Math.max(found.entries.length - Math.max(unseen, 1), 0));
}

export function closeStory() {
  if (!state.story) return;
  pause();
  state.story = null;
  desk.map.showNow();
}

async function goTo(at) {
  const { story } = state;
  story.at = Math.min(Math.max(at, 0), story.entries.length - 1);
  const entry = story.entries[story.at];
  desk.draw();
  if (state.view.map.kind === "none") return;
  story.steps[entry.name] ||= get("/api/step", state.seat, { name: entry.name }).catch(() => null);
  const step = await story.steps[entry.name];
  if (step && state.story === story && story.entries[story.at] === entry) desk.map.showPast(step);
}

function pause() {
  clearTimeout(state.story.timer);
  state.story.timer = 0;
}

function step(by) {
  pause();
  goTo(state.story.at + by);
}

function play() {
  const { story } = state;
  if (story.timer) { pause(); desk.draw(); return; }
  const next = () => {
    if (state.story !== story) return;
    if (story.at >= story.entries.length - 1) { pause(); desk.draw(); return; }
    goTo(story.at + 1);
    wait();
  };
  const wait = () => {
    story.timer = setTimeout(next, CARD_MS + LETTER_MS * story.entries[story.at].headline.length);
  };
  if (story.at >= story.entries.length - 1) goTo(0);
  wait();
  desk.draw();
}

/** Returns the card of the shown entry with its controls. */
export function storyPanel({ rule, list }) {
  const { entries, at, timer } = state.story;
  const back = sign("‹", "Back", () => step(-1));
  const next = sign("›", "Next", () => step(1));
  back.disabled = at === 0;
  next.disabled = at === entries.length - 1;
  const done = button("Done", () => { closeStory(); desk.draw(); }, "go");
  const controls = row(back, button(timer ? "❙❙ Pause" : "▶ Play", play), next, button("List", list), done);
  return [controls, ...card(entries[at], `${at + 1} of ${entries.length}`, rule)];
}

function card(entry, place, rule) {
  const time = new Date(entry.at).toLocaleString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  const parts = [
    node("p", "small", `${place} · ${time} · ${entry.by}${entry.undone ? " · taken back" : ""}`),
    heading(entry.headline || entry.outcome, "h3"),
    ...entry.lines.map((step) => line(step, rule)),
  ];
  if (entry.outcome && entry.headline) parts.push(node("p", "", entry.outcome));
  if (entry.details.length > entry.lines.length) {
    const more = node("details");
    more.append(node("summary", "", "Details of every throw"), ...entry.details.map((step) => line(step, rule)));
    parts.push(more);
  }
  return parts;
}

function line(step, rule) {
  const made = node("p", "small", `${step.text} `);
  made.append(button(step.cite, () => rule(step.rule), "cite"));
  return made;
}

/** Returns all entries as a list, newest first. Pressing an entry opens its card. */
export function storyList(close) {
  return [...state.story.entries.keys()].reverse().map((at) => {
    const entry = state.story.entries[at];
    const words = `${entry.number}. ${entry.headline || entry.outcome}${entry.undone ? " (taken back)" : ""}`;
    return button(words, () => { close(); step(at - state.story.at); }, "unit-row");
  });
}
