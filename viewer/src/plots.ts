// Plots over time that follow the animation: a card has a quantity, its curves, a legend with the values of the moment.

import uPlot from "uplot";
import { colorOf, cssColor } from "./colors";
import { plotSvg } from "./figure";
import { element, number, scaled, scaleOf, shortNames, tickTexts } from "./format";
import { lastBefore } from "./run";
import { saveButtons } from "./save";

export interface Curve {
  name: string;
  color: string;
  values: ArrayLike<number>;
  fill?: string;
  dash?: number[]; // strokes and gaps [pixels]
  shown?: (i: number) => number; // the value in the legend, where it is not that of the curve
}
export interface Plotted {
  title: string;
  unit: string;
  times: ArrayLike<number>;
  curves: Curve[];
}

/** What the plots of a view share: where a click leads, whose cursors move together, how files are named. */
export interface PlotHome {
  seek: (t: number) => void;
  sync: string;
  file: string;
  along?: string; // what the axis says, where it is not the time of the run
}

const height = 210, least = 170; // [pixels]
const nothing = 1e-12, tooSmall = 1e-9; // of the largest value of a plot: what is less is rounding, and what nobody wants to read
const smallest = 1e-9; // uPlot finds no ticks for numbers of more than 17 decimals: values below are drawn in another unit
const longestInLegend = 34; // letters
const tickFont = '12px "Inter", system-ui, sans-serif';

/** What stands before a name: a patch of its colour, or a piece of its dashed line. */
export function swatchOf(curve: { color: string; dash?: number[] }): HTMLElement {
  const swatch = element("i");
  if (!curve.dash) swatch.style.background = curve.color;
  else {
    swatch.className = "line";
    swatch.innerHTML = `<svg viewBox="0 0 30 10" aria-hidden="true"><path d="M0 5h30" stroke="${curve.color}" stroke-width="3" fill="none" stroke-dasharray="${curve.dash.join(" ")}"/></svg>`;
  }
  return swatch;
}

export class Plot {
  readonly box = element("div", { className: "plot" });
  readonly legend = element("ul", { className: "legend" });
  private chart: uPlot | null = null;
  private plotted: Plotted | null = null;
  private readonly head = element("div", { className: "playhead" });
  private values: HTMLElement[] = [];
  private t = 0;
  private largest = 0; // of all curves
  private gone = false;

  /** A plot that fills is as tall as the room that its card leaves. */
  constructor(private readonly home: PlotHome, private readonly fills = false) {
    if (fills) this.box.classList.add("fills");
    new ResizeObserver(() => this.chart?.setSize({ width: this.box.clientWidth, height: this.tall })).observe(this.box);
  }
  private get tall(): number {
    return this.fills ? Math.max(least, this.box.clientHeight) : height;
  }
  private get along(): string {
    return this.home.along ?? "t [s]";
  }

  show(plotted: Plotted): void {
    if (this.gone) return;
    this.plotted = plotted;
    this.draw();
  }

  draw(): void {
    if (!this.plotted) return;
    const { title, unit, times, curves } = this.plotted;
    this.chart?.destroy();
    const ink = cssColor("--soft"), grid = cssColor("--grid");
    const axis = { stroke: ink, font: tickFont, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, size: 4 } };
    const scale = scaleOf(times[times.length - 1] ?? 0);
    this.largest = curves.reduce((most, curve) => Array.prototype.reduce.call(curve.values, (m, v) => Math.max(m as number, Math.abs(v ?? 0)), most) as number, 0);
    const power = this.largest > 0 && this.largest < smallest ? 10 ** Math.ceil(Math.log10(this.largest)) : 1;
    const numbers = (_: uPlot, list: number[]) => tickTexts(list.map((v) => v * power)), banded = curves.some((curve) => curve.fill);
    /** Bands begin at 0, else what is left looks like nothing. */
    const fromZero = (_: uPlot, low: number, high: number): [number, number] => [Math.min(low, 0), high > 0 ? 1.04 * high : 1];
    const y = this.largest > 0 ? (banded ? { range: fromZero } : {}) : { range: [-1, 1] as [number, number] };
    const options: uPlot.Options = {
      width: Math.max(200, this.box.clientWidth), height: this.tall, legend: { show: false },
      scales: { x: { time: false }, y },
      hooks: { draw: [() => this.placeHead()] }, // where it is depends on size and zoom
      cursor: { sync: { key: this.home.sync }, points: { size: 6 }, drag: { x: true, y: false } },
      axes: [
        { ...axis, values: (_, list) => tickTexts(list, scale.factor), label: scaled(this.along, scale), labelSize: 18, labelFont: tickFont, size: 28 },
        { ...axis, values: numbers, space: (_self, _axis, _low, _high, pixels) => Math.max(24, pixels / 7), size: (_, list) => 20 + 7.5 * Math.max(2, ...(list ?? []).map((v) => v.length)), label: unit ? `[${unit}]` : title, labelSize: 18, labelFont: tickFont },
      ],
      series: [{}, ...curves.map((curve) => ({ label: curve.name, stroke: curve.color, width: curve.fill ? 1 : 1.8, fill: curve.fill, dash: curve.dash, pxAlign: curve.fill ? 1 : 0, spanGaps: false, points: { show: false } }))],
    };
    const data = [times, ...curves.map(({ values }) => (power === 1 ? values : Float64Array.from(values, (v) => v / power)))] as unknown as uPlot.AlignedData;
    this.chart = new uPlot(options, data, this.box);
    const over = this.chart.over;
    over.append(this.head);
    over.setAttribute("role", "img");
    over.setAttribute("aria-label", `${title} over time`);
    let from = 0;
    over.addEventListener("mousedown", (event) => (from = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - from) < 4 && this.chart) this.home.seek(this.chart.posToVal(event.offsetX, "x"));
    });
    this.legend.replaceChildren();
    const names = shortNames(curves.map((curve) => curve.name), longestInLegend);
    this.values = curves.map((curve, k) => {
      const value = element("b");
      const swatch = swatchOf(curve);
      this.legend.append(element("li", { title: names[k] === curve.name ? "" : curve.name }, swatch, element("span", {}, names[k]), value));
      return value;
    });
    this.at(this.t);
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
    this.plotted = null;
    this.gone = true;
  }

  private placeHead(): void {
    if (!this.chart) return;
    const x = this.chart.valToPos(this.t, "x");
    const inside = x >= -1 && x <= this.chart.over.clientWidth + 1;
    this.head.style.display = inside ? "" : "none";
    this.head.style.transform = `translateX(${x}px)`;
  }

  /** The moment that the animation shows. */
  at(t: number): void {
    this.t = t;
    if (!this.chart || !this.plotted) return;
    this.placeHead();
    const { times, curves, unit } = this.plotted;
    const i = lastBefore(times, t);
    curves.forEach((curve, k) => {
      const exact = curve.shown ? curve.shown(i) : curve.values[i], value = Math.abs(exact) < tooSmall * this.largest ? 0 : exact;
      const text = `${number(value, 5)} ${unit}`;
      if (this.values[k] && this.values[k].textContent !== text) this.values[k].textContent = text;
    });
  }

  saveButtons(): HTMLElement[] {
    return saveButtons(this.home.file, () => {
      const plotted = this.plotted, { min, max } = this.chart?.scales.x ?? {};
      return plotted && { title: plotted.title, draw: (look) => plotSvg(plotted, this.along, look, min ?? undefined, max ?? undefined) };
    });
  }
}

/** A quantity that a card can show, with the things it may be shown of. */
export interface Quantity {
  key: string;
  label: string;
  unit: string;
  times: ArrayLike<number>;
  things: string[]; // bodies, pairs, joints
  color?: (thing: number) => string;
  values: (thing: number) => ArrayLike<number>;
}

const shownAtOnce = 8;

/** At most eight things, spread over all; of few those that are not zero all the time. */
function firstChoice({ things, values }: Quantity): Set<number> {
  const count = things.length, taken = Math.min(count, shownAtOnce), chosen = new Set<number>();
  for (let i = 0; i < taken; ++i) chosen.add(taken < 2 ? 0 : Math.round((i * (count - 1)) / (taken - 1)));
  if (count > shownAtOnce) return chosen;
  const sizes = things.map((_, i) => Array.prototype.reduce.call(values(i), (most, v) => Math.max(most as number, Math.abs(v)), 0) as number);
  const lively = [...chosen].filter((i) => sizes[i] > nothing * Math.max(...sizes));
  return lively.length ? new Set(lively) : chosen;
}

export function plotCard(quantities: Quantity[], first: string, home: PlotHome): { card: HTMLElement; plot: Plot } {
  const plot = new Plot(home);
  const choose = element("select", { ariaLabel: "Quantity" });
  for (const one of quantities) choose.append(new Option(one.label, one.key, false, one.key === first));
  const list = element("div", { className: "bodies" });
  const menu = element("details", { className: "menu down" }, element("summary", { ariaLabel: "Choose curves" }, "Curves"), element("div", {}, list));
  let chosen = new Set<number>();
  const redraw = () => {
    const quantity = quantities.find((one) => one.key === choose.value) ?? quantities[0];
    const picked = [...chosen].sort((a, b) => a - b);
    plot.show({
      title: quantity.label, unit: quantity.unit, times: quantity.times,
      curves: picked.map((thing, k) => ({
        name: quantity.things[thing], color: quantity.color?.(thing) || colorOf(k, Math.max(picked.length, 1)), values: quantity.values(thing),
      })),
    });
  };
  const change = () => {
    const quantity = quantities.find((one) => one.key === choose.value) ?? quantities[0];
    chosen = firstChoice(quantity);
    list.replaceChildren(
      ...quantity.things.slice(0, 400).map((thing, i) => {
        const box = element("input", { type: "checkbox", checked: chosen.has(i) });
        box.addEventListener("change", () => {
          if (box.checked) chosen.add(i);
          else chosen.delete(i);
          redraw();
        });
        return element("label", {}, box, thing);
      }),
    );
    menu.hidden = quantity.things.length < 2;
    redraw();
  };
  choose.addEventListener("change", change);
  const card = element("article", { className: "card" },
    element("div", { className: "cardhead" }, choose, element("span", { className: "grow" }), menu, ...plot.saveButtons()), plot.box, plot.legend);
  requestAnimationFrame(change);
  return { card, plot };
}
