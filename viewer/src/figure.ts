// Figures of lines and letters, as SVG: curves over time, one quantity over another, forces of contacts over time.

import { colorOf } from "./colors";
import { scaled, scaleOf, shortNames, tickTexts } from "./format";
import type { Plotted } from "./plots";
import type { Look } from "./save";

const width = 720, left = 82, right = 18, top = 34, plotHeight = 288; // [pixels]
const rowHeight = 16, mostInRow = 4, letterWidth = 6.4; // of the legend

/** Round numbers that divide a range. */
export function ticks(low: number, high: number, wish: number): number[] {
  const raw = (high - low) / wish, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((one) => one >= raw) ?? raw;
  const list: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) list.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return list;
}

const escapeText = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

interface Frame {
  title: string;
  along: string; // below
  upward: string; // on the left
  x: [number, number];
  y: [number, number];
  legend: number; // rows
}

/** Axes with their ticks, and where a point lies between them. */
function framed({ title, along, upward, x: [x0, x1], y: [y0, y1], legend }: Frame, look: Look, grid = true) {
  const foot = top + plotHeight, high = foot + 46 + (legend ? 10 + rowHeight * legend : 0), scale = scaleOf(Math.max(Math.abs(x0), Math.abs(x1)));
  const x = (v: number) => left + ((v - x0) / (x1 - x0)) * (width - left - right), y = (v: number) => foot - ((v - y0) / (y1 - y0)) * plotHeight;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${high}" viewBox="0 0 ${width} ${high}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="${look.ink}">`,
    `<rect width="${width}" height="${high}" fill="${look.ground}"/>`, `<text x="${left}" y="20" font-size="14" font-weight="bold">${escapeText(title)}</text>`,
  ];
  const across = ticks(x0, x1, 8), upwards = grid ? ticks(y0, y1, 6) : [], acrossTexts = tickTexts(across, scale.factor), upwardTexts = tickTexts(upwards);
  across.forEach((v, i) =>
    parts.push(`<path d="M${x(v).toFixed(1)} ${grid ? top : foot}V${foot + 4}" stroke="${look.grid}"/><text x="${x(v).toFixed(1)}" y="${foot + 17}" text-anchor="middle">${acrossTexts[i]}</text>`));
  upwards.forEach((v, i) =>
    parts.push(`<path d="M${left} ${y(v).toFixed(1)}H${width - right}" stroke="${look.grid}"/><text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${upwardTexts[i]}</text>`));
  parts.push(`<text x="${(left + width - right) / 2}" y="${foot + 36}" text-anchor="middle">${escapeText(scaled(along, scale))}</text>`);
  parts.push(`<text transform="translate(16 ${top + plotHeight / 2}) rotate(-90)" text-anchor="middle">${escapeText(upward)}</text>`);
  return { parts, x, y, foot, end: () => parts.join("\n") + "\n</svg>\n" };
}

/** A little more than what there is. */
function padded(low: number, high: number, part: number): [number, number] {
  if (!(high > low)) return [low - 1, low + 1];
  return [low - part * (high - low), high + part * (high - low)];
}

/** Curves over time; bands are filled down to the axis. */
export function plotSvg({ title, unit, times, curves }: Plotted, along: string, look: Look, from?: number, to?: number): string {
  const t0 = from ?? times[0], t1 = to ?? times[times.length - 1], banded = curves.some((curve) => curve.fill);
  let low = banded ? 0 : Infinity, most = -Infinity;
  const seen = (i: number) => times[i] >= t0 && times[i] <= t1;
  for (const curve of curves)
    for (let i = 0; i < times.length; ++i)
      if (seen(i) && Number.isFinite(curve.values[i])) [low, most] = [Math.min(low, curve.values[i]), Math.max(most, curve.values[i])];
  const range = banded ? ([low, most > low ? most + 0.04 * (most - low) : low + 1] as [number, number]) : padded(low, most, 0.04);
  const names = shortNames(curves.map((curve) => curve.name), 90), room = width - left - right;
  const inRow = Math.max(1, Math.min(mostInRow, Math.floor(room / (34 + letterWidth * Math.max(...names.map((name) => name.length))))));
  const { parts, x, y, foot, end } = framed({ title, along, upward: unit ? `${title} [${unit}]` : title, x: [t0, t1], y: range, legend: Math.ceil(curves.length / inRow) }, look);
  curves.forEach((curve, k) => {
    let path = "", first = NaN, last = NaN;
    for (let i = 0; i < times.length; ++i) {
      if (!seen(i) || !Number.isFinite(curve.values[i])) continue;
      path += `${path ? "L" : "M"}${x(times[i]).toFixed(1)} ${y(curve.values[i]).toFixed(1)}`;
      if (!(first <= times[i])) first = times[i];
      last = times[i];
    }
    const color = curve.color || colorOf(k, curves.length), dash = curve.dash?.length ? ` stroke-dasharray="${curve.dash.join(" ")}"` : "";
    if (curve.fill && path) path += `L${x(last).toFixed(1)} ${foot}L${x(first).toFixed(1)} ${foot}Z`;
    parts.push(`<path d="${path}" fill="${curve.fill ?? "none"}" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"${dash}/>`);
    const place = left + ((k % inRow) * room) / inRow, line = foot + 62 + rowHeight * Math.floor(k / inRow);
    parts.push(`<path d="M${place} ${line - 4}h18" stroke="${color}" stroke-width="${curve.fill ? 8 : 3}"${dash}/><text x="${place + 24}" y="${line}">${escapeText(names[k])}</text>`);
  });
  return end();
}

/** One quantity over another, a path. */
export function pathSvg(words: { title: string; along: string; upward: string }, at: ArrayLike<number>, over: ArrayLike<number>, ranges: [[number, number], [number, number]], color: string, look: Look): string {
  const { parts, x, y, end } = framed({ ...words, x: ranges[0], y: ranges[1], legend: 0 }, look);
  let path = "";
  for (let i = 0; i < at.length; ++i) path += `${i ? "L" : "M"}${x(at[i]).toFixed(1)} ${y(over[i]).toFixed(1)}`;
  parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`);
  return end();
}

const mostNames = 24; // beside rows: more are too small to read

/** Forces of contacts, a row each, over time: `image` is the address of the coloured picture, `peak` [N] its lightest colour. */
export function waveSvg(title: string, names: string[], along: string, until: number, peak: string, image: string, heat: [string, number][], look: Look): string {
  const { parts, x, foot, end } = framed({ title, along, upward: names.length > mostNames ? `contacts, ${names[0]} above` : "contact", x: [0, until], y: [names.length, 0], legend: 1 }, look, false);
  parts.push(`<image href="${image}" x="${left}" y="${top}" width="${x(until) - left}" height="${plotHeight}" preserveAspectRatio="none" style="image-rendering:pixelated"/>`);
  const step = plotHeight / names.length;
  if (names.length <= mostNames)
    shortNames(names, 60).forEach((name, i) => parts.push(`<text x="${left + 6}" y="${(top + (i + 0.5) * step + 4).toFixed(1)}" font-size="${Math.min(12, 0.9 * step).toFixed(1)}" fill="#fff" stroke="#04051a" stroke-width="3" paint-order="stroke">${escapeText(name)}</text>`));
  const line = foot + 62, stops = heat.map(([color, at]) => `<stop offset="${at.toFixed(3)}" stop-color="${color}"/>`).join("");
  parts.push(`<defs><linearGradient id="heat">${stops}</linearGradient></defs><text x="${left}" y="${line}">force 0</text><rect x="${left + 50}" y="${line - 9}" width="160" height="9" fill="url(#heat)"/><text x="${left + 218}" y="${line}">${escapeText(peak)}</text>`);
  return end();
}
