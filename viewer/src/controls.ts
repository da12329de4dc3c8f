// Buttons, the bar of time and keys.

import { cssColor } from "./colors";
import { number, quantity, roundLength, time } from "./format";
import { listenToKeys } from "./keys";
import type { Parts } from "./parts";
import type { Player, Timeline } from "./player";
import type { Stage } from "./stage";

const steps = 100_000; // of the bar of time

function speedText(speed: number): string {
  if (speed === 1) return "real time";
  return speed > 1 ? `${speed.toLocaleString("en")} × faster` : `${Math.round(1 / speed).toLocaleString("en")} × slower`;
}

/** Impacts as marks above the bar of time, approximate steps as diamonds. */
function drawTicks(canvas: HTMLCanvasElement, run: Timeline, player: Player): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, canvas.clientWidth * ratio);
  canvas.height = Math.max(1, canvas.clientHeight * ratio);
  const context = canvas.getContext("2d")!;
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (player.inside || !(run.end > 0)) return;
  const thumb = 8 * ratio, width = canvas.width - 2 * thumb;
  context.fillStyle = cssColor("--force");
  context.globalAlpha = run.impactTimes.length > 150 ? 0.25 : 0.7;
  const x = (t: number) => thumb + (t / run.end) * width, half = canvas.height / 2;
  for (const t of run.impactTimes) context.fillRect(x(t) - ratio / 2, 0, ratio, canvas.height * 0.75);
  context.fillStyle = cssColor("--load");
  context.globalAlpha = 1;
  context.beginPath();
  for (const t of run.warningTimes ?? []) {
    context.moveTo(x(t), 0);
    for (const [right, down] of [[0.7, 1], [0, 2], [-0.7, 1]]) context.lineTo(x(t) + right * half, down * half);
    context.closePath();
  }
  context.fill();
}

/** What keys and the slow-motion button lead to, where there is an inside of impacts. */
export interface Inward {
  enter: () => void;
  leave: () => void;
}

export interface Controls {
  update: () => void;
  retint: () => void;
}

/** The buttons, the bar of time and the keys of `root`, until `signal` ends them. With a unit, times are shown with its prefix. */
export function setUpControls(root: HTMLElement, parts: Parts, run: Timeline, player: Player, inward: Inward, signal: AbortSignal, unit = ""): Controls {
  const play = parts<HTMLButtonElement>("play"), scrub = parts<HTMLInputElement>("scrub"), speed = parts<HTMLSelectElement>("speed");
  const output = parts<HTMLOutputElement>("time"), mode = parts("mode"), ticks = parts<HTMLCanvasElement>("ticks");
  play.onclick = () => player.toggle();
  parts("previous").onclick = () => player.toImpact(-1);
  parts("next").onclick = () => player.toImpact(1);
  scrub.oninput = () => player.seekPart(Number(scrub.value) / steps);
  speed.onchange = () => (player.speed = Number(speed.value));
  if (!run.impactTimes.length) for (const id of ["previous", "next"]) parts<HTMLButtonElement>(id).disabled = true;
  const recordStep = run.recordTimes.length > 1 ? run.recordTimes[1] - run.recordTimes[0] : 0.01;

  const update = () => {
    scrub.value = String(Math.round(player.part * steps));
    const text = player.inside ? quantity(player.insideTime, "s", 4) : unit ? quantity(player.t, unit, 4) : time(player.t, recordStep / 2, run.end);
    output.textContent = text;
    scrub.setAttribute("aria-valuetext", text);
    mode.textContent = player.inside ? `inside the impact, ${speedText(player.speed)}` : "";
  };
  const state = () => {
    play.setAttribute("aria-pressed", String(player.playing));
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    const offered = player.speeds;
    if (offered.length !== speed.options.length) speed.replaceChildren(...offered.map((one) => new Option(speedText(one), String(one))));
    speed.value = String(player.speed);
    drawTicks(ticks, run, player);
    update();
  };
  player.onState = state;
  new ResizeObserver(() => drawTicks(ticks, run, player)).observe(ticks);

  listenToKeys(root, {
    " ": () => player.toggle(),
    ArrowRight: (event) => (event.shiftKey ? player.toImpact(1) : player.step(1)),
    ArrowLeft: (event) => (event.shiftKey ? player.toImpact(-1) : player.step(-1)),
    "+": () => player.faster(1),
    "=": () => player.faster(1),
    "-": () => player.faster(-1),
    Home: () => player.seekPart(0),
    End: () => player.seekPart(1),
    Escape: inward.leave,
    s: inward.enter,
  }, signal);
  state();
  return { update, retint: () => drawTicks(ticks, run, player) };
}

const lengthText = (length: number) => (length >= 0.01 && length < 1 ? `${number(length * 100)} cm` : quantity(length, "m"));

/** A round length at the scale of the plane; in space how long the squares on walls are. */
export function showScale(scale: HTMLElement, stage: Stage | null): void {
  const metresPerPixel = stage?.view.metresPerPixel() ?? null, squares = stage?.squares ?? 0, bar = scale.querySelector("i") as HTMLElement;
  scale.hidden = metresPerPixel === null && !(squares > 0);
  bar.hidden = metresPerPixel === null;
  if (metresPerPixel === null) return void (scale.querySelector("span")!.textContent = `squares of ${lengthText(squares)}`);
  const length = roundLength(110 * metresPerPixel);
  bar.style.width = `${length / metresPerPixel}px`;
  scale.querySelector("span")!.textContent = lengthText(length);
}
