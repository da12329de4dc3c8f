// Forces of contacts over the time of an impact: at any moment, and as a picture with a row for each contact.

import { forceColor } from "./colors";
import { floats, unpack, type Table } from "./data";
import { lastBefore } from "./run";

/** What a picture is made of: of an impact inside a run, or of a path. */
export interface WaveData {
  names: string[];
  peak: number; // [N]
  times: string;
  force: Table;
}

/** Between two rows of a table, linearly. */
export function mixed(times: ArrayLike<number>, table: Float32Array, width: number, t: number, i: number): number {
  const a = lastBefore(times, t), b = Math.min(a + 1, times.length - 1);
  const step = times[b] - times[a], part = step > 0 ? Math.min((t - times[a]) / step, 1) : 0;
  return table[a * width + i] + (table[b * width + i] - table[a * width + i]) * part;
}

export class Wave {
  readonly times: Float32Array;
  readonly force: Float32Array; // (times x contacts)
  private image: HTMLCanvasElement | null = null;

  /** Colours reach their end at `peak` [N]. */
  constructor(readonly data: WaveData, readonly peak = data.peak) {
    this.times = floats(data.times);
    this.force = unpack(data.force, data.names.length);
  }
  get duration(): number {
    return this.times[this.times.length - 1] ?? 0;
  }
  forceAt(t: number, contact: number): number {
    return t > this.duration ? 0 : mixed(this.times, this.force, this.data.names.length, t, contact);
  }

  private pixels(): HTMLCanvasElement {
    const image = document.createElement("canvas");
    image.width = this.times.length;
    image.height = this.data.names.length;
    const context = image.getContext("2d")!, pixels = context.createImageData(image.width, image.height);
    for (let i = 0; i < image.width; ++i)
      for (let j = 0; j < image.height; ++j) {
        const [r, g, b] = forceColor(Math.max(0, this.force[i * image.height + j]) / this.peak);
        pixels.data.set([r, g, b, 255], 4 * (j * image.width + i));
      }
    context.putImageData(pixels, 0, 0);
    return image;
  }

  /** The picture by itself, as an address. */
  address(): string {
    return this.widened(this.pixels(), 1200).toDataURL("image/png");
  }
  /** Smooth along time, not across contacts. */
  private widened(image: HTMLCanvasElement, width: number): HTMLCanvasElement {
    const wide = Object.assign(document.createElement("canvas"), { width, height: image.height });
    wide.getContext("2d")!.drawImage(image, 0, 0, width, image.height);
    return wide;
  }

  /** The picture from 0 to `until` [s], with a line at t. */
  draw(canvas: HTMLCanvasElement, t: number, until = this.duration): void {
    const image = (this.image ??= this.pixels()), ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (!width || !height || !(until > 0)) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d")!, own = Math.max(1, Math.round((this.duration / until) * width));
    const wide = this.widened(image, own);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = image.height > height;
    context.drawImage(wide, 0, 0, own, height);
    context.fillStyle = "#ffffff";
    context.fillRect(Math.round((t / until) * width) - ratio / 2, 0, 1.5 * ratio, height);
  }
}
