// Scenes in the guide that run where they stand.

import { element, time } from "../format";
import type { WasmCore } from "../lab/wasm_core";
import { hashOf } from "../lab/share";
import { LivePicture } from "./live_picture";

class Example {
  private stopped: AbortController | null = null;
  private readonly run: HTMLButtonElement;
  private readonly place: HTMLElement;

  constructor(private readonly figure: HTMLElement, private readonly core: WasmCore) {
    this.run = figure.querySelector("button")!;
    this.place = figure.querySelector(".running")!;
    this.run.onclick = () => (this.stopped ? this.stopped.abort() : void this.start());
    const link = figure.querySelector("a")!;
    link.onclick = async (event) => {
      event.preventDefault();
      location.href = link.href + (await hashOf({ scene: this.text, run: true }));
    };
  }

  private get text(): string {
    return this.figure.querySelector("code")!.textContent ?? "";
  }

  private async start(): Promise<void> {
    this.stopped = new AbortController();
    this.run.textContent = "Stop";
    const bar = element("progress", { max: 1 });
    bar.setAttribute("aria-label", "How far the run is");
    this.place.replaceChildren(bar);
    this.place.hidden = false;
    try {
      const answer = await this.core.run({ scene: this.text }, ({ t, duration }) => (bar.value = t / duration), this.stopped.signal);
      this.show(answer);
    } catch (error) {
      const left = (error as Error).name === "AbortError";
      this.place.hidden = left;
      this.place.replaceChildren(element("p", { className: "note", textContent: (error as Error).message }));
    } finally {
      this.stopped = null;
      this.run.textContent = "Run";
    }
  }

  private show({ report, text }: Awaited<ReturnType<WasmCore["run"]>>): void {
    const view = element("div", { className: "picture" }), play = element("button", { type: "button" });
    const scrub = element("input", { type: "range", min: "0", max: "10000", value: "0" }), now = element("output");
    scrub.setAttribute("aria-label", "Time");
    const said = element("details", {}, element("summary", { textContent: "What the run says" }), element("pre", { textContent: text }));
    this.place.replaceChildren(view, element("p", { className: "times" }, play, scrub, now), said);
    const live = new LivePicture(view, report, false);
    live.onTime = (t) => {
      scrub.value = String((1e4 * t) / Math.max(live.end, 1e-300));
      now.textContent = time(t, live.end / 1000, live.end);
    };
    live.onState = () => (play.textContent = live.playing ? "Pause" : "Play");
    play.onclick = () => live.toggle();
    scrub.oninput = () => live.seekPart(Number(scrub.value) / 1e4);
    new IntersectionObserver(([{ isIntersecting }]) => (isIntersecting ? live.wake() : live.sleep())).observe(view);
    live.wake();
    live.onState();
  }
}

export function setUpExamples(core: WasmCore): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure.example")) new Example(figure, core);
}
