// The static site in a browser: node site_test.mjs CAROM SITE NODE_MODULES [PICTURES]
// serves the site below a path of its own on this machine, and opens it; with PICTURES, a folder, keeps pictures of pages.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { unnamedForReaders } from "./names.mjs";

const [tool, site, modules, pictures] = process.argv.slice(2).map((path) => resolve(path));
const tree = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");
const work = mkdtempSync(join(tmpdir(), "carom-site-"));

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png" };
const below = "/some/where/", patience = 240000; // [ms] on a machine that has other work
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://any").pathname);
  let file = join(site, normalize(path.slice(below.length - 1)));
  if (path.startsWith(below) && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
  if (!path.startsWith(below) || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${server.address().port}`, address = `${origin}${below}`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const failures = [];
const expect = (good, what) => good || (failures.push(what), console.error(`FAILED: ${what}`));
const said = (what) => console.log(`site: ${what}`);

/** A page that keeps what goes wrong in it, and what it asks of others. */
async function open(url, { width = 1440, height = 900, dark = false, calm = false, context } = {}) {
  const home = context ?? (await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: calm ? "reduce" : "no-preference" })), page = await home.newPage();
  page.on("console", (message) => message.type() === "error" && expect(false, `${url}: the console says ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `${url}: ${error.message}`));
  page.on("request", (request) => {
    const to = new URL(request.url());
    expect([origin, "null"].includes(to.origin) || /^(blob|data|file):/.test(to.protocol), `${url} asks ${request.url()}`);
  });
  page.setDefaultTimeout(patience);
  await page.goto(url);
  return page;
}
const picture = async (page, name) => pictures && (mkdirSync(pictures, { recursive: true }), await page.screenshot({ path: join(pictures, `${name}.png`) }));

/** Whether a canvas shows more than one color, and another picture a little later. */
const moves = (page, canvas) =>
  page.evaluate(async (which) => {
    const look = () => {
      const from = document.querySelector(which), small = Object.assign(document.createElement("canvas"), { width: 160, height: 100 });
      const brush = small.getContext("2d");
      brush.drawImage(from, 0, 0, 160, 100);
      return brush.getImageData(0, 0, 160, 100).data;
    };
    const first = look();
    await new Promise((done) => setTimeout(done, 700));
    const second = look();
    return { colors: new Set(new Uint32Array(first.buffer)).size, changed: first.reduce((sum, one, i) => sum + (one !== second[i] ? 1 : 0), 0) };
  }, canvas);

async function gallery() {
  const page = await open(address, { width: 420, height: 500 }); // few pictures at once: they are drawn without a graphics card
  const card = '[data-scene="newtons_cradle"]';
  await page.waitForSelector(`${card}[data-state="ready"]`, { timeout: patience });
  await page.waitForTimeout(600);
  const { colors, changed } = await moves(page, `${card} .picture canvas:last-child`);
  expect(colors > 5 && changed > 20, `the cradle moves in the gallery (${colors} colors, ${changed} changes)`);
  said(`gallery: ${await page.textContent(`${card} .state`)}`);
  const last = page.locator("[data-scene]").last();
  await last.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll("[data-scene]")].at(-1).dataset.state === "ready", null, { timeout: patience });
  expect((await page.locator('[data-state="failed"]').count()) === 0, "no scene fails");
  await page.close();
}

const nativeSummary = (scene) => {
  execFileSync(tool, ["run", join(tree, `scenes/${scene}.toml`), "--quiet", "--out", join(work, scene)]);
  return JSON.parse(readFileSync(join(work, scene, "summary.json"), "utf8"));
};

async function laboratory() {
  const page = await open(`${address}lab.html?scene=newtons_cradle`);
  await page.waitForSelector('html[data-ready="yes"]', { timeout: patience });
  const start = Date.now();
  await page.click("#run");
  await page.waitForSelector("#result-view:not([hidden]) canvas", { timeout: patience });
  said(`laboratory: newtons_cradle is there ${((Date.now() - start) / 1000).toFixed(1)} s after the click`);
  const its = nativeSummary("newtons_cradle");
  expect((await page.textContent("#result-view")).includes(its.impacts.toLocaleString("en")), "the laboratory shows as many impacts as the tool finds");
  await page.close();
}

/** The core itself, as pages ask it: in the page of the guide, whose script has a handle for this. */
async function core() {
  const page = await open(`${address}guide/guide.html`);
  const text = readFileSync(join(tree, "examples/newtons_cradle.json"), "utf8");
  const its = JSON.parse(execFileSync(tool, ["impact", join(tree, "examples/newtons_cradle.json"), "--json"]));
  const mine = await page.evaluate((problem) => self.carom.impact(problem), text);
  const differs = Math.max(...its.u_plus.map((u, i) => Math.abs(u - mine.u_plus[i])));
  expect(differs <= 1e-12, `an impact differs by ${differs}`);
  const scene = readFileSync(join(tree, "scenes/newtons_cradle.toml"), "utf8"), native = nativeSummary("newtons_cradle");
  const { summary, seconds, told } = await page.evaluate(async (scene) => {
    const start = performance.now();
    let told = 0;
    const { summary } = await self.carom.run({ scene }, () => ++told, new AbortController().signal);
    return { summary, told, seconds: (performance.now() - start) / 1000 };
  }, scene);
  const apart = Math.abs(summary.energy.kinetic - native.energy.kinetic) / native.energy.start;
  expect(summary.impacts === native.impacts && apart < 1e-7, `a run: ${summary.impacts} impacts for ${native.impacts}, energies apart by ${apart}`);
  expect(told > 0, "progress is told");
  said(`core: an impact differs by ${differs}, the energy at the end of newtons_cradle by ${apart.toExponential(1)}; it took ${seconds.toFixed(2)} s in the page`);
  const cancelled = await page.evaluate(async (scene) => {
    const stop = new AbortController(), long = scene.replace(/duration = 20/, "duration = 20000");
    const running = self.carom.run({ scene: long }, () => stop.abort(), stop.signal).then(() => "ended", (error) => error.name);
    const name = await running;
    const after = await self.carom.run({ scene: scene.replace(/duration = 20/, "duration = 1") }, () => {}, new AbortController().signal);
    return { name, after: after.summary.status };
  }, scene);
  expect(cancelled.name === "AbortError" && cancelled.after === "solved", `a run is cancelled and the next one works (${JSON.stringify(cancelled)})`);
  const refused = await page.evaluate(() => self.carom.check("duration = -1").then(() => "", (error) => `${error.line}: ${error.message}`));
  expect(/^1: .*duration/.test(refused), `a bad scene is refused with its place (${refused})`);
  await page.close();
}

async function guide() {
  const page = await open(`${address}guide/scenes.html`, { width: 700, height: 600 });
  const example = page.locator("figure.example").first();
  await example.locator("button").click();
  await page.waitForSelector("figure.example .running .picture canvas:last-child", { timeout: patience });
  const { colors } = await moves(page, "figure.example .running .picture canvas:last-child");
  expect(colors > 5, "a scene of the guide runs in place");
  await picture(page, "guide_example");
  const dead = await page.evaluate(async () => {
    const links = [...document.querySelectorAll("a[href], img[src]")].map((one) => (one.href ?? one.src).split("#")[0]).filter((one) => one.startsWith(location.origin));
    const answers = await Promise.all([...new Set(links)].map(async (link) => [link, (await fetch(link)).status]));
    return answers.filter(([, status]) => status !== 200).map(([link]) => link);
  });
  expect(dead.length === 0, `links lead somewhere: ${dead}`);
  await page.close();
}

/** For people who do not see the pages, do not want motion, or chose the dark. */
async function people() {
  const page = await open(address, { width: 420, height: 500, calm: true });
  await page.waitForSelector('[data-scene="newtons_cradle"][data-state="ready"]', { timeout: patience });
  await page.waitForTimeout(600);
  const { colors, changed } = await moves(page, '[data-scene="newtons_cradle"] .picture canvas:last-child');
  expect(colors > 5 && changed === 0, `nothing moves where people ask for less motion (${changed} changes)`);
  expect((await unnamedForReaders(page)).length === 0, `the gallery has names: ${await unnamedForReaders(page)}`);
  await page.locator("header button").click();
  for (const path of ["guide/scenes.html", "lab.html?scene=bouncing_ball"]) {
    await page.goto(`${address}${path}`);
    if (path.startsWith("lab")) await page.waitForSelector('html[data-ready="yes"]', { timeout: patience });
    expect((await page.evaluate(() => document.documentElement.dataset.theme)) === "dark", `${path} is dark, as was chosen`);
    expect((await unnamedForReaders(page)).length === 0, `${path} has names: ${await unnamedForReaders(page)}`);
  }
  await page.close();
}

async function withoutNetwork() {
  const context = await browser.newContext({ viewport: { width: 420, height: 500 } }), page = await open(`${address}guide/notation.html`, { context });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.goto(`${address}lab.html?scene=bouncing_ball`);
  await page.waitForSelector('html[data-ready="yes"]', { timeout: patience });
  expect(await page.isHidden("#trouble"), "the laboratory opens without a network once the site was open");
  await context.close();
}

async function fromDisk() {
  const page = await open(pathToFileURL(join(site, "index.html")).href, { width: 420, height: 500 });
  await page.waitForSelector('[data-scene="newtons_cradle"][data-state="ready"]', { timeout: patience });
  await page.close();
}

async function looks() {
  for (const [width, height, size] of [[1440, 900, "wide"], [390, 844, "narrow"]])
    for (const dark of [false, true])
      for (const [name, path] of [["gallery", "index.html"], ["guide", "guide/guide.html"], ["law", "guide/laws/lzb.html"], ["lab", "lab.html?scene=dominoes"]]) {
        const page = await open(`${address}${path}`, { width, height, dark });
        await page.waitForTimeout(name === "gallery" ? 9000 : 1500);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over <= 0, `${path} at ${width} px is ${over} px too wide`);
        await picture(page, `${name}_${size}_${dark ? "dark" : "light"}`);
        await page.close();
      }
}

for (const part of [gallery, laboratory, core, guide, people, withoutNetwork, fromDisk, ...(pictures ? [looks] : [])])
  await part().catch((error) => expect(false, `${part.name}: ${error.message}`));
await browser.close();
server.close();
rmSync(work, { recursive: true, force: true });
if (failures.length) process.exitCode = 1;
else said("all is well");
