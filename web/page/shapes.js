// SVG elements of the map: bases, counters, arrows and hexes.

const SVG = "http://www.w3.org/2000/svg";
const INK = "#2a231e";
const RED = "#c43c28";
const COUNTER_RADIUS = 0.34; // in distances between neighbouring hexes
const SIDE_COLOURED_KINDS = ["move", "retreat", "course"]; // kinds of arrows drawn in their side's colour

export function el(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const paintOf = (side, width) => ({ fill: side.fill, stroke: side.solid ? INK : side.colour, "stroke-width": width });

/** Draws a unit on a table: its base with an arrow at its front. */
export function base(unit, side, symbols) {
  const deep = Math.max(unit.depth, 1);
  const wide = Math.max(unit.frontage, 1);
  const body = el("g", { transform: `translate(${unit.at[0]} ${unit.at[1]}) rotate(${unit.facing})` });
  const nose = Math.min(0.5, wide * 0.3);
  body.append(
    el("polygon", { points: `${-nose},${-deep / 2} 0,${-deep / 2 - nose} ${nose},${-deep / 2}`, fill: INK }),
    el("polygon", {
      class: `base${unit.hidden ? " hidden-unit" : ""}`, points: outline(side.shape, wide, deep), ...paintOf(side, 0.15),
    }),
  );
  if (unit.letter) body.append(el("text", { class: "label letter", y: 0.4 }, unit.letter));
  else body.append(symbol(unit, Math.min(wide / 3, deep / 2) * 0.82, side, symbols));
  return el("g", { "data-unit": unit.id },
    el("circle", { class: "halo", cx: unit.at[0], cy: unit.at[1], r: Math.hypot(wide, deep) / 2 + 0.4 }),
    body,
  );
}

/** Returns how far a base extends from its centre along a compass bearing, in inches. */
export function sizeAlong(unit, bearing) {
  const turned = ((bearing - unit.facing) * Math.PI) / 180;
  return (Math.abs(Math.sin(turned)) * Math.max(unit.frontage, 1) + Math.abs(Math.cos(turned)) * Math.max(unit.depth, 1)) / 2;
}

/** Draws a unit on hexes: its counter, shifted by its position in the stack. */
export function counter(unit, side, symbols) {
  const [x, y] = counterAt(unit);
  const half = 0.3;
  const whole = el("g", { "data-unit": unit.id },
    el("circle", { class: "halo", cx: x, cy: y, r: half + 0.16 }),
    el("rect", { class: "base", x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.05, ...paintOf(side, 0.025) }),
  );
  if (unit.old) whole.classList.add("old");
  const ink = side.solid ? "#fff" : INK;
  for (let pip = 0; pip < (unit.pips || 0); pip += 1) {
    whole.append(el("circle", { class: "symbol", cx: x + (pip - (unit.pips - 1) / 2) * 0.16, cy: y, r: 0.06, fill: ink }));
  }
  if (unit.down || !unit.symbol) return whole;
  const body = el("g", { transform: `translate(${x} ${y - 0.06})` }, symbol(unit, 0.15, side, symbols));
  const said = [unit.left, unit.middle, unit.right].filter(Boolean).join("·");
  const fits = said.length > 5 ? { textLength: 0.54, lengthAdjust: "spacingAndGlyphs" } : {};
  const words = el("text", { class: "hex-label", x, y: y + 0.25, ...fits }, said);
  words.style.fill = ink;
  whole.append(body, words);
  return whole;
}

export const counterAt = (unit) => [unit.at[0] - unit.place * 0.1, unit.at[1] - unit.place * 0.1];

function symbol(unit, size, side, symbols) {
  const parts = (symbols[unit.symbol] || []).map(([name, attributes]) => el(name, attributes));
  const paint = { color: side.solid ? "#fff" : INK };
  const made = el("g", { class: "symbol", transform: `scale(${size / 100})`, ...paint }, ...parts);
  made.style.setProperty("--base-fill", side.fill);
  return made;
}

export function caption(unit) {
  const name = unit.short || unit.name;
  return unit.strength ? `${name} ${unit.strength}` : name;
}

/** Draws arrows of moves and attacks. The class `plan` makes them dashed. */
export function arrows(some, sides, thin, plan = "") {
  return some.map((arrow) => el("g", { class: `kind-${arrow.kind}` }, ...lineOf(arrow, sides, thin, plan), ...(arrow.stops || []).flatMap(stop)));
}

/** Draws a stop of a planned march: the time of entering the hex, and the stage that ends there. */
function stop([x, y, time, rest]) {
  return [
    el("circle", { class: `stop ${rest ? "rest" : ""}`, cx: x, cy: y, r: rest ? 0.12 : 0.07 }),
    el("text", { class: `stop-label ${rest ? "rest" : ""}`, x: x + 0.18, y: y + 0.1 }, rest || time),
  ];
}

function lineOf(arrow, sides, thin, plan) {
  const own = SIDE_COLOURED_KINDS.includes(arrow.kind) ? (sides[arrow.side] || {}).colour : RED;
  const colour = own || INK;
  const points = (arrow.kind === "course" ? outOf(arrow.points) : arrow.points).map((point) => point.join(",")).join(" ");
  return [
    el("polyline", { class: "arrow edge", points, "stroke-width": thin * 1.9 }),
    el("polyline", { class: `arrow ${plan}`, points, stroke: colour, "stroke-width": thin }),
    el("polygon", { class: "arrow-head", points: arrowHead(arrow.points, thin * 4), fill: colour }),
  ];
}

/** Shortens a route over hexes at its start, which would cover the unit's counter. */
function outOf([[x0, y0], [x, y], ...rest]) {
  const part = COUNTER_RADIUS / (Math.hypot(x - x0, y - y0) || 1);
  return [[x0 + (x - x0) * part, y0 + (y - y0) * part], [x, y], ...rest];
}

export function hexagon([x, y]) {
  const radius = 1 / Math.sqrt(3);
  return Array.from({ length: 6 }, (_, n) =>
    `${x + radius * Math.cos((Math.PI / 3) * n)},${y + radius * Math.sin((Math.PI / 3) * n)}`).join(" ");
}

export function outline(shape, width, height) {
  const [x, y] = [width / 2, height / 2];
  const points = {
    cut: (c = Math.min(x, y) * 0.6) => [[-x + c, -y], [x - c, -y], [x, -y + c], [x, y - c], [x - c, y], [-x + c, y], [-x, y - c], [-x, -y + c]],
    pointed: (c = Math.min(x * 0.6, y)) => [[-x + c, -y], [x - c, -y], [x, 0], [x - c, y], [-x + c, y], [-x, 0]],
    round: () => Array.from({ length: 24 }, (_, n) => {
      const a = (Math.PI * 2 * n) / 24;
      const [c, s] = [Math.cos(a), Math.sin(a)];
      const r = Math.min(x, y);
      return [Math.sign(c) * (x - r) + c * r, Math.sign(s) * (y - r) + s * r];
    }),
    square: () => [[-x, -y], [x, -y], [x, y], [-x, y]],
  };
  return (points[shape] || points.square)().map((point) => point.join(",")).join(" ");
}

function arrowHead(points, size) {
  const [x1, y1] = points[points.length - 1];
  const [x0, y0] = points[points.length - 2] || [x1, y1 + 1];
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const corner = (turn) => `${x1 - size * Math.cos(angle + turn)},${y1 - size * Math.sin(angle + turn)}`;
  return `${x1},${y1} ${corner(0.42)} ${corner(-0.42)}`;
}
