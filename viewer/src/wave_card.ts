// What stands around the picture of forces inside an impact.

import { element, quantity } from "./format";
import type { Player } from "./player";

/** Its axis, its colours, and what its rows are. */
export function waveLegend({ names, contact_count }: { names: string[]; contact_count: number }, until: number, peak: number): HTMLElement[] {
  const more = contact_count > names.length ? `, ${names.length} shown` : "";
  const rows = names.length > 1 ? `Each row is a contact (${contact_count}${more}), from ${names[0]} above to ${names[names.length - 1]} below` : `The contact ${names[0] ?? ""} over time`;
  return [
    element("div", { className: "waveaxis" }, element("span", { textContent: "0" }), element("span", { textContent: "time →" }), element("span", { textContent: quantity(until, "s") })),
    element("div", { className: "heat" }, element("span", { textContent: "0" }), element("i"), element("span", { textContent: quantity(peak, "N") })),
    element("p", { className: "muted", textContent: `${rows}; the lighter, the larger its force.` }),
  ];
}

/** A pointer on the picture goes to that moment of the impact, which lasts `duration()` [s]; arrow keys step. */
export function seekable(canvas: HTMLCanvasElement, player: Player, duration: () => number): void {
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Force of each contact over the time of the impact");
  canvas.tabIndex = 0;
  const seek = (event: PointerEvent) => {
    if (!(event.buttons & 1) || !(duration() > 0)) return;
    const box = canvas.getBoundingClientRect();
    player.pause();
    player.seekInside(((event.clientX - box.left) / box.width) * duration());
  };
  canvas.addEventListener("pointerdown", seek);
  canvas.addEventListener("pointermove", seek);
}
