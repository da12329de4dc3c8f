// A run in progress: how far it is, how long it will take, and an end to it.

import { byId } from "./page";
import type { Progress } from "./core";

function seconds(s: number): string {
  if (s < 1) return "less than a second";
  if (s < 90) return `${Math.round(s)} s`;
  return s < 5400 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
}

export class Running {
  private abort: AbortController | null = null;
  private began = 0;
  private clock = 0;
  onChange = () => {};

  constructor() {
    byId("cancel").onclick = () => this.cancel();
  }
  get isRunning(): boolean {
    return this.abort !== null;
  }
  cancel(): void {
    this.abort?.abort();
  }

  /** Does it with a bar of progress; nothing comes of what is cancelled. */
  async run<T>(laws: string[], work: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<T>): Promise<T | null> {
    if (this.abort) return null;
    const abort = (this.abort = new AbortController()), box = byId("progress");
    this.began = performance.now();
    this.show(null, laws);
    // what takes no time shows no bar
    this.clock = window.setTimeout(() => (box.hidden = false), 150);
    this.onChange();
    try {
      return await work((progress) => this.show(progress, laws), abort.signal);
    } catch (error) {
      if (abort.signal.aborted || (error as Error).name === "AbortError") return null;
      throw error;
    } finally {
      clearTimeout(this.clock);
      box.hidden = true;
      this.abort = null;
      this.onChange();
    }
  }

  private show(progress: Progress | null, laws: string[]): void {
    const bar = byId<HTMLProgressElement>("bar"), text = byId("bar-text");
    if (!progress) {
      bar.removeAttribute("value");
      text.textContent = "Starting …";
      return;
    }
    const own = progress.duration > 0 ? Math.min(1, progress.t / progress.duration) : 0;
    const done = laws.length > 1 ? (Math.max(0, laws.indexOf(progress.law ?? "")) + own) / laws.length : own;
    const passed = (performance.now() - this.began) / 1000;
    const left = done > 0.01 && passed > 0.5 ? `, about ${seconds((passed * (1 - done)) / done)} left` : "";
    bar.value = done;
    const law = laws.length > 1 && progress.law ? `${progress.law}: ` : "";
    text.textContent = `${law}${progress.t.toPrecision(3)} of ${progress.duration} s${progress.impacts ? `, ${progress.impacts.toLocaleString("en")} impacts` : ""}${left}`;
  }
}
