// A scene that runs in a picture: computed in the page's worker when it comes into sight, played again and again while it
// is seen. Browsers give a page few pictures in three dimensions at once; what goes out of sight leaves a still one.

import { isCalm } from "../frame_loop";
import { Run } from "../run";
import { ImpactList } from "../moment";
import { Picture } from "../picture";
import { Player } from "../player";
import { element } from "../format";
import { onTheme } from "../theme";
import type { Report } from "../data";

const mostAtOnce = 8; // pictures; browsers take the oldest away beyond 16
const restAtEnd = 1.2; // [s] before it starts again
const stillAt = 0.3; // of the run, where nothing is to move

const awake: LivePicture[] = [];

export class LivePicture {
  private picture: Picture | null = null;
  private player: Player | null = null;
  private readonly run: Run;
  private readonly still = element("canvas");
  private life: AbortController | null = null;
  private rested = 0;
  /** Told after every moment that is shown. */
  onTime: (t: number) => void = () => {};
  onState: () => void = () => {};

  constructor(private readonly home: HTMLElement, report: Report, private readonly again = true) {
    this.run = new Run(report);
    this.still.setAttribute("aria-hidden", "true");
    home.append(this.still);
  }

  get end(): number {
    return this.run.end;
  }
  get playing(): boolean {
    return this.player?.playing ?? false;
  }

  wake(): void {
    if (this.picture) return;
    while (awake.length >= mostAtOnce) farthest().sleep();
    const calm = isCalm();
    const canvas = element("canvas"), player = this.player ?? new Player(this.run);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${this.run.report.run.title || "The scene"}, moving`);
    this.home.append(canvas);
    let picture: Picture;
    try {
      picture = new Picture(canvas, this.run, new ImpactList(this.run), calm);
    } catch {
      canvas.remove();
      this.home.append(element("p", { className: "note", textContent: "This browser shows no 3D graphics (WebGL)." }));
      return;
    }
    picture.arrows.shown = false;
    picture.retint();
    this.life = new AbortController();
    onTheme(() => (picture.retint(), this.show(0)), this.life.signal);
    if (!this.player && calm) player.seekPart(stillAt);
    else if (!this.player) player.toggle();
    this.picture = picture;
    this.player = player;
    player.onTime = (before, watched) => this.show(watched, before);
    player.onState = () => this.onState();
    this.show(0);
    awake.push(this);
    this.loop();
  }

  sleep(): void {
    if (!this.picture) return;
    const { canvas } = this.picture.stage;
    this.picture.stage.draw(true);
    this.still.width = canvas.width;
    this.still.height = canvas.height;
    this.still.getContext("2d")?.drawImage(canvas, 0, 0);
    this.life!.abort();
    this.picture.destroy();
    canvas.remove();
    this.picture = null;
    awake.splice(awake.indexOf(this), 1);
  }

  toggle(): void {
    this.player?.toggle();
  }
  seekPart(part: number): void {
    this.player?.seekPart(part);
  }
  get middle(): number {
    const { top, bottom } = this.home.getBoundingClientRect();
    return (top + bottom) / 2;
  }

  private show(watched: number, before = this.player!.t): void {
    this.picture?.show(this.player!.t, before, watched, this.player!.speed);
    this.onTime(this.player!.t);
  }

  private loop(): void {
    let last = performance.now();
    const turn = (now: number) => {
      if (!this.picture || !this.player) return;
      const seconds = Math.min((now - last) / 1000, 0.1);
      last = now;
      this.player.tick(seconds);
      this.picture.tick(seconds);
      if (this.again) this.startAgain(seconds);
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }
  private startAgain(seconds: number): void {
    const player = this.player!, atEnd = !player.playing && player.part > 0.99999;
    this.rested = atEnd ? this.rested + seconds : 0;
    if (this.rested < restAtEnd) return;
    player.seekPart(0);
    player.toggle();
  }
}

function farthest(): LivePicture {
  const middle = innerHeight / 2;
  return awake.reduce((most, one) => (Math.abs(one.middle - middle) > Math.abs(most.middle - middle) ? one : most));
}
