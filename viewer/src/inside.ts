// Inside an impact of a run: forces of its contacts as a picture of contact by time, and at one moment on the stage.

import type { Inside } from "./data";
import { element } from "./format";
import { Followed, InsideStage } from "./inside_stage";
import type { Parts } from "./parts";
import type { Player } from "./player";
import type { Stage } from "./stage";
import { seekable, waveButtons, waveFigure } from "./wave_card";

export class InsideView {
  now: Followed | null = null;
  private readonly card: HTMLElement;
  private readonly energy: HTMLElement; // gives its place away
  private readonly picture = element("canvas", { className: "wave" });
  private readonly shown: InsideStage | null;
  private cache = new Map<number, Followed>();

  constructor(parts: Parts, private readonly inside: Inside[], private readonly player: Player, stage: Stage | null, private readonly file: string) {
    this.card = parts("inside-card");
    this.energy = parts("energy-card");
    this.shown = stage && new InsideStage(stage);
    seekable(this.picture, player, () => this.now?.duration ?? 0);
    new ResizeObserver(() => this.drawPicture()).observe(this.picture);
  }

  numbers(): Set<number> {
    return new Set(this.inside.map((one) => one.number));
  }

  open(number: number, t: number): void {
    const data = this.inside.find((one) => one.number === number);
    if (!data) return;
    this.player.seek(t);
    if (!this.cache.has(number)) this.cache.set(number, new Followed(data));
    this.now = this.cache.get(number)!;
    this.fill(data);
    this.shown?.open(this.now, t);
    this.player.enter(this.now.duration);
    this.drawPicture();
  }

  private fill(data: Inside): void {
    this.card.hidden = false;
    this.energy.hidden = true;
    this.card.replaceChildren(
      element("div", { className: "cardhead" }, element("h2", { textContent: `Inside impact ${data.number}` }),
        ...waveButtons(this.file, `Forces inside impact ${data.number}`, () => this.now?.wave ?? null)),
      ...waveFigure(this.picture, data, this.now?.duration ?? 0, data.peak));
  }

  close(): void {
    if (this.now === null && this.card.hidden) return;
    this.now = null;
    this.card.hidden = true;
    this.energy.hidden = false;
    this.shown?.close();
    this.player.leave();
  }

  private drawPicture(): void {
    this.now?.wave.draw(this.picture, this.player.insideTime);
  }

  show(): void {
    if (!this.now) return;
    this.drawPicture();
    this.shown?.show(this.player.insideTime, this.player.t);
  }

  tint(color: string): void {
    this.shown?.tint(color);
  }
}
