// The animation of one run: the stage with arrows of forces, flashes of impacts and trails over it.

import { Vector3 } from "three";
import { cssColor } from "./colors";
import type { Impact } from "./data";
import { type Extent, reaches } from "./extent";
import type { ImpactList } from "./moment";
import { Arrows, Flashes, Trails } from "./overlay";
import type { Run } from "./run";
import { Stage } from "./stage";

const mostTrails = 24; // bodies

const vectorOf = (v: number[]) => new Vector3(v[0], v[1] ?? 0, v[2] ?? 0);

const wide = 25; // bodies across a scene, beyond which arrows go by bodies

/** [m] half of the extent of the body in the middle of all that move; without an end where they are points. */
function usualReach(run: Run): number {
  const reach = reaches(run), all = run.bodies.filter((body) => body.free).map((body) => body.parts.reduce((most, [shape, size]) => Math.max(most, reach[shape] * size), 0));
  all.sort((a, b) => a - b);
  return all[all.length >> 1] || Infinity;
}

/** Forces of the moment, as arrows; at an impact its impulses. */
class ForceArrows {
  readonly forces: Arrows;
  readonly impulses: Arrows;
  private readonly loads: Arrows;
  private readonly largestLoad: number;
  private readonly usual: number;
  private readonly size: number; // [m] that arrows are measured by
  private readonly largestImpulse: number;
  shown = true;
  constructor(private readonly run: Run, stage: Stage, private readonly impacts: ImpactList) {
    this.size = Math.min(stage.extent.size, wide * usualReach(run));
    const size = this.size;
    this.forces = new Arrows(0.004 * size);
    this.impulses = new Arrows(0.006 * size);
    stage.add(this.forces.group);
    stage.add(this.impulses.group);
    this.loads = new Arrows(0.005 * size);
    stage.add(this.loads.group);
    const width = run.report.frames.loads?.columns.length ?? 1;
    this.largestLoad = (run.loads ?? new Float32Array()).reduce((most, value, i) => (i % width < run.dimension ? Math.max(most, Math.abs(value)) : most), 0);
    this.usual = run.usualForce();
    this.largestImpulse = run.report.impacts.reduce((most, one) => one.contacts.reduce((m, c) => Math.max(m, c.impulse ?? 0), most), 0);
  }
  show(t: number): void {
    const long = 0.2 * this.size;
    const contacts = this.shown && this.usual > 0 ? this.run.contactsOf(this.run.recordAt(t)) : [];
    this.forces.show(contacts.map(({ a, b, at, force }) => {
      // on a body that can move
      const sign = this.run.bodies[b]?.free ? 1 : this.run.bodies[a]?.free ? -1 : 1;
      const part = force.length() / this.usual;
      return { at, vector: force.clone().multiplyScalar((sign * long * Math.min(part, 1.6)) / Math.max(force.length(), 1e-300)) };
    }));
    // loads pull at their points; the strongest of the run is as long as a usual force
    this.loads.show(this.shown && this.largestLoad > 0 ? this.run.loadsAt(t).map(({ at, force }) => ({ at, vector: force.multiplyScalar(long / this.largestLoad) })) : []);
    this.showImpulses(this.impacts.now(t), 1.2 * long);
  }
  /** The impulses of an impact on both of its bodies; the largest of the run is `long` [m]. */
  showImpulses(impact: Impact | null, long: number): void {
    const contacts = this.shown ? (impact?.contacts ?? []) : [];
    this.impulses.show(contacts.filter((one) => one.vector).flatMap((one) => {
      const along = vectorOf(one.vector!).multiplyScalar(long / Math.max(this.largestImpulse, 1e-300));
      return [{ at: vectorOf(one.at), vector: along }, { at: vectorOf(one.at), vector: along.clone().negate() }];
    }));
  }
  hide(): void {
    this.forces.show([]);
    this.impulses.show([]);
    this.loads.show([]);
  }
  retint(): void {
    this.forces.tint(cssColor("--force"));
    this.impulses.tint(cssColor("--force"));
    this.loads.tint(cssColor("--load"));
  }
}

export class Picture {
  readonly stage: Stage;
  readonly arrows: ForceArrows;
  readonly trails: Trails | null;
  private readonly flashes: Flashes;
  private readonly strongest: number; // [N s]
  private readonly printed = () => this.stage.draw(true); // no frame comes between the theme of paper and its print

  constructor(canvas: HTMLCanvasElement, private readonly run: Run, private readonly impacts: ImpactList, private readonly calm: boolean, extent?: Extent) {
    this.stage = new Stage(canvas, run, extent);
    this.arrows = new ForceArrows(run, this.stage, impacts);
    this.flashes = new Flashes(this.stage);
    this.stage.add(this.flashes.spots.group);
    const free = run.moving.filter((body) => run.bodies[body].free);
    this.trails = free.length <= mostTrails ? new Trails(this.stage, free) : null;
    if (this.trails) this.stage.world.add(this.trails.group);
    this.strongest = run.report.impacts.reduce((most, one) => Math.max(most, one.impulse), 0);
    addEventListener("beforeprint", this.printed);
    new ResizeObserver(() => {
      this.stage.resize();
      this.stage.draw(true);
    }).observe(canvas);
  }

  /** The moment t; `watched` [s] of watching led here from `before`, 0: a jump. */
  show(t: number, before: number, watched: number, speed: number): void {
    this.stage.show(t);
    this.arrows.show(t);
    if (this.trails?.group.visible) this.trails.show(t, Math.min(0.12 * this.run.end, 1.2 * Math.max(speed, 1e-9)));
    if (watched > 0 && !this.calm) this.flash(before, t);
    if (watched === 0) this.flashes.clear();
  }
  private flash(from: number, to: number): void {
    for (const impact of this.impacts.between(from, to))
      for (const contact of impact.contacts.slice(0, 12)) this.flashes.add(vectorOf(contact.at), (contact.impulse ?? 0) / Math.max(this.strongest, 1e-300));
  }

  tick(seconds: number): void {
    this.flashes.tick(seconds);
    this.stage.draw();
  }
  retint(): void {
    this.stage.retint();
    this.arrows.retint();
  }
  destroy(): void {
    removeEventListener("beforeprint", this.printed);
    this.stage.destroy();
  }
}
