// The bodies and walls of a run as meshes: one of all bodies of a shape.

import {
  type BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, Group, InstancedMesh, Matrix4, type Material, MeshLambertMaterial,
  MeshStandardMaterial, Quaternion, type Raycaster, Vector3,
} from "three";
import { cssColor } from "./colors";
import type { Shape } from "./data";
import { Detail, domeGeometry, domeShadow, type Lights, mattBalls, onDomes, raycastBalls } from "./domes";
import type { Extent } from "./extent";
import { placeOf, type Place, type Run } from "./run";
import { discGeometry, geometryOf } from "./shapes";

interface Batch {
  mesh: InstancedMesh;
  shape: Shape;
  bodies: number[];
  sizes: number[];
  local: (Place | null)[];
  balls: BufferGeometry[] | null; // as they are drawn, by Detail, where they were; null: other shapes
  largest: number; // [m] of the sizes
  shining: Material;
  matt: Material | null; // made when pictures come late
}

const gone = 2.9; // of the size of the scene: walls without an end have vanished
const dotRadius = 3; // pixels: smaller balls of a crowd are drawn as dots
const pointRadius = 0.012; // of the size of the scene: bodies without a shape are seen as balls

export class BodyMeshes {
  readonly group = new Group();
  readonly smallest: number; // [m] radius of a ball
  private readonly batches: Batch[] = [];
  private readonly walls: Material[] = [];
  // written over in every frame
  private readonly place: Place = { position: new Vector3(), turn: new Quaternion() };
  private readonly matrix = new Matrix4();
  private readonly scale = new Vector3();
  private readonly position = new Vector3();
  private readonly turn = new Quaternion();

  /** `detail` is that of balls which are more than dots; `squares` [m] the side of those on walls without an end. */
  constructor(
    private readonly run: Run, private readonly extent: Extent, private readonly flat: boolean, private readonly colors: string[],
    private readonly detail: Detail, private readonly squares: number,
  ) {
    this.makeBatches();
    this.smallest = this.batches.reduce((most, { shape, sizes }) => (shape.kind === "ball" ? sizes.reduce((m, size) => Math.min(m, size), most) : most), Infinity);
  }

  private makeBatches(): void {
    const shapes: Shape[] = [...(this.run.report.scene?.shapes ?? []), { kind: "ball" }], point = shapes.length - 1;
    const byKind = new Map<string, { shape: number; isFree: boolean; entries: [number, number, Place | null][] }>();
    const add = (shape: number, isFree: boolean, entry: [number, number, Place | null]) => {
      const key = `${shape} ${isFree}`;
      if (!byKind.has(key)) byKind.set(key, { shape, isFree, entries: [] });
      byKind.get(key)!.entries.push(entry);
    };
    this.run.bodies.forEach((body, i) => {
      for (const [shape, size, pose] of body.parts) add(shape, body.free, [i, size, pose ? placeOf(pose) : null]);
      if (!body.parts.length && body.free) add(point, true, [i, pointRadius * this.extent.size, null]);
    });
    for (const { shape, isFree, entries } of byKind.values()) this.makeBatch(shapes[shape], isFree, entries);
  }
  private makeBatch(shape: Shape, isFree: boolean, entries: [number, number, Place | null][]): void {
    const isEndless = shape.kind === "wall", isDome = shape.kind === "ball" && !this.flat;
    const geometry = geometryOf(shape, this.flat, this.detail);
    const material = this.flat
      ? new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, transparent: isEndless, depthWrite: !isEndless })
      : new MeshStandardMaterial({ vertexColors: !isDome, roughness: isFree ? 0.38 : 0.95, metalness: 0, side: isEndless || shape.kind === "ball" ? FrontSide : DoubleSide });
    const balls: BufferGeometry[] | null = shape.kind === "ball" ? [] : null;
    if (balls) balls[this.detail] = geometry;
    const mesh = new InstancedMesh(geometry, material, entries.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = !isEndless;
    if (isDome) {
      onDomes(material);
      mesh.customDepthMaterial = domeShadow();
      mesh.raycast = raycastBalls;
    }
    mesh.receiveShadow = true;
    if (isFree) entries.forEach(([body], i) => mesh.setColorAt(i, new Color(this.colors[body])));
    else {
      if (isEndless && !this.flat) {
        this.widen(geometry, entries);
        this.fade(material);
      }
      this.walls.push(material);
      mesh.renderOrder = -1;
      mesh.position.z = this.flat ? -1e-3 * this.extent.size : 0;
    }
    this.batches.push({ mesh, shape, bodies: entries.map((e) => e[0]), sizes: entries.map((e) => e[1]), local: entries.map((e) => e[2]), balls, largest: entries.reduce((most, e) => Math.max(most, e[1]), 0), shining: material, matt: null });
    this.group.add(mesh);
  }

  /** The end of a wall without one is never seen: it reaches farther than it fades. */
  private widen(geometry: BufferGeometry, entries: [number, number, Place | null][]): void {
    const { centre, size } = this.extent;
    geometry.computeBoundingSphere();
    const half = (geometry.boundingSphere?.radius ?? 0) / Math.SQRT2, away = entries.map(([body, , own]) => this.run.place(body, 0, 0, this.place).position.distanceTo(centre) + (own?.position.length() ?? 0));
    const factor = (gone * size + Math.max(...away)) / half;
    if (Number.isFinite(factor) && factor > 1) geometry.scale(factor, factor, factor);
  }

  /** Walls without an end vanish with the distance; lines on them tell how far things are. */
  private fade(material: Material): void {
    const { centre, size } = this.extent;
    material.transparent = true;
    material.onBeforeCompile = (shader) => {
      shader.uniforms.middle = { value: centre };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 place;\nvarying vec2 onWall;")
        .replace("#include <project_vertex>", `#include <project_vertex>
place = (modelMatrix * instanceMatrix * vec4(transformed, 1.0)).xyz;
vec3 faces = abs(objectNormal);
onWall = (faces.z > faces.x && faces.z > faces.y ? transformed.xy : faces.y > faces.x ? transformed.xz : transformed.yz) / ${this.squares.toExponential(6)};`);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec3 place;\nvarying vec2 onWall;\nuniform vec3 middle;")
        .replace("#include <color_fragment>", `#include <color_fragment>
vec2 wide = fwidth(onWall), apart = (0.5 - abs(fract(onWall) - 0.5)) / wide;
diffuseColor.rgb *= 1.0 - 0.16 * (1.0 - min(min(apart.x, apart.y), 1.0)) * (1.0 - smoothstep(0.1, 0.4, max(wide.x, wide.y)));
diffuseColor.a *= 1.0 - smoothstep(${(1.2 * size).toExponential(6)}, ${(gone * size).toExponential(6)}, distance(place, middle));`);
    };
  }

  /** Walls in the colour of the page's theme. */
  retint(): void {
    for (const wall of this.walls) (wall as MeshLambertMaterial).color.set(cssColor("--wall"));
    for (const { matt, shining } of this.batches) if (matt instanceof MeshLambertMaterial) matt.color.copy((shining as MeshStandardMaterial).color);
  }

  /** Crowds of balls get as many points as can be seen where a pixel shows so many metres. */
  refine(usual: Detail, metresPerPixel: number): void {
    for (const { mesh, balls, largest } of this.batches) {
      if (!balls) continue;
      const detail = largest < dotRadius * metresPerPixel && this.detail > Detail.fine ? Detail.dots : usual;
      balls[detail] ??= this.flat ? discGeometry(detail) : domeGeometry(detail);
      mesh.geometry = balls[detail];
    }
  }

  /** Between two frames; balls of a smaller radius than `least` [m] are drawn so large. */
  show(frame: number, part: number, least: number): void {
    const { place, matrix, scale, position, turn } = this;
    for (const { shape, bodies, local, sizes, mesh } of this.batches) {
      const smallest = shape.kind === "ball" ? least : 0, array = mesh.instanceMatrix.array as Float32Array;
      for (let i = 0; i < bodies.length; ++i) {
        this.run.place(bodies[i], frame, part, place);
        const own = local[i];
        scale.setScalar(Math.max(sizes[i], smallest));
        if (own) {
          position.copy(own.position).applyQuaternion(place.turn).add(place.position);
          turn.copy(place.turn).multiply(own.turn);
          matrix.compose(position, turn, scale);
        } else matrix.compose(place.position, place.turn, scale);
        matrix.toArray(array, 16 * i);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** The body that a ray meets first; -1: none, or a wall without an end. */
  hitBy(ray: Raycaster): number {
    let nearest = Infinity, body = -1;
    for (const { shape, mesh, bodies } of this.batches) {
      if (shape.kind === "wall") continue;
      mesh.computeBoundingSphere();
      for (const hit of ray.intersectObject(mesh, false))
        if (hit.distance < nearest && hit.instanceId !== undefined) {
          nearest = hit.distance;
          body = bodies[hit.instanceId];
        }
    }
    return body;
  }

  /** Surfaces that do not shine are drawn sooner. */
  shine(yes: boolean, lights: Lights | null): void {
    for (const batch of this.batches) batch.mesh.material = yes ? batch.shining : (batch.matt ??= this.mattOf(batch, lights));
  }
  private mattOf({ shining, balls }: Batch, lights: Lights | null): Material {
    if (!(shining instanceof MeshStandardMaterial)) return shining;
    if (balls && lights) return mattBalls(shining.color, lights);
    const { vertexColors, side, color, transparent } = shining, matt = new MeshLambertMaterial({ vertexColors, side, color, transparent });
    matt.onBeforeCompile = shining.onBeforeCompile;
    return matt;
  }

  /** What the meshes do not hold at the moment. */
  destroy(): void {
    for (const { balls, shining, matt } of this.batches) {
      for (const geometry of balls ?? []) geometry?.dispose();
      shining.dispose();
      matt?.dispose();
    }
  }
}
