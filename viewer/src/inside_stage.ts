// One moment inside an impact, on a stage: contacts shine with their forces, arrows are the velocities of the bodies.

import { Box3, Quaternion, Vector3 } from "three";
import { floats, type Inside } from "./data";
import { Arrows, Glows } from "./overlay";
import type { Stage } from "./stage";
import { mixed, Wave } from "./wave";

/** An impact that can be played. Colours and glows reach their end at `peak` [N]. */
export class Followed {
  readonly wave: Wave;
  readonly velocity: Float32Array; // (times x bodies x axes)
  readonly points: Vector3[];
  constructor(readonly data: Inside, readonly peak = data.peak) {
    this.wave = new Wave(data, peak);
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
  /** [m/s] of the fastest body. */
  fastest(axes: number): number {
    const v = new Vector3();
    let most = 1e-300;
    for (const moment of this.wave.times)
      for (let i = 0; i < this.data.bodies.length; ++i) most = Math.max(most, this.velocityAt(moment, i, axes, v).length());
    return most;
  }
}

export class InsideStage {
  private readonly glows: Glows;
  private readonly arrows: Arrows;
  private now: Followed | null = null;
  private fastest = 1;
  private longest = 1; // [m] an arrow

  constructor(private readonly stage: Stage) {
    this.glows = new Glows(this.glowSize());
    this.arrows = new Arrows(0.0035 * stage.extent.size, stage.flat);
    stage.add(this.glows.spots.group);
    stage.add(this.arrows.group);
  }

  private glowSize(): number {
    const balls = this.stage.run.bodies.flatMap((body) => (body.free ? body.parts.map((part) => part[1]) : []));
    const size = this.stage.extent.size, usual = balls.length ? balls.sort((a, b) => a - b)[balls.length >> 1] : 0;
    return Math.min(Math.max(1.5 * usual, 0.05 * size), 0.3 * size);
  }

  /** Where the arrow of a body starts: of balls in a row above it, where neighbours do not lie under it. */
  private lift(body: number): number {
    const { run } = this.stage, part = run.bodies[body].parts[0];
    return run.report.scene?.shapes[part?.[0] ?? -1]?.kind === "ball" ? 1.3 * part[1] : 0;
  }

  /** Looks at an impact; arrows are as long as `fastest` [m/s] asks for. */
  open(impact: Followed, fastest = impact.fastest(this.stage.run.dimension)): void {
    this.now = impact;
    this.fastest = fastest;
    this.longest = Math.max(0.25 * new Box3().setFromPoints(impact.points).getSize(new Vector3()).length(), 1.2 * this.glowSize());
    this.look(impact.points);
  }
  /** Brings these contacts into view; close() goes back. */
  look(points: Vector3[]): void {
    this.stage.frame(points, this.glowSize());
  }

  close(): void {
    this.now = null;
    this.stage.restore();
    this.glows.show([]);
    this.arrows.show([]);
    this.stage.invalidate();
  }

  /** The moment `inside` of the impact, which happens at t of the run [s]. */
  show(inside: number, t: number): void {
    const impact = this.now, { stage } = this;
    if (!impact) return;
    const lift = stage.flat ? 0.03 * stage.extent.size : 0, axes = stage.run.dimension;
    this.glows.show(impact.points.map((p, i) => ({ at: p.clone().setZ(p.z + lift), part: Math.max(0, impact.wave.forceAt(inside, i)) / impact.peak })));
    const [frame, part] = stage.run.locate(t), place = { position: new Vector3(), turn: new Quaternion() };
    const centres = impact.data.bodies.map((body) => stage.run.place(body, frame, part, place).position.clone());
    const span = new Box3().setFromPoints(centres).getSize(new Vector3()), inRow = stage.flat && span.y < 0.2 * span.x;
    this.arrows.show(impact.data.bodies.map((body, i) => ({
      at: centres[i].setY(centres[i].y + (inRow ? this.lift(body) : 0)),
      vector: impact.velocityAt(inside, i, axes, new Vector3()).multiplyScalar(this.longest / this.fastest),
    })));
    stage.invalidate();
  }

  tint(color: string): void {
    this.arrows.tint(color);
  }
}
