// Gestures of fingers, mouse and wheel on the map. Touching the map alone does nothing.

const TAP_PIXELS = 9; // how far a finger may move during a tap
const DOUBLE_TAP_MS = 280; // between the taps of a double tap
const DOUBLE_TAP_PIXELS = 30; // between the taps of a double tap
const DOUBLE_TAP_ZOOM = 1.8; // zoom of a double tap

export class Gestures {
  /**
   * `map` is the GameMap; `on` has the page's handlers: tapUnits(ids, point, hex), tapGround(point, hex),
   * drop(point, hex, ids, drag), turn(degrees), cancel().
   */
  constructor(svg, map, on) {
    Object.assign(this, { svg, map, on, pointers: new Map(), drag: null, pinched: false, last: null, waiting: 0 });
    // Otherwise the browser scrolls on after a drag, and takes no tap elsewhere meanwhile.
    svg.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.abort(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.svg.focus({ preventScroll: true }); // closes the keyboard of a text field
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, x0: event.clientX, y0: event.clientY });
    if (this.pointers.size > 1) {
      this.stop();
      this.pinched = true;
      return;
    }
    this.pinched = false;
    this.drag = this.map.dragAt(event);
  }

  moved(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = [...this.pointers.values()].map((pointer) => ({ ...pointer }));
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    pointer.far ||= Math.hypot(event.clientX - pointer.x0, event.clientY - pointer.y0) > TAP_PIXELS;
    if (this.pointers.size === 2) this.pinch(before);
    else if (!pointer.far || this.pinched) return;
    else if (this.drag) this.map.dragTo(this.drag, event);
    else this.map.pan(dx, dy);
  }

  pinch(before) {
    const now = [...this.pointers.values()];
    const middle = (pair) => [(pair[0].x + pair[1].x) / 2, (pair[0].y + pair[1].y) / 2];
    const apart = (pair) => Math.hypot(pair[0].x - pair[1].x, pair[0].y - pair[1].y) || 1;
    const [[x0, y0], [x1, y1]] = [middle(before), middle(now)];
    this.map.pan(x1 - x0, y1 - y0);
    this.map.zoom(apart(now) / apart(before), x1, y1);
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    const { drag } = this;
    if (drag) drag.isOn = false;
    this.drag = null;
    if (!pointer || this.pinched) {
      if (!this.pointers.size) this.pinched = false;
    } else if (!pointer.far) this.tap(event);
    else if (drag && drag.kind === "turn") this.on.turn(this.map.bearingTo(event));
    else if (drag) {
      const hit = this.map.unitsAt(event).filter((id) => !drag.units.includes(id));
      this.on.drop(this.map.point(event), this.map.hexAt(event), hit, drag);
    }
  }

  /** Handles a tap: on units at once; on the ground after a wait for a second tap, which would zoom. */
  tap(event) {
    const { last } = this;
    this.last = { t: event.timeStamp, x: event.clientX, y: event.clientY };
    const again = last && event.timeStamp - last.t < DOUBLE_TAP_MS
      && Math.hypot(event.clientX - last.x, event.clientY - last.y) < DOUBLE_TAP_PIXELS;
    clearTimeout(this.waiting);
    if (again) {
      this.last = null;
      this.map.zoom(DOUBLE_TAP_ZOOM, event.clientX, event.clientY);
      return;
    }
    const [point, hex, hit] = [this.map.point(event), this.map.hexAt(event), this.map.unitsAt(event)];
    if (hit.length) this.on.tapUnits(hit, point, hex);
    else this.waiting = setTimeout(() => this.on.tapGround(point, hex), DOUBLE_TAP_MS);
  }

  abort(event) {
    this.pointers.delete(event.pointerId);
    this.stop();
  }

  /** Cancels the gesture that a finger had begun. */
  stop() {
    clearTimeout(this.waiting);
    if (this.drag) {
      this.drag.isOn = false;
      this.map.showDraft(this.map.draft);
    }
    this.drag = null;
  }

  wheel(event) {
    event.preventDefault();
    this.map.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  key(event) {
    const step = 60;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "+" || event.key === "=") this.map.zoom(1.3);
    else if (event.key === "-") this.map.zoom(1 / 1.3);
    else if (event.key === "0") this.map.showAll();
    else if (moves[event.key]) {
      event.preventDefault();
      this.map.pan(...moves[event.key]);
    }
  }
}
