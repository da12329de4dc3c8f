// The same scene under several laws: animations in columns that move in step, plots on one axis, the table of the comparison.

import { cssColor } from "./colors";
import { ComparedInside } from "./compared_inside";
import { setUpControls, showScale } from "./controls";
import { ComparedQuantities, lawsOf, type Law } from "./compared_plots";
import type { Report, WordTable } from "./data";
import { extentOf, union } from "./extent";
import { element, number, quantity } from "./format";
import { everyFrame, isCalm } from "./frame_loop";
import { ImpactList } from "./moment";
import { fill, pictureMarkup, plotsMarkup, readoutMarkup, transportMarkup, viewtoolsMarkup, type Parts } from "./parts";
import { Picture } from "./picture";
import { setUpPictures } from "./picture_tools";
import { Player, type Timeline } from "./player";
import { swatchOf, type Plot, type PlotHome } from "./plots";
import { firstPlots, quantitiesOf } from "./quantities";
import { Run } from "./run";
import { fileNameOf } from "./save";
import { onTheme } from "./theme";
import { wordTable } from "./word_table";

export interface ComparisonOptions {
  autoplay?: boolean;
  /** What the tool prints, as a table. */
  table?: WordTable;
  /** Who agrees, who was left out and why. */
  sentences?: string[];
}
export interface ComparisonView {
  readonly player: Player;
  seek(t: number): void;
  destroy(): void;
}

const mostPictures = 8; // browsers draw few at once
let views = 0;

const markup = `<section class="card compare">
  <div class="comparetools">${readoutMarkup}<div class="viewtools">${viewtoolsMarkup}</div></div>
  <div class="columns" data-part="columns"></div>
  ${transportMarkup}
</section>
${plotsMarkup}
<section class="card" data-part="words" aria-label="The comparison in numbers and words"></section>`;

/** The times of several runs together. */
function together(runs: Run[]): Timeline & { recordTimes: number[] } {
  const sorted = (lists: number[][]) => [...new Set(lists.flat())].sort((a, b) => a - b);
  return {
    start: Math.min(...runs.map((one) => one.start)), end: Math.max(...runs.map((one) => one.end)),
    recordTimes: sorted(runs.map((one) => one.recordTimes)), impactTimes: sorted(runs.map((one) => one.impactTimes)),
  };
}

/** The head of a column: its law, how it is drawn in plots, and how its run ended. */
function columnHead(law: Law, report: Report): HTMLElement {
  const { end, run } = report, good = end?.status === "solved" && !end.inconsistent;
  const count = end ? `${end.impacts.toLocaleString("en")} ${run.in_forces ? "contacts closed" : end.impacts === 1 ? "impact" : "impacts"}` : "";
  return element("header", {}, swatchOf(law), element("b", { textContent: law.label }),
    element("span", { textContent: [count, end && quantity(end.seconds, "s", 2)].filter(Boolean).join(", "), title: end ? `computed in ${quantity(end.seconds, "s", 2)}` : "" }),
    element("span", { className: good ? "good" : "warn", textContent: !end ? "" : end.inconsistent ? `${number(end.inconsistent)} not consistent` : end.status }));
}

interface Column {
  column: HTMLElement;
  picture: Picture | null;
}

function makeColumn(columns: HTMLElement, law: Law, report: Report, make: ((canvas: HTMLCanvasElement) => Picture) | null): Column {
  const view = element("div", { className: "view" }), parts = fill(view, pictureMarkup("Animation"));
  parts("stage").setAttribute("aria-label", `Animation under ${law.label}`);
  const column = element("article", { className: "column" }, columnHead(law, report));
  columns.append(column);
  if (!make) return { column, picture: null };
  column.append(view);
  try {
    const picture = make(parts<HTMLCanvasElement>("stage"));
    picture.stage.onView = () => showScale(parts("scale"), picture.stage);
    return { column, picture };
  } catch {
    parts("no-webgl").hidden = false;
    return { column, picture: null };
  }
}

/** All look from where people moved one of them to, but for what is done within the function that is returned. */
function link(pictures: Picture[]): (act: () => void) => void {
  let busy = false;
  for (const { stage } of pictures)
    stage.view.controls.addEventListener("change", () => {
      if (busy) return;
      busy = true;
      for (const other of pictures) if (other.stage !== stage) other.stage.view.lookLike(stage.view);
      busy = false;
    });
  return (act) => {
    busy = true;
    act();
    busy = false;
  };
}

function words(section: HTMLElement, options: ComparisonOptions, reports: Report[], laws: Law[]): void {
  const list = element("ul", { className: "sentences" }), say = (text: string) => list.append(element("li", { textContent: text }));
  options.sentences?.forEach(say);
  reports.forEach((report, i) => report.end?.message && say(`${laws[i].label}: ${report.end.message}`));
  if (options.sentences?.length || list.childElementCount) section.append(element("h2", { textContent: "In words" }), list);
  if (options.table) section.append(element("h2", { textContent: "In numbers" }), wordTable(options.table, "Comparison"));
  section.hidden = !section.childElementCount;
}

/** Several reports of one scene, each with its `label` (its law, where it has none). */
export function mountComparison(root: HTMLElement, reports: Report[], options: ComparisonOptions = {}): ComparisonView {
  const parts: Parts = fill(root, markup), life = new AbortController(), calm = isCalm();
  const runs = reports.map((one) => new Run(one)), times = together(runs), player = new Player(times);
  const laws = lawsOf(reports.map((one) => one.label ?? one.run.law));
  const extent = union(runs.slice(0, mostPictures).map((run) => extentOf(run)));
  const columns = runs.map((run, i) =>
    makeColumn(parts("columns"), laws[i], reports[i], i < mostPictures ? (canvas) => new Picture(canvas, run, new ImpactList(run), calm, extent) : null));
  const shown = columns.flatMap(({ picture }, i) => (picture ? [{ picture, title: laws[i].label }] : [])), pictures = shown.map((one) => one.picture);
  const inside = new ComparedInside(columns.map((one, i) => ({ ...one, report: reports[i] })), player, link(pictures));
  words(parts("words"), options, reports, laws);

  const seek = (t: number) => {
    inside.close();
    player.seek(t);
  };
  const home: PlotHome = { seek, sync: `carom comparison ${++views}`, file: `${fileNameOf(reports[0]?.run.scene ?? "")}_comparison` };
  const compared = new ComparedQuantities(laws, runs.map((run) => quantitiesOf(run, [])), times.recordTimes), plots: Plot[] = [];
  const addPlot = (key: string) => {
    const { card, plot } = compared.card(key, home);
    parts("plots").append(card);
    plots.push(plot);
  };
  [...new Set([...firstPlots(compared.list).slice(0, 2), "energy"])].forEach(addPlot);
  parts("add-plot").onclick = () => addPlot(compared.list[0].key);

  const controls = setUpControls(root, parts, times, player, { enter: () => inside.open(), leave: () => inside.close() }, life.signal);
  const look = parts<HTMLButtonElement>("look-inside");
  look.hidden = !inside.isPossible;
  look.onclick = () => inside.close() || inside.open();
  player.onTime = (before, watched) => {
    if (!player.inside) inside.close();
    controls.update();
    look.textContent = player.inside ? "Back to the run" : "Slow motion";
    if (player.inside) return inside.show();
    for (const picture of pictures) picture.show(player.t, before, watched, player.speed);
    for (const plot of plots) plot.at(player.t);
  };
  const afterFrame = setUpPictures(parts, shown, runs[0], player, home.file);
  const tint = () => {
    for (const picture of pictures) picture.retint();
    inside.tint(cssColor("--speed"));
    controls.retint();
    for (const plot of plots) plot.draw();
    player.onTime(player.t, 0);
  };
  onTheme(tint, life.signal);
  tint();

  everyFrame((seconds) => {
    player.tick(seconds);
    for (const picture of pictures) picture.tick(seconds);
    afterFrame();
  }, life.signal);
  if (options.autoplay && !calm) player.toggle();
  return {
    player, seek,
    destroy: () => {
      life.abort();
      for (const plot of plots) plot.destroy();
      for (const picture of pictures) picture.destroy();
      root.replaceChildren();
    },
  };
}
