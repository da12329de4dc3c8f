// What happens at every frame of a view.

const longest = 0.1; // [s] of a frame; after a longer one, in a hidden tab for instance, time goes on from there

/** Calls `act` with the seconds since the frame before, until `signal` ends it. */
export function everyFrame(act: (seconds: number) => void, signal: AbortSignal): void {
  let last = performance.now(), next = 0;
  const loop = (now: number) => {
    const seconds = Math.min(Math.max((now - last) / 1000, 0), longest);
    last = now;
    next = requestAnimationFrame(loop);
    act(seconds);
  };
  next = requestAnimationFrame(loop);
  signal.addEventListener("abort", () => cancelAnimationFrame(next));
}

const late = 60, veryLate = 180, often = 3; // [ms] from frame to frame, so many times in a row; the very late count twice
const hopeless = 350; // [ms]: at once by two steps

/** Tells when pictures that follow each other come too late. */
export class Pace {
  private last = -Infinity;
  private times = 0;

  /** A picture is about to be drawn; by how many steps it should be made simpler, because those before took too long. */
  late(now = performance.now()): number {
    const passed = now - this.last;
    this.last = now;
    this.times = Number.isFinite(passed) && passed > late ? this.times + (passed > veryLate ? 2 : 1) : 0;
    if (this.times < often) return 0;
    this.times = 0;
    return passed > hopeless ? 2 : 1;
  }
  /** Nothing was drawn. */
  rest(): void {
    this.last = -Infinity;
    this.times = 0;
  }
}

/** People who ask their system for less motion get less. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
