// What stands around the picture of forces inside an impact.

import { heatStops } from "./colors";
import { ticks, waveSvg } from "./figure";
import { element, number, quantity, scaled, scaleOf, shortNames } from "./format";
import type { Player } from "./player";
import { saveButtons } from "./save";
import type { Wave } from "./wave";

const mostNames = 12; // beside rows: of more, the first and the last
const lettersBeside = 16;

interface Shown {
  names: string[];
  contact_count: number;
  parameter?: string;
}

/** Several contacts of the same two bodies are counted. */
function numbered(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${count})`;
  });
}

/** The picture with the names of its rows, its axis and its colours, which end at `peak` [N]. */
export function waveFigure(canvas: HTMLCanvasElement, { names, contact_count, parameter }: Shown, until: number, peak: number): HTMLElement[] {
  const told = numbered(names), beside = told.length > mostNames ? [told[0], told[told.length - 1]] : told, scale = scaleOf(until);
  const rows = element("ol", { className: names.length > mostNames ? "rows ends" : "rows", ariaHidden: "true" }, ...shortNames(beside, lettersBeside).map((name, i) => element("li", { textContent: name, title: beside[i] })));
  const marks = ticks(0, until, 4).map((t) => {
    const mark = element("span", { textContent: number(t / scale.factor, 3) });
    mark.style.left = `${(100 * t) / until}%`;
    return mark;
  });
  const more = contact_count > names.length ? ` (${names.length} of ${contact_count})` : names.length > mostNames ? ` (${names.length})` : "";
  return [
    element("div", { className: "wavebox" }, rows, canvas, element("div", { className: "waveaxis" }, ...marks),
      element("p", { className: "wavelabel", textContent: scaled(parameter === "impulse" ? "normal impulse [N s]" : "time in the impact [s]", scale) })),
    element("div", { className: "heat" }, element("span", { textContent: "0" }), element("i"), element("span", { textContent: quantity(peak, "N") })),
    element("p", { className: "muted", textContent: names.length > 1 ? `Each row is a contact${more}; the lighter, the larger its force.` : "The lighter, the larger the force of the contact." }),
  ];
}

/** Buttons that save the picture of an impact. */
export function waveButtons(file: string, title: string, wave: () => Wave | null): HTMLElement[] {
  return saveButtons(file, () => {
    const now = wave();
    return now && {
      title, draw: (look) => waveSvg(title, now.data.names, "time in the impact [s]", now.duration, quantity(now.peak, "N"), now.address(), heatStops, look),
    };
  });
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
