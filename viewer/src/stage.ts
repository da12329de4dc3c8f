// The picture: bodies, walls, joints and springs of a run at one moment, seen by a camera that people can move.

import {
  AmbientLight, DirectionalLight, Group, HemisphereLight, type InstancedMesh, type Object3D, PCFShadowMap, Quaternion, Raycaster, Scene,
  type Vector2, Vector3, WebGLRenderer, type Color,
} from "three";
import { BodyMeshes } from "./body_meshes";
import { colorOf, cssColor } from "./colors";
import { Detail, type Lights } from "./domes";
import { extentOf, type Extent } from "./extent";
import { Pace } from "./frame_loop";
import { roundLength } from "./format";
import { Links } from "./links";
import type { Place, Run } from "./run";
import { drawsInSoftware } from "./software";
import { View } from "./view";

/** What is left out of pictures that come late, while things move. */
enum Plain { nothing, shine, pixels, points, sharpness }

const crowd = 400, dense = 10000; // shapes: more are drawn with fewer points
const shadows = 3000; // shapes: more cast none
const leastRadius = 1.6; // pixels: smaller balls of the plane are drawn as large as this
const coarsePixels = 0.5; // for one of the page
const many = 100; // shapes: more are drawn plainly at once while they move, where there is no graphics card
const restLasts = 180; // [ms] without a change, after which the whole is drawn
const squaresAcross = 6; // of the size of the scene, about: lines on such walls

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly world = new Scene();
  readonly overlay = new Group(); // arrows, glows
  readonly view: View;
  readonly extent: Extent;
  readonly flat: boolean;
  readonly colors: string[]; // of the bodies
  readonly squares: number; // [m] the side of those on walls without an end, in space; 0: there are none
  follow = -1;
  onView = () => {};
  private readonly detail: Detail; // of balls that are more than dots
  private readonly meshes: BodyMeshes;
  private readonly links: Links;
  private readonly pace = new Pace();
  private lastFollowed: Vector3 | null = null;
  private dirty = true;
  private t = 0; // shown [s]
  private least = 0; // [m] of the radii that are drawn
  private readonly isFiner = drawsInSoftware() && window.devicePixelRatio < 1.5; // edges are smooth by finer pixels where the samples of a card would cost more
  private readonly sharpness: number; // pixels drawn for one of the page
  private readonly canRest: boolean; // all of it is drawn when it stands
  private readonly sun = new DirectionalLight(0xfff1dc, 2.3);
  private readonly lights: Lights | null; // in space
  private plain = Plain.nothing; // now
  private plainest: Plain; // while things move
  private changed = -Infinity; // [ms] when something last moved
  private readonly place: Place = { position: new Vector3(), turn: new Quaternion() }; // written over in every frame

  constructor(readonly canvas: HTMLCanvasElement, readonly run: Run, extent?: Extent) {
    this.flat = run.dimension < 3;
    this.extent = extent ?? extentOf(run);
    Object.assign(canvas, { width: 1, height: 1 }); // a copy of another would be larger by the pixel ratio each time, where it is hidden
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.isFiner, alpha: true, preserveDrawingBuffer: true });
    this.sharpness = this.isFiner ? 2 : Math.min(window.devicePixelRatio, 2);
    this.renderer.setPixelRatio(this.sharpness);
    const shapes = run.bodies.reduce((sum, body) => sum + body.parts.length, 0);
    this.plainest = drawsInSoftware() && shapes > many ? Plain.pixels : Plain.nothing;
    this.canRest = shapes < shadows;
    this.renderer.shadowMap.enabled = !this.flat && this.canRest;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.view = new View(canvas, this.extent, this.flat);
    this.view.onChange = () => this.viewed();
    this.lights = this.setUpLight();
    const free = run.bodies.map((body, i) => (body.free ? i : -1)).filter((i) => i >= 0);
    this.colors = run.bodies.map(() => "");
    free.forEach((body, i) => (this.colors[body] = colorOf(i, free.length)));
    this.squares = !this.flat && run.report.scene?.shapes.some((shape) => shape.kind === "wall") ? roundLength(2 * this.extent.size / squaresAcross) : 0;
    this.detail = shapes > dense ? Detail.dense : shapes > crowd ? Detail.crowded : Detail.fine;
    this.meshes = new BodyMeshes(run, this.extent, this.flat, this.colors, this.detail, this.squares);
    this.links = new Links(run, this.extent, this.flat);
    this.world.add(this.meshes.group, this.links.group, this.overlay);
    this.leaveOut(this.plainest); // until it stands
    this.retint();
    this.home();
  }

  private setUpLight(): Lights | null {
    const { centre, size } = this.extent;
    if (this.flat) {
      this.world.add(new AmbientLight(0xffffff, 1.9));
      const sun = new DirectionalLight(0xffffff, 1.7);
      sun.position.set(-0.5, 0.9, 1.3);
      this.world.add(sun);
      return null;
    }
    const around = new HemisphereLight(0xffffff, 0xa09384, 1.9);
    this.world.add(around);
    const fill = new DirectionalLight(0xcfe2ff, 0.7);
    fill.position.copy(centre).add(new Vector3(1.5, -1, 0.6).multiplyScalar(size));
    fill.target.position.copy(centre);
    this.world.add(fill, fill.target);
    const sun = this.sun;
    sun.position.copy(centre).add(new Vector3(-0.7, -1.1, 2.1).multiplyScalar(2 * size));
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.004 * size;
    sun.shadow.intensity = 0.55;
    Object.assign(sun.shadow.camera, { left: -2 * size, right: 2 * size, top: 2 * size, bottom: -2 * size, near: size / 10, far: 12 * size });
    this.world.add(sun, sun.target);
    const strength = ({ color, intensity }: { color: Color; intensity: number }) => color.clone().multiplyScalar(intensity);
    return {
      sky: strength(around), ground: around.groundColor.clone().multiplyScalar(around.intensity), up: around.position.clone().normalize(),
      suns: [fill, sun].map((one) => ({ from: one.position.clone().sub(centre).normalize(), color: strength(one) })),
    };
  }

  /** Takes the colours of the page's theme. */
  retint(): void {
    this.meshes.retint();
    this.links.retint(cssColor("--link"), cssColor("--force"));
    this.invalidate();
  }

  /** The whole of the run in view. */
  home(): void {
    this.lastFollowed = null;
    this.resize();
    this.view.home();
  }

  resize(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width && height) this.renderer.setSize(width, height, false);
    this.view.resize();
  }

  /** Crowds of balls get as many points as can be seen. */
  private refine(): void {
    this.meshes.refine(this.plain >= Plain.points ? Math.min(this.detail + 1, Detail.dense) : this.detail, this.view.nearMetresPerPixel());
  }

  /** After the camera has moved: what would be too small to see at this scale is drawn larger. */
  private viewed(): void {
    this.refine();
    const least = leastRadius * (this.view.metresPerPixel() ?? 0), { smallest } = this.meshes;
    if (least !== this.least && (least > smallest || this.least > smallest)) this.show(this.t);
    this.invalidate();
    this.onView();
  }

  show(t: number): void {
    const [frame, part] = this.run.locate(t);
    this.t = t;
    this.least = leastRadius * (this.view.metresPerPixel() ?? 0);
    this.meshes.show(frame, part, this.least);
    this.links.show(frame, part);
    this.followBody(frame, part);
    this.invalidate();
  }

  private followBody(frame: number, part: number): void {
    if (this.follow < 0) {
      this.lastFollowed = null;
      return;
    }
    const now = this.run.place(this.follow, frame, part, this.place).position.clone();
    this.view.move(now.clone().sub(this.lastFollowed ?? this.view.controls.target));
    this.lastFollowed = now;
  }

  /** The body under a point of the picture, whose sides are at -1 and 1; -1: none, or a wall without an end. */
  bodyAt(point: Vector2): number {
    const ray = new Raycaster();
    ray.setFromCamera(point, this.view.camera);
    return this.meshes.hitBy(ray);
  }

  invalidate(): void {
    this.dirty = true;
  }
  draw(force = false): void {
    const now = performance.now();
    if (this.dirty && !force) {
      this.changed = now;
      for (let steps = this.pace.late(now); steps > 0; --steps) this.simplify();
      this.leaveOut(this.plainest);
    } else if (!force) {
      this.pace.rest();
      const least = this.canRest ? Plain.nothing : Math.min(this.plainest, Plain.points);
      if (this.plain <= least || now - this.changed < restLasts) return;
      this.leaveOut(least);
    }
    this.dirty = false;
    this.renderer.render(this.world, this.view.camera);
  }
  /** For machines that draw slowly: more is left out while things move; what changes nothing is passed over. */
  private simplify(): void {
    const has: Record<Plain, boolean> = {
      [Plain.nothing]: false,
      [Plain.shine]: !this.flat,
      [Plain.pixels]: this.sharpness > 1,
      [Plain.points]: this.detail < Detail.dense,
      [Plain.sharpness]: true,
    };
    for (let next: Plain = this.plainest + 1; next <= Plain.sharpness; ++next)
      if (has[next]) {
        this.plainest = next;
        return;
      }
  }
  private leaveOut(plain: Plain): void {
    if (plain === this.plain) return;
    this.plain = plain;
    this.sun.castShadow = plain < Plain.shine;
    this.meshes.shine(plain < Plain.shine, this.lights);
    this.refine();
    const pixels = plain >= Plain.sharpness ? coarsePixels : plain >= Plain.pixels ? Math.min(1, this.sharpness) : this.sharpness;
    if (pixels !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(pixels);
  }
  add(object: Object3D): void {
    this.overlay.add(object);
  }
  /** Gives the memory of the picture back. */
  destroy(): void {
    this.view.controls.dispose();
    this.meshes.destroy();
    this.world.traverse((object) => {
      const { geometry, material } = object as InstancedMesh;
      geometry?.dispose();
      for (const one of material ? [material].flat() : []) one.dispose();
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
