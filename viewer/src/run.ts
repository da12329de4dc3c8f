// A run ready to be shown: where every body is at any time, and what was recorded.

import { Quaternion, Vector3 } from "three";
import { unpack, type Anchor, type PoseList, type Report } from "./data";

export interface Place {
  position: Vector3;
  turn: Quaternion;
}
export interface ContactNow {
  a: number;
  b: number;
  normal: number; // [N]
  at: Vector3;
  force: Vector3; // [N] on b
}

/** The last index with list[index] <= value; 0 where there is none. */
export function lastBefore(list: ArrayLike<number>, value: number): number {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function placeOf(pose: PoseList): Place {
  return {
    position: new Vector3(pose[0], pose[1], pose[2]),
    turn: new Quaternion(pose[3], pose[4], pose[5], pose[6]),
  };
}

export class Run {
  readonly dimension: 1 | 2 | 3;
  readonly times: number[];
  readonly records: number[]; // frames that were recorded
  readonly recordTimes: number[];
  readonly start: number; // [s]
  readonly end: number; // [s]
  readonly bodies: NonNullable<Report["scene"]>["bodies"];
  readonly links: NonNullable<Report["scene"]>["links"];
  readonly poses: Float32Array;
  readonly poseWidth: number;
  readonly velocities: Float32Array | null;
  readonly velocityWidth: number;
  readonly energies: Float32Array;
  readonly joints: Float32Array | null;
  readonly loads: Float32Array | null;
  readonly impactTimes: number[];
  readonly warningTimes: number[]; // of steps that were answered approximately
  private readonly contactNumbers: Float32Array;
  private readonly contactFirst: number[] = [0];
  private readonly contactWidth: number;
  private readonly movingIndex: Int32Array; // of each body, -1: it stays
  private readonly fixed: (Place | null)[];

  constructor(readonly report: Report) {
    const frames = report.frames;
    this.dimension = report.run.dimension;
    this.times = frames.times;
    this.records = [];
    frames.recorded.forEach((yes, i) => yes && this.records.push(i));
    this.recordTimes = this.records.map((i) => frames.times[i]);
    this.start = this.times[0] ?? 0;
    this.end = this.times.length ? this.times[this.times.length - 1] : report.run.duration;
    this.bodies = report.scene?.bodies ?? [];
    this.links = report.scene?.links ?? [];
    this.poseWidth = frames.poses.columns.length;
    this.poses = unpack(frames.poses.table, this.poseWidth);
    this.velocityWidth = frames.velocities?.columns.length ?? 0;
    this.velocities = frames.velocities ? unpack(frames.velocities.table, this.velocityWidth) : null;
    this.energies = unpack(frames.energies.table, 7);
    this.joints = frames.joints ? unpack(frames.joints.table, 1) : null;
    this.loads = frames.loads ? unpack(frames.loads.table, 1) : null;
    this.contactWidth = 3 + 2 * this.dimension;
    this.contactNumbers = unpack(frames.contacts.table, this.contactWidth);
    for (const count of frames.contacts.counts) this.contactFirst.push(this.contactFirst[this.contactFirst.length - 1] + count);
    this.movingIndex = new Int32Array(this.bodies.length).fill(-1);
    frames.moving.forEach((body, i) => (this.movingIndex[body] = i));
    this.fixed = this.bodies.map((body) => (body.pose ? placeOf(body.pose) : null));
    const times = report.run.in_forces
      ? report.closures.map((one) => one.t)
      : report.impacts.filter((one) => !one.at_rest).map((one) => one.t);
    this.impactTimes = [...new Set(times)].sort((a, b) => a - b);
    this.warningTimes = report.events.filter((one) => one.event === "approximate").map((one) => one.t);
  }

  get moving(): number[] {
    return this.report.frames.moving;
  }
  indexOf(body: number): number {
    return this.movingIndex[body];
  }

  /** The frame before t, and how far t is towards the next. */
  locate(t: number): [number, number] {
    const i = lastBefore(this.times, t);
    if (i + 1 >= this.times.length) return [i, 0];
    const step = this.times[i + 1] - this.times[i];
    return [i, step > 0 ? Math.min(Math.max((t - this.times[i]) / step, 0), 1) : 0];
  }

  /** A coordinate between two frames; in a box that repeats itself along the shorter way, and inside the box. */
  private between(from: number, to: number, axis: number, part: number): number {
    const period = this.report.run.periodic?.[axis] ?? 0, way = to - from;
    if (!(period > 0)) return from + way * part;
    const x = from + (way - period * Math.round(way / period)) * part;
    return x - period * Math.floor(x / period);
  }

  place(body: number, frame: number, part: number, out: Place): Place {
    const moving = body < 0 ? -1 : this.movingIndex[body];
    if (moving < 0) {
      const fixed = body < 0 ? null : this.fixed[body];
      if (fixed) {
        out.position.copy(fixed.position);
        out.turn.copy(fixed.turn);
      } else {
        out.position.set(0, 0, 0);
        out.turn.identity();
      }
      return out;
    }
    const width = this.poseWidth, count = this.moving.length;
    const a = (frame * count + moving) * width;
    const b = frame + 1 < this.times.length ? a + count * width : a;
    const p = this.poses, at = (k: number) => this.between(p[a + k], p[b + k], k, part), x = at(0);
    if (this.dimension === 1) {
      out.position.set(x, 0, 0);
      out.turn.identity();
    } else if (this.dimension === 2) {
      out.position.set(x, at(1), 0);
      const half = (p[a + 2] + (p[b + 2] - p[a + 2]) * part) / 2;
      out.turn.set(0, 0, Math.sin(half), Math.cos(half));
    } else {
      out.position.set(x, at(1), at(2));
      if (width < 7) out.turn.identity();
      else {
        const c = a + 3, d = b + 3, s = p[c] * p[d] + p[c + 1] * p[d + 1] + p[c + 2] * p[d + 2] + p[c + 3] * p[d + 3] < 0 ? -part : part, r = 1 - part;
        out.turn.set(r * p[c] + s * p[d], r * p[c + 1] + s * p[d + 1], r * p[c + 2] + s * p[d + 2], r * p[c + 3] + s * p[d + 3]).normalize();
      }
    }
    return out;
  }

  /** Moves a body in all that is shown, as a hand does before a run. */
  shift(body: number, by: Vector3): void {
    const moving = this.movingIndex[body];
    if (moving < 0) this.fixed[body]?.position.add(by);
    else
      for (let frame = 0; frame < this.times.length; ++frame)
        for (let k = 0; k < this.dimension; ++k) this.poses[(frame * this.moving.length + moving) * this.poseWidth + k] += by.getComponent(k);
  }

  anchor(anchor: Anchor, frame: number, part: number, place: Place, out: Vector3): Vector3 {
    this.place(anchor[0], frame, part, place);
    return out.fromArray(anchor[1]).applyQuaternion(place.turn).add(place.position);
  }

  /** The record at or before t. */
  recordAt(t: number): number {
    return lastBefore(this.recordTimes, t);
  }

  contactsOf(record: number): ContactNow[] {
    const list: ContactNow[] = [], n = this.contactNumbers, d = this.dimension;
    for (let i = this.contactFirst[record] ?? 0; i < (this.contactFirst[record + 1] ?? 0); ++i) {
      const first = i * this.contactWidth;
      const vector = (from: number) => new Vector3(n[from], d > 1 ? n[from + 1] : 0, d > 2 ? n[from + 2] : 0);
      list.push({ a: n[first], b: n[first + 1], normal: n[first + 2], at: vector(first + 3), force: vector(first + 3 + d) });
    }
    return list;
  }

  /** Where loads act at the record before t, and how strong they are [N]. */
  loadsAt(t: number): { at: Vector3; force: Vector3 }[] {
    const places = this.report.scene?.loads ?? [], width = this.report.frames.loads?.columns.length ?? 0, record = this.recordAt(t);
    const [frame, part] = this.locate(t), place = { position: new Vector3(), turn: new Quaternion() };
    if (!this.loads) return [];
    return places.map((anchor, i) => {
      const first = (record * places.length + i) * width, force = new Vector3();
      for (let k = 0; k < this.dimension; ++k) force.setComponent(k, this.loads![first + k] ?? 0);
      return { at: this.anchor(anchor, frame, part, place, new Vector3()), force };
    });
  }

  /** The normal force of every pair of bodies over the records, the strongest pairs first. */
  pairForces(most: number): { name: string; values: Float64Array }[] {
    const pairs = new Map<string, { name: string; values: Float64Array; peak: number }>();
    const records = this.records.length, n = this.contactNumbers;
    for (let record = 0; record < records; ++record)
      for (let i = this.contactFirst[record]; i < this.contactFirst[record + 1]; ++i) {
        const a = n[i * this.contactWidth], b = n[i * this.contactWidth + 1], force = n[i * this.contactWidth + 2];
        const key = `${a} ${b}`;
        let pair = pairs.get(key);
        if (!pair) {
          if (pairs.size > 5000) continue;
          pair = { name: `${this.nameOf(a)} – ${this.nameOf(b)}`, values: new Float64Array(records), peak: 0 };
          pairs.set(key, pair);
        }
        pair.values[record] += force;
        pair.peak = Math.max(pair.peak, pair.values[record]);
      }
    const least = this.leastForce();
    return [...pairs.values()].filter((pair) => pair.peak > least).sort((x, y) => y.peak - x.peak).slice(0, most);
  }

  /** [N] below which a force is rounding: a billionth of the largest weight. */
  private leastForce(): number {
    const mass = this.bodies.reduce((most, body) => Math.max(most, body.free ? (body.mass ?? 0) : 0), 0);
    return 1e-9 * mass * Math.hypot(...this.report.run.gravity);
  }

  /** The force that arrows are scaled by: most are smaller. */
  usualForce(): number {
    const forces: number[] = [], n = this.contactNumbers, least = this.leastForce();
    const count = n.length / this.contactWidth, stride = Math.max(1, Math.floor(count / 5000));
    for (let i = 0; i < count; i += stride) {
      const force = n[i * this.contactWidth + 2];
      if (force > least) forces.push(force);
    }
    forces.sort((a, b) => a - b);
    return forces.length ? forces[Math.floor(0.95 * (forces.length - 1))] : 0;
  }

  nameOf(body: number): string {
    return body < 0 ? "world" : (this.bodies[body]?.name ?? `body ${body}`);
  }
}
