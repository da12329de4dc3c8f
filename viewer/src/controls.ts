// Buttons, the bar of time and keys.

import { cssColor } from "./colors";
import { byId, number, quantity, time } from "./format";
import type { Player } from "./player";
import type { Run } from "./run";

const steps = 100_000; // of the bar of time

function speedText(speed: number): string {
  if (speed === 1) return "real time";
  return speed > 1 ? `${number(speed)} × faster` : `${Math.round(1 / speed).toLocaleString("en")} × slower`;
}

/** Impacts as marks above the bar of time. */
function drawTicks(run: Run, player: Player): void {
  const canvas = byId<HTMLCanvasElement>("ticks"), ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, canvas.clientWidth * ratio);
  canvas.height = Math.max(1, canvas.clientHeight * ratio);
  const context = canvas.getContext("2d")!;
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (player.inside || !(run.end > 0)) return;
  const thumb = 8 * ratio, width = canvas.width - 2 * thumb;
  context.fillStyle = cssColor("--force");
  context.globalAlpha = run.impactTimes.length > 150 ? 0.25 : 0.7;
  for (const t of run.impactTimes) context.fillRect(thumb + (t / run.end) * width - ratio / 2, 0, ratio, canvas.height * 0.75);
}

export function setUpControls(run: Run, player: Player, leaveInside: () => void, lookInside: () => void): { update: () => void; retint: () => void } {
  const play = byId<HTMLButtonElement>("play"), scrub = byId<HTMLInputElement>("scrub"), speed = byId<HTMLSelectElement>("speed");
  const output = byId<HTMLOutputElement>("time"), mode = byId("mode"), ticks = byId<HTMLCanvasElement>("ticks");
  for (const one of player.speeds) speed.append(new Option(speedText(one), String(one)));
  play.onclick = () => player.toggle();
  byId("previous").onclick = () => player.toImpact(-1);
  byId("next").onclick = () => player.toImpact(1);
  scrub.oninput = () => player.seekPart(Number(scrub.value) / steps);
  speed.onchange = () => (player.speed = Number(speed.value));
  if (!run.impactTimes.length) for (const id of ["previous", "next"]) byId<HTMLButtonElement>(id).disabled = true;
  const recordStep = run.recordTimes.length > 1 ? run.recordTimes[1] - run.recordTimes[0] : 0.01;

  const update = () => {
    scrub.value = String(Math.round(player.part * steps));
    const text = player.inside ? quantity(player.insideTime, "s", 4) : time(player.t, recordStep / 2);
    output.textContent = text;
    scrub.setAttribute("aria-valuetext", text);
    mode.textContent = player.inside ? `inside the impact, ${speedText(player.speed)}` : "";
  };
  const state = () => {
    play.setAttribute("aria-pressed", String(player.playing));
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    speed.value = String(player.speed);
    drawTicks(run, player);
    update();
  };
  player.onState = state;
  new ResizeObserver(() => drawTicks(run, player)).observe(ticks);

  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const isPressable = /^(BUTTON|SUMMARY)$/.test(target.tagName) || (target as HTMLInputElement).type === "checkbox" || target.tagName === "TR";
    const isBar = target === scrub;
    const acts: Record<string, () => void> = {
      ArrowRight: () => (event.shiftKey ? player.toImpact(1) : player.step(1)),
      ArrowLeft: () => (event.shiftKey ? player.toImpact(-1) : player.step(-1)),
      "+": () => player.faster(1),
      "=": () => player.faster(1),
      "-": () => player.faster(-1),
      Home: () => player.seekPart(0),
      End: () => player.seekPart(1),
      Escape: leaveInside,
      s: lookInside,
    };
    if (event.key === " " && !isPressable) acts[" "] = () => player.toggle();
    if (isBar && (event.key === "Home" || event.key === "End")) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  state();
  return { update, retint: () => drawTicks(run, player) };
}

/** A round length that the plane shows at this scale. */
export function showScale(metresPerPixel: number | null): void {
  const scale = byId("scale");
  scale.hidden = metresPerPixel === null;
  if (metresPerPixel === null) return;
  const wish = 110 * metresPerPixel, power = 10 ** Math.floor(Math.log10(wish));
  const length = [5, 2, 1].map((f) => f * power).find((one) => one <= wish) ?? power;
  (scale.querySelector("i") as HTMLElement).style.width = `${length / metresPerPixel}px`;
  scale.querySelector("span")!.textContent = length >= 0.01 && length < 1 ? `${number(length * 100)} cm` : quantity(length, "m");
}
