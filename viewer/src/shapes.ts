// Geometries to look at: balls, surfaces and sections, with a darker rim or mark so that turning shows.

import { BufferAttribute, BufferGeometry, CylinderGeometry, Vector2, Vector3 } from "three";
import { floats, type Shape } from "./data";
import { Detail, domeGeometry } from "./domes";

class Builder {
  readonly points: number[] = [];
  readonly shades: number[] = [];
  point(p: Vector3, shade: number): void {
    this.points.push(p.x, p.y, p.z);
    this.shades.push(shade, shade, shade);
  }
  triangle(a: Vector3, b: Vector3, c: Vector3, shade: number): void {
    this.point(a, shade);
    this.point(b, shade);
    this.point(c, shade);
  }
  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.points), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.shades), 3));
    geometry.computeVertexNormals();
    return geometry;
  }
}

const rounded = [0, 0.35, 0.65, 0.86, 0.93, 1];
const details = {
  [Detail.fine]: { disc: 64, rings: rounded },
  [Detail.crowded]: { disc: 28, rings: rounded },
  [Detail.dense]: { disc: 14, rings: [0, 0.86, 1] },
  [Detail.dots]: { disc: 6, rings: [1] },
};

/** A disc of radius 1 seen from the front: domed by its normals, with a rim and a radius. */
export function discGeometry(detail: Detail): BufferGeometry {
  const { disc: around, rings } = details[detail], isDot = detail === Detail.dots;
  const points: number[] = [], normals: number[] = [], shades: number[] = [], faces: number[] = [];
  const add = (x: number, y: number, z: number, shade: number) => {
    points.push(x, y, z);
    const dome = 0.85, length = Math.min(Math.hypot(x, y), 1) * dome;
    const angle = Math.atan2(y, x);
    normals.push(Math.cos(angle) * length, Math.sin(angle) * length, Math.sqrt(1 - length * length));
    shades.push(shade, shade, shade);
    return points.length / 3 - 1;
  };
  rings.forEach((r) => {
    for (let i = 0; i < around; ++i) {
      const a = (2 * Math.PI * i) / around;
      add(r * Math.cos(a), r * Math.sin(a), 0, r < 0.8 ? 1 : r < 0.9 || isDot ? 0.98 : 0.62);
    }
  });
  for (let j = 0; j + 1 < rings.length; ++j)
    for (let i = 0; i < around; ++i) {
      const a = j * around + i, b = j * around + ((i + 1) % around);
      faces.push(a, a + around, b + around);
      if (rings[j] > 0) faces.push(a, b + around, b);
    }
  if (isDot) for (let i = 1; i + 1 < around; ++i) faces.push(0, i, i + 1);
  else {
    const w = 0.045, mark = [add(0.3, -w, 0.01, 0.62), add(0.88, -w, 0.01, 0.62), add(0.88, w, 0.01, 0.62), add(0.3, w, 0.01, 0.62)];
    faces.push(mark[0], mark[1], mark[2], mark[0], mark[2], mark[3]);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(shades), 3));
  geometry.setIndex(faces);
  return geometry;
}

/** Twice the area of a polygon in the plane. */
function doubleArea(p: Vector2[]): number {
  return p.reduce((sum, a, i) => sum + a.cross(p[(i + 1) % p.length]), 0);
}

/** A convex section with a rim of even width. */
function sectionGeometry(corners: Vector3[], rimPart: number): BufferGeometry {
  const flat = corners.map((p) => new Vector2(p.x, p.y));
  if (doubleArea(flat) < 0) {
    flat.reverse();
    corners = [...corners].reverse();
  }
  let around = 0, least = Infinity;
  flat.forEach((a, i) => (around += a.distanceTo(flat[(i + 1) % flat.length])));
  // twice the area over the girth is about the radius of the largest circle inside
  least = doubleArea(flat) / Math.max(around, 1e-300);
  const rim = rimPart * least;
  const inner = flat.map((p, i) => {
    const before = flat[(i + flat.length - 1) % flat.length], after = flat[(i + 1) % flat.length];
    const n1 = p.clone().sub(before).normalize(), n2 = after.clone().sub(p).normalize();
    const normal = new Vector2(-(n1.y + n2.y), n1.x + n2.x).normalize();
    const cosine = Math.max(0.3, normal.dot(new Vector2(-n1.y, n1.x)));
    return p.clone().addScaledVector(normal, rim / cosine);
  });
  const build = new Builder();
  const up = (p: Vector2) => new Vector3(p.x, p.y, 0);
  for (let i = 1; i + 1 < inner.length; ++i) build.triangle(up(inner[0]), up(inner[i]), up(inner[i + 1]), 1);
  for (let i = 0; i < flat.length; ++i) {
    const j = (i + 1) % flat.length;
    build.triangle(up(flat[i]), up(flat[j]), up(inner[j]), 0.6);
    build.triangle(up(flat[i]), up(inner[j]), up(inner[i]), 0.6);
  }
  return build.geometry();
}

/** The edge of a half-space, firm at its surface and vanishing behind it. */
function edgeGeometry(corners: Vector3[]): BufferGeometry {
  const [a, b, , d] = corners, down = d.clone().sub(a), along = b.clone().sub(a);
  const depths: [number, number, number][] = [[0, 0.5, 1], [0.07, 0.5, 1], [0.07, 1, 0.85], [1, 1, 0.4], [2.6, 1, 0]]; // depth, shade, opacity
  const points: number[] = [], normals: number[] = [], colors: number[] = [], faces: number[] = [];
  for (const [depth, shade, opacity] of depths)
    for (const end of [-4, 5]) {
      const p = a.clone().addScaledVector(down, depth).addScaledVector(along, end);
      points.push(p.x, p.y, p.z);
      normals.push(0, 0, 1);
      colors.push(shade, shade, shade, opacity);
    }
  for (let i = 0; i + 1 < depths.length; ++i) faces.push(2 * i, 2 * i + 1, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 2);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
  geometry.setIndex(faces);
  return geometry;
}

const smooth = 60; // faces: more are those of a round shape

/** Polygons as triangles; smooth where neighbours hardly differ. Round ones have two darker quarters. */
function surfaceGeometry(points: Vector3[], faces: number[][], marked = false): BufferGeometry {
  const normals = faces.map((face) => {
    const n = new Vector3();
    for (let i = 0; i < face.length; ++i) n.add(points[face[i]].clone().cross(points[face[(i + 1) % face.length]]));
    return n.normalize();
  });
  const touching: number[][] = points.map(() => []);
  faces.forEach((face, f) => face.forEach((corner) => touching[corner].push(f)));
  const position: number[] = [], normal: number[] = [], shade: number[] = [];
  faces.forEach((face, f) => {
    const middle = face.reduce((sum, i) => sum.add(points[i]), new Vector3()), tone = marked && faces.length > smooth && middle.y * middle.z > 0 ? 0.8 : 1;
    const corner = (i: number) => {
      const p = points[face[i]], n = new Vector3();
      for (const other of touching[face[i]]) if (normals[other].dot(normals[f]) > 0.75) n.add(normals[other]);
      n.normalize();
      position.push(p.x, p.y, p.z);
      normal.push(n.x, n.y, n.z);
      shade.push(tone, tone, tone);
    };
    for (let i = 1; i + 1 < face.length; ++i) [0, i, i + 1].forEach(corner);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(shade), 3));
  return geometry;
}

export function pointsOf(shape: Shape): Vector3[] {
  const numbers = floats(shape.points ?? ""), points: Vector3[] = [];
  for (let i = 0; i + 2 < numbers.length; i += 3) points.push(new Vector3(numbers[i], numbers[i + 1], numbers[i + 2]));
  return points;
}

export function geometryOf(shape: Shape, flat: boolean, detail: Detail): BufferGeometry {
  if (shape.kind === "ball") return flat ? discGeometry(detail) : domeGeometry(detail);
  const points = pointsOf(shape), faces = shape.faces ?? [];
  if (!flat || faces.length !== 1) return surfaceGeometry(points, faces, shape.kind === "surface");
  if (shape.kind === "wall" && points.length === 4) return edgeGeometry(points);
  return sectionGeometry(faces[0].map((i) => points[i]), 0.14);
}

/** A helix along y from 0 to 1, of radius 1: springs. */
export function coilGeometry(): BufferGeometry {
  const turns = 9, around = 14, tube = 5, radius = 0.16;
  const points: Vector3[] = [], faces: number[][] = [];
  const wound = turns * around, steps = wound + 4; // two straight pieces on the axis lead to the ends
  const straight = (y: number) => {
    for (let j = 0; j < tube; ++j) points.push(new Vector3(radius * Math.cos((2 * Math.PI * j) / tube), y, radius * Math.sin((2 * Math.PI * j) / tube)));
  };
  straight(0);
  straight(0.055);
  for (let i = 0; i <= wound; ++i) {
    const a = (2 * Math.PI * i) / around, y = 0.06 + (0.88 * i) / wound;
    const outward = new Vector3(Math.cos(a), 0, Math.sin(a));
    for (let j = 0; j < tube; ++j) {
      const b = (2 * Math.PI * j) / tube;
      points.push(outward.clone().multiplyScalar(1 + radius * Math.cos(b)).setY(y + 0.012 * Math.sin(b)));
    }
  }
  straight(0.945);
  straight(1);
  for (let i = 0; i < steps; ++i)
    for (let j = 0; j < tube; ++j) {
      const a = i * tube + j, b = i * tube + ((j + 1) % tube);
      faces.push([a, a + tube, b + tube, b]);
    }
  return surfaceGeometry(points, faces);
}

/** A rod along y from 0 to 1, of radius 1: strings and bars. */
export function rodGeometry(): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, 10, 1).translate(0, 0.5, 0);
}
