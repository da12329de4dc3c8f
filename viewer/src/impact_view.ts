// One impact under one law or several: what comes out, and where laws follow it the forces, velocities and energies inside.

import { cssColor } from "./colors";
import { ComparedQuantities, lawsOf, type Law } from "./compared_plots";
import { setUpControls, showScale } from "./controls";
import { floats, type ImpactReport, type LawOutcome, type PathSeen, type WordTable } from "./data";
import { element, number, quantity } from "./format";
import { everyFrame, isCalm } from "./frame_loop";
import { FrozenScene } from "./frozen_scene";
import { fill, pictureMarkup, plotsMarkup, readoutMarkup, transportMarkup } from "./parts";
import { setUpSaving } from "./picture_tools";
import { Player, type Timeline } from "./player";
import { plotCard, swatchOf, type Plot, type PlotHome, type Quantity } from "./plots";
import { fileNameOf } from "./save";
import { onTheme } from "./theme";
import { Wave } from "./wave";
import { waveButtons, waveFigure } from "./wave_card";
import { wordTable } from "./word_table";

export interface ImpactView {
  readonly player: Player;
  destroy(): void;
}
let views = 0;
const samples = 600; // of the common axis

const markup = `<section class="card compare" data-part="scene">
  <div class="comparetools">${readoutMarkup}<label class="pick" data-part="which"><span class="hidden">Law shown in the picture</span><select data-part="law" aria-label="Law shown in the picture"></select></label></div>
  <div class="view" data-part="frame">${pictureMarkup("Bodies at the impact, contacts shine with their forces")}</div>
  ${transportMarkup}
</section>
<section class="plots laws" data-part="laws" aria-label="Outcomes"></section>
${plotsMarkup}
<section class="card" data-part="words" aria-label="The outcome in numbers and words"></section>`;

/** Column `at` of rows of `width` numbers. */
function column(table: Float32Array, width: number, at: number): Float64Array {
  return Float64Array.from({ length: Math.floor(table.length / width) }, (_, row) => table[row * width + at]);
}

/** What can be plotted of a path. */
function quantitiesOf(path: PathSeen, wave: Wave, names: string[]): Quantity[] {
  const times = wave.times, velocity = floats(path.velocity), list: Quantity[] = [];
  const one = (key: string, label: string, text: string) => list.push({ key, label, unit: "J", times, things: [label.toLowerCase()], values: () => floats(text) });
  // what stays as it is is not worth a curve
  const changes = path.rows.map((_, i) => column(velocity, path.rows.length, i).reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]));
  const most = Math.max(...changes.map(([low, high]) => high - low)), lively = path.rows.map((_, i) => i).filter((i) => changes[i][1] - changes[i][0] > 1e-6 * most);
  if (path.peak > 0) list.push({ key: "force", label: "Contact force", unit: "N", times, things: path.names, values: (thing) => column(wave.force, path.names.length, thing) });
  const named = (i: number) => names[path.rows[i]] ?? `u[${path.rows[i]}]`, turns = (i: number) => /(^| )(spin|w[xyz])$/.test(named(i));
  const add = (key: string, label: string, unit: string, rows: number[]) =>
    rows.length && list.push({ key, label, unit: names.length ? unit : "", times, things: rows.map(named), values: (thing) => column(velocity, path.rows.length, rows[thing]) });
  add("velocity", "Velocity", "m/s", lively.filter((i) => !turns(i)));
  one("kinetic", "Kinetic energy", path.kinetic);
  add("spin", "Spin", "rad/s", lively.filter(turns));
  one("stored", "Energy in the contacts", path.stored);
  return list;
}

/** A law's answer in short; its wave below, where it has one. */
function outcomeCard(law: Law, outcome: LawOutcome, canvas: HTMLCanvasElement | null, until: number, save: HTMLElement[]): HTMLElement {
  const list = element("dl"), row = (name: string, value: string | Node) => list.append(element("dt", { textContent: name }), element("dd", {}, value));
  const { before, after } = outcome.energy, good = outcome.status === "solved" && outcome.consistent;
  row("status", outcome.message ? `${outcome.status}: ${outcome.message}` : outcome.status);
  if (outcome.largest_impulse !== null) {
    row("kinetic energy", `${number(before, 4)} → ${number(after, 4)} J`);
    row("largest impulse", quantity(outcome.largest_impulse, "N s"));
  }
  if (outcome.duration !== null) row("lasts", quantity(outcome.duration, "s"));
  if (outcome.inside?.peak) row("largest force", quantity(outcome.inside.peak, "N"));
  row("certificate", element("span", { className: good ? "good" : "warn", textContent: outcome.consistent ? "consistent" : "not consistent" }));
  for (const span of list.querySelectorAll("dd")) span.style.overflowWrap = "anywhere";
  const card = element("article", { className: "card moment" }, element("div", { className: "cardhead" }, swatchOf(law), element("h2", { textContent: law.label }), ...save), list);
  for (const words of outcome.certificate.filter((one) => !one.startsWith("consistent"))) card.append(element("p", { className: "warn", textContent: words }));
  if (canvas && outcome.inside) {
    card.append(...waveFigure(canvas, outcome.inside, until, outcome.inside.peak));
  }
  return card;
}

/** The table with the names of velocities, where they have any. */
function withNames(report: ImpactReport): WordTable {
  const unit = (name: string) => (/ v[xyz]$/.test(name) ? " [m/s]" : / (w[xyz]|spin( [xyz])?)$/.test(name) ? " [rad/s]" : "");
  const named = (text: string) =>
    text.replace(/^velocity u\[(\d+)\]$/, (all, i) => {
      const name = report.velocities[Number(i)] ?? all;
      return name + unit(name);
    });
  return { header: report.table.header, rows: report.table.rows.map((row) => (row.length ? [named(row[0]), ...row.slice(1)] : row)) };
}

export function mountImpact(root: HTMLElement, report: ImpactReport, options: { autoplay?: boolean } = {}): ImpactView {
  const parts = fill(root, markup), life = new AbortController(), calm = isCalm();
  const { outcomes } = report, laws = lawsOf(outcomes.map((one) => one.label));
  const parameter = outcomes.every((one) => one.inside?.parameter !== "time") && outcomes.some((one) => one.inside) ? "impulse" : "time";
  const followed = outcomes.map((one) => (one.inside?.parameter === parameter ? one.inside : null));
  const waves = followed.map((path) => path && new Wave(path)), end = Math.max(0, ...waves.map((one) => one?.duration ?? 0));
  const times: Timeline = { start: 0, end, recordTimes: Array.from({ length: samples + 1 }, (_, i) => (i * end) / samples), impactTimes: [] };
  const player = new Player(times);

  const home: PlotHome = {
    seek: (t) => player.seek(t), sync: `carom impact ${++views}`, file: fileNameOf(report.title),
    along: parameter === "time" ? "time in the impact [s]" : "normal impulse [N s]",
  };
  const plots: Plot[] = [], inside = followed.flatMap((path, i) => (path ? [{ law: laws[i], list: quantitiesOf(path, waves[i]!, report.velocities) }] : []));
  const compared = inside.length > 1 ? new ComparedQuantities(inside.map((one) => one.law), inside.map((one) => one.list), times.recordTimes) : null;
  const addPlot = (key: string) => {
    const { card, plot } = compared ? compared.card(key, home) : plotCard(inside[0].list, key, home);
    parts("plots").append(card);
    plots.push(plot);
  };
  if (inside.length) inside[0].list.slice(0, 3).forEach((one) => addPlot(one.key));
  parts("plots").parentElement!.hidden = !inside.length;
  parts("add-plot").onclick = () => addPlot(inside[0].list[0].key);

  const canvases = waves.map((wave) => (wave && wave.data.peak > 0 && wave.data.names.length > 1 ? element("canvas", { className: "wave", role: "img", ariaLabel: "Force of each contact over the time of the impact" }) : null));
  // laws with a wave first, so that cards of one height stand together
  for (const i of outcomes.map((_, k) => k).sort((a, b) => Number(canvases[a] === null) - Number(canvases[b] === null))) {
    const save = canvases[i] ? waveButtons(home.file, `Forces under ${laws[i].label}`, () => waves[i]) : [];
    parts("laws").append(outcomeCard(laws[i], outcomes[i], canvases[i], end, save));
  }
  const drawWaves = () => canvases.forEach((canvas, i) => canvas && waves[i]!.draw(canvas, player.t, end));
  canvases.forEach((canvas) => canvas && new ResizeObserver(drawWaves).observe(canvas));

  const section = parts("words");
  if (report.sentences.length) section.append(element("h2", { textContent: "In words" }), element("ul", { className: "sentences" }, ...report.sentences.map((text) => element("li", { textContent: text }))));
  section.append(element("h2", { textContent: "In numbers" }), wordTable(withNames(report), "Outcome"));

  const scene = FrozenScene.of(parts, report, calm), choose = parts<HTMLSelectElement>("law");
  parts("frame").hidden = !report.picture;
  laws.forEach((law, i) => choose.append(new Option(law.label, String(i))));
  choose.value = String(Math.max(0, waves.findIndex((one) => one !== null)));
  parts("which").hidden = !scene || laws.length < 2;
  parts("scene").hidden = !report.picture && !(end > 0);
  root.querySelector<HTMLElement>(".transport")!.hidden = !(end > 0);
  root.querySelector<HTMLElement>(".transport .menu")!.hidden = !scene;
  root.querySelector<HTMLElement>(".compare .readout")!.hidden = !(end > 0);
  root.querySelector<HTMLElement>(".comparetools")!.hidden = !(end > 0) && parts("which").hidden;
  const controls = setUpControls(root, parts, times, player, { enter: () => {}, leave: () => {} }, life.signal, parameter === "time" ? "s" : "N s");
  for (const one of ["previous", "next"]) parts(one).hidden = true;
  player.onTime = () => {
    controls.update();
    drawWaves();
    for (const plot of plots) plot.at(player.t);
    const which = Number(choose.value);
    scene?.show(outcomes[which], followed[which], waves[which], player.t);
  };
  choose.onchange = () => player.onTime(player.t, 0);
  const afterFrame = scene && setUpSaving(parts, [{ picture: scene.picture, title: "" }], player, home.file);
  scene?.frame();
  if (scene) scene.picture.stage.onView = () => showScale(parts("scale"), scene.picture.stage);
  const tint = () => {
    scene?.retint(cssColor("--force"), cssColor("--speed"));
    controls.retint();
    for (const plot of plots) plot.draw();
    player.onTime(player.t, 0);
  };
  onTheme(tint, life.signal);
  tint();

  everyFrame((seconds) => {
    player.tick(seconds);
    scene?.picture.tick(seconds);
    afterFrame?.();
  }, life.signal);
  if (options.autoplay && !calm && end > 0) player.toggle();
  return {
    player,
    destroy: () => {
      life.abort();
      for (const plot of plots) plot.destroy();
      scene?.picture.destroy();
      root.replaceChildren();
    },
  };
}
