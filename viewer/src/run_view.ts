// The view of a run: animation, plots, impacts and tables, mounted into an element. A page may hold several.

import { cssColor } from "./colors";
import { setUpControls, showScale } from "./controls";
import type { Impact, Report } from "./data";
import { energyCard } from "./energy";
import { everyFrame, isCalm } from "./frame_loop";
import { InsideView } from "./inside";
import { ImpactList, Moment } from "./moment";
import { fill, runMarkup, type Parts } from "./parts";
import { PhasePlot } from "./phase";
import { Picture } from "./picture";
import { setUpPictures } from "./picture_tools";
import { Player } from "./player";
import { plotCard, type Plot, type PlotHome } from "./plots";
import { firstPlots, quantitiesOf } from "./quantities";
import { Run } from "./run";
import { fileNameOf } from "./save";
import { Tables } from "./tables";
import { onTheme } from "./theme";

export interface RunOptions {
  /** Plays at once, unless people ask for less motion. */
  autoplay?: boolean;
  /** Where to begin [s]. */
  t?: number;
}
export interface RunView {
  readonly run: Run;
  readonly player: Player;
  /** The animation; nothing where there is no WebGL. */
  readonly picture: Picture | null;
  seek(t: number): void;
  destroy(): void;
}

let views = 0;

export function mountRun(root: HTMLElement, report: Report, options: RunOptions = {}): RunView {
  const parts = fill(root, runMarkup), life = new AbortController();
  const calm = isCalm();
  const run = new Run(report), player = new Player(run), list = new ImpactList(run);
  const picture = makePicture(parts, run, list, calm), stage = picture?.stage ?? null;
  if (stage?.view.isWide) root.querySelector(".first")!.classList.add("wide");
  const inside = new InsideView(parts, report.inside, player, stage, fileNameOf(report.run.scene)), playable = inside.numbers();
  const lookInside = (impact: Impact) => inside.open(impact.number, impact.t);
  const moment = new Moment(run, list, parts("moment-card"), playable, lookInside);
  const seek = (t: number) => {
    inside.close();
    player.seek(t);
  };
  const tables = new Tables(report, parts, {
    playable,
    seek: (t) => {
      player.pause();
      seek(t);
    },
    lookInside: (number, t) => {
      inside.open(number, t);
      parts("stage-card").scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
    },
  });

  const home: PlotHome = { seek, sync: `carom ${++views}`, file: fileNameOf(report.run.scene) };
  const plots: Plot[] = [energyCard(run, parts("energy-card"), home)];
  const quantities = quantitiesOf(run, stage?.colors ?? []);
  const addPlot = (key: string) => {
    const { card, plot } = plotCard(quantities, key, home);
    parts("plots").append(card);
    plots.push(plot);
  };
  firstPlots(quantities).forEach(addPlot);
  parts("add-plot").onclick = () => addPlot(quantities[0].key);
  const phases: PhasePlot[] = [], addPhase = parts("add-phase");
  addPhase.hidden = !PhasePlot.isPossible(run);
  addPhase.onclick = () => {
    const phase = new PhasePlot(run, home.file);
    phases.push(phase);
    parts("plots").append(phase.card);
    phase.at(player.t);
  };

  const look = parts<HTMLButtonElement>("look-inside");
  const enter = () => {
    const last = list.last(player.t), impact = last && playable.has(last.number) ? last : report.impacts.find((one) => playable.has(one.number));
    if (impact && !player.inside) lookInside(impact);
  };
  const controls = setUpControls(root, parts, run, player, { enter, leave: () => inside.close() }, life.signal);
  look.hidden = !report.inside.length;
  look.onclick = () => (player.inside ? inside.close() : enter());

  player.onTime = (before, watched) => {
    if (!player.inside && inside.now) inside.close();
    controls.update();
    look.textContent = player.inside ? "Back to the run" : "Slow motion";
    root.classList.toggle("inside", player.inside);
    if (player.inside) {
      picture?.arrows.hide();
      return inside.show();
    }
    picture?.show(player.t, before, watched, player.speed);
    for (const plot of plots) plot.at(player.t);
    for (const phase of phases) phase.at(player.t);
    moment.at(player.t);
    tables.at(player.t);
  };

  const afterFrame = picture && setUpPictures(parts, [{ picture, title: "" }], run, player, home.file);
  if (picture) picture.stage.onView = () => showScale(parts("scale"), picture.stage);
  const tint = () => {
    picture?.retint();
    inside.tint(cssColor("--speed"));
    controls.retint();
    for (const plot of plots) plot.draw();
    player.onTime(player.t, 0);
  };
  onTheme(tint, life.signal);
  tint();
  if (options.t !== undefined) player.seek(options.t);

  everyFrame((seconds) => {
    player.tick(seconds);
    picture?.tick(seconds);
    afterFrame?.();
  }, life.signal);
  if (options.autoplay && !calm) player.toggle();
  return {
    run, player, picture, seek,
    destroy: () => {
      life.abort();
      for (const plot of plots) plot.destroy();
      picture?.destroy();
      root.replaceChildren();
    },
  };
}

function makePicture(parts: Parts, run: Run, list: ImpactList, calm: boolean): Picture | null {
  try {
    return new Picture(parts<HTMLCanvasElement>("stage"), run, list, calm);
  } catch {
    parts("no-webgl").hidden = false;
    return null;
  }
}
