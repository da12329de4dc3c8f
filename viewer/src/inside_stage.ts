// One moment inside an impact, on a stage: contacts shine with their forces, arrows are the velocities of the bodies.

import { Box3, Quaternion, Vector3 } from "three";
import { floats, type Inside } from "./data";
import { Arrows, Glows } from "./overlay";
import type { Run } from "./run";
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

const isBall = (run: Run, body: number) => run.report.scene?.shapes[run.bodies[body]?.parts[0]?.[0] ?? -1]?.kind === "ball";
const radiusOf = (run: Run, body: number) => run.bodies[body].parts[0][1];

/** Where the arrows of bodies start: in their middle, or, of balls in a row of the plane, above them, where neighbours do not lie under them. */
export function arrowPlaces(stage: Stage, bodies: number[], t: number): { at: Vector3[]; inRow: boolean } {
  const { run } = stage, [frame, part] = run.locate(t), place = { position: new Vector3(), turn: new Quaternion() };
  const at = bodies.map((body) => run.place(body, frame, part, place).position.clone());
  const span = new Box3().setFromPoints(at).getSize(new Vector3()), inRow = stage.flat && span.y < 0.2 * span.x;
  if (inRow) bodies.forEach((body, i) => isBall(run, body) && (at[i].y += 1.3 * radiusOf(run, body)));
  return { at, inRow };
}

/** What is looked at in an impact: its contacts with a margin, and the balls that meet there. */
export function impactBox(stage: Stage, points: Vector3[], bodies: number[], t: number, margin: number): Box3 {
  const { run } = stage, [frame, part] = run.locate(t), place = { position: new Vector3(), turn: new Quaternion() };
  const box = new Box3().setFromPoints(points).expandByScalar(margin);
  for (const body of bodies)
    if (isBall(run, body)) {
      const centre = run.place(body, frame, part, place).position, radius = Math.min(radiusOf(run, body), 4 * margin), reach = new Vector3().setScalar(radius);
      box.expandByPoint(centre.clone().add(reach)).expandByPoint(centre.clone().sub(reach));
    }
  return box;
}

export class InsideStage {
  private readonly glows: Glows;
  private readonly arrows: Arrows;
  private now: Followed | null = null;
  private fastest = 1;
  private longest = 1; // [m] an arrow

  constructor(private readonly stage: Stage) {
    this.glows = new Glows(this.glowSize());
    this.arrows = new Arrows(0.0035 * stage.extent.size);
    stage.add(this.glows.spots.group);
    stage.add(this.arrows.group);
  }

  private glowSize(): number {
    const balls = this.stage.run.bodies.flatMap((body) => (body.free ? body.parts.map((part) => part[1]) : []));
    const size = this.stage.extent.size, usual = balls.length ? balls.sort((a, b) => a - b)[balls.length >> 1] : 0;
    return Math.min(Math.max(1.5 * usual, 0.05 * size), 0.3 * size);
  }

  /** What is looked at in an impact of this run at t [s]. */
  box(points: Vector3[], bodies: number[], t: number): Box3 {
    return impactBox(this.stage, points, bodies, t, this.glowSize());
  }
  /** Looks at an impact at t of the run [s]; arrows are as long as `fastest` [m/s] asks for. */
  open(impact: Followed, t: number, fastest = impact.fastest(this.stage.run.dimension), box = this.box(impact.points, impact.data.bodies, t)): void {
    this.now = impact;
    this.fastest = fastest;
    const usual = Math.max(0.25 * new Box3().setFromPoints(impact.points).getSize(new Vector3()).length(), 1.2 * this.glowSize());
    this.longest = Math.min(usual, 1.9 * this.spacing(impact.data.bodies, t));
    this.look(box);
  }
  /** How long an arrow [m] may be at most that goes both ways from a contact: in a row arrows end before the next begin. */
  spacing(bodies: number[], t: number): number {
    const { at, inRow } = arrowPlaces(this.stage, bodies, t), across = at.map((p) => p.x).sort((a, b) => a - b);
    const apart = across.slice(1).map((x, i) => x - across[i]).sort((a, b) => a - b);
    return inRow && apart.length ? 0.5 * apart[apart.length >> 1] : 0.2 * this.stage.extent.size;
  }
  /** Brings a box into view; close() goes back. */
  look(box: Box3): void {
    this.stage.view.frame(box);
  }

  close(): void {
    this.now = null;
    this.stage.view.restore();
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
    const { at } = arrowPlaces(stage, impact.data.bodies, t);
    this.arrows.show(at.map((from, i) => ({ at: from, vector: impact.velocityAt(inside, i, axes, new Vector3()).multiplyScalar(this.longest / this.fastest) })));
    stage.invalidate();
  }

  tint(color: string): void {
    this.arrows.tint(color);
  }
}
