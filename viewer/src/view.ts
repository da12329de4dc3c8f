// From where a scene is seen: a camera that people move, and the ways back.

import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Extent } from "./extent";

const roomAbove = 44; // pixels, which tools cover
const fromWhere = new Vector3(0.55, -1, 0.42).normalize(); // scenes in space
const filled = 0.92; // of the picture, at home in space

export class View {
  readonly camera: OrthographicCamera | PerspectiveCamera;
  readonly controls: OrbitControls;
  onChange = () => {};
  private seenBefore: { position: Vector3; target: Vector3; zoom: number } | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly extent: Extent, private readonly flat: boolean) {
    const { size } = extent;
    this.camera = flat ? new OrthographicCamera(-1, 1, 1, -1, -100 * size, 100 * size) : new PerspectiveCamera(35, 1, size / 100, size * 200);
    this.controls = new OrbitControls(this.camera, canvas);
    this.setUpControls();
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
    controls.addEventListener("change", () => this.onChange());
    this.canvas.addEventListener("pointerdown", (event) => {
      controls.enableZoom = true;
      if (event.pointerType === "mouse") this.canvas.focus({ preventScroll: true });
    });
    this.canvas.addEventListener("blur", () => (controls.enableZoom = false));
  }

  /** The whole of the run in view. */
  home(): void {
    const { centre, size } = this.extent;
    this.controls.target.copy(centre);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.position.set(centre.x, centre.y, 10 * size);
      this.camera.zoom = 1;
    } else {
      this.camera.up.set(0, 0, 1);
      this.camera.position.copy(centre).addScaledVector(fromWhere, this.away(this.camera));
    }
    this.resize();
    this.controls.update();
  }
  /** [m] from the middle, where the corners of all that moves are in the picture. */
  private away({ fov }: PerspectiveCamera): number {
    const { low, high, centre } = this.extent;
    const aspect = Math.max(0.3, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    const right = new Vector3(0, 0, 1).cross(fromWhere).normalize(), up = fromWhere.clone().cross(right), half = filled * Math.tan((fov * Math.PI) / 360);
    let most = 1e-12;
    for (const x of [low.x, high.x])
      for (const y of [low.y, high.y])
        for (const z of [low.z, high.z]) {
          const corner = new Vector3(x, y, z).sub(centre), beside = Math.abs(corner.dot(right)) / aspect, above = Math.abs(corner.dot(up));
          most = Math.max(most, corner.dot(fromWhere) + Math.max(beside, above) / half);
        }
    return most;
  }

  /** After the canvas has another shape. */
  resize(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
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
    this.onChange();
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
    this.onChange();
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
    this.onChange();
  }

  /** From where another view looks. */
  lookLike(other: View): void {
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.camera.zoom = other.camera.zoom;
    this.camera.updateProjectionMatrix();
    this.onChange();
  }

  /** Goes along with what it looks at. */
  move(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
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
  nearMetresPerPixel(): number {
    if (!(this.camera instanceof PerspectiveCamera)) return this.metresPerPixel()!;
    const away = Math.max(0, this.camera.position.distanceTo(this.extent.centre) - this.extent.size);
    return (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }
}
