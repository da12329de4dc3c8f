// What happened last, in numbers.

import type { Impact } from "./data";
import { element, number, quantity, shortNames } from "./format";
import { contactsText, unbroken } from "./tables";
import { lastBefore, type Run } from "./run";

const mostBodies = 6, longestName = 20, longestPair = 34; // letters

/** Impacts by their times; those that only keep bodies at rest are left out. */
export class ImpactList {
  readonly impacts: Impact[];
  readonly times: number[];
  constructor(private readonly run: Run) {
    this.impacts = run.report.impacts.filter((one) => !one.at_rest).sort((a, b) => a.t - b.t);
    this.times = this.impacts.map((one) => one.t);
  }

  /** The last impact up to t. */
  last(t: number): Impact | null {
    const slack = 1e-12 * this.run.end, i = lastBefore(this.times, t + slack);
    return this.impacts.length && this.times[i] <= t + slack ? this.impacts[i] : null;
  }
  /** The impact of this very moment. */
  now(t: number): Impact | null {
    const impact = this.last(t);
    return impact && Math.abs(impact.t - t) <= 1e-9 * this.run.end ? impact : null;
  }
  /** After `from`, up to `to`. */
  between(from: number, to: number): Impact[] {
    if (!this.times.length) return [];
    let i = lastBefore(this.times, from);
    if (this.times[i] <= from) ++i;
    const first = i;
    while (i < this.times.length && this.times[i] <= to) ++i;
    return this.impacts.slice(first, i);
  }
}

export class Moment {
  private shown: Impact | null | undefined = undefined;

  constructor(
    private readonly run: Run, private readonly list: ImpactList, private readonly card: HTMLElement,
    private readonly playable: Set<number>, private readonly lookInside: (impact: Impact) => void,
  ) {
    card.classList.add("moment");
    if (!list.impacts.length) card.hidden = true;
  }

  at(t: number): void {
    const impact = this.list.last(t);
    if (impact === this.shown) return;
    this.shown = impact;
    if (!impact) {
      this.card.replaceChildren(element("h2", { textContent: "Impacts" }), element("p", { className: "muted", textContent: `None yet; the first is at ${number(this.list.times[0], 5)} s.` }));
      return;
    }
    const list = element("dl");
    const row = (name: string, value: string | Node) => list.append(element("dt", { textContent: name }), element("dd", {}, value));
    row("at", `${number(impact.t, 7)} s`);
    row(impact.contact_count === 1 ? "contact" : `${impact.contact_count} contacts`, contactsText(impact, 3, (name) => unbroken(shortNames([name], longestPair)[0])));
    row("approach", `${number(impact.approach, 4)} m/s`);
    row("impulse", `${number(impact.impulse, 4)} N s`);
    row("energy", `${number(impact.energy_before, 4)} → ${number(impact.energy_after, 4)} J`);
    if (impact.duration !== undefined) row("lasts", quantity(impact.duration, "s"));
    row("certificate", element("span", { className: impact.consistent ? "good" : "warn", textContent: impact.consistent ? "consistent" : "not consistent" }));
    const axes = ["x", "y", "z"], dimension = this.run.dimension;
    let most = 0; // of the changes of velocity: much smaller ones are not worth a line
    impact.velocities_before?.forEach((before, i) => before.slice(0, dimension).forEach((v, k) => (most = Math.max(most, Math.abs((impact.velocities_after?.[i]?.[k] ?? v) - v)))));
    const sane = (v: number) => (Math.abs(v) < 1e-12 * most ? 0 : v); // what is rounding is none
    const names = shortNames(impact.bodies.slice(0, mostBodies).map((body) => this.run.nameOf(body)), longestName);
    names.forEach((name, i) => {
      const before = impact.velocities_before?.[i], after = impact.velocities_after?.[i];
      if (!before || !after) return;
      let axis = 0; // the one that changed most
      for (let k = 1; k < dimension; ++k) if (Math.abs(after[k] - before[k]) > Math.abs(after[axis] - before[axis])) axis = k;
      if (Math.abs(after[axis] - before[axis]) > 1e-4 * most) row(`${name}: v${axes[axis]}`, `${number(sane(before[axis]), 3)} → ${number(sane(after[axis]), 3)} m/s`);
    });
    const head = element("div", { className: "cardhead" }, element("h2", { textContent: `Impact ${impact.number}` }));
    if (this.playable.has(impact.number))
      head.append(element("button", { type: "button", className: "small accent", textContent: "Slow motion", onclick: () => this.lookInside(impact) }));
    this.card.replaceChildren(head, list);
  }
}
