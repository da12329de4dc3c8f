// The page of a run: puts its parts together.

import { Color, Vector3 } from "three";
import { setUpControls, showScale } from "./controls";
import { cssColor } from "./colors";
import { readReport, type Impact, type Report } from "./data";
import { energyCard } from "./energy";
import { byId, element, number, quantity } from "./format";
import { InsideView } from "./inside";
import { Moment } from "./moment";
import { Arrows, Flashes, Trails } from "./overlay";
import { Player } from "./player";
import { plotCard, type Plot } from "./plots";
import { firstPlots, quantitiesOf } from "./quantities";
import { Run } from "./run";
import { film, nameFiles, savePicture } from "./save";
import { Stage } from "./stage";
import { Tables } from "./tables";

const mostTrails = 24; // bodies

function fillHeader(report: Report): void {
  const { run, end } = report, facts = byId("facts");
  document.title = `${run.title || run.scene} – Carom`;
  byId("title").textContent = run.title || run.scene;
  byId("about").textContent = run.about;
  const fact = (value: string, name: string, kind = "") => facts.append(element("li", { className: kind }, element("b", { textContent: value }), ` ${name}`));
  fact(run.law, "law");
  fact(run.scheme, "");
  fact(`${number(end?.t_end ?? run.duration)} s`, "");
  const bodies = report.scene?.bodies.filter((body) => body.free).length ?? 0;
  fact(bodies.toLocaleString("en"), bodies === 1 ? "body" : "bodies");
  if (end) {
    fact(end.impacts.toLocaleString("en"), run.in_forces ? "contacts closed" : end.impacts === 1 ? "impact" : "impacts");
    const good = end.status === "solved" && end.inconsistent === 0;
    fact(end.inconsistent ? `${end.inconsistent} not consistent` : end.status, "", good ? "good" : "warn");
  }
  const words = [
    end?.sentence, end?.message,
    `Computed by Carom in ${quantity(end?.seconds, "s")}.`,
    report.frames.thinned.every > 1 ? `One of ${report.frames.thinned.every} recorded states is shown.` : "",
    report.frames.thinned.contacts_left_out ? "The weakest contacts are left out." : "",
    "All numbers of the run are in the files beside this page.",
    "Keys: space plays, ← → step, Shift with them goes from impact to impact, + − change the speed, S is slow motion.",
  ];
  byId("fine-print").textContent = words.filter(Boolean).map((text) => (/[.!?]$/.test(text!) ? text : `${text}.`)).join(" ");
}

function setUpTheme(onChange: () => void): void {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  const set = (dark: boolean) => {
    root.dataset.theme = dark ? "dark" : "light";
    root.style.colorScheme = dark ? "dark" : "light";
  };
  set(system.matches);
  system.addEventListener("change", () => {
    if (chosen) return;
    set(system.matches);
    onChange();
  });
  byId("theme").onclick = () => {
    chosen = true;
    set(root.dataset.theme !== "dark");
    onChange();
  };
}

function makeStage(run: Run): Stage | null {
  try {
    return new Stage(byId<HTMLCanvasElement>("stage"), run);
  } catch {
    byId("no-webgl").hidden = false;
    return null;
  }
}

/** Forces of the moment, as arrows; at an impact its impulses. */
class ForceArrows {
  readonly forces: Arrows;
  readonly impulses: Arrows;
  private readonly usual: number;
  private readonly largestImpulse: number;
  shown = true;
  constructor(private readonly run: Run, private readonly stage: Stage, private readonly moment: Moment) {
    const size = stage.extent.size;
    this.forces = new Arrows(0.004 * size, stage.flat);
    this.impulses = new Arrows(0.006 * size, stage.flat);
    stage.add(this.forces.group);
    stage.add(this.impulses.group);
    this.usual = run.usualForce();
    this.largestImpulse = run.report.impacts.reduce((most, one) => one.contacts.reduce((m, c) => Math.max(m, c.impulse ?? 0), most), 0);
  }
  show(t: number): void {
    const long = 0.2 * this.stage.extent.size;
    const contacts = this.shown && this.usual > 0 ? this.run.contactsOf(this.run.recordAt(t)) : [];
    this.forces.show(contacts.map(({ a, b, at, force }) => {
      // on a body that can move
      const sign = this.run.bodies[b]?.free ? 1 : this.run.bodies[a]?.free ? -1 : 1;
      const part = force.length() / this.usual;
      return { at, vector: force.clone().multiplyScalar((sign * long * Math.min(part, 1.6)) / Math.max(force.length(), 1e-300)) };
    }));
    const impact = this.shown ? this.moment.now(t) : null;
    const vector = (v: number[]) => new Vector3(v[0], v[1] ?? 0, v[2] ?? 0);
    this.impulses.show((impact?.contacts ?? []).filter((one) => one.vector).flatMap((one) => {
      const along = vector(one.vector!).multiplyScalar((1.2 * long) / Math.max(this.largestImpulse, 1e-300));
      return [{ at: vector(one.at), vector: along }, { at: vector(one.at), vector: along.clone().negate() }];
    }));
  }
}

function flashImpacts(report: Report, flashes: Flashes, from: number, to: number): void {
  const most = report.impacts.reduce((largest, one) => Math.max(largest, one.impulse), 0);
  for (const impact of report.impacts) {
    if (impact.at_rest || impact.t <= from || impact.t > to) continue;
    for (const contact of impact.contacts.slice(0, 12))
      flashes.add(new Vector3(contact.at[0], contact.at[1] ?? 0, contact.at[2] ?? 0), (contact.impulse ?? 0) / Math.max(most, 1e-300));
  }
}

function start(): void {
  const report = readReport();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const retints: (() => void)[] = [];
  setUpTheme(() => retints.forEach((one) => one()));
  fillHeader(report);
  nameFiles(report.run.scene);
  const run = new Run(report), player = new Player(run), stage = makeStage(run);
  const inside = new InsideView(report.inside, player, stage);
  const lookInside = (impact: Impact) => inside.open(impact.number, impact.t);
  const moment = new Moment(run, byId("moment-card"), inside.numbers(), lookInside);
  const tables = new Tables(report, {
    playable: inside.numbers(),
    seek: (t) => {
      inside.close();
      player.pause();
      player.seek(t);
    },
    lookInside: (number, t) => {
      inside.open(number, t);
      byId("stage-card").scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
    },
  });

  const seek = (t: number) => {
    inside.close();
    player.seek(t);
  };
  const plots: Plot[] = [energyCard(run, byId("energy-card"), seek)];
  const quantities = quantitiesOf(run, stage?.colors ?? []);
  const addPlot = (key: string) => {
    const { card, plot } = plotCard(quantities, key, seek);
    byId("plots").append(card);
    plots.push(plot);
  };
  firstPlots(quantities).forEach(addPlot);
  byId("add-plot").onclick = () => addPlot(quantities[0].key);

  const arrows = stage && new ForceArrows(run, stage, moment);
  const flashes = stage && new Flashes(stage);
  const free = run.moving.filter((body) => run.bodies[body].free);
  const trails = stage && free.length <= mostTrails ? new Trails(stage, free) : null;
  if (stage) {
    stage.add(flashes!.spots.group);
    if (trails) stage.world.add(trails.group);
  }
  const look = byId<HTMLButtonElement>("look-inside");
  const insideNow = () => {
    const impact = moment.last(player.t);
    return impact && inside.numbers().has(impact.number) ? impact : null;
  };
  const controls = setUpControls(run, player, () => inside.close(), () => {
    const impact = insideNow() ?? report.impacts.find((one) => inside.numbers().has(one.number));
    if (impact && !player.inside) lookInside(impact);
  });
  look.hidden = !report.inside.length;
  look.onclick = () => {
    const impact = insideNow() ?? report.impacts.find((one) => inside.numbers().has(one.number));
    if (player.inside) inside.close();
    else if (impact) lookInside(impact);
  };

  player.onTime = (before, watched) => {
    if (!player.inside && inside.now) inside.close();
    controls.update();
    look.textContent = player.inside ? "Back to the run" : "Slow motion";
    if (player.inside) {
      arrows?.forces.show([]);
      arrows?.impulses.show([]);
      return inside.show();
    }
    stage?.show(player.t);
    arrows?.show(player.t);
    if (trails?.group.visible) trails.show(player.t, Math.min(0.12 * run.end, 1.2 * Math.max(player.speed, 1e-9)));
    if (watched > 0 && !calm && flashes) flashImpacts(report, flashes, before, player.t);
    if (watched === 0) flashes?.clear();
    for (const plot of plots) plot.at(player.t);
    moment.at(player.t);
    tables.at(player.t);
  };

  if (stage) setUpView(stage, run, player, arrows!, trails);
  const tint = () => {
    stage?.retint();
    arrows?.forces.tint(cssColor("--force"));
    arrows?.impulses.tint(cssColor("--force"));
    inside.tint(cssColor("--speed"));
    controls.retint();
    for (const plot of plots) plot.draw();
    player.onTime(player.t, 0);
  };
  retints.push(tint);
  tint();

  let last = performance.now();
  const loop = (now: number) => {
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    player.tick(seconds);
    flashes?.tick(seconds);
    stage?.draw();
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  if (!calm && !navigator.webdriver) player.toggle();
  document.documentElement.dataset.ready = "yes";
}

function setUpView(stage: Stage, run: Run, player: Player, arrows: ForceArrows, trails: Trails | null): void {
  const again = () => player.onTime(player.t, 0);
  const follow = byId<HTMLSelectElement>("follow");
  follow.append(new Option("Follow …", "-1"));
  for (const body of run.moving.slice(0, 300)) follow.append(new Option(run.nameOf(body), String(body)));
  follow.onchange = () => {
    stage.follow = Number(follow.value);
    again();
  };
  byId("home").onclick = () => {
    stage.follow = -1;
    follow.value = "-1";
    stage.home();
    again();
  };
  const forces = byId<HTMLInputElement>("show-forces"), showTrails = byId<HTMLInputElement>("show-trails");
  forces.onchange = () => {
    arrows.shown = forces.checked;
    again();
  };
  showTrails.parentElement!.hidden = !trails;
  showTrails.onchange = () => {
    if (trails) trails.group.visible = showTrails.checked;
    again();
  };
  stage.onView = () => showScale(stage.metresPerPixel());
  new ResizeObserver(() => {
    stage.resize();
    stage.draw(true);
  }).observe(stage.canvas);
  byId("save-png").onclick = () => {
    stage.draw(true);
    savePicture(stage.canvas, cssColor("--stage-a"));
  };
  byId("save-webm").onclick = () => {
    player.seekPart(0);
    stage.world.background = new Color(cssColor("--stage-a"));
    const recording = film(stage.canvas);
    const state = player.onState;
    if (!recording) {
      stage.world.background = null;
      return alert("This browser cannot record films.");
    }
    player.onState = () => {
      state();
      if (player.playing) return;
      player.onState = state;
      stage.world.background = null;
      stage.invalidate();
      recording.stop();
    };
    if (!player.playing) player.toggle();
  };
}

start();
