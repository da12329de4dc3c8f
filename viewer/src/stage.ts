// The picture: bodies, walls, joints and springs of a run at one moment, seen by a camera that people can move.

import {
  AmbientLight, Box3, type BufferGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, FrontSide, Group, HemisphereLight, InstancedMesh, Matrix4,
  MeshLambertMaterial, MeshStandardMaterial, MOUSE, Object3D, OrthographicCamera, PCFShadowMap, PerspectiveCamera,
  Quaternion, Raycaster, Scene, TOUCH, Vector2, Vector3, WebGLRenderer, type Material,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colorOf, cssColor } from "./colors";
import { Detail, domeGeometry, domeShadow, type Lights, mattBalls, onDomes, raycastBalls } from "./domes";
import { extentOf, type Extent } from "./extent";
import { Pace } from "./frame_loop";
import { roundLength } from "./format";
import { Links } from "./links";
import { placeOf, type Place, type Run } from "./run";
import { discGeometry, geometryOf } from "./shapes";
import { drawsInSoftware } from "./software";

interface Batch {
  mesh: InstancedMesh;
  shape: number;
  bodies: number[];
  sizes: number[];
  local: (Place | null)[];
  balls: BufferGeometry[] | null; // as they are drawn, by Detail, where they were; null: other shapes
  largest: number; // [m] of the sizes
  shining: Material;
  matt: Material | null; // made when pictures come late
}

/** What is left out of pictures that come late, while things move. */
enum Plain { nothing, shine, pixels, points, sharpness }

const crowd = 400, dense = 10000; // shapes: more are drawn with fewer points
const shadows = 3000; // shapes: more cast none
const roomAbove = 44; // pixels
const gone = 2.9; // of the size of the scene: walls without an end have vanished
const dotRadius = 3; // pixels: smaller balls of a crowd are drawn as dots
const leastRadius = 1.6; // pixels: smaller balls of the plane are drawn as large as this
const coarsePixels = 0.5; // for one of the page
const many = 100; // shapes: more are drawn plainly at once while they move, where there is no graphics card
const restLasts = 180; // [ms] without a change, after which the whole is drawn
const squaresAcross = 6; // of the size of the scene, about: lines on such walls

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly world = new Scene();
  readonly overlay = new Group(); // arrows, glows
  readonly camera: OrthographicCamera | PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly extent: Extent;
  readonly flat: boolean;
  readonly colors: string[]; // of the bodies
  readonly squares: number; // [m] the side of those on walls without an end, in space; 0: there are none
  follow = -1;
  onView = () => {};
  private readonly batches: Batch[] = [];
  private detail: Detail; // of balls that are more than dots
  private readonly smallest: number; // [m] radius of a ball
  private readonly links: Links;
  private readonly walls: Material[] = [];
  private readonly pace = new Pace();
  private lastFollowed: Vector3 | null = null;
  private seenBefore: { position: Vector3; target: Vector3; zoom: number } | null = null;
  private dirty = true;
  private t = 0; // shown [s]
  private least = 0; // [m] of the radii that are drawn
  private readonly isFiner = drawsInSoftware() && window.devicePixelRatio < 1.5; // edges are smooth by finer pixels where the samples of a card would cost more
  private readonly sharpness: number; // pixels drawn for one of the page
  private readonly canRest: boolean; // all of it is drawn when it stands
  private readonly sun = new DirectionalLight(0xfff1dc, 2.3);
  private lights!: Lights; // in space
  private plain = Plain.nothing; // now
  private plainest: Plain; // while things move
  private changed = -Infinity; // [ms] when something last moved
  // written over in every frame
  private readonly place: Place = { position: new Vector3(), turn: new Quaternion() };
  private readonly matrix = new Matrix4();
  private readonly scale = new Vector3();
  private readonly position = new Vector3();
  private readonly turn = new Quaternion();

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
    const size = this.extent.size;
    this.camera = this.flat
      ? new OrthographicCamera(-1, 1, 1, -1, -100 * size, 100 * size)
      : new PerspectiveCamera(35, 1, size / 100, size * 200);
    this.controls = new OrbitControls(this.camera, canvas);
    this.setUpControls();
    this.setUpLight();
    const free = run.bodies.map((body, i) => (body.free ? i : -1)).filter((i) => i >= 0);
    this.colors = run.bodies.map(() => "");
    free.forEach((body, i) => (this.colors[body] = colorOf(i, free.length)));
    this.squares = !this.flat && run.report.scene?.shapes.some((shape) => shape.kind === "wall") ? roundLength(2 * size / squaresAcross) : 0;
    this.smallest = run.bodies.reduce((most, body) => body.parts.reduce((m, [shape, size]) => (run.report.scene?.shapes[shape]?.kind === "ball" ? Math.min(m, size) : m), most), Infinity);
    this.detail = shapes > dense ? Detail.dense : shapes > crowd ? Detail.crowded : Detail.fine;
    this.makeBatches();
    this.links = new Links(run, this.extent, this.flat);
    this.world.add(this.links.group, this.overlay);
    this.leaveOut(this.plainest); // until it stands
    this.retint();
    this.home();
  }

  private setUpControls(): void {
    const controls = this.controls;
    controls.enableRotate = !this.flat;
    controls.enableDamping = false;
    controls.enableZoom = false; // a page scrolls; the wheel zooms once the picture was clicked
    controls.zoomToCursor = true;
    controls.screenSpacePanning = true;
    controls.mouseButtons = { LEFT: this.flat ? MOUSE.PAN : MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    controls.touches = { ONE: this.flat ? null : TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.canvas.style.touchAction = "pan-y";
    controls.addEventListener("change", () => this.viewed());
    this.canvas.addEventListener("pointerdown", (event) => {
      controls.enableZoom = true;
      if (event.pointerType === "mouse") this.canvas.focus({ preventScroll: true });
    });
    this.canvas.addEventListener("blur", () => (controls.enableZoom = false));
  }

  private setUpLight(): void {
    const { centre, size } = this.extent;
    if (this.flat) {
      this.world.add(new AmbientLight(0xffffff, 1.9));
      const sun = new DirectionalLight(0xffffff, 1.7);
      sun.position.set(-0.5, 0.9, 1.3);
      this.world.add(sun);
      return;
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
    this.lights = {
      sky: strength(around), ground: around.groundColor.clone().multiplyScalar(around.intensity), up: around.position.clone().normalize(),
      suns: [fill, sun].map((one) => ({ from: one.position.clone().sub(centre).normalize(), color: strength(one) })),
    };
  }

  private makeBatches(): void {
    const shapes = this.run.report.scene?.shapes ?? [];
    const byKind = new Map<string, { shape: number; isFree: boolean; entries: [number, number, Place | null][] }>();
    this.run.bodies.forEach((body, i) =>
      body.parts.forEach(([shape, size, pose]) => {
        const key = `${shape} ${body.free}`;
        if (!byKind.has(key)) byKind.set(key, { shape, isFree: body.free, entries: [] });
        byKind.get(key)!.entries.push([i, size, pose ? placeOf(pose) : null]);
      }),
    );
    for (const { shape, isFree, entries } of byKind.values()) {
      const one = shapes[shape], isWall = !isFree;
      const isDome = one.kind === "ball" && !this.flat;
      const geometry = geometryOf(one, this.flat, this.detail);
      const material = this.flat
        ? new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, transparent: one.kind === "wall", depthWrite: one.kind !== "wall" })
        : new MeshStandardMaterial({ vertexColors: !isDome, roughness: isWall ? 0.95 : 0.38, metalness: 0, side: one.kind === "wall" || one.kind === "ball" ? FrontSide : DoubleSide });
      const balls: BufferGeometry[] | null = one.kind === "ball" ? [] : null;
      if (balls) balls[this.detail] = geometry;
      const mesh = new InstancedMesh(geometry, material, entries.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = one.kind !== "wall";
      if (isDome) {
        onDomes(material);
        mesh.customDepthMaterial = domeShadow();
        mesh.raycast = raycastBalls;
      }
      mesh.receiveShadow = true;
      if (isWall) {
        if (one.kind === "wall" && !this.flat) {
          this.widen(geometry, entries);
          this.fade(material);
        }
        this.walls.push(material);
        mesh.renderOrder = -1;
        mesh.position.z = this.flat ? -1e-3 * this.extent.size : 0;
      } else entries.forEach(([body], i) => mesh.setColorAt(i, new Color(this.colors[body])));
      this.batches.push({ mesh, shape, bodies: entries.map((e) => e[0]), sizes: entries.map((e) => e[1]), local: entries.map((e) => e[2]), balls, largest: entries.reduce((most, e) => Math.max(most, e[1]), 0), shining: material, matt: null });
      this.world.add(mesh);
    }
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

  /** Takes the colours of the page's theme. */
  retint(): void {
    for (const wall of this.walls) (wall as MeshLambertMaterial).color.set(cssColor("--wall"));
    for (const { matt, shining } of this.batches) if (matt instanceof MeshLambertMaterial) matt.color.copy((shining as MeshStandardMaterial).color);
    this.links.retint(cssColor("--link"), cssColor("--force"));
    this.invalidate();
  }

  /** The whole of the run in view. */
  home(): void {
    const { centre, size, low, high } = this.extent;
    this.controls.target.copy(centre);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.position.set(centre.x, centre.y, 10 * size);
      this.camera.zoom = 1;
    } else {
      const half = Math.max(high.clone().sub(low).length() / 2, 1e-12);
      const aspect = Math.max(0.3, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
      const away = (1.06 * half) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(1, aspect);
      this.camera.up.set(0, 0, 1);
      this.camera.position.copy(centre).add(new Vector3(0.55, -1, 0.42).normalize().multiplyScalar(away));
    }
    this.lastFollowed = null;
    this.resize();
    this.controls.update();
  }

  resize(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    const aspect = width / height;
    if (this.camera instanceof OrthographicCamera) {
      const { low, high } = this.extent;
      const spanX = high.x - low.x, spanY = high.y - low.y;
      // What floats over the upper edge covers nothing.
      const bar = Math.min(roomAbove, 0.2 * height), free = height / (height - bar);
      const half = 0.5 * 1.12 * Math.max(spanY * free, spanX / aspect, 1e-12), up = (half * bar) / height;
      Object.assign(this.camera, { left: -half * aspect, right: half * aspect, top: half + up, bottom: up - half });
    } else this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    this.viewed();
  }

  /** A box in view. */
  frame(box: Box3): void {
    if (!this.seenBefore) this.seenBefore = { position: this.camera.position.clone(), target: this.controls.target.clone(), zoom: this.camera.zoom };
    const centre = box.getCenter(new Vector3()), span = box.getSize(new Vector3());
    const by = centre.clone().sub(this.controls.target);
    this.controls.target.copy(centre);
    this.camera.position.add(by);
    if (this.camera instanceof OrthographicCamera) {
      const { left, right, top, bottom } = this.camera;
      this.camera.zoom = 0.8 * Math.min((right - left) / span.x, (top - bottom) / span.y);
      // the room above is one of pixels, whatever the zoom
      const up = (top + bottom) / 2, less = up / this.camera.zoom - up;
      this.camera.position.y += less;
      this.controls.target.y += less;
    } else {
      const away = (0.75 * span.length()) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(1, this.camera.aspect);
      this.camera.position.sub(centre).setLength(away).add(centre);
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.viewed();
  }
  /** Back to what was seen before. */
  restore(): void {
    if (!this.seenBefore) return;
    this.camera.position.copy(this.seenBefore.position);
    this.controls.target.copy(this.seenBefore.target);
    this.camera.zoom = this.seenBefore.zoom;
    this.seenBefore = null;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.viewed();
  }

  /** From where another stage looks. */
  lookLike(other: Stage): void {
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.camera.zoom = other.camera.zoom;
    this.camera.updateProjectionMatrix();
    this.viewed();
  }

  /** A row of bodies in the plane, which a low picture shows better than a tall one. */
  get isWide(): boolean {
    const { low, high } = this.extent;
    return this.flat && high.x - low.x > 3.5 * (high.y - low.y);
  }

  /** [m] that one pixel shows; nothing in perspective. */
  metresPerPixel(): number | null {
    if (!(this.camera instanceof OrthographicCamera)) return null;
    return (this.camera.right - this.camera.left) / this.camera.zoom / Math.max(1, this.canvas.clientWidth);
  }

  /** [m] that one pixel shows of what is nearest, about; 0: the camera is inside. */
  private nearMetresPerPixel(): number {
    if (!(this.camera instanceof PerspectiveCamera)) return this.metresPerPixel()!;
    const away = Math.max(0, this.camera.position.distanceTo(this.extent.centre) - this.extent.size);
    return (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }

  /** Crowds of balls get as many points as can be seen. */
  private refine(): void {
    const dot = dotRadius * this.nearMetresPerPixel();
    const usual: Detail = this.plain >= Plain.points ? Math.min(this.detail + 1, Detail.dense) : this.detail;
    for (const { mesh, balls, largest } of this.batches) {
      if (!balls) continue;
      const detail = largest < dot && this.detail > Detail.fine ? Detail.dots : usual;
      balls[detail] ??= this.flat ? discGeometry(detail) : domeGeometry(detail);
      mesh.geometry = balls[detail];
    }
  }

  /** After the camera has moved: what would be too small to see at this scale is drawn larger. */
  private viewed(): void {
    this.refine();
    const least = leastRadius * (this.metresPerPixel() ?? 0), smallest = this.smallest;
    if (least !== this.least && (least > smallest || this.least > smallest)) this.show(this.t);
    this.invalidate();
    this.onView();
  }

  show(t: number): void {
    const [frame, part] = this.run.locate(t), shapes = this.run.report.scene?.shapes ?? [];
    const place = this.place;
    this.t = t;
    this.least = leastRadius * (this.metresPerPixel() ?? 0);
    for (const batch of this.batches) {
      const least = shapes[batch.shape].kind === "ball" ? this.least : 0;
      const { bodies, local, sizes, mesh } = batch, array = mesh.instanceMatrix.array as Float32Array;
      for (let i = 0; i < bodies.length; ++i) {
        this.run.place(bodies[i], frame, part, place);
        const own = local[i];
        if (own) {
          this.position.copy(own.position).applyQuaternion(place.turn).add(place.position);
          this.turn.copy(place.turn).multiply(own.turn);
          this.matrix.compose(this.position, this.turn, this.scale.setScalar(Math.max(sizes[i], least)));
        } else this.matrix.compose(place.position, place.turn, this.scale.setScalar(Math.max(sizes[i], least)));
        this.matrix.toArray(array, 16 * i);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.links.show(frame, part);
    this.followBody(frame, part, place);
    this.invalidate();
  }

  private followBody(frame: number, part: number, place: Place): void {
    if (this.follow < 0) {
      this.lastFollowed = null;
      return;
    }
    const now = this.run.place(this.follow, frame, part, place).position.clone();
    const by = this.lastFollowed ? now.clone().sub(this.lastFollowed) : now.clone().sub(this.controls.target);
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.lastFollowed = now;
    this.controls.update();
  }

  /** The body under a point of the picture, whose sides are at -1 and 1; -1: none, or a wall without an end. */
  bodyAt(point: Vector2): number {
    const ray = new Raycaster(), shapes = this.run.report.scene?.shapes ?? [];
    ray.setFromCamera(point, this.camera);
    let nearest = Infinity, body = -1;
    for (const batch of this.batches) {
      if (shapes[batch.shape].kind === "wall") continue;
      batch.mesh.computeBoundingSphere();
      for (const hit of ray.intersectObject(batch.mesh, false))
        if (hit.distance < nearest && hit.instanceId !== undefined) {
          nearest = hit.distance;
          body = batch.bodies[hit.instanceId];
        }
    }
    return body;
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
    this.renderer.render(this.world, this.camera);
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
    for (const batch of this.batches) batch.mesh.material = plain < Plain.shine ? batch.shining : (batch.matt ??= this.mattOf(batch));
    this.refine();
    const pixels = plain >= Plain.sharpness ? coarsePixels : plain >= Plain.pixels ? Math.min(1, this.sharpness) : this.sharpness;
    if (pixels !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(pixels);
  }
  /** Surfaces that do not shine are drawn sooner. */
  private mattOf({ shining, balls }: Batch): Material {
    if (!(shining instanceof MeshStandardMaterial)) return shining;
    if (balls) return mattBalls(shining.color, this.lights);
    const { vertexColors, side, color, transparent } = shining, matt = new MeshLambertMaterial({ vertexColors, side, color, transparent });
    matt.onBeforeCompile = shining.onBeforeCompile;
    return matt;
  }
  add(object: Object3D): void {
    this.overlay.add(object);
  }
  /** Gives the memory of the picture back. */
  destroy(): void {
    this.controls.dispose();
    for (const { balls, shining, matt } of this.batches) {
      for (const geometry of balls ?? []) geometry?.dispose();
      shining.dispose();
      matt?.dispose();
    }
    this.world.traverse((object) => {
      const { geometry, material } = object as InstancedMesh;
      geometry?.dispose();
      for (const one of material ? [material].flat() : []) one.dispose();
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
