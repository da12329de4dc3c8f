// Uses the laboratory in Chromium: node lab_test.mjs TOOL SCENES NODE_MODULES
// Ends with 77 where there is no Chromium, no playwright-core, or no laboratory in this build.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { unnamedForReaders } from "./names.mjs";

const [tool, scenes, modules] = process.argv.slice(2).map((path) => resolve(path));
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
const browserPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
if (!browserPath) skip("there is no Chromium (Debian's package chromium)");
if (!existsSync(join(modules, "playwright-core"))) skip("there is no playwright-core (npm ci in the folder of the viewer)");
const version = execFileSync(tool, ["--version"], { encoding: "utf8", timeout: 30000 });
if (/without (reports|a server|the laboratory)/.test(version)) skip("this tool was built without the laboratory");
const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");

const longest = 120000, longestOfAll = 1500000; // [ms] that a test may take, and all of them
let doing = "the start of the server"; // for whoever waits in vain
const inTime = (promise, most, what) => {
  let timer;
  const over = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`after ${most / 1000} s there was no end of ${what}`)), most)));
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
};

/** The server, once it has said its address. */
const server = spawn(tool, ["serve", "--no-open", "--port", "0", "--folder", scenes], { stdio: ["ignore", "pipe", "pipe"] });
const address = await new Promise((found) => {
  let said = "";
  const listen = (data) => {
    said += data;
    const match = /http:\/\/[\w.:[\]]+\/?/.exec(said);
    if (match) found(match[0].replace(/\/?$/, "/"));
  };
  server.stdout.on("data", listen);
  server.stderr.on("data", listen);
  server.on("exit", () => found(null));
  setTimeout(() => found(null), 10000);
});
if (!address) {
  server.kill();
  console.log("FAILED: carom serve says no address");
  process.exit(1);
}
/** Ends the browser and the server, whatever they are at. */
async function end(status) {
  const isGone = new Promise((gone) => server.exitCode === null ? server.once("exit", gone) : gone());
  await inTime(browser?.close(), 10000, "closing the browser").catch((error) => console.log(error.message));
  server.kill("SIGTERM");
  await inTime(isGone, 5000, "the server").catch(() => server.kill("SIGKILL"));
  process.exit(status);
}
let browser;
setTimeout(() => {
  console.log(`FAILED: after ${longestOfAll / 1000} s: ${doing}`);
  void end(1);
}, longestOfAll);
doing = "the start of the browser";
browser = await chromium.launch({
  timeout: 60000,
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** Opens the laboratory, does something with it, and wants no complaint and no request that leaves its origin. */
async function withLab(where, settings, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, ...settings });
  context.setDefaultTimeout(40000);
  const page = await context.newPage(), complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.on("request", (request) => /^https?:/.test(request.url()) && !request.url().startsWith(address) && complaints.push(`asks for ${request.url()}`));
  doing = "the page";
  await page.goto(address + where);
  await isReady(page);
  doing = "what follows the opening of the page";
  await act(page);
  assert.deepEqual(complaints, []);
  await context.close();
}
/** Asks again and again: the page's policy lets nobody evaluate texts in it. */
async function wait(page, what, value, most = 20000) {
  doing = `${what}`;
  const began = Date.now(), left = () => most - (Date.now() - began);
  for (; left() > 0; await inTime(page.waitForTimeout(50), 10000, "a short wait"))
    if (await inTime(page.evaluate(what, value), Math.max(left(), 10000), `asking the page: ${what}`)) return;
  throw new Error(`for ${most / 1000} s it did not come true: ${what}`);
}
const isReady = (page) => wait(page, () => document.documentElement.dataset.ready === "yes");
const textOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("carom-laboratory")).scene);
const showText = async (page) => {
  if (await page.isVisible("#side-scene")) await page.click("#side-scene");
  await page.click("#tab-text");
};
/** Writes over the whole text, as a person would. */
async function write(page, text) {
  await showText(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}
async function run(page, by = () => page.click("#run")) {
  const before = await page.locator("#views [role=tab]").count();
  await by();
  await wait(page, (n) => document.querySelectorAll("#views [role=tab]").length > n, before, 40000);
}
/** What the picture of energies shows, as a number. */
const energies = (page) =>
  page.evaluate(async () => {
    await new Promise((done) => setTimeout(done, 300));
    const canvas = document.querySelector("#result-view [data-part=energy-card] canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, one, i) => (sum * 31 + one + i) % 1000003, 7);
  });
const twoBalls = `# two balls before a wall
title = "Two balls"
duration = 3
law = "newton"

[contact]
e = 0.8          # of all contacts

[[body]]
name = "left"
shape = {type = "sphere", radius = 0.2}
mass = 1
position = [-1, 0]
velocity = [1, 0]

[[body]]
name = "right"
shape = {type = "sphere", radius = 0.2}
mass = 1
position = [1, 0]   # a comment that stays
`;
/** Where a body is on the screen: the picture has its tag beside the chosen one. */
async function placeOf(page, body) {
  await page.selectOption("#start-view [data-part=bodies]", { label: body });
  const box = await page.locator("#start-view .tag i").boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const tests = {
  async "a coefficient is changed in the form, and the run changes with it"() {
    await withLab("?scene=tennis_and_basketball", {}, async (page) => {
      assert.deepEqual(await unnamedForReaders(page), []);
      assert.match(await page.textContent("#scene-title"), /Tennis ball on a basketball/);
      await run(page);
      const before = await energies(page);
      await page.fill('#form [data-path="contact.e"]', "0.5");
      await page.keyboard.press("Enter");
      await wait(page, () => !document.getElementById("stale").hidden);
      assert.match(await textOf(page), /\ne = 0\.5\n/);
      assert.match(await textOf(page), /# balls and floor/);
      await run(page, () => page.keyboard.press("Control+Enter"));
      assert.notEqual(await energies(page), before);
      assert.match(await page.textContent("#views [aria-selected=true]"), /e 0\.5/);
      assert.ok(await page.isHidden("#stale"));
      // back to the first result, and to its scene
      await page.click("#views [role=tab] >> nth=1");
      assert.ok(await page.isVisible("#stale"));
      await page.click("#go-back");
      assert.match(await textOf(page), /\ne = 0\.8\n/);
      assert.equal(await energies(page), before);
      assert.deepEqual(await unnamedForReaders(page), []);
    });
  },
  async "a slider and a law are chosen, and undone"() {
    await withLab("?scene=tennis_and_basketball", {}, async (page) => {
      await page.locator("#form input[type=range]").first().fill("0.25");
      await wait(page, () => /\ne = 0\.25/.test(JSON.parse(localStorage.getItem("carom-laboratory")).scene));
      await page.selectOption('#form select[data-path="law"]', "poisson");
      await wait(page, () => /law = "poisson"/.test(JSON.parse(localStorage.getItem("carom-laboratory")).scene));
      await page.click("#undo");
      await wait(page, () => /law = "lzb"/.test(JSON.parse(localStorage.getItem("carom-laboratory")).scene));
      await wait(page, () => document.querySelector('#form select[data-path="law"]').value === "lzb");
    });
  },
  async "an error is shown at its line, and the text is not lost"() {
    await withLab("?scene=tennis_and_basketball", {}, async (page) => {
      const bad = twoBalls.replace("mass = 1", "mass = -1");
      await write(page, bad);
      await page.waitForSelector(".cm-lintRange-error", { timeout: 20000 });
      const line = bad.split("\n").indexOf("mass = -1") + 1;
      assert.equal(await page.locator(".cm-lintRange-error").first().evaluate((one) => [...document.querySelectorAll(".cm-line")].indexOf(one.closest(".cm-line")) + 1), line);
      assert.match(await page.textContent("#trouble"), new RegExp(`Line ${line}.*mass`));
      await page.click("#run");
      await page.waitForTimeout(300);
      assert.equal(await page.locator("#views [role=tab]").count(), 1);
      await page.reload();
      await isReady(page);
      assert.equal(await textOf(page), bad);
      await write(page, twoBalls);
      await wait(page, () => document.getElementById("trouble").hidden);
      await wait(page, () => document.getElementById("scene-title").textContent === "Two balls");
    });
  },
  async "a long run is cancelled, and the next one runs"() {
    await withLab("?scene=gas", {}, async (page) => {
      const text = await textOf(page);
      await write(page, text.replace(/^duration = .*$/m, "duration = 1e5"));
      await page.click("#run");
      await page.waitForSelector("#progress:not([hidden])", { timeout: 20000 });
      await wait(page, () => /of 100000 s/.test(document.getElementById("bar-text").textContent));
      await page.click("#cancel");
      await page.waitForSelector("#progress", { state: "hidden", timeout: 20000 });
      assert.equal(await page.locator("#views [role=tab]").count(), 1);
      await write(page, twoBalls);
      await run(page);
    });
  },
  async "bodies are moved by hand and by keys, and their table follows"() {
    await withLab("", {}, async (page) => {
      await write(page, twoBalls);
      await wait(page, () => document.getElementById("scene-title").textContent === "Two balls");
      const [x, y] = await placeOf(page, "right");
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y - 30, { steps: 4 });
      await page.mouse.move(x + 40, y - 60, { steps: 4 });
      await page.mouse.up();
      await wait(page, (old) => JSON.parse(localStorage.getItem("carom-laboratory")).scene !== old, twoBalls);
      const moved = /name = "right"[^]*position = \[([\d.]+), ([\d.]+)\] {3}# a comment that stays/.exec(await textOf(page));
      assert.ok(moved, await textOf(page));
      assert.ok(Number(moved[1]) > 1.05 && Number(moved[2]) > 0.1, moved[0]);
      assert.match(await textOf(page), /position = \[-1, 0\]/);
      // by keys, on the steps of the grid
      await page.selectOption("#start-view [data-part=bodies]", { label: "left" });
      await page.keyboard.press("Shift+ArrowUp");
      await wait(page, () => !/position = \[-1, 0\]/.test(JSON.parse(localStorage.getItem("carom-laboratory")).scene));
      assert.match(await textOf(page), /position = \[-1, (0\.[125]|0\.0[125])\]/);
      await page.click("#undo");
      assert.match(await textOf(page), /position = \[-1, 0\]/);
    });
  },
  async "bodies out of a chain stay where they are, with a word"() {
    await withLab("?scene=newtons_cradle", {}, async (page) => {
      const text = await textOf(page), [x, y] = await placeOf(page, "ball 5");
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y + 30, { steps: 3 });
      await page.mouse.up();
      assert.match(await page.textContent("#toast"), /“ball 5” comes out of a chain/);
      assert.equal(await textOf(page), text);
    });
  },
  async "a link has the whole scene and its view"() {
    await withLab("", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await write(page, twoBalls);
      await wait(page, () => document.getElementById("scene-title").textContent === "Two balls");
      await run(page);
      await page.click("#share");
      await wait(page, () => location.hash.startsWith("#scene="));
      const link = page.url();
      assert.ok(link.length < 1200, `the link has ${link.length} letters`);
      const another = await browser.newContext(), other = await another.newPage();
      await other.goto(link);
      await isReady(other);
      await other.waitForSelector("#result-view:not([hidden])", { timeout: 20000 });
      assert.equal(await textOf(other), twoBalls);
      assert.ok(await other.isVisible("#text .cm-content"));
      // what is written afterwards outlives the link, and what another tab writes stays there
      await other.locator(".cm-content").press("Control+End");
      await other.keyboard.insertText("# mine");
      await wait(other, () => location.hash === "");
      const third = await another.newPage();
      await third.goto(`${address}?scene=bouncing_ball`);
      await isReady(third);
      await third.close();
      await other.reload();
      await isReady(other);
      assert.match(await other.textContent("#text .cm-content"), /# mine$/);
      await other.goto(`${address}#scene=damaged`);
      await other.reload();
      await isReady(other);
      assert.match(await other.textContent("#toast"), /damaged/);
      await another.close();
    });
  },
  async "laws are compared"() {
    await withLab("", {}, async (page) => {
      await write(page, twoBalls);
      await wait(page, () => document.getElementById("scene-title").textContent === "Two balls");
      await page.click("#tab-form");
      const wide = () => page.evaluate(() => document.querySelector(".scene").getBoundingClientRect().width), before = await wide();
      await run(page);
      assert.equal(await wide(), before, "tables of a result leave the form as wide as it was");
      await page.click("#compare");
      for (const box of await page.locator("#comparing-list input").all()) await box.uncheck();
      assert.ok(await page.isDisabled("#comparing-run"));
      for (const law of ["newton", "moreau"]) await page.locator("#comparing-list label", { has: page.locator(`b:text-is("${law}")`) }).locator("input").check();
      await run(page, () => page.click("#comparing-run"));
      assert.match(await page.textContent("#views [aria-selected=true]"), /newton, moreau/);
      assert.match(await page.textContent("#result-view"), /newton[^]*moreau/);
      assert.deepEqual(await unnamedForReaders(page), []);
      // numbers and words stand in a table and a list
      assert.deepEqual((await page.locator("#result-view table.words thead th").allTextContents()).slice(0, 3), ["", "newton", "moreau"]);
      assert.ok((await page.locator("#result-view .sentences li").count()) > 0, "it says who agrees");
      assert.equal(await page.locator("#result-view pre").count(), 0);
    });
  },
  async "fields have the unit and the meaning that the core gives"() {
    await withLab("", {}, async (page) => {
      await write(page, `${twoBalls}\n[[joint]]\ntype = "prismatic"\nbody = "left"\naxis = [1, 0]\nlimits = [-0.1, 3]\nmotor = {velocity = 1, kd = 2, max_force = 5}\n`);
      await wait(page, () => document.querySelector('#form [data-path="joint[0].motor.kd"]') !== null);
      await page.click("#tab-form");
      const row = (path) => page.locator(".field", { has: page.locator(`[data-path="${path}"]`) });
      const unit = async (path) => (await row(path).locator(".unit").textContent()).trim();
      assert.equal(await unit("duration"), "s");
      assert.equal(await unit("body[0].mass"), "kg");
      assert.equal(await unit("body[0].shape.radius"), "m");
      assert.equal(await unit("joint[0].motor.kd"), "N s/m");
      assert.equal(await unit("joint[0].limits[0]"), "m");
      assert.match(await row("contact.e").first().getAttribute("title"), /restitution/);
      assert.match(await page.getAttribute('#form [data-path="body[0].mass"]', "aria-label"), /^mass in kg: mass of the body$/);
      assert.deepEqual(await unnamedForReaders(page), []);
    });
  },
  async "the theme is remembered"() {
    await withLab("", { colorScheme: "light" }, async (page) => {
      await page.click("#theme");
      await page.reload();
      await isReady(page);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    });
  },
  async "pictures that are hidden while the scene is written do not grow"() {
    await withLab("", { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }, async (page) => {
      for (const name of ["dominoes", "spinning_ellipsoid", "gas", "newtons_cradle"]) {
        await write(page, readFileSync(join(scenes, `${name}.toml`), "utf8"));
        await wait(page, (title) => document.getElementById("scene-title").textContent === title, /title = "(.*)"/.exec(await textOf(page))[1]);
        await page.waitForTimeout(200);
      }
      const widths = await page.locator("canvas[data-part=stage]").evaluateAll((all) => all.map((one) => one.width));
      assert.ok(widths.every((width) => width <= 780), `pictures are ${widths} pixels wide`);
      await page.click("#side-bench");
      await wait(page, () => document.querySelector("#start-view canvas").width > 600);
    });
  },
  async "the laboratory fits a phone, in the dark, with less motion"() {
    await withLab("?scene=spinning_ellipsoid", { viewport: { width: 390, height: 844 }, colorScheme: "dark", reducedMotion: "reduce", hasTouch: true }, async (page) => {
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok((await width()) <= 390, `the page is ${await width()} pixels wide`);
      // what is said of a body stays in the picture when the body is dragged to its edges
      await page.selectOption("#start-view [data-part=bodies]", { index: 1 });
      const middle = await page.locator("#start-view .tag i").boundingBox(), [x, y] = [middle.x + middle.width / 2, middle.y + middle.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const to of [370, 20]) {
        await page.mouse.move(to, y, { steps: 5 });
        await page.waitForTimeout(200);
        const words = await page.locator("#start-view .tag div").boundingBox();
        assert.ok(words.x >= 0 && words.x + words.width <= 390, `at ${to} pixels the words reach from ${words.x} to ${words.x + words.width}`);
      }
      await page.mouse.move(x, y, { steps: 5 });
      await page.mouse.up();
      await page.click("#side-scene");
      assert.deepEqual(await unnamedForReaders(page), []);
      assert.ok((await width()) <= 390, `the form is ${await width()} pixels wide`);
      await page.click("#tab-text");
      assert.ok((await width()) <= 390, `the text is ${await width()} pixels wide`);
      await page.click("#pick-scene");
      await page.fill("#gallery-search", "bouncing");
      await page.keyboard.press("Enter");
      await wait(page, () => /[Bb]ouncing/.test(document.getElementById("scene-title").textContent));
      await run(page);
      assert.ok((await width()) <= 390, `the result is ${await width()} pixels wide`);
      assert.deepEqual(await unnamedForReaders(page), []);
    });
  },
};

let failed = 0;
const only = process.env.ONLY;
for (const [name, test] of Object.entries(tests))
  try {
    if (only && !name.includes(only)) continue;
    const began = Date.now();
    doing = "its first step";
    // questions to a page that is busy have no limit of their own
    await inTime(test(), longest, `this test; it waited last for: ${doing}`);
    console.log(`passed: ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
    // pages that are left open would slow the next tests down
    for (const context of browser.contexts()) await inTime(context.close(), 10000, "closing pages").catch((problem) => console.log(problem.message));
  }
await end(failed ? 1 : 0);
