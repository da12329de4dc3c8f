// The start page: every scene as a card. A card that comes into sight is computed, here, and plays.

import { number, quantity } from "../format";
import type { WasmCore } from "../lab/wasm_core";
import { siteScenes } from "../lab/wasm_code";
import { LivePicture } from "./live_picture";

const patience = 6; // [s] of work for a picture; longer runs show how they begin

class Card {
  private live: LivePicture | null = null;
  private asked = false;
  private seen = false;
  private stopped: AbortController | null = null;
  private readonly view: HTMLElement;
  private readonly state: HTMLElement;

  constructor(private readonly card: HTMLElement, private readonly core: WasmCore) {
    this.view = card.querySelector(".picture")!;
    this.state = card.querySelector(".state")!;
  }

  come(): void {
    this.seen = true;
    if (this.live) this.live.wake();
    else if (!this.asked) void this.compute();
  }
  go(): void {
    this.seen = false;
    this.stopped?.abort();
    this.live?.sleep();
  }

  private async compute(): Promise<void> {
    this.asked = true;
    this.stopped = new AbortController();
    this.state.textContent = "computing";
    this.card.dataset.state = "computing";
    try {
      const scene = (await siteScenes()).find((one) => one.name === this.card.dataset.scene)!;
      const { report } = await this.core.glance(scene.text, patience, this.stopped.signal);
      const { end, run } = report, part = end && end.t_end < 0.999 * run.duration;
      this.state.textContent = `${run.law}, ${number(end?.impacts ?? 0)} ${end?.impacts === 1 ? "impact" : "impacts"}, ` +
        `${part ? `the first ${quantity(end.t_end, "s")}` : quantity(end?.t_end ?? run.duration, "s")} computed in ${quantity(end?.seconds ?? 0, "s", 2)}`;
      this.live = new LivePicture(this.view, report);
      this.card.dataset.state = "ready";
      if (this.seen) this.live.wake();
    } catch (error) {
      const left = (error as Error).name === "AbortError";
      this.asked = !left;
      this.card.dataset.state = left ? "" : "failed";
      this.state.textContent = left ? "" : (error as Error).message;
      if (left && this.seen) void this.compute();
    } finally {
      this.stopped = null;
    }
  }
}

export function setUpGallery(core: WasmCore): void {
  const cards = new Map([...document.querySelectorAll<HTMLElement>("[data-scene]")].map((one) => [one, new Card(one, core)]));
  const watch = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const card = cards.get(target as HTMLElement)!;
        if (isIntersecting) card.come();
        else card.go();
      }
    },
    { rootMargin: "80px" },
  );
  for (const card of cards.keys()) watch.observe(card);
}
