// How quickly reports open and play: node frames.mjs TOOL NODE_MODULES [--only NAME,...] [--seconds S] [--keep FOLDER]
// Runs scenes, opens their reports in headless Chromium, plays them for S seconds (5) and tells: the size of the page, when
// the first picture stood [s after the address was given], the median and the 95th percentile of the time from frame to
// frame, and what the script of a frame costs [ms of processor time, the mean]. Without a graphics card the browser draws in
// software, so frames come late; the script is what the page itself needs. Ends with 1 where a page is above its cap, or
// does not open.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const only = option("only", "").split(",").filter(Boolean), seconds = Number(option("seconds", "5")), keep = option("keep", "");
const [tool, modules] = words.map((path) => resolve(path));
if (!modules || !existsSync(join(modules, "playwright-core"))) {
  console.error("usage: node frames.mjs TOOL NODE_MODULES; playwright-core must be among the modules");
  process.exit(2);
}

const walls = ["1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0"].map((normal) => {
  const [x, y] = normal.split(",").map(Number);
  return `[[wall]]\nname = "${normal}"\nshape = {type = "plane", normal = [${normal}]}\nposition = [${-0.5 * x}, ${-0.5 * y}, 0]\n`;
}).join("");
const chain = (count, more) => `title = "Chain of ${count} balls"\ndimension = 1\nlaw = "newton"\ncontact = {e = 1}\n${more}
[[chain]]\nname = "ball"\ncount = ${count}\ngap = 0.001\nshape = {type = "sphere", radius = 0.01}\nmass = 1\nfirst = {velocity = [1]}\n`;

/** Scenes, and the largest page that each may make [bytes]. */
const cases = {
  cradle: {
    most: 3e6,
    scene: `title = "Cradle, 20 s"\nduration = 20\ngravity = 9.81\nlaw = "lzb"\nmaterials = {steel = {E = 210e9, nu = 0.3, density = 7800, e = 0.97}}
[[chain]]\nname = "ball"\ncount = 5\nshape = {type = "sphere", radius = 0.02}\nmaterial = "steel"\nstring = 0.3\nlift = {count = 1, angle = 40}\n`,
  },
  pile: {
    most: 25e6,
    scene: `title = "Pile of 1000 balls"\ndimension = 3\ngravity = 9.81\nduration = 0.5\nlaw = "newton"\ncontact = {e = 0, mu = 0.3}
scheme = {name = "time-stepping", step = 5e-3}\nrecord = {interval = 5e-3, formats = ["csv"]}\n[[grid]]\nname = "ball"\ncount = [10, 10, 10]\nspacing = [0.1, 0.1, 0.1]
jitter = 0.002\nshape = {type = "sphere", radius = 0.047}\nmass = 1\nposition = [-0.45, -0.45, 0.05]\n[[wall]]\nname = "floor"\nshape = "plane"\n${walls}`,
  },
  chain: { most: 25e6, scene: chain(1000, 'duration = 1\nrecord = {interval = 1e-5, formats = ["hdf5"]}') },
  crowd: { most: 25e6, scene: chain(100000, 'duration = 0.01\nrecord = {interval = 1e-3, formats = ["csv"]}') },
};

const fewest = 8, patience = 60; // frames, seconds

const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const work = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), "carom-frames-"));
mkdirSync(work, { recursive: true });

/** In the page, before its own scripts: the time of every frame. */
function watch() {
  const frames = (window.caromFrames = []), ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) =>
    ask((now) => {
      act(now);
      window.caromFirst ??= performance.now(); // the time of a frame may be before the scripts that it waited for
      if (frames[frames.length - 1] !== now) frames.push(now);
    });
}
const quantile = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? NaN;

async function measure(name, file, most) {
  const size = statSync(file).size, page = await browser.newPage({ viewport: { width: 1280, height: 850 } }), complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.addInitScript(watch);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  /** Seconds of processor time that the page's thread has used: in scripts, and at all. */
  const used = async () => {
    const { metrics } = await session.send("Performance.getMetrics"), of = (key) => metrics.find((one) => one.name === key).value;
    return { script: of("ScriptDuration"), all: of("TaskDuration") };
  };
  await page.goto(pathToFileURL(file).href, { timeout: 120000 });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && window.caromFrames.length > 0, null, { timeout: 120000 });
  const first = (await page.evaluate(() => window.caromFirst)) / 1000, opening = (await used()).all;
  await page.keyboard.press("Home");
  await page.click("[data-part=play]");
  await page.evaluate(() => window.caromFrames.splice(0));
  const before = await used();
  // where drawing in software takes long, until there are some frames
  const began = performance.now(), passed = () => (performance.now() - began) / 1000, count = () => page.evaluate(() => window.caromFrames.length);
  await page.waitForTimeout(seconds * 1000);
  while ((await count()) < fewest && passed() < patience) await page.waitForTimeout(500);
  const at = await page.evaluate(() => window.caromFrames), after = await used(), watched = passed();
  await page.close();
  const between = at.slice(1).map((t, i) => t - at[i]), ms = (part) => quantile(between, part).toFixed(0);
  const each = (key) => ((1000 * (after[key] - before[key])) / Math.max(1, at.length)).toFixed(1);
  console.log(`${name}: ${(size / 1e6).toFixed(2)} MB; first picture after ${first.toFixed(2)} s (${opening.toFixed(2)} s of processor time); ${at.length} frames in ${watched.toFixed(0)} s, ${ms(0.5)} ms from one to the next (95 %: ${ms(0.95)}); script ${each("script")} ms a frame, ${each("all")} with layout and painting`);
  if (size > most) complaints.push(`${size} bytes, more than ${most}`);
  for (const one of complaints) console.log(`FAILED: ${name}: ${one}`);
  return complaints.length === 0;
}

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, drawn in software`);
let good = true;
for (const [name, { scene, most }] of Object.entries(cases)) {
  if (only.length && !only.includes(name)) continue;
  const file = join(work, `${name}.toml`), results = join(work, name);
  if (!existsSync(join(results, "report.html"))) {
    writeFileSync(file, scene);
    execFileSync(tool, ["run", file, "--quiet", "--out", results], { stdio: ["ignore", "ignore", "inherit"] });
  }
  good = (await measure(name, join(results, "report.html"), most)) && good;
}
await browser.close();
if (!keep) rmSync(work, { recursive: true, force: true });
process.exit(good ? 0 : 1);
