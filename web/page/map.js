// The map: ground, units, reach, arrows; panning, pinching, tapping, dragging.

const SVG = "http://www.w3.org/2000/svg";
const TAP = 9; // pixels that a finger may move in a tap
const TOUCH = 24; // pixels around a finger in which units are hit
const LONGEST_TAP = 600;
const LABEL = 12; // pixels of a name, however near the map is

export function el(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export class GameMap {
  /** `on` has the page's answers: tapUnits(ids), tapGround(point, hex), drop(unit, point, hex), cancel(). */
  constructor(svg, on) {
    this.svg = svg;
    this.on = on;
    this.world = svg.querySelector("#world");
    this.layers = {};
    for (const name of ["ground", "goals", "reach", "arrows", "units", "plan", "ghost"]) {
      this.layers[name] = this.world.appendChild(el("g", { "data-layer": name }));
    }
    this.pointers = new Map();
    this.at = { x: 0, y: 0, scale: 1 };
    this.drag = null;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.abort(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("dblclick", (event) => this.zoom(1.8, event.clientX, event.clientY));
    svg.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.place()).observe(svg);
  }

  // Drawing.

  show(view, seat, symbols) {
    const fresh = !this.view || this.view.map.ground !== view.map.ground;
    this.view = view;
    if (view.map.kind === "none") return;
    this.svg.classList.toggle("hexes", view.map.kind === "hexes");
    this.symbols = symbols;
    this.sides = Object.fromEntries(view.sides.map((side) => [side.id, side]));
    if (fresh) this.drawGround(view.map, seat);
    this.drawUnits();
    this.drawArrows("arrows", view.arrows, "");
    this.drawArrows("plan", view.sheet ? view.sheet.arrows : [], "plan");
    if (fresh) this.showUnits();
  }

  drawGround(map, seat) {
    const large = Math.max(innerWidth, innerHeight) * devicePixelRatio > 1500 ? "large" : "small";
    const href = `/ground/${map.ground}-${large}?seat=${seat}`;
    const box = { x: map.left, y: map.top, width: map.width, height: map.height };
    this.layers.ground.replaceChildren(el("image", { href, ...box, preserveAspectRatio: "none" }));
    this.svg.setAttribute("aria-label", map.alt || map.title);
    const goals = (map.goals || []).map((goal) => el("circle", {
      class: "goal", cx: goal.at[0], cy: goal.at[1], r: goal.within,
    }));
    this.layers.goals.replaceChildren(...goals);
  }

  drawUnits() {
    const onMap = this.view.units.filter((unit) => unit.at);
    const draw = this.view.map.kind === "hexes" ? (unit) => this.counter(unit) : (unit) => this.base(unit);
    this.layers.units.replaceChildren(...onMap.map(draw));
    this.mark();
  }

  base(unit) {
    const side = this.sides[unit.side];
    const deep = Math.max(unit.depth, 1);
    const wide = Math.max(unit.frontage, 1);
    const body = el("g", { transform: `translate(${unit.at[0]} ${unit.at[1]}) rotate(${unit.facing})` });
    const nose = Math.min(0.5, wide * 0.3);
    const paint = { fill: side.fill, stroke: side.solid ? "#2a231e" : side.colour, "stroke-width": 0.15 };
    body.append(
      el("polygon", { points: `${-nose},${-deep / 2} 0,${-deep / 2 - nose} ${nose},${-deep / 2}`, fill: "#2a231e" }),
      el("polygon", { class: `base${unit.hidden ? " hidden-unit" : ""}`, points: outline(side.shape, wide, deep), ...paint }),
    );
    if (unit.letter) body.append(el("text", { class: "label letter", y: 0.4 }, unit.letter));
    else body.append(this.symbol(unit, Math.min(wide / 3, deep / 2) * 0.82, side));
    const whole = el("g", { "data-unit": unit.id });
    whole.append(
      el("circle", { class: "halo", cx: unit.at[0], cy: unit.at[1], r: Math.hypot(wide, deep) / 2 + 0.4 }),
      body,
      el("text", { class: "label", x: unit.at[0], y: unit.at[1] + Math.max(deep, wide * 0.3) / 2, dy: "1.1em" }, caption(unit)),
    );
    return whole;
  }

  counter(unit) {
    const side = this.sides[unit.side];
    const shift = unit.place * 0.1;
    const [x, y] = [unit.at[0] - shift, unit.at[1] - shift];
    const half = 0.3;
    const whole = el("g", { "data-unit": unit.id });
    const paint = { fill: side.fill, stroke: side.solid ? "#2a231e" : side.colour, "stroke-width": 0.025 };
    whole.append(
      el("circle", { class: "halo", cx: x, cy: y, r: half + 0.16 }),
      el("rect", { class: "base", x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.05, ...paint }),
    );
    if (!unit.down && unit.symbol) {
      const body = el("g", { transform: `translate(${x} ${y - 0.05})` });
      body.append(this.symbol(unit, 0.13, side));
      const text = [unit.left, unit.middle, unit.right].filter(Boolean).join("·");
      const words = el("text", { class: "label hex-label", x, y: y + 0.26 }, text);
      words.style.fill = side.solid ? "#fff" : "#2a231e";
      whole.append(body, words);
    }
    return whole;
  }

  symbol(unit, size, side) {
    const made = el("g", { class: "symbol", transform: `scale(${size / 100})`, color: side.solid ? "#fff" : "#2a231e" });
    made.style.setProperty("--base-fill", side.fill);
    made.innerHTML = this.symbols[unit.symbol] || ""; // our own server's drawings, no text of users
    return made;
  }

  drawArrows(layer, arrows, kind) {
    const thin = this.view.map.kind === "hexes" ? 0.06 : 0.22;
    this.layers[layer].replaceChildren(...arrows.flatMap((arrow) => {
      const colour = arrow.kind === "move" || arrow.kind === "retreat" ? (this.sides[arrow.side] || {}).colour : "#c43c28";
      const points = arrow.points.map((point) => point.join(",")).join(" ");
      const head = arrowHead(arrow.points, thin * 4);
      const paint = { stroke: colour || "#2a231e", "stroke-width": thin };
      return [
        el("polyline", { class: `arrow ${kind}`, points, ...paint }),
        el("polygon", { points: head, fill: colour || "#2a231e" }),
      ];
    }));
  }

  showReach(reach) {
    const points = reach.points || [];
    const hexes = reach.hexes || [];
    this.layers.reach.replaceChildren(
      ...(points.length ? [el("polygon", { class: "reach", points: points.map((one) => one.join(",")).join(" ") })] : []),
      ...hexes.map((one) => el("polygon", { class: "reach-hex", points: hexagon(one.at) })),
    );
  }

  /** Marks the selected unit and the lit targets. */
  mark(selected = this.selected, targets = this.targets || new Set()) {
    this.selected = selected;
    this.targets = targets;
    for (const group of this.layers.units.children) {
      group.classList.toggle("selected", group.dataset.unit === selected);
      group.classList.toggle("target", targets.has(group.dataset.unit));
    }
  }

  ghost(from, to) {
    this.layers.ghost.replaceChildren(...(from ? [el("polyline", {
      class: "ghost", points: `${from.join(",")} ${to.join(",")}`,
      "stroke-width": this.view.map.kind === "hexes" ? 0.08 : 0.35,
    })] : []));
  }

  // Framing.

  place() {
    this.world.setAttribute("transform", `translate(${this.at.x} ${this.at.y}) scale(${this.at.scale})`);
    this.world.style.setProperty("--label", String(LABEL / this.at.scale));
    const near = this.view && this.view.map.kind === "hexes" ? 55 : 8.5;
    this.svg.classList.toggle("far", this.at.scale < near);
  }

  /** Shows the part of the map where the units stand, as large as the screen allows. */
  showUnits() {
    const placed = this.view.units.filter((unit) => unit.at);
    this.showAll();
    if (!placed.length) return;
    const { width, height } = this.svg.getBoundingClientRect();
    const [xs, ys] = [0, 1].map((axis) => placed.map((unit) => unit.at[axis]));
    const pad = this.view.map.kind === "hexes" ? 1.5 : 5;
    const [left, right, top, bottom] = [Math.min(...xs) - pad, Math.max(...xs) + pad, Math.min(...ys) - pad, Math.max(...ys) + pad];
    const fits = Math.min(width / (right - left), height / (bottom - top));
    const fills = Math.min(Math.max(width / (right - left), height / (bottom - top)), fits * 1.7);
    const scale = Math.max(this.at.scale, fills);
    this.at = { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale };
    this.place();
  }

  showAll() {
    const { width, height } = this.svg.getBoundingClientRect();
    const map = this.view.map;
    if (!width || !height) return;
    const scale = Math.min(width / map.width, height / map.height) * 0.98;
    this.at = {
      scale,
      x: (width - map.width * scale) / 2 - map.left * scale,
      y: (height - map.height * scale) / 2 - map.top * scale,
    };
    this.least = scale * 0.8;
    this.place();
  }

  centre(unit) {
    const { width, height } = this.svg.getBoundingClientRect();
    this.at.x = width / 2 - unit.at[0] * this.at.scale;
    this.at.y = height / 2 - unit.at[1] * this.at.scale;
    this.place();
  }

  zoom(by, clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const x = (clientX ?? box.left + box.width / 2) - box.left;
    const y = (clientY ?? box.top + box.height / 2) - box.top;
    const scale = Math.min(Math.max(this.at.scale * by, this.least || 1), (this.least || 1) * 40);
    const real = scale / this.at.scale;
    this.at = { scale, x: x - (x - this.at.x) * real, y: y - (y - this.at.y) * real };
    this.place();
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  key(event) {
    const step = 60;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "Escape") this.on.cancel();
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (moves[event.key]) {
      event.preventDefault();
      this.at.x += moves[event.key][0];
      this.at.y += moves[event.key][1];
      this.place();
    }
  }

  // Fingers. Nothing happens on touch-down.

  point(event) {
    const box = this.svg.getBoundingClientRect();
    return [(event.clientX - box.left - this.at.x) / this.at.scale, (event.clientY - box.top - this.at.y) / this.at.scale];
  }

  down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, x0: event.clientX, y0: event.clientY, t: event.timeStamp });
    if (this.pointers.size > 1) {
      this.drag = null;
      this.pinched = true;
      this.ghost();
      return;
    }
    this.pinched = false;
    const unit = this.selected && this.view.units.find((one) => one.id === this.selected && one.at);
    if (unit && this.canDrag && this.unitsAt(event).includes(unit.id)) this.drag = { unit, moved: false };
  }

  moved(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = [...this.pointers.values()].map((one) => ({ ...one }));
    const dx = event.clientX - pointer.x;
    const dy = event.clientY - pointer.y;
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (this.pointers.size === 2) this.pinch(before);
    else if (this.drag) {
      this.drag.moved ||= Math.hypot(event.clientX - pointer.x0, event.clientY - pointer.y0) > TAP;
      if (this.drag.moved) this.ghost(this.drag.unit.at, this.point(event));
    } else if (Math.hypot(event.clientX - pointer.x0, event.clientY - pointer.y0) > TAP || pointer.pans) {
      pointer.pans = true;
      this.at.x += dx;
      this.at.y += dy;
      this.place();
    }
  }

  pinch(before) {
    const now = [...this.pointers.values()];
    const middle = (pair) => [(pair[0].x + pair[1].x) / 2, (pair[0].y + pair[1].y) / 2];
    const apart = (pair) => Math.hypot(pair[0].x - pair[1].x, pair[0].y - pair[1].y) || 1;
    const [x0, y0] = middle(before);
    const [x1, y1] = middle(now);
    this.at.x += x1 - x0;
    this.at.y += y1 - y0;
    this.zoom(apart(now) / apart(before), x1, y1);
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer || this.pinched) {
      if (!this.pointers.size) this.pinched = false;
      return;
    }
    const drag = this.drag;
    this.drag = null;
    if (drag && drag.moved) {
      const hit = this.unitsAt(event).filter((one) => one !== drag.unit.id);
      this.on.drop(drag.unit.id, this.point(event), this.hexAt(event), hit);
      return;
    }
    const still = Math.hypot(event.clientX - pointer.x0, event.clientY - pointer.y0) <= TAP;
    if (!still || event.timeStamp - pointer.t > LONGEST_TAP) return;
    const hit = this.unitsAt(event);
    if (hit.length) this.on.tapUnits(hit);
    else this.on.tapGround(this.point(event), this.hexAt(event));
  }

  abort(event) {
    this.pointers.delete(event.pointerId);
    this.drag = null;
    this.ghost();
  }

  /** The units under the finger, the nearest first; those that merely come near only if none is hit. */
  unitsAt(event) {
    const [x, y] = this.point(event);
    const near = TOUCH / this.at.scale;
    const found = [];
    for (const unit of this.view.units) {
      if (!unit.at) continue;
      const size = this.view.map.kind === "hexes" ? 0.32 : Math.max(unit.frontage, unit.depth, 1) / 2;
      const away = Math.hypot(unit.at[0] - x, unit.at[1] - y);
      if (away <= size || away <= near) found.push([away > size, away, unit.id]);
    }
    found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const hits = found.filter((one) => !one[0]);
    return (hits.length ? hits : found.slice(0, 1)).map((one) => one[2]);
  }

  hexAt(event) {
    if (this.view.map.kind !== "hexes") return "";
    const [x, y] = this.point(event);
    let best = ["", 0.62];
    for (const [cx, cy, label] of this.view.map.hexes) {
      const away = Math.hypot(cx - x, cy - y);
      if (away < best[1]) best = [label, away];
    }
    return best[0];
  }
}

function caption(unit) {
  const name = unit.short || unit.name;
  return unit.strength ? `${name} ${unit.strength}` : name;
}

function hexagon([x, y]) {
  const radius = 1 / Math.sqrt(3);
  return Array.from({ length: 6 }, (_, n) =>
    `${x + radius * Math.cos((Math.PI / 3) * n)},${y + radius * Math.sin((Math.PI / 3) * n)}`).join(" ");
}

function outline(shape, width, height) {
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
  return (points[shape] || points.square)().map((one) => one.join(",")).join(" ");
}

function arrowHead(points, size) {
  const [x1, y1] = points[points.length - 1];
  const [x0, y0] = points[points.length - 2] || [x1, y1 + 1];
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const corner = (turn) => `${x1 - size * Math.cos(angle + turn)},${y1 - size * Math.sin(angle + turn)}`;
  return `${x1},${y1} ${corner(0.42)} ${corner(-0.42)}`;
}
