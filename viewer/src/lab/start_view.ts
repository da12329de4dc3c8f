// The start of a scene, before it runs: bodies stand where the text puts them, and a hand may move them.

import { Plane, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import { cssColor } from "../colors";
import { showScale } from "../controls";
import { element, number } from "../format";
import { Arrows } from "../overlay";
import { fill, type Parts } from "../parts";
import { Run, type Place } from "../run";
import { Stage } from "../stage";
import { onTheme } from "../theme";
import type { Checked, Value } from "./core";
import { tidy } from "./fields";
import { startExtent, widenWalls } from "./start_extent";

export interface StartHooks {
  /** Puts a body somewhere; says why not, where that cannot be. */
  move(path: string, value: Value): Promise<string | null>;
  say(text: string): void;
  select(path: string | null): void;
}

const markup = `<div class="view">
  <canvas data-part="stage" tabindex="0" role="application" aria-roledescription="picture" aria-label="The start of the scene. Drag bodies to move them, or choose one and use the arrow keys."></canvas>
  <div class="tag" data-part="tag" aria-hidden="true" hidden></div>
  <p class="readout"><output>Start</output><span data-part="hint">drag a body to move it</span></p>
  <div class="viewtools">
    <select data-part="bodies" aria-label="Body to move"></select>
    <button data-part="home" type="button" class="small">Whole view</button>
  </div>
  <div class="scale" data-part="scale" aria-hidden="true"><span></span><i></i></div>
  <p class="notice" data-part="no-webgl" hidden>This browser shows no 3D graphics (WebGL). The scene can be changed in the form and in its text, and it runs.</p>
</div>`;
const nearby = 14; // [pixel] around the middle of a small body
const gridPixels = 32; // [pixel] at least between the steps of the grid
const idle = 350; // [ms] without a key, after which the body stays
const besideTag = 12; // [pixels] from a body to the words about it, as lab.css has it
const mostListed = 300;

/** The round length (1, 2 or 5 times a power of ten) at or above a wish. */
function roundLength(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish));
  return [1, 2, 5, 10].map((f) => f * power).find((one) => one >= wish * 0.999) ?? wish;
}

export class StartView {
  private readonly parts: Parts;
  private stage: Stage | null = null;
  private checked: Checked | null = null;
  private picture = ""; // what is drawn, as text: positions apart
  private arrows: Arrows | null = null;
  private selected = -1;
  private moved = new Vector3(); // of the selected body, since the text was last read
  private timer = 0;
  private busy = false;
  private readonly resizes: ResizeObserver;
  private dragging: { pointer: number; from: Vector3; plane: Plane } | null = null;

  constructor(root: HTMLElement, private readonly hooks: StartHooks) {
    this.parts = fill(root, markup);
    this.parts("home").onclick = () => this.stage?.home();
    this.parts<HTMLSelectElement>("bodies").onchange = (event) => {
      this.select(Number((event.target as HTMLSelectElement).value), true);
      this.canvas.focus({ preventScroll: true });
    };
    this.resizes = new ResizeObserver(() => this.stage?.resize());
    onTheme(() => this.retint(), new AbortController().signal);
    const loop = () => {
      if (this.stage && this.canvas.offsetParent) {
        this.stage.draw();
      }
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  private get canvas(): HTMLCanvasElement {
    return this.parts<HTMLCanvasElement>("stage");
  }

  /** Where the camera is: for links, and to keep the view when the scene changes. */
  get camera(): number[] | null {
    if (!this.stage) return null;
    const { camera, controls } = this.stage.view;
    return [...camera.position.toArray(), ...controls.target.toArray(), camera.zoom].map((one) => Number(one.toPrecision(6)));
  }
  set camera(numbers: number[] | null) {
    if (!this.stage || numbers?.length !== 7 || !numbers.every(Number.isFinite)) return;
    const { camera, controls } = this.stage.view;
    camera.position.fromArray(numbers);
    controls.target.fromArray(numbers, 3);
    camera.zoom = numbers[6];
    camera.updateProjectionMatrix();
    controls.update();
    this.stage.invalidate();
  }

  show(checked: Checked): void {
    const { run, scene, frames } = checked.start;
    const picture = JSON.stringify([run.dimension, scene?.shapes, scene?.bodies.map((body) => [body.name, body.free, body.parts]), scene?.links, frames.moving]);
    const keeps = this.stage && picture === this.picture;
    const name = this.selected >= 0 ? this.stage?.run.nameOf(this.selected) : null;
    this.checked = checked;
    this.moved.set(0, 0, 0);
    if (keeps) this.replace(new Run(checked.start));
    else this.rebuild(new Run(checked.start), picture);
    if (name !== null) this.select(this.stage?.run.bodies.findIndex((body) => body.name === name) ?? -1, false);
    this.place();
  }

  /** The same bodies at other places. */
  private replace(next: Run): void {
    const run = this.stage!.run, a: Place = { position: new Vector3(), turn: new Quaternion() }, b: Place = { position: new Vector3(), turn: new Quaternion() };
    run.poses.set(next.poses);
    run.bodies.forEach((_, i) => run.indexOf(i) < 0 && run.shift(i, next.place(i, 0, 0, b).position.sub(run.place(i, 0, 0, a).position)));
    this.stage!.show(0);
    this.showVelocities(next);
  }

  private rebuild(run: Run, picture: string): void {
    const old = this.stage, sameWorld = old && this.picture && JSON.parse(this.picture)[0] === run.dimension && this.isLike(old.run, run);
    const camera = sameWorld ? this.camera : null;
    const fresh = this.canvas.cloneNode() as HTMLCanvasElement;
    this.resizes.disconnect();
    this.canvas.replaceWith(fresh);
    old?.destroy();
    this.stage = null;
    this.picture = picture;
    const extent = startExtent(run);
    widenWalls(run, extent);
    try {
      this.stage = new Stage(fresh, run, extent);
    } catch {
      this.parts("no-webgl").hidden = false;
      return;
    }
    this.arrows = new Arrows(0.005 * this.stage.extent.size);
    this.stage.add(this.arrows.group);
    this.stage.onView = () => {
      showScale(this.parts("scale"), this.stage);
      this.place();
    };
    this.resizes.observe(fresh);
    this.listen(fresh);
    this.stage.show(0);
    this.showVelocities(run);
    this.retint();
    this.stage.home();
    if (camera) this.camera = camera;
    this.list(run);
    this.selected = -1;
  }

  /** Hardly changed: the camera may stay. */
  private isLike(a: Run, b: Run): boolean {
    const names = new Set(a.bodies.map((body) => body.name));
    return a.bodies.length === b.bodies.length && b.bodies.every((body) => names.has(body.name));
  }

  private list(run: Run): void {
    const bodies = this.parts<HTMLSelectElement>("bodies");
    bodies.replaceChildren(new Option("Choose a body …", "-1"));
    run.bodies.slice(0, mostListed).forEach((body, i) => body.free && bodies.append(new Option(body.name, String(i))));
    bodies.hidden = bodies.options.length < 2;
    this.parts("hint").hidden = !this.checked?.paths.some((path, i) => path && run.bodies[i]?.free);
  }

  private showVelocities(run: Run): void {
    const { velocities, velocityWidth } = run, long = 0.3 * this.stage!.extent.size;
    const list: { at: Vector3; vector: Vector3 }[] = [];
    if (velocities)
      run.moving.forEach((body, i) => {
        const at = (k: number) => (k < run.dimension ? velocities[i * velocityWidth + k] : 0);
        list.push({ at: run.place(body, 0, 0, { position: new Vector3(), turn: new Quaternion() }).position, vector: new Vector3(at(0), at(1), at(2)) });
      });
    const most = list.reduce((largest, one) => Math.max(largest, one.vector.length()), 0);
    for (const one of list) one.vector.multiplyScalar(long / Math.max(most, 1e-300));
    this.arrows?.show(most > 0 ? list : []);
  }

  private retint(): void {
    this.stage?.retint();
    this.arrows?.tint(cssColor("--speed"));
  }

  // Choosing and moving.

  private listen(canvas: HTMLCanvasElement): void {
    const seize = (event: PointerEvent) => {
      if (event.button !== 0 || this.dragging) return;
      const body = this.bodyNear(event);
      this.select(body, true);
      if (body < 0 || this.refused(body)) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      const normal = this.stage!.view.camera.getWorldDirection(new Vector3());
      const plane = new Plane().setFromNormalAndCoplanarPoint(normal, this.placeOf(body));
      const from = this.onPlane(event, plane);
      if (from) this.dragging = { pointer: event.pointerId, from, plane };
      canvas.classList.add("dragging");
    };
    canvas.addEventListener("pointerdown", seize, { capture: true });
    canvas.addEventListener("touchstart", (event) => this.bodyNear(event.touches[0]) >= 0 && event.preventDefault(), { passive: false });
    canvas.addEventListener("pointermove", (event) => {
      if (this.dragging?.pointer !== event.pointerId) {
        if (!event.buttons && event.pointerType === "mouse") canvas.style.cursor = this.bodyNear(event) >= 0 ? "move" : "";
        return;
      }
      const at = this.onPlane(event, this.dragging.plane);
      if (at) this.drag(at.sub(this.dragging.from), event.shiftKey ? this.grid : this.fine);
    });
    const release = (event: PointerEvent) => {
      if (this.dragging?.pointer !== event.pointerId) return;
      this.dragging = null;
      canvas.classList.remove("dragging");
      if (event.type === "pointercancel") this.drag(new Vector3(), 0);
      else void this.drop();
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.select(-1, true);
    const flat = this.stage?.flat;
    const ways: Record<string, [number, number, number]> = {
      ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
      ...(flat ? {} : { PageUp: [0, 0, 1], PageDown: [0, 0, -1] }),
    };
    const way = ways[event.key];
    if (!way || this.selected < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (this.refused(this.selected)) return;
    const step = event.shiftKey ? this.grid : this.grid / 10;
    this.drag(this.moved.clone().addScaledVector(new Vector3(...way), step), event.shiftKey ? this.grid : this.fine);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.drop(), idle);
  }

  /** [m] between round steps that hands can tell apart, and the finest that a pixel shows. */
  private get grid(): number {
    return roundLength(gridPixels * this.pixel);
  }
  private get fine(): number {
    return 10 ** Math.floor(Math.log10(this.pixel));
  }
  private get pixel(): number {
    const stage = this.stage!, flat = stage.view.metresPerPixel();
    if (flat !== null) return flat;
    const away = stage.view.camera.position.distanceTo(stage.view.controls.target);
    return (2 * away * Math.tan((35 * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }

  private point(event: { clientX: number; clientY: number }): Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
  }
  private onPlane(event: PointerEvent, plane: Plane): Vector3 | null {
    const ray = new Raycaster();
    ray.setFromCamera(this.point(event), this.stage!.view.camera);
    return ray.ray.intersectPlane(plane, new Vector3());
  }
  private placeOf(body: number): Vector3 {
    return this.stage!.run.place(body, 0, 0, { position: new Vector3(), turn: new Quaternion() }).position;
  }
  private onScreen(at: Vector3): Vector2 {
    const seen = at.clone().project(this.stage!.view.camera);
    return new Vector2(((seen.x + 1) / 2) * this.canvas.clientWidth, ((1 - seen.y) / 2) * this.canvas.clientHeight);
  }

  /** The body under the pointer, or a small one beside it. */
  private bodyNear(event: { clientX: number; clientY: number }): number {
    if (!this.stage) return -1;
    const hit = this.stage.bodyAt(this.point(event));
    if (hit >= 0) return hit;
    const box = this.canvas.getBoundingClientRect(), pointer = new Vector2(event.clientX - box.left, event.clientY - box.top);
    let nearest = nearby, body = -1;
    this.stage.run.bodies.slice(0, mostListed).forEach((one, i) => {
      const away = one.free ? this.onScreen(this.placeOf(i)).distanceTo(pointer) : Infinity;
      if (away < nearest) [nearest, body] = [away, i];
    });
    return body;
  }

  private refused(body: number): boolean {
    if (this.checked?.paths[body]) return false;
    this.hooks.say(`“${this.stage!.run.nameOf(body)}” comes out of a chain or a grid: change its table in the form or in the text.`);
    return true;
  }

  private select(body: number, tell: boolean): void {
    if (body !== this.selected && this.moved.lengthSq() > 0) void this.drop();
    this.selected = body;
    this.parts<HTMLSelectElement>("bodies").value = String(this.stage?.run.bodies[body]?.free ? body : -1);
    if (tell) this.hooks.select(this.checked?.paths[body] ?? null);
    this.place();
  }

  /** Where the text has the selected body: the numbers of its position. */
  private stated(): { numbers: number[]; words: Value[] | null; scalar: boolean } {
    const { checked, selected } = this, run = this.stage!.run, path = checked!.paths[selected]!;
    const value = checked!.keys.find((one) => one.path === `${path}.position`)?.value ?? null;
    const words = Array.isArray(value) ? value : value !== null ? [value] : null;
    const before = this.placeOf(selected).sub(this.moved).toArray().slice(0, run.dimension);
    const plain = words?.every((one) => typeof one === "number") ? (words as number[]) : null;
    return { numbers: checked!.positions?.[selected] ?? plain ?? before, words, scalar: value !== null && !Array.isArray(value) };
  }

  /** Shows the selected body moved by so much, on whole steps where it moves. */
  private drag(by: Vector3, step: number): void {
    const stage = this.stage;
    if (!stage || this.selected < 0 || this.busy) return;
    const { numbers } = this.stated(), now = new Vector3();
    for (let k = 0; k < stage.run.dimension; ++k) {
      const wish = by.getComponent(k);
      if (Math.abs(wish) < 1e-3 * step || !step) continue;
      now.setComponent(k, tidy(Math.round((numbers[k] + wish) / step) * step, step) - numbers[k]);
    }
    stage.run.shift(this.selected, now.clone().sub(this.moved));
    this.moved = now;
    stage.show(0);
    this.showVelocities(stage.run);
    this.place();
  }

  private async drop(): Promise<void> {
    clearTimeout(this.timer);
    const stage = this.stage, path = this.checked?.paths[this.selected];
    if (!stage || !path || this.busy || this.moved.lengthSq() === 0) return;
    const { numbers, words, scalar } = this.stated(), body = this.selected, moved = this.moved.clone();
    const value = numbers.map((one, k) => (moved.getComponent(k) === 0 ? (words?.[k] ?? one) : tidy(one + moved.getComponent(k), this.fine)));
    this.busy = true;
    const refusal = await this.hooks.move(`${path}.position`, scalar ? value[0] : value);
    this.busy = false;
    if (!refusal || this.stage !== stage || this.selected !== body) return;
    stage.run.shift(body, this.moved.clone().negate());
    this.moved.set(0, 0, 0);
    stage.show(0);
    this.showVelocities(stage.run);
    this.place();
    this.hooks.say(refusal);
  }

  /** The name and the place of the selected body, beside it. */
  private place(): void {
    const tag = this.parts("tag"), stage = this.stage;
    tag.hidden = !stage || this.selected < 0;
    if (!stage || this.selected < 0) return;
    const at = this.onScreen(this.placeOf(this.selected));
    tag.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
    const texts: (Node | string)[] = [element("b", { textContent: stage.run.nameOf(this.selected) })];
    if (this.checked?.paths[this.selected]) {
      const where = this.stated().numbers.map((one, k) => number(tidy(one + this.moved.getComponent(k), this.fine), 5));
      texts.push(element("span", { textContent: `${where.length > 1 ? `(${where.join(", ")})` : where[0]} m` }));
    }
    const words = element("div", {}, ...texts);
    tag.replaceChildren(element("i"), words);
    tag.classList.toggle("left", at.x + besideTag + words.offsetWidth > this.canvas.clientWidth);
  }
}
