// What is drawn over the bodies: arrows of forces and velocities, flashes of impacts, glowing contacts, trails.

import {
  AdditiveBlending, BufferAttribute, BufferGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry,
  DynamicDrawUsage, Group, InstancedMesh, Line, LineBasicMaterial, Matrix4, MeshBasicMaterial, NormalBlending, Quaternion,
  Sprite, SpriteMaterial, Vector3,
} from "three";
import { heatHex, isDark } from "./colors";
import type { Stage } from "./stage";

const mostArrows = 4000, manyArrows = 200; // beyond which they are drawn with fewer points

const shaft = (sides: number) => new CylinderGeometry(1, 1, 1, sides, 1, true).translate(0, 0.5, 0);
const head = (sides: number) => new ConeGeometry(1, 1, sides).translate(0, 0.5, 0);

/** Arrows of one colour. */
export class Arrows {
  readonly group = new Group();
  private readonly material: MeshBasicMaterial;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly fine = [shaft(6), head(10)];
  private readonly coarse = [shaft(4), head(5)];

  /** Drawn over the bodies: forces act where bodies touch, where none could be seen. */
  constructor(private readonly width: number) {
    this.material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
    this.shafts = new InstancedMesh(this.fine[0], this.material, mostArrows);
    this.heads = new InstancedMesh(this.fine[1], this.material, mostArrows);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  tint(color: string): void {
    this.material.color.set(color);
  }

  /** From each point along its vector, whose length is that of the arrow [m]. */
  show(list: { at: Vector3; vector: Vector3 }[]): void {
    const matrix = new Matrix4(), turn = new Quaternion(), up = new Vector3(0, 1, 0), scale = new Vector3(), along = new Vector3(), tip = new Vector3();
    let count = 0;
    for (const { at, vector } of list) {
      const length = vector.length();
      if (!(length > 0.6 * this.width) || count >= mostArrows) continue;
      turn.setFromUnitVectors(up, along.copy(vector).divideScalar(length));
      const head = Math.min(6 * this.width, 0.6 * length), shaft = length - head, thick = head / 6; // short ones are thin
      this.shafts.setMatrixAt(count, matrix.compose(at, turn, scale.set(thick, shaft, thick)));
      tip.copy(at).addScaledVector(along, shaft);
      this.heads.setMatrixAt(count, matrix.compose(tip, turn, scale.set(0.4 * head, head, 0.4 * head)));
      ++count;
    }
    [this.shafts.geometry, this.heads.geometry] = count > manyArrows ? this.coarse : this.fine;
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.clearUpdateRanges();
      mesh.instanceMatrix.addUpdateRange(0, 16 * count);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

function glowTexture(isRing: boolean): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const context = canvas.getContext("2d")!;
  const fill = context.createRadialGradient(64, 64, 0, 64, 64, 64);
  const stops: [number, number][] = isRing
    ? [[0, 0], [0.6, 0.04], [0.82, 0.9], [0.9, 0.9], [1, 0]]
    : [[0, 1], [0.18, 0.85], [0.4, 0.32], [0.7, 0.08], [1, 0]];
  for (const [at, alpha] of stops) fill.addColorStop(at, `rgba(255,255,255,${alpha})`);
  context.fillStyle = fill;
  context.fillRect(0, 0, 128, 128);
  return new CanvasTexture(canvas);
}

/** Spots of light that face the camera. */
class Spots {
  readonly group = new Group();
  private readonly sprites: Sprite[] = [];
  constructor(private readonly texture: CanvasTexture, private readonly most: number) {}

  show(list: { at: Vector3; size: number; color: string; opacity: number }[]): void {
    const count = Math.min(list.length, this.most);
    while (this.sprites.length < count) {
      const material = new SpriteMaterial({ map: this.texture, transparent: true, depthTest: false, depthWrite: false });
      const sprite = new Sprite(material);
      sprite.renderOrder = 8;
      this.sprites.push(sprite);
      this.group.add(sprite);
    }
    this.sprites.forEach((sprite, i) => {
      sprite.visible = i < count;
      if (i >= count) return;
      const { at, size, color, opacity } = list[i];
      sprite.position.copy(at);
      sprite.scale.setScalar(size);
      sprite.material.color.set(color);
      sprite.material.opacity = opacity;
      sprite.material.blending = isDark() ? AdditiveBlending : NormalBlending;
    });
  }
}

interface Flash {
  at: Vector3;
  size: number;
  age: number; // [s] of watching
}
const flashTime = 0.45;

/** Rings that spread from impacts while the run plays. */
export class Flashes {
  readonly spots = new Spots(glowTexture(true), 60);
  private flashes: Flash[] = [];
  constructor(private readonly stage: Stage) {}

  add(at: Vector3, part: number): void {
    const size = this.stage.extent.size * (0.05 + 0.22 * Math.sqrt(Math.min(Math.max(part, 0), 1)));
    if (this.flashes.length < 60) this.flashes.push({ at, size, age: 0 });
  }
  clear(): void {
    this.flashes = [];
    this.spots.show([]);
  }
  tick(seconds: number): void {
    if (!this.flashes.length) return;
    for (const flash of this.flashes) flash.age += seconds;
    this.flashes = this.flashes.filter((flash) => flash.age < flashTime);
    this.spots.show(
      this.flashes.map((flash) => {
        const part = flash.age / flashTime;
        return { at: flash.at, size: flash.size * (0.35 + 0.65 * Math.sqrt(part)), color: isDark() ? "#ffb26b" : "#d55e00", opacity: 0.8 * (1 - part) };
      }),
    );
    this.stage.invalidate();
  }
}

/** Contacts that shine with their force. */
export class Glows {
  readonly spots = new Spots(glowTexture(false), 320);
  constructor(private readonly size: number) {}
  show(list: { at: Vector3; part: number }[]): void {
    this.spots.show(
      list.filter((one) => one.part > 0.004).map(({ at, part }) => ({
        at, size: this.size * (0.35 + 0.65 * Math.sqrt(part)), color: isDark() ? heatHex(0.45 + 0.5 * part) : heatHex(0.35 + 0.4 * part), opacity: 0.35 + 0.65 * part,
      })),
    );
  }
}

const trailPoints = 240;

/** Where bodies were the last moments. */
export class Trails {
  readonly group = new Group();
  private readonly lines: { body: number; line: Line; color: Color }[] = [];
  constructor(private readonly stage: Stage, bodies: number[]) {
    for (const body of bodies) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * trailPoints), 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(4 * trailPoints), 4));
      const line = new Line(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
      line.frustumCulled = false;
      this.lines.push({ body, line, color: new Color(stage.colors[body] || "#888888") });
      this.group.add(line);
    }
  }

  show(t: number, seconds: number): void {
    const run = this.stage.run, place = { position: new Vector3(), turn: new Quaternion() };
    for (const { body, line, color } of this.lines) {
      const at = line.geometry.getAttribute("position"), colors = line.geometry.getAttribute("color");
      for (let i = 0; i < trailPoints; ++i) {
        const part = i / (trailPoints - 1), moment = Math.max(run.times[0] ?? 0, t - seconds * (1 - part));
        const [frame, between] = run.locate(moment);
        run.place(body, frame, between, place);
        at.setXYZ(i, place.position.x, place.position.y, this.stage.flat ? -0.02 * this.stage.extent.size : place.position.z);
        colors.setXYZW(i, color.r, color.g, color.b, 0.75 * part * part);
      }
      at.needsUpdate = colors.needsUpdate = true;
    }
  }
}
