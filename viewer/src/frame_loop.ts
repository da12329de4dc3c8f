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

/** People who ask their system for less motion get less. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
