// The bodies of an impact, which stand still: its contacts shine with their forces, arrows are impulses or velocities.

import { Vector3 } from "three";
import { floats, type ImpactReport, type LawOutcome, type PathSeen } from "./data";
import { arrowPlaces, impactBox } from "./inside_stage";
import { ImpactList } from "./moment";
import { Arrows, Glows } from "./overlay";
import type { Parts } from "./parts";
import { Picture } from "./picture";
import { Run } from "./run";
import { mixed, type Wave } from "./wave";

const vectorOf = (v: number[]) => new Vector3(v[0], v[1] ?? 0, v[2] ?? 0);

export class FrozenScene {
  private readonly points: Vector3[];
  private readonly glows: Glows;
  private readonly impulses: Arrows;
  private readonly speeds: Arrows;
  private readonly largest: number; // [N s]
  private readonly width: number; // entries of u of a body

  private constructor(readonly picture: Picture, private readonly run: Run, private readonly report: ImpactReport) {
    const { stage } = picture, size = stage.extent.size;
    this.points = (report.points ?? []).map(vectorOf);
    this.glows = new Glows(this.glowSize(size));
    this.impulses = new Arrows(0.006 * size);
    this.speeds = new Arrows(0.0035 * size);
    for (const group of [this.glows.spots.group, this.impulses.group, this.speeds.group]) stage.add(group);
    this.largest = report.outcomes.reduce((most, one) => (one.vectors ?? []).reduce((m, v) => Math.max(m, vectorOf(v).length()), most), 1e-300);
    this.width = run.dimension === 1 ? 1 : 3 * (run.dimension - 1);
  }

  private glowSize(size: number): number {
    const balls = (this.report.bodies ?? []).map((body) => this.run.bodies[body].parts[0]?.[1] ?? 0).filter((radius) => radius > 0).sort((a, b) => a - b);
    return Math.min(Math.max(1.5 * (balls[balls.length >> 1] ?? 0), 0.03 * size), 0.3 * size);
  }

  /** Nothing where the impact is of no scene, or where there is no WebGL. */
  static of(parts: Parts, report: ImpactReport, calm: boolean): FrozenScene | null {
    if (!report.picture) return null;
    const run = new Run(report.picture);
    try {
      return new FrozenScene(new Picture(parts<HTMLCanvasElement>("stage"), run, new ImpactList(run), calm), run, report);
    } catch {
      parts("no-webgl").hidden = false;
      return null;
    }
  }

  /** The moment t of the impact under a law: inside it where there is a path, else its impulses. */
  show(outcome: LawOutcome, path: PathSeen | null, wave: Wave | null, t: number): void {
    const { stage } = this.picture, lift = stage.flat ? 0.03 * stage.extent.size : 0, long = 0.22 * stage.extent.size;
    stage.show(this.run.start);
    const raised = (p: Vector3) => p.clone().setZ(p.z + lift);
    const plays = wave !== null && path !== null && wave.data.peak > 0;
    this.glows.show(plays ? (path.points ?? []).map((point, i) => ({ at: raised(vectorOf(point)), part: Math.max(0, wave.forceAt(t, i)) / wave.data.peak })) : []);
    this.speeds.show(plays ? this.velocities(path, wave, t, long) : []);
    const vectors = plays ? [] : outcome.vectors ?? [];
    this.impulses.show(vectors.flatMap((vector, i) => {
      if (!this.points[i]) return [];
      const along = vectorOf(vector).multiplyScalar(long / this.largest);
      return [{ at: this.points[i], vector: along }, { at: this.points[i], vector: along.clone().negate() }];
    }));
    stage.invalidate();
  }

  /** Looks at the contacts and the balls that meet. */
  frame(): void {
    const { stage } = this.picture, isBalls = this.run.report.scene?.shapes.every((shape) => shape.kind !== "surface");
    if (isBalls && this.points.length) stage.view.frame(impactBox(stage, this.points, this.report.bodies ?? [], this.run.start, this.glowSize(stage.extent.size) / 2));
  }

  private velocities(path: PathSeen, wave: Wave, t: number, long: number): { at: Vector3; vector: Vector3 }[] {
    const table = floats(path.velocity), at = new Map(path.rows.map((row, i) => [row, i])), axes = this.run.dimension;
    const bodies = this.report.bodies ?? [], places = arrowPlaces(this.picture.stage, bodies, this.run.start).at;
    let fastest = 1e-300;
    for (let i = 0; i < table.length; ++i) if (path.rows[i % path.rows.length] % this.width < axes) fastest = Math.max(fastest, Math.abs(table[i]));
    return bodies.flatMap((_, b) => {
      const vector = new Vector3();
      for (let k = 0; k < axes; ++k) {
        const row = at.get(b * this.width + k);
        if (row === undefined) return [];
        vector.setComponent(k, mixed(wave.times, table, path.rows.length, t, row));
      }
      return [{ at: places[b], vector: vector.multiplyScalar(long / fastest) }];
    });
  }

  retint(force: string, speed: string): void {
    this.picture.retint();
    this.impulses.tint(force);
    this.speeds.tint(speed);
  }
}
