// Phase plots: the velocity of a body over its position, with a dot at the moment shown.

import { colorOf, cssColor } from "./colors";
import { pathSvg, ticks } from "./figure";
import { element, shortNames, tickTexts } from "./format";
import type { Run } from "./run";
import { saveButtons } from "./save";

const tall = 250, left = 76, bottom = 40, top = 12, right = 14; // [pixels]

/** Pairs of columns that belong together: x and vx, angle and spin. */
const pairs: [string, string, string][] = [["x", "vx", "x"], ["y", "vy", "y"], ["z", "vz", "z"], ["angle", "spin", "angle"]];

export class PhasePlot {
  readonly card: HTMLElement;
  private readonly canvas = element("canvas", { className: "phase", role: "img", ariaLabel: "Velocity over position" });
  private readonly body = element("select", { ariaLabel: "Body" });
  private readonly axis = element("select", { ariaLabel: "Coordinate" });
  private path: { at: Float64Array; rate: Float64Array } | null = null;
  private range = [0, 1, 0, 1];
  private t = 0;

  constructor(private readonly run: Run, file: string) {
    shortNames(run.moving.slice(0, 400).map((body) => run.nameOf(body)), 24).forEach((name, i) => this.body.append(new Option(name, String(i))));
    for (const [at, rate, name] of pairs) if (this.columns(at, rate)) this.axis.append(new Option(`${name}, ${rate}`, at));
    this.body.onchange = this.axis.onchange = () => this.choose();
    const save = saveButtons(file, () => {
      const path = this.path, [x0, x1, y0, y1] = this.range, title = `Phase of ${run.nameOf(run.moving[Number(this.body.value)])}`;
      return path && { title, draw: (look) => pathSvg({ title, ...this.labels() }, path.at, path.rate, [[x0, x1], [y0, y1]], colorOf(0, 1), look) };
    });
    this.card = element("article", { className: "card" }, element("div", { className: "cardhead" }, element("h2", { textContent: "Phase" }), this.body, this.axis, ...save), this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.axis.value = this.liveliest() ?? this.axis.value;
    this.choose();
  }
  /** The coordinate of the first body whose velocity changes most. */
  private liveliest(): string | null {
    const { run } = this, frames = run.times.length, spans = [...this.axis.options].map(({ value }) => {
      const [, column] = this.columns(value, pairs.find((one) => one[0] === value)![1])!;
      let low = Infinity, high = -Infinity;
      for (let i = 0; i < frames; ++i) {
        const rate = run.velocities![i * run.moving.length * run.velocityWidth + column];
        [low, high] = [Math.min(low, rate), Math.max(high, rate)];
      }
      return { value, span: value === "angle" ? 0 : high - low };
    });
    return spans.length ? spans.reduce((best, one) => (one.span > best.span ? one : best)).value : null;
  }
  static isPossible(run: Run): boolean {
    return run.velocities !== null && run.moving.length > 0;
  }

  private columns(at: string, rate: string): [number, number] | null {
    const find = (list: string[] | undefined, name: string) => list?.findIndex((one) => one.split(" ")[0] === name) ?? -1;
    const i = find(this.run.report.frames.poses.columns, at), j = find(this.run.report.frames.velocities?.columns, rate);
    return i >= 0 && j >= 0 ? [i, j] : null;
  }

  private labels(): { along: string; upward: string } {
    const axis = this.axis.value;
    return axis === "angle" ? { along: "angle [rad]", upward: "spin [rad/s]" } : { along: `${axis} [m]`, upward: `v${axis} [m/s]` };
  }

  private choose(): void {
    const pair = pairs.find((one) => one[0] === this.axis.value), columns = pair && this.columns(pair[0], pair[1]), { run } = this;
    if (!columns || !run.velocities) return;
    const frames = run.times.length, count = run.moving.length, body = Number(this.body.value);
    const take = (table: Float32Array, width: number, column: number) => Float64Array.from({ length: frames }, (_, i) => table[(i * count + body) * width + column]);
    const at = take(run.poses, run.poseWidth, columns[0]), rate = take(run.velocities, run.velocityWidth, columns[1]);
    const around = (list: Float64Array) => {
      let low = Infinity, high = -Infinity;
      for (const value of list) [low, high] = [Math.min(low, value), Math.max(high, value)];
      const pad = high > low ? 0.06 * (high - low) : Math.max(Math.abs(high), 1) * 0.1;
      return [low - pad, high + pad];
    };
    this.path = { at, rate };
    this.range = [...around(at), ...around(rate)];
    this.draw();
  }

  /** The moment that the animation shows. */
  at(t: number): void {
    this.t = t;
    this.draw();
  }

  draw(): void {
    const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth, context = this.canvas.getContext("2d");
    if (!this.path || !width || !context) return;
    if (this.canvas.width !== Math.round(width * ratio)) Object.assign(this.canvas, { width: Math.round(width * ratio), height: tall * ratio });
    const [x0, x1, y0, y1] = this.range, { at, rate } = this.path;
    const x = (v: number) => left + ((v - x0) / (x1 - x0)) * (width - left - right), y = (v: number) => tall - bottom - ((v - y0) / (y1 - y0)) * (tall - top - bottom);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, tall);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = cssColor("--soft");
    context.strokeStyle = cssColor("--grid");
    context.lineWidth = 1;
    context.beginPath();
    context.textAlign = "center";
    const across = ticks(x0, x1, 5), upwards = ticks(y0, y1, 5), acrossTexts = tickTexts(across), upwardTexts = tickTexts(upwards);
    across.forEach((v, i) => {
      context.moveTo(x(v), top);
      context.lineTo(x(v), tall - bottom);
      context.fillText(acrossTexts[i], x(v), tall - bottom + 16);
    });
    context.textAlign = "right";
    upwards.forEach((v, i) => {
      context.moveTo(left, y(v));
      context.lineTo(width - right, y(v));
      context.fillText(upwardTexts[i], left - 6, y(v) + 4);
    });
    context.stroke();
    const { along, upward } = this.labels();
    context.textAlign = "center";
    context.fillText(along, (left + width) / 2, tall - 6);
    context.save();
    context.translate(12, (top + tall - bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(upward, 0, 0);
    context.restore();
    context.strokeStyle = colorOf(0, 1);
    context.lineWidth = 1.5;
    context.beginPath();
    for (let i = 0; i < at.length; ++i) context.lineTo(x(at[i]), y(rate[i]));
    context.stroke();
    const [frame, part] = this.run.locate(this.t), next = Math.min(frame + 1, at.length - 1);
    context.fillStyle = cssColor("--force");
    context.beginPath();
    context.arc(x(at[frame] + (at[next] - at[frame]) * part), y(rate[frame] + (rate[next] - rate[frame]) * part), 5, 0, 2 * Math.PI);
    context.fill();
  }
}
