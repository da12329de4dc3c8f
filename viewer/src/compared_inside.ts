// Slow motion through the same impact under several laws: columns in step, colours and arrows on one scale.

import { Box3, Vector3 } from "three";
import type { Impact, Report } from "./data";
import { element, quantity } from "./format";
import { Followed, InsideStage } from "./inside_stage";
import type { Picture } from "./picture";
import type { Player } from "./player";
import { seekable, waveFigure } from "./wave_card";

/** One law of the comparison; a law that jumps has nothing inside. */
interface Column {
  report: Report;
  picture: Picture | null;
  box: HTMLElement; // below the animation
  shown: InsideStage | null;
  impact: Impact | null; // of the slow motion
  followed: Followed | null;
  canvas: HTMLCanvasElement;
}

const mostContacts = 8; // whose impulses are listed

const pairsOf = (impact: Impact) => new Set(impact.contacts.map((one) => one.name));

/** The impact of `report` that is the same as one of another law: of the same contacts, and the nearest in time. */
export function sameImpact(report: Report, other: Impact): Impact | null {
  const names = pairsOf(other);
  let best: Impact | null = null;
  for (const one of report.impacts) {
    if (one.at_rest || !one.contacts.some((contact) => names.has(contact.name))) continue;
    if (!best || Math.abs(one.t - other.t) < Math.abs(best.t - other.t)) best = one;
  }
  return best;
}

export class ComparedInside {
  private readonly columns: Column[];
  private open_ = false;
  private until = 0; // [s]

  /** Within `quietly` one picture may look elsewhere than the others. */
  constructor(entries: { report: Report; picture: Picture | null; column: HTMLElement }[], private readonly player: Player, private readonly quietly: (act: () => void) => void) {
    this.columns = entries.map(({ report, picture, column }) => {
      const box = element("div", { className: "within", hidden: true }), canvas = element("canvas", { className: "wave" });
      column.append(box);
      seekable(canvas, player, () => this.until);
      const made = { report, picture, box, canvas, shown: picture && new InsideStage(picture.stage), impact: null, followed: null };
      new ResizeObserver(() => this.draw()).observe(canvas);
      return made;
    });
  }

  get isPossible(): boolean {
    return this.columns.some(({ report }) => report.inside.length > 0);
  }
  get isOpen(): boolean {
    return this.open_;
  }

  /** The impact that is looked into from t: the last one that a law followed, or else the first. */
  private chosen(t: number): Impact | null {
    const all = this.columns.flatMap(({ report }) => {
      const numbers = new Set(report.inside.map((one) => one.number));
      return report.impacts.filter((one) => numbers.has(one.number));
    }).sort((a, b) => a.t - b.t);
    const slack = 1e-12 * Math.abs(t), before = all.filter((one) => one.t <= t + slack);
    return before[before.length - 1] ?? all[0] ?? null;
  }

  open(): void {
    const impact = this.chosen(this.player.t);
    if (!impact || this.open_) return;
    this.player.seek(impact.t);
    for (const column of this.columns) {
      column.impact = sameImpact(column.report, impact);
      const data = column.report.inside.find((one) => one.number === column.impact?.number) ?? null;
      column.followed = data && new Followed(data);
    }
    const peak = Math.max(...this.columns.map(({ followed }) => followed?.data.peak ?? 0));
    for (const column of this.columns) if (column.followed) column.followed = new Followed(column.followed.data, peak);
    this.until = Math.max(...this.columns.map(({ followed }) => followed?.duration ?? 0));
    if (!(this.until > 0)) return;
    const fastest = Math.max(...this.columns.map(({ followed, report }) => followed?.fastest(report.run.dimension) ?? 0));
    this.open_ = true;
    const box = this.box();
    this.quietly(() => {
      for (const column of this.columns) {
        this.fill(column, peak);
        if (column.followed && column.impact) column.shown?.open(column.followed, column.impact.t, fastest, box);
        else column.shown?.look(box);
      }
    });
    this.player.enter(this.until);
    this.draw();
  }

  /** What all columns look at: the contacts of the impact under every law. */
  private box(): Box3 {
    const all = new Box3();
    for (const { impact, shown } of this.columns)
      if (impact && shown) all.union(shown.box(impact.contacts.map(({ at }) => new Vector3(at[0], at[1] ?? 0, at[2] ?? 0)), impact.bodies, impact.t));
    return all;
  }

  private fill(column: Column, peak: number): void {
    const { box, impact, followed, canvas } = column;
    box.hidden = false;
    if (!followed) {
      if (!impact) return box.replaceChildren(element("p", { className: "muted", textContent: "These bodies do not meet under this law." }));
      const why = column.report.inside.length ? "It is not among those kept for slow motion." : "This law jumps from before to after: there is nothing inside.";
      const list = element("dl");
      for (const one of impact.contacts.slice(0, mostContacts)) list.append(element("dt", { textContent: one.name }), element("dd", { textContent: quantity(one.impulse ?? 0, "N s", 4) }));
      const more = impact.contact_count > mostContacts ? `, ${mostContacts} of ${impact.contact_count} contacts` : "";
      return box.replaceChildren(element("h2", { textContent: `Impact ${impact.number} at ${quantity(impact.t, "s", 5)}` }), element("p", { className: "muted", textContent: `${why} Its impulses${more}:` }), list);
    }
    box.replaceChildren(element("h2", { textContent: `Inside impact ${followed.data.number} at ${quantity(impact!.t, "s", 5)}` }), ...waveFigure(canvas, followed.data, this.until, peak));
  }

  /** True if it was open. */
  close(): boolean {
    if (!this.open_) return false;
    this.open_ = false;
    this.quietly(() => {
      for (const column of this.columns) {
        column.box.hidden = true;
        column.shown?.close();
        column.followed = null;
      }
    });
    this.player.leave();
    return true;
  }

  private draw(): void {
    for (const { followed, canvas } of this.columns) followed?.wave.draw(canvas, this.player.insideTime, this.until);
  }

  /** The moment of the player, in every column at its own impact. */
  show(): void {
    if (!this.open_) return;
    this.draw();
    for (const { picture, followed, shown, impact } of this.columns) {
      if (!picture) continue;
      const t = impact?.t ?? this.player.t;
      picture.stage.show(t);
      picture.arrows.hide();
      if (followed) shown?.show(this.player.insideTime, t);
      else if (impact && shown) picture.arrows.showImpulses(impact, shown.spacing(impact.bodies, t));
    }
  }

  tint(color: string): void {
    for (const { shown } of this.columns) shown?.tint(color);
  }
}
