// Colours that people with any colour vision can tell apart, in light and dark.

export const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a7fd6", "#a3a500"];

/** Strokes and gaps that tell curves apart without their colour. */
export const dashes: number[][] = [[], [8, 4], [2, 3], [9, 3, 2, 3], [14, 4], [5, 2], [2, 6], [12, 3, 2, 3, 2, 3]];

const ramp = ["#3658b8", "#2f7fb5", "#3fa7a3", "#8dbb6c", "#e3b23c", "#e07a3f"];
const heat = ["#04051a", "#2d1160", "#721f81", "#b63679", "#f1605d", "#feb078", "#fcfdbf"];

function channels(hex: string): number[] {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}
function along(list: string[], part: number): [number, number, number] {
  const x = Math.min(Math.max(part, 0), 1) * (list.length - 1);
  const i = Math.min(Math.floor(x), list.length - 2), f = x - i;
  const a = channels(list[i]), b = channels(list[i + 1]);
  return [0, 1, 2].map((k) => Math.round(a[k] + (b[k] - a[k]) * f)) as [number, number, number];
}
const hex = (rgb: number[]) => "#" + rgb.map((v) => v.toString(16).padStart(2, "0")).join("");

/** The colour of the i-th of n: few get colours of their own, many a passage from cold to warm. */
export function colorOf(i: number, n: number): string {
  return n <= palette.length ? palette[i % palette.length] : hex(along(ramp, i / (n - 1)));
}

/** From nothing (0) to most (1), ever lighter. */
export function heatOf(part: number): [number, number, number] {
  return along(heat, part);
}

const weak = 0.6; // forces are coloured by this power of theirs, so that weak ones show

/** Of a force, as part of the largest. */
export function forceColor(part: number): [number, number, number] {
  return heatOf(Math.pow(part, weak));
}
/** Colours of forces, each with the part of the largest force that it stands for. */
export const heatStops: [string, number][] = heat.map((color, i) => [color, Math.pow(i / (heat.length - 1), 1 / weak)]);

export function heatHex(part: number): string {
  return hex(heatOf(part));
}

const energyColors: Record<string, string> = {
  kinetic: "#0072b2",
  potential: "#56b4e9",
  stored: "#009e73",
  dissipated_impacts: "#d55e00",
  dissipated_dampers: "#cc79a7",
  dissipated_slip: "#e69f00",
};
export function energyColor(column: string): string {
  return energyColors[column.replace(/ \[.*/, "")] ?? "#888888";
}

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}
