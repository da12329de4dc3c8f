// Inside an impact: forces of its contacts as a picture of contact by time, and at one moment on the stage.

import { Box3, Quaternion, Vector3 } from "three";
import { floats, type Inside } from "./data";
import { element, quantity } from "./format";
import { Arrows, Glows } from "./overlay";
import type { Parts } from "./parts";
import type { Player } from "./player";
import type { Stage } from "./stage";
import { mixed, Wave } from "./wave";

/** An impact that can be played. */
class Followed {
  readonly wave: Wave;
  readonly velocity: Float32Array; // (times x bodies x axes)
  readonly points: Vector3[];
  constructor(readonly data: Inside) {
    this.wave = new Wave(data);
    this.velocity = floats(data.velocity);
    this.points = data.points.map((p) => new Vector3(p[0], p[1] ?? 0, p[2] ?? 0));
  }
  get duration(): number {
    return this.wave.duration;
  }
  velocityAt(t: number, body: number, axes: number, out: Vector3): Vector3 {
    const width = this.data.bodies.length * axes;
    for (let k = 0; k < 3; ++k) out.setComponent(k, k < axes ? mixed(this.wave.times, this.velocity, width, t, body * axes + k) : 0);
    return out;
  }
}

export class InsideView {
  now: Followed | null = null;
  private readonly card: HTMLElement;
  private readonly energy: HTMLElement; // gives its place away
  private readonly picture = element("canvas", { className: "wave", ariaLabel: "Force of each contact over the time of the impact" });
  private readonly glows: Glows | null;
  private readonly arrows: Arrows | null;
  private fastest = 1;
  private longest = 1; // [m] an arrow
  private cache = new Map<number, Followed>();

  constructor(parts: Parts, private readonly inside: Inside[], private readonly player: Player, private readonly stage: Stage | null) {
    this.card = parts("inside-card");
    this.energy = parts("energy-card");
    this.picture.setAttribute("role", "img");
    this.picture.tabIndex = 0;
    this.glows = stage && new Glows(this.glowSize());
    this.arrows = stage && new Arrows(0.0035 * stage.extent.size, stage.flat);
    if (stage && this.glows && this.arrows) {
      stage.add(this.glows.spots.group);
      stage.add(this.arrows.group);
    }
    const seek = (event: PointerEvent) => {
      if (!this.now || !(event.buttons & 1)) return;
      const box = this.picture.getBoundingClientRect();
      player.pause();
      player.seekInside(((event.clientX - box.left) / box.width) * this.now.duration);
    };
    this.picture.addEventListener("pointerdown", seek);
    this.picture.addEventListener("pointermove", seek);
    new ResizeObserver(() => this.drawPicture()).observe(this.picture);
  }

  private glowSize(): number {
    const balls = this.stage?.run.bodies.flatMap((body) => (body.free ? body.parts.map((part) => part[1]) : [])) ?? [];
    const size = this.stage?.extent.size ?? 1, usual = balls.length ? balls.sort((a, b) => a - b)[balls.length >> 1] : 0;
    return Math.min(Math.max(1.5 * usual, 0.05 * size), 0.3 * size);
  }

  /** Arrows of the plane start above their bodies, where nothing hides them. */
  private beside(body: number): Vector3 {
    const up = this.stage?.flat ? 1.3 * (this.stage.run.bodies[body].parts[0]?.[1] ?? 0) : 0;
    const ball = this.stage?.run.report.scene?.shapes[this.stage.run.bodies[body].parts[0]?.[0] ?? -1]?.kind === "ball";
    return new Vector3(0, ball ? up : 0, 0);
  }

  numbers(): Set<number> {
    return new Set(this.inside.map((one) => one.number));
  }

  open(number: number, t: number): void {
    const data = this.inside.find((one) => one.number === number);
    if (!data) return;
    this.player.seek(t);
    if (!this.cache.has(number)) this.cache.set(number, new Followed(data));
    this.now = this.cache.get(number)!;
    const axes = this.stage?.run.dimension ?? 1, v = new Vector3();
    this.fastest = 1e-300;
    for (const moment of this.now.wave.times)
      for (let i = 0; i < data.bodies.length; ++i) this.fastest = Math.max(this.fastest, this.now.velocityAt(moment, i, axes, v).length());
    this.fill(data);
    this.longest = Math.max(0.25 * new Box3().setFromPoints(this.now.points).getSize(new Vector3()).length(), 1.2 * this.glowSize());
    this.stage?.frame(this.now.points, this.glowSize());
    this.player.enter(this.now.duration);
    this.drawPicture();
  }

  private fill(data: Inside): void {
    const more = data.contact_count > data.names.length ? `, ${data.names.length} shown` : "";
    this.card.hidden = false;
    this.energy.hidden = true;
    this.card.replaceChildren(
      element("div", { className: "cardhead" }, element("h2", { textContent: `Inside impact ${data.number}` }),
        element("button", { type: "button", textContent: "Back to the run", onclick: () => this.close() })),
      this.picture,
      element("div", { className: "waveaxis" }, element("span", { textContent: "0" }), element("span", { textContent: "time →" }),
        element("span", { textContent: quantity(this.now?.duration, "s") })),
      element("div", { className: "heat" }, element("span", { textContent: "0" }), element("i"), element("span", { textContent: quantity(data.peak, "N") })),
      element("p", { className: "muted", textContent: `Each row is a contact (${data.contact_count}${more}), from ${data.names[0]} above to ${data.names[data.names.length - 1]} below; the lighter, the larger its force.` }),
    );
  }

  close(): void {
    if (this.now === null && this.card.hidden) return;
    this.now = null;
    this.card.hidden = true;
    this.energy.hidden = false;
    this.stage?.restore();
    this.glows?.show([]);
    this.arrows?.show([]);
    this.stage?.invalidate();
    this.player.leave();
  }

  private drawPicture(): void {
    this.now?.wave.draw(this.picture, this.player.insideTime);
  }

  show(): void {
    if (!this.now) return;
    this.drawPicture();
    const stage = this.stage;
    if (!stage || !this.glows || !this.arrows) return;
    const t = this.player.insideTime, peak = this.now.data.peak, axes = stage.run.dimension;
    const lift = stage.flat ? 0.03 * stage.extent.size : 0;
    this.glows.show(this.now.points.map((p, i) => ({ at: p.clone().setZ(p.z + lift), part: Math.max(0, this.now!.wave.forceAt(t, i)) / peak })));
    const [frame, part] = stage.run.locate(this.player.t);
    const place = { position: new Vector3(), turn: new Quaternion() }, long = this.longest;
    this.arrows.show(this.now.data.bodies.map((body, i) => ({
      at: stage.run.place(body, frame, part, place).position.clone().add(this.beside(body)),
      vector: this.now!.velocityAt(t, i, axes, new Vector3()).multiplyScalar(long / this.fastest),
    })));
    stage.invalidate();
  }

  tint(color: string): void {
    this.arrows?.tint(color);
  }
}
