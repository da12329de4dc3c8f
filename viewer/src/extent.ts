// What a run fills over its whole time.

import { Box3, Quaternion, Vector3 } from "three";
import type { Place, Run } from "./run";
import { pointsOf } from "./shapes";

export interface Extent {
  low: Vector3;
  high: Vector3;
  centre: Vector3;
  size: number; // [m] half of the diagonal
}

const mostSamples = 200_000;

/** Of each shape, how far its points are from its own origin; walls without an end have none. */
export function reaches(run: Run): number[] {
  return (run.report.scene?.shapes ?? []).map((shape) => {
    if (shape.kind === "wall") return -1;
    if (shape.kind === "ball") return 1;
    return pointsOf(shape).reduce((most, p) => Math.max(most, p.length()), 0);
  });
}

/** From the a-th to the b-th part of sorted values, or all of them where nothing flies far away. */
function range(values: number[]): [number, number] {
  values.sort((a, b) => a - b);
  const at = (part: number) => values[Math.round(part * (values.length - 1))];
  const full = at(1) - at(0), usual = at(0.97) - at(0.03);
  return full > 4 * usual && usual > 0 ? [at(0.03) - usual / 4, at(0.97) + usual / 4] : [at(0), at(1)];
}

const few = 3, worth = 0.65; // of so many bodies one may leave the picture, where the others fill less than this part of it

/** What bodies fill from the start of each to the end of all but some that go far away; nothing where that is not much less than all. */
class Staying {
  private readonly boxes = new Map<number, Box3>();
  private readonly starts = new Box3();
  private readonly ball = new Box3();

  /** Something at the start, or that stays. */
  keep(p: Vector3, r: number): void {
    this.starts.union(this.around(p, r));
  }
  moves(body: number, p: Vector3, r: number): void {
    const box = this.boxes.get(body) ?? new Box3();
    this.boxes.set(body, box);
    box.union(this.around(p, r));
  }
  private around(p: Vector3, r: number): Box3 {
    this.ball.min.copy(p).subScalar(r);
    this.ball.max.copy(p).addScalar(r);
    return this.ball;
  }

  box(): Box3 | null {
    const middle = this.starts.getCenter(new Vector3());
    const far = (box: Box3) => Math.max(box.min.distanceTo(middle), box.max.distanceTo(middle));
    const all = [...this.boxes.values()].sort((a, b) => far(a) - far(b)), most = Math.floor(all.length / few);
    const whole = all.reduce((sum, box) => sum.union(box), this.starts.clone()), longest = (box: Box3) => Math.max(...box.getSize(this.size).toArray());
    for (let leave = 1; leave <= most; leave *= 2) {
      const rest = all.slice(0, all.length - leave).reduce((sum, box) => sum.union(box), this.starts.clone());
      if (longest(rest) < worth * longest(whole)) return rest.expandByScalar(0.05 * longest(rest));
    }
    return null;
  }
  private readonly size = new Vector3();
}

export function extentOf(run: Run): Extent {
  const place: Place = { position: new Vector3(), turn: new Quaternion() }, at = new Vector3();
  const reach = reaches(run), low = new Vector3(), high = new Vector3();
  const lows: number[][] = [[], [], []], highs: number[][] = [[], [], []];
  const add = (p: Vector3, r: number) => {
    for (let k = 0; k < 3; ++k) {
      const own = k < run.dimension || run.dimension > 2 ? r : 0;
      lows[k].push(p.getComponent(k) - own);
      highs[k].push(p.getComponent(k) + own);
    }
  };
  const staying = new Staying();
  const parts = run.bodies.reduce((sum, body) => sum + body.parts.length, 0) + run.links.length;
  const stride = Math.max(1, Math.ceil((run.times.length * Math.max(1, parts)) / mostSamples));
  for (let frame = 0; frame < run.times.length; frame += stride) {
    run.bodies.forEach((body, i) => {
      if (run.indexOf(i) < 0 && frame > 0) return;
      run.place(i, frame, 0, place);
      for (const [shape, size, pose] of body.parts) {
        if (reach[shape] < 0) continue;
        at.set(0, 0, 0);
        if (pose) at.set(pose[0], pose[1], pose[2]);
        add(at.applyQuaternion(place.turn).add(place.position), reach[shape] * size);
        if (body.free) staying.moves(i, at, reach[shape] * size);
        if (frame === 0) staying.keep(at, reach[shape] * size);
      }
      if (!body.parts.length && body.free) add(place.position, 0);
    });
    for (const link of run.links)
      for (const end of [link.a, link.b]) {
        if (end[0] >= 0 && frame > 0) continue;
        add(run.anchor(end, frame, 0, place, at), 0);
        if (frame === 0) staying.keep(at, 0);
      }
  }
  if (!lows[0].length) add(new Vector3(), 1);
  for (let k = 0; k < 3; ++k) {
    low.setComponent(k, range(lows[k])[0]);
    high.setComponent(k, range(highs[k])[1]);
  }
  const stay = staying.box();
  if (stay) {
    low.max(stay.min);
    high.min(stay.max);
  }
  const longest = Math.max(high.x - low.x, high.y - low.y, high.z - low.z) || 1; // [m]; one point that stands has no size of its own
  for (let k = 0; k < Math.min(2, run.dimension + 1); ++k)
    if (high.getComponent(k) - low.getComponent(k) < 0.12 * longest) {
      const middle = (high.getComponent(k) + low.getComponent(k)) / 2;
      low.setComponent(k, middle - 0.06 * longest);
      high.setComponent(k, middle + 0.06 * longest);
    }
  const size = high.clone().sub(low).length() / 2;
  return { low, high, centre: low.clone().add(high).multiplyScalar(0.5), size };
}

/** What several runs fill together. */
export function union(all: Extent[]): Extent {
  const low = all[0].low.clone(), high = all[0].high.clone();
  for (const one of all) {
    low.min(one.low);
    high.max(one.high);
  }
  return { low, high, centre: low.clone().add(high).multiplyScalar(0.5), size: high.clone().sub(low).length() / 2 };
}
