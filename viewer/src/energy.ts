// Where the energy is and where it went, as bands over time.

import { energyColor } from "./colors";
import { element, number, splitUnit } from "./format";
import { Plot, type Curve, type PlotHome } from "./plots";
import type { Run } from "./run";

export const titles: Record<string, string> = {
  kinetic: "kinetic", potential: "potential", stored: "in contacts", dissipated_impacts: "lost in impacts",
  dissipated_dampers: "lost in dampers", dissipated_slip: "lost by sliding",
};

export function energyCard(run: Run, card: HTMLElement, home: PlotHome): Plot {
  const columns = run.report.frames.energies.columns, width = columns.length, records = run.records.length;
  const value = (record: number, column: number) => run.energies[record * width + column];
  let lowest = Infinity, largest = 0;
  for (let i = 0; i < records; ++i) {
    lowest = Math.min(lowest, value(i, 1));
    largest = Math.max(largest, Math.abs(value(i, 0)), Math.abs(value(i, 1)));
  }
  const bands: Curve[] = [];
  const sum = new Float64Array(records);
  columns.forEach((text, column) => {
    const { name } = splitUnit(text);
    if (!(name in titles)) return; // work of loads: it changes the height of all bands together
    const above = name === "potential" ? lowest : 0, own = new Float64Array(records);
    let most = 0;
    for (let i = 0; i < records; ++i) {
      own[i] = value(i, column) - above;
      most = Math.max(most, own[i]);
    }
    if (!(most > 1e-7 * largest)) return;
    const top = new Float64Array(records);
    for (let i = 0; i < records; ++i) top[i] = sum[i] += Math.max(own[i], 0);
    const color = energyColor(name);
    bands.push({ name: titles[name], color, fill: color + "d9", values: top, shown: (i) => value(i, column) });
  });
  const plot = new Plot(home, true);
  const end = records - 1, lost = records ? value(end, 3) + value(end, 4) + value(end, 5) : 0;
  const start = run.report.end?.start ?? 0, given = records ? start - lowest + value(end, 6) : 0;
  const words = given > 0 && lost > 0 ? `${number(Math.min((100 * lost) / given, 100), 3)} % was lost` : "nothing was lost";
  if (!bands.length) {
    card.append(element("h2", { textContent: "Energy" }), element("p", { className: "muted", textContent: "Nothing moves enough to exchange any." }));
    return plot;
  }
  card.append(element("div", { className: "cardhead" }, element("h2", { textContent: "Energy" }), ...plot.saveButtons()), plot.box, plot.legend,
    element("p", { className: "muted", textContent: bands.some((one) => one.name === titles.potential) ? `Potential energy is drawn from its lowest; ${words}.` : `${words.charAt(0).toUpperCase()}${words.slice(1)}.` }));
  // the highest band is drawn first, so that each covers what lies below it
  requestAnimationFrame(() => plot.show({ title: "Energy", unit: "J", times: run.recordTimes, curves: bands.reverse().map((band) => ({ ...band, fill: band.color })) }));
  return plot;
}
