// Joints, strings and springs.

import { Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { bonesOf } from "./bones";
import type { Link } from "./data";
import type { Extent } from "./extent";
import { LinkMarks } from "./link_marks";
import type { Place, Run } from "./run";
import { coilGeometry, rodGeometry } from "./shapes";

const thin = 0.0022, pin = 0.0085, coil = 0.018; // of the size of the scene: radii

export class Links {
  readonly group = new Group();
  private readonly material: MeshBasicMaterial | MeshLambertMaterial;
  private readonly rods: InstancedMesh;
  private readonly coils: InstancedMesh;
  private readonly pins: InstancedMesh;
  private readonly marks: LinkMarks;
  private readonly bars: Link[];
  private readonly springs: Link[];
  private readonly hinges: Link[];

  constructor(private readonly run: Run, private readonly extent: Extent, private readonly flat: boolean) {
    this.material = flat ? new MeshBasicMaterial() : new MeshLambertMaterial();
    this.bars = [...run.links.filter((one) => one.kind === "distance"), ...bonesOf(run)];
    this.springs = run.links.filter((one) => one.kind === "spring");
    this.hinges = run.links.filter((one) => one.kind !== "spring" && one.kind !== "fixed" && one.kind !== "torsion");
    this.marks = new LinkMarks(run, extent.size, flat);
    this.group.add(this.marks.group);
    this.rods = new InstancedMesh(rodGeometry(), this.material, this.bars.length);
    this.coils = new InstancedMesh(coilGeometry(), this.material, this.springs.length);
    this.pins = new InstancedMesh(new SphereGeometry(1, 16, 12), this.material, this.hinges.length + this.springs.length);
    for (const mesh of [this.rods, this.coils, this.pins]) {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      this.group.add(mesh);
    }
  }

  retint(color: string, force: string): void {
    this.marks.retint(color, force);
    this.material.color = new Color(color);
  }

  show(frame: number, part: number): void {
    this.marks.show(frame, part);
    const place: Place = { position: new Vector3(), turn: new Quaternion() };
    const a = new Vector3(), b = new Vector3(), matrix = new Matrix4(), along = new Vector3(), up = new Vector3(0, 1, 0);
    const turn = new Quaternion(), scale = new Vector3(), size = this.extent.size;
    const ends = (link: Link) => {
      this.run.anchor(link.a, frame, part, place, a);
      this.run.anchor(link.b, frame, part, place, b);
    };
    const stretch = (mesh: InstancedMesh, i: number, radius: number, behind: number) => {
      along.copy(b).sub(a);
      const length = Math.max(along.length(), 1e-12);
      turn.setFromUnitVectors(up, along.divideScalar(length));
      if (this.flat) a.z -= behind * size;
      mesh.setMatrixAt(i, matrix.compose(a, turn, scale.set(radius, length, radius)));
    };
    this.bars.forEach((link, i) => {
      ends(link);
      stretch(this.rods, i, thin * size, 0.01);
    });
    this.springs.forEach((link, i) => {
      ends(link);
      stretch(this.coils, i, coil * size, 1.5 * coil);
    });
    [...this.hinges, ...this.springs].forEach((link, i) => {
      ends(link);
      const at = link.kind !== "prismatic" && (link.a[0] < 0 || link.b[0] >= 0) ? a : b; // of a slide: what slides
      if (this.flat) at.z += 0.02 * size;
      this.pins.setMatrixAt(i, matrix.compose(at, turn.identity(), scale.setScalar(pin * size * (link.kind === "spring" ? 0.5 : 1))));
    });
    for (const mesh of [this.rods, this.coils, this.pins]) mesh.instanceMatrix.needsUpdate = true;
  }
}
