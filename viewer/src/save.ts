// Figures and films as files.

import { colorOf } from "./colors";
import { number } from "./format";
import type { PlotHome, Plotted } from "./plots";

/** The beginning of the names of files saved from a run of this scene. */
export function fileNameOf(scene: string): string {
  return scene.replace(/^.*\//, "").replace(/\.(toml|json)$/, "").replace(/[^\w.-]+/g, "_") || "carom";
}

function download(blob: Blob, file: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${file}_${name.toLowerCase().replace(/[^\w.]+/g, "_")}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveCanvas(file: string, title: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => blob && download(blob, file, `${title}.png`));
}

/** A canvas on the page's ground. */
function onGround(source: HTMLCanvasElement, ground: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height;
  const context = canvas.getContext("2d")!;
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0);
  return canvas;
}

export function savePlotPng(file: string, title: string, canvas: HTMLCanvasElement, ground: string): void {
  saveCanvas(file, title, onGround(canvas, ground));
}

/** Round numbers that divide a range. */
export function ticks(low: number, high: number, wish: number): number[] {
  const raw = (high - low) / wish, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((one) => one >= raw) ?? raw;
  const list: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) list.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return list;
}

const escapeText = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A plot as a picture of lines and letters, dark on white, for papers. */
export function plotSvg(plotted: Plotted, along: string, from?: number, to?: number): string {
  const width = 720, high = 400, left = 78, right = 16, top = 34, bottom = 78;
  const { times, curves, unit, title } = plotted;
  const t0 = from ?? times[0], t1 = to ?? times[times.length - 1];
  let low = Infinity, most = -Infinity;
  for (const curve of curves)
    for (let i = 0; i < times.length; ++i)
      if (times[i] >= t0 && times[i] <= t1 && Number.isFinite(curve.values[i])) {
        low = Math.min(low, curve.values[i]);
        most = Math.max(most, curve.values[i]);
      }
  if (!(most > low)) [low, most] = [low - 1, low + 1];
  const pad = 0.04 * (most - low);
  [low, most] = [low - pad, most + pad];
  const x = (t: number) => left + ((t - t0) / (t1 - t0)) * (width - left - right);
  const y = (v: number) => high - bottom - ((v - low) / (most - low)) * (high - top - bottom);
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${high}" viewBox="0 0 ${width} ${high}" font-family="Helvetica, Arial, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${high}" fill="#fff"/>`, `<text x="${left}" y="20" font-size="14" font-weight="bold">${escapeText(title)}</text>`];
  for (const t of ticks(t0, t1, 8)) parts.push(`<path d="M${x(t).toFixed(1)} ${top}V${high - bottom}" stroke="#e4e4e4"/><text x="${x(t).toFixed(1)}" y="${high - bottom + 17}" text-anchor="middle">${number(t, 5)}</text>`);
  for (const v of ticks(low, most, 6)) parts.push(`<path d="M${left} ${y(v).toFixed(1)}H${width - right}" stroke="#e4e4e4"/><text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${number(v, 5)}</text>`);
  parts.push(`<text x="${(left + width - right) / 2}" y="${high - bottom + 34}" text-anchor="middle">${escapeText(along)}</text>`);
  if (unit) parts.push(`<text transform="translate(18 ${(top + high - bottom) / 2}) rotate(-90)" text-anchor="middle">[${escapeText(unit)}]</text>`);
  curves.forEach((curve, k) => {
    let path = "";
    for (let i = 0; i < times.length; ++i)
      if (times[i] >= t0 && times[i] <= t1 && Number.isFinite(curve.values[i])) path += `${path ? "L" : "M"}${x(times[i]).toFixed(1)} ${y(curve.values[i]).toFixed(1)}`;
    const color = curve.color || colorOf(k, curves.length);
    const dash = curve.dash?.length ? ` stroke-dasharray="${curve.dash.join(" ")}"` : "";
    parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"${dash}/>`);
    const place = left + (k % 4) * 158, line = high - 26 + 16 * Math.floor(k / 4);
    parts.push(`<path d="M${place} ${line - 4}h18" stroke="${color}" stroke-width="3"${dash}/><text x="${place + 24}" y="${line}">${escapeText(curve.name)}</text>`);
  });
  return parts.join("\n") + "\n</svg>\n";
}

export function savePlotSvg(home: PlotHome, plotted: Plotted, from?: number, to?: number): void {
  download(new Blob([plotSvg(plotted, home.along ?? "t [s]", from, to)], { type: "image/svg+xml" }), home.file, `${plotted.title}.svg`);
}

export function savePicture(file: string, canvas: HTMLCanvasElement): void {
  saveCanvas(file, "picture", canvas);
}

/** Films a canvas until `stop` is called. */
export function film(file: string, canvas: HTMLCanvasElement): { stop: () => void } | null {
  if (!("MediaRecorder" in window) || !canvas.captureStream) return null;
  const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
  if (!kind) return null;
  const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: kind, videoBitsPerSecond: 12_000_000 });
  const pieces: Blob[] = [];
  recorder.ondataavailable = (event) => event.data.size && pieces.push(event.data);
  recorder.onstop = () => download(new Blob(pieces, { type: kind }), file, kind.includes("mp4") ? "run.mp4" : "run.webm");
  recorder.start(250);
  return { stop: () => recorder.state !== "inactive" && recorder.stop() };
}
