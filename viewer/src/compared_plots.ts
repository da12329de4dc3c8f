// Plots of one thing under several laws: a curve for each law, on one axis.

import { dashes, palette } from "./colors";
import { element } from "./format";
import { Plot, type Curve, type PlotHome, type Quantity } from "./plots";
import { lastBefore } from "./run";

/** One law of a comparison, as it is drawn. */
export interface Law {
  label: string;
  color: string;
  dash: number[];
}
export function lawsOf(labels: string[]): Law[] {
  return labels.map((label, i) => ({ label, color: palette[i % palette.length], dash: dashes[(i + Math.floor(i / palette.length)) % dashes.length] }));
}

/** Values at other times, linearly; nothing before the first and after the last. */
export function resampled(times: ArrayLike<number>, values: ArrayLike<number>, at: ArrayLike<number>): (number | null)[] {
  const slack = 1e-9 * Math.max(Math.abs(times[times.length - 1] ?? 0), 1e-300);
  return Array.from(at, (t) => {
    if (!times.length || t < times[0] - slack || t > times[times.length - 1] + slack) return null;
    const i = lastBefore(times, t), j = Math.min(i + 1, times.length - 1), step = times[j] - times[i];
    return values[i] + (step > 0 ? ((values[j] - values[i]) * (t - times[i])) / step : 0);
  });
}

/** How far the curves part, against how far they reach. */
function parting(curves: (number | null)[][]): number {
  let apart = 0, low = Infinity, high = -Infinity;
  for (let i = 0; i < (curves[0]?.length ?? 0); ++i) {
    const now = curves.map((one) => one[i]).filter((v): v is number => v !== null);
    if (!now.length) continue;
    const least = Math.min(...now), most = Math.max(...now);
    apart = Math.max(apart, most - least);
    low = Math.min(low, least);
    high = Math.max(high, most);
  }
  return high > low ? apart : 0;
}

const mostTried = 24; // things

/** Quantities of the same scene under several laws. */
export class ComparedQuantities {
  /** `all` has the quantities of each law; `times` is the axis. */
  constructor(readonly laws: Law[], private readonly all: Quantity[][], private readonly times: number[]) {}

  get list(): Quantity[] {
    return this.all[0];
  }
  curves(key: string, thing: string): Curve[] {
    return this.laws.flatMap((law, i) => {
      const quantity = this.all[i].find((one) => one.key === key), at = quantity?.things.indexOf(thing) ?? -1;
      if (!quantity || at < 0) return [];
      const values = resampled(quantity.times, quantity.values(at), this.times);
      return [{ name: law.label, color: law.color, dash: law.dash, values: values as unknown as ArrayLike<number> }];
    });
  }
  /** The thing whose curves part most. */
  liveliest(key: string): string {
    const things = this.list.find((one) => one.key === key)?.things ?? [];
    let best = things[0] ?? "", most = -1;
    const stride = Math.max(1, Math.ceil(things.length / mostTried));
    for (let i = 0; i < things.length; i += stride) {
      const apart = parting(this.curves(key, things[i]).map((one) => Array.from(one.values) as (number | null)[]));
      if (apart > most) [best, most] = [things[i], apart];
    }
    return best;
  }
  card(first: string, home: PlotHome): { card: HTMLElement; plot: Plot } {
    const plot = new Plot(home), choose = element("select", { ariaLabel: "Quantity" }), pick = element("select", { ariaLabel: "Of what" });
    for (const one of this.list) choose.append(new Option(one.label, one.key, false, one.key === first));
    const redraw = () => {
      const quantity = this.list.find((one) => one.key === choose.value) ?? this.list[0];
      plot.show({ title: `${quantity.label}: ${pick.value}`, unit: quantity.unit, times: this.times, curves: this.curves(quantity.key, pick.value) });
    };
    const change = () => {
      const quantity = this.list.find((one) => one.key === choose.value) ?? this.list[0], best = this.liveliest(quantity.key);
      pick.replaceChildren(...quantity.things.slice(0, 400).map((thing) => new Option(thing, thing, false, thing === best)));
      if (quantity.things.indexOf(best) >= 400) pick.append(new Option(best, best, false, true));
      pick.hidden = quantity.things.length < 2;
      redraw();
    };
    choose.addEventListener("change", change);
    pick.addEventListener("change", redraw);
    const card = element("article", { className: "card" },
      element("div", { className: "cardhead" }, choose, pick, element("span", { className: "grow" }), ...plot.saveButtons()), plot.box, plot.legend);
    requestAnimationFrame(change);
    return { card, plot };
  }
}
