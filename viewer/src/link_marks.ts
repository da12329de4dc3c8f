// What belongs to joints beside their pins: the range between stops, motors, torsion springs.

import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";
import type { Link } from "./data";
import type { Run } from "./run";

const arcPoints = 40, radius = 0.075, tick = 0.03; // of the size of the scene
const widest = 2 * Math.PI; // [rad] that a range without an end shows

/** Points of a circle part about `axis`, from the direction `hand` turned by `from` to `to`. */
function arc(hand: Vector3, axis: Vector3, from: number, to: number, r: number): Vector3[] {
  return Array.from({ length: arcPoints + 1 }, (_, i) => hand.clone().applyAxisAngle(axis, from + ((to - from) * i) / arcPoints).multiplyScalar(r));
}

/** Of a hinge: the arc between its stops with a bar at each; of a slide: the way between them with the same bars. In the frame of a, around its anchor. */
function stopLines(link: Link, size: number): Vector3[][] {
  const { low, high, origin, hand } = link.stops!, axis = new Vector3(...(link.axis ?? [0, 0, 1]));
  if (!hand) {
    const across = (Math.abs(axis.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0)).cross(axis).normalize().multiplyScalar(tick * size);
    const ends = [low, high].flatMap((at) => (at === null ? [] : [axis.clone().multiplyScalar(at + origin)]));
    return [...(ends.length === 2 ? [ends] : []), ...ends.map((end) => [end.clone().sub(across), end.clone().add(across)])];
  }
  const start = new Vector3(...hand), from = (low ?? -widest / 2) + origin, to = (high ?? widest / 2) + origin;
  const bar = (angle: number) => arc(start, axis, angle, angle, 1)[0];
  const bars = [low === null ? null : from, high === null ? null : to].flatMap((angle) => (angle === null ? [] : [[bar(angle).multiplyScalar(0.55 * radius * size), bar(angle).multiplyScalar(1.3 * radius * size)]]));
  return [arc(start, axis, from, to, radius * size), ...bars];
}

/** A spiral about the axis. */
function spiral(axis: Vector3, size: number): Vector3[] {
  const hand = new Vector3().crossVectors(axis, Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).normalize();
  return Array.from({ length: 90 }, (_, i) => hand.clone().applyAxisAngle(axis, (i / 89) * 5 * Math.PI).multiplyScalar((0.25 + (0.75 * i) / 89) * 0.6 * radius * size));
}

/** A ring with two arrow heads: something drives this joint. */
function ring(axis: Vector3, size: number): Vector3[][] {
  const hand = new Vector3().crossVectors(axis, Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).normalize(), r = 0.5 * radius * size;
  return [0, Math.PI].flatMap((turned) => {
    const half = arc(hand, axis, turned + 0.2, turned + Math.PI - 0.2, r), end = half[half.length - 1], along = end.clone().sub(half[half.length - 3]).setLength(0.45 * r);
    const out = end.clone().setLength(0.3 * r);
    return [half, [end.clone().sub(along).add(out), end, end.clone().sub(along).sub(out)]];
  });
}

export class LinkMarks {
  readonly group = new Group();
  private readonly materials: { material: LineBasicMaterial; force: boolean }[] = [];
  private readonly marks: { link: Link; lines: Group }[] = [];

  constructor(private readonly run: Run, size: number, private readonly flat: boolean) {
    const normal = (link: Link) => (flat ? new Vector3(0, 0, 1) : new Vector3(...(link.axis ?? [0, 0, 1])));
    for (const link of run.links) {
      const lines = new Group();
      const add = (points: Vector3[][], force: boolean) => points.forEach((one) => lines.add(this.line(one, force)));
      if (link.stops) add(stopLines(link, size), false);
      if (link.motor) add(ring(normal(link), size), true);
      if (link.kind === "torsion") add([spiral(normal(link), size)], false);
      if (!lines.children.length) continue;
      this.marks.push({ link, lines });
      this.group.add(lines);
    }
  }

  private line(points: Vector3[], force: boolean): Line {
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points.flatMap((p) => [p.x, p.y, p.z])), 3));
    const material = new LineBasicMaterial({ depthTest: !this.flat, transparent: true, opacity: 0.9 });
    this.materials.push({ material, force });
    const line = points.length === 2 ? new LineSegments(geometry, material) : new Line(geometry, material);
    line.renderOrder = 4;
    line.frustumCulled = false;
    return line;
  }

  retint(link: string, force: string): void {
    for (const one of this.materials) one.material.color = new Color(one.force ? force : link);
  }

  show(frame: number, part: number): void {
    const place = { position: new Vector3(), turn: new Quaternion() };
    for (const { link, lines } of this.marks) {
      this.run.anchor(link.a, frame, part, place, lines.position);
      lines.quaternion.copy(place.turn);
      if (this.flat) lines.position.z = 0.03;
    }
  }
}
