// Opens reports in Chromium: node report_test.mjs TOOL SCENES NODE_MODULES
// Ends with 77 where there is no Chromium, no playwright-core or no report in this build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { unnamedForReaders } from "./names.mjs";

const [tool, scenes, modules] = process.argv.slice(2).map((path) => resolve(path));
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
const browserPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
if (!browserPath) skip("there is no Chromium (Debian's package chromium)");
if (!existsSync(join(modules, "playwright-core"))) skip("there is no playwright-core (npm ci in the folder of the viewer)");
if (/without reports/.test(execFileSync(tool, ["--version"], { encoding: "utf8" }))) skip("this tool was built without reports");
const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");

const folder = mkdtempSync(join(tmpdir(), "carom_report_"));
const runScene = (name, ...options) => {
  execFileSync(tool, ["run", join(scenes, name), "--quiet", "--out", join(folder, name), ...options]);
  return join(folder, name);
};
/** The columns of a CSV file by their names; no field of these files has a comma within quotes. */
const csv = (file) => {
  const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return (name) => rows.map((row) => row[head.indexOf(name)]);
};
const shownNumber = (text) => Number(text.replaceAll("−", "-").split(" ")[0]);
const closeTo = (shown, exact, relative, what) =>
  assert.ok(Math.abs(shown - exact) <= relative * Math.max(Math.abs(exact), 1e-9), `${what}: ${shown} is not ${exact}`);

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** Opens the report of a run, or a page, does something with it, and wants no complaint. */
async function withReport(results, { before, ...settings }, act) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 }, acceptDownloads: true, ...settings });
  if (before) await page.addInitScript(before);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => /^https?:/.test(request.url()) && complaints.push(`asks for ${request.url()}`));
  const began = Date.now();
  await page.goto(pathToFileURL(results.endsWith(".html") ? results : join(results, "report.html")).href, { timeout: 60000 });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 20000 });
  await act(page, Date.now() - began);
  assert.deepEqual(complaints, []);
  await page.close();
}

/** Some of the picture is not like the rest: something is drawn. */
async function drawsSomething(page) {
  await page.waitForTimeout(300);
  const colours = await page.evaluate(() => {
    const stage = document.querySelector("[data-part=stage]");
    const small = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    small.getContext("2d").drawImage(stage, 0, 0, 64, 64);
    const data = small.getContext("2d").getImageData(0, 0, 64, 64).data, found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4} ${data[i + 3] >> 6}`);
    return found.size;
  });
  assert.ok(colours > 3, `only ${colours} colours are drawn`);
}

const named = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, summary, [role=img]")]
      .filter((one) => one.checkVisibility())
      .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim()))
      .map((one) => one.outerHTML.slice(0, 120)));

/** A page that a verb writes. */
const pageOf = (name, ...words) => {
  const file = join(folder, `${name}.html`);
  execFileSync(tool, [...words, "--quiet", "--report", file]);
  return file;
};

/** The bytes of what a click saves. */
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 30000 }), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const fitsPhone = async (page) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
};

const tests = {
  async "laws stand side by side and move in step"() {
    const file = pageOf("laws", "compare", join(scenes, "newtons_cradle.toml"), "--laws", "newton,lzb,poisson", "--set", "duration=2");
    await withReport(file, {}, async (page) => {
      assert.deepEqual(await page.locator(".column b").allTextContents(), ["newton", "lzb", "poisson"]);
      assert.equal(await page.locator(".column canvas").count(), 3);
      assert.deepEqual(await unnamedForReaders(page), []);
      await page.keyboard.press("End");
      assert.equal(shownNumber(await page.textContent("[data-part=time]")), 2);
      // a curve for each law, told apart without colour
      const dashes = await page.locator(".plots .card >> nth=0 >> .legend path").evaluateAll((all) => all.map((one) => one.getAttribute("stroke-dasharray")));
      assert.equal(new Set(dashes).size, 3);
      assert.match(await page.textContent("[data-part=words]"), /newton and poisson agree/);
      assert.equal(await page.locator("table.words thead th").nth(2).textContent(), "lzb");
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const pictures = await page.locator(".column canvas[data-part=stage]").evaluateAll((all) => all.map((one) => one.toDataURL()));
      assert.equal(new Set(pictures).size >= 2, true, "lzb moves otherwise than newton");
    });
    await withReport(file, { viewport: { width: 390, height: 844 } }, fitsPhone);
  },
  async "an impact shows what is inside"() {
    const file = pageOf("impact", "compare", join(scenes, "newtons_cradle.toml"), "--at", "1", "--laws", "lzb,newton");
    await withReport(file, {}, async (page) => {
      assert.equal(await page.locator("[data-part=laws] article").count(), 2);
      assert.equal(await page.locator("canvas.wave").count(), 1);
      assert.deepEqual(await unnamedForReaders(page), []);
      await page.keyboard.press("Space");
      await page.waitForFunction(() => /µs$/.test(document.querySelector("[data-part=time]").textContent));
      assert.match(await page.textContent("table.words"), /ball 1 vx/);
    });
    await withReport(file, { viewport: { width: 390, height: 844 } }, fitsPhone);
    await withReport(pageOf("problem", "impact", join(scenes, "../examples/rocking_rod.json"), "--law", "newton"), {}, async (page) => {
      assert.equal(await page.isVisible(".transport"), false, "newton has no inside");
      assert.match(await page.textContent("[data-part=laws]"), /consistent/);
    });
  },
  async "slow motion goes through the same impact under every law"() {
    const file = pageOf("in_step", "compare", join(scenes, "newtons_cradle.toml"), "--laws", "lzb,newton,lzb{stiffness=mono}", "--set", "duration=1");
    await withReport(file, { reducedMotion: "reduce" }, async (page) => {
      await page.keyboard.press("s");
      await page.waitForSelector(".within canvas.wave");
      const columns = await page.locator(".within").allTextContents();
      assert.match(columns[0], /^Inside impact 1 at/);
      assert.match(columns[1], /^Impact 1 at.*jumps.*ball 1-ball 2/);
      assert.match(columns[2], /^Inside impact 1 at/);
      assert.match(await page.textContent("[data-part=mode]"), /inside the impact/);
      assert.deepEqual(await unnamedForReaders(page), []);
      await page.keyboard.press("Space"); // it plays, and stands
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
      for (let i = 0; i < 60; ++i) await page.keyboard.press("ArrowRight");
      const lights = await page.locator("canvas.wave").evaluateAll((all) => all.map((one) => {
        const data = one.getContext("2d").getImageData(0, 0, one.width, one.height).data;
        let most = 0;
        for (let i = 0; i < data.length; i += 4) most = Math.max(most, data[i + 1]);
        return most;
      }));
      assert.ok(Math.max(...lights) > 200, "no contact shines");
      await page.keyboard.press("Escape");
      assert.equal(await page.isVisible(".within"), false);
      assert.equal(await page.textContent("[data-part=look-inside]"), "Slow motion");
      // a click into a plot leads out, too
      await page.click("[data-part=look-inside]");
      await page.click("[data-part=next]");
      assert.equal(await page.isVisible(".within"), false);
    });
    await withReport(pageOf("jumps", "compare", join(scenes, "bouncing_ball.toml"), "--laws", "newton,poisson", "--set", "duration=0.3"), {}, async (page) => {
      assert.equal(await page.isVisible("[data-part=look-inside]"), false, "neither law has an inside");
      await page.keyboard.press("s");
      assert.equal(await page.isVisible(".within"), false);
    });
  },
  async "the theme is remembered, from a disk too"() {
    await withReport(runScene("bouncing_ball.toml", "--set", "duration=0.2"), { colorScheme: "light" }, async (page) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      assert.equal(await theme(), "light");
      await page.click("[data-part=theme]");
      await page.reload();
      await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
      assert.equal(await theme(), "dark");
      await page.click("[data-part=theme]");
      await page.reload();
      assert.equal(await theme(), "light");
    });
  },
  async "a robot with stops and motors is seen"() {
    if (/without robots/.test(execFileSync(tool, ["--version"], { encoding: "utf8" }))) return;
    const scene = join(folder, "robot.toml"), results = join(folder, "robot");
    execFileSync(tool, ["import", join(scenes, "../examples/robots/quadruped.urdf"), "--ground", "--duration", "0.2", "--out", scene, "--quiet"]);
    execFileSync(tool, ["run", scene, "--quiet", "--out", results]);
    await withReport(results, {}, async (page) => {
      await drawsSomething(page);
      assert.deepEqual(await unnamedForReaders(page), []);
      await page.keyboard.press("End");
      closeTo(shownNumber(await page.textContent("[data-part=time]")), 0.2, 1e-6, "the end");
    });
    await withReport(results, { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, fitsPhone);
  },
  async "a body that is too small to see is drawn, and what is approximate is marked where it happened"() {
    const scene = join(folder, "grain.toml"), results = join(folder, "grain");
    writeFileSync(scene, `duration = 1\nlaw = "newton"\n[[body]]\nname = "boulder"\nshape = {type = "disc", radius = 10}\nmass = 1e6\nposition = [0, 0]
[[body]]\nname = "grain"\nshape = {type = "disc", radius = 1e-4}\nmass = 1\nposition = [30, 0]\n`);
    execFileSync(tool, ["run", scene, "--quiet", "--out", results]);
    await withReport(results, {}, async (page) => {
      await page.waitForTimeout(400);
      const orange = await page.evaluate(() => {
        const stage = document.querySelector("[data-part=stage]"), copy = Object.assign(document.createElement("canvas"), { width: stage.width, height: stage.height });
        copy.getContext("2d").drawImage(stage, 0, 0);
        const data = copy.getContext("2d").getImageData(0, 0, stage.width, stage.height).data;
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += data[i] > 150 && data[i + 2] < 90 && data[i + 3] > 100;
        return count;
      });
      assert.ok(orange > 3, `the grain has ${orange} pixels`);
    });
    const shaken = runScene("block_in_earthquake.toml"), events = csv(join(shaken, "events.csv"))("event");
    await withReport(shaken, {}, async (page) => assert.equal(/Diamonds/.test(await page.textContent("[data-part=fine-print]")), events.includes("approximate")));
  },
  async "grains and moons have axes, speeds and a view that fit them"() {
    /** Notes the texts on canvases. */
    const before = () => {
      const write = CanvasRenderingContext2D.prototype.fillText, texts = (window.caromTexts = []);
      CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
        texts.push(text);
        return write.call(this, text, ...where);
      };
    };
    const run = (name, text) => {
      writeFileSync(join(folder, `${name}.toml`), `law = "newton"\ncontact = {e = 0.5}\n${text}`);
      execFileSync(tool, ["run", join(folder, `${name}.toml`), "--quiet", "--out", join(folder, name)]);
      return join(folder, name);
    };
    const grain = run("micrometre", `duration = 2e-3\ngravity = 9.81\n[[body]]\nname = "grain"\nshape = {type = "sphere", radius = 1e-6}\ndensity = 2500\nposition = [0, 5e-6]\n[[wall]]\nname = "glass"\nshape = "plane"\n`);
    await withReport(grain, { before }, async (page) => {
      await page.waitForTimeout(300);
      assert.ok((await page.evaluate(() => window.caromTexts)).some((text) => /^[\d.]+e−1\d$/.test(text)), "energies have no ticks");
    });
    const moons = run("moons", `duration = 2e6\n[[body]]\nname = "moon"\nshape = {type = "sphere", radius = 1.7e6}\ndensity = 3300\nposition = [-1e7, 0]\nvelocity = [20, 0]\n[[body]]\nname = "moonlet"\nshape = {type = "sphere", radius = 4e5}\ndensity = 3300\nposition = [1e7, 5e5]\nvelocity = [-20, 0]\n`);
    await withReport(moons, { before }, async (page) => {
      await page.waitForTimeout(300);
      const texts = await page.evaluate(() => window.caromTexts), high = texts.findIndex((text) => /e2\d$/.test(text));
      assert.ok(texts.slice(0, high).includes("0"), "the bands of energy do not begin at 0");
      assert.ok(Number(await page.inputValue("[data-part=speed]")) > 1e5);
      await page.keyboard.press("S");
      await page.keyboard.press("Space");
      await page.waitForTimeout(1000);
      assert.ok(shownNumber(await page.textContent("[data-part=time]")) > 2e4, "it would take days");
    });
    // a ball that is thrown out leaves the picture of the others
    const pen = run("pen", `duration = 1\n${[0, 1, 2].map((i) => `[[body]]\nname = "${i}"\nshape = {type = "disc", radius = 0.1}\nmass = 1\nposition = [${i}, 0]\nvelocity = [${i < 2 ? 0 : 50}, 0]\n`).join("")}`);
    await withReport(pen, {}, async (page) => assert.match(await page.textContent("[data-part=scale]"), /^\s*(20|50) cm/));
  },
  async "without WebGL there are plots, tables and a word"() {
    const results = runScene("bouncing_ball.toml", "--set", "duration=0.5");
    const flat = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-3d-apis"] });
    for (const viewport of [{ width: 1280, height: 850 }, { width: 390, height: 844 }]) {
      const page = await flat.newPage({ viewport });
      await page.goto(pathToFileURL(join(results, "report.html")).href);
      await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
      const word = await page.locator("[data-part=no-webgl]").boundingBox(), tools = await page.locator(".viewtools").boundingBox();
      const covers = word.x < tools.x + tools.width && tools.x < word.x + word.width && word.y < tools.y + tools.height && tools.y < word.y + word.height;
      assert.equal(covers, false, "the word is covered");
      assert.equal(await page.isVisible("[data-part=stage]"), false, "a picture that is none");
      await page.click("[data-part=next]");
      assert.match(await page.textContent("[data-part=moment-card]"), /Impact 1/);
      assert.ok((await page.locator(".plots .u-over").count()) >= 3);
    }
    await flat.close();
  },
  async "what is saved is what it says"() {
    const results = runScene("bouncing_ball.toml", "--set", "duration=0.5");
    await withReport(results, {}, async (page) => {
      await page.click(".transport summary");
      const picture = await saved(page, () => page.click("[data-part=save-png]"));
      assert.match(picture.name, /^bouncing_ball_.*\.png$/);
      assert.equal(picture.bytes.subarray(1, 4).toString(), "PNG");
      const card = page.locator(".plots .card >> nth=0");
      assert.match((await saved(page, () => card.getByText("SVG").click())).bytes.toString(), /^<svg[\s\S]*<path[\s\S]*<\/svg>\n$/);
      assert.equal((await saved(page, () => card.getByText("PNG").click())).bytes.subarray(1, 4).toString(), "PNG");
      if (await page.evaluate(() => "MediaRecorder" in window && MediaRecorder.isTypeSupported("video/webm"))) {
        await page.selectOption("[data-part=speed]", "1");
        const film = await saved(page, () => page.click("[data-part=save-webm]"));
        assert.equal(film.bytes.subarray(0, 4).toString("hex"), "1a45dfa3", "no EBML");
        assert.ok(film.bytes.length > 2000);
        await page.selectOption("[data-part=speed]", "1000");
        const short = await saved(page, () => page.click("[data-part=save-webm]"));
        assert.equal(short.bytes.subarray(0, 4).toString("hex"), "1a45dfa3", "a film that is over at once");
      }
      const bands = (await saved(page, () => page.locator("[data-part=energy-card]").getByText("SVG").click())).bytes.toString();
      assert.match(bands, /Energy \[J\]/);
      assert.match(bands, />lost in impacts<|>kinetic</);
      assert.match(bands, /<path d="M[^"]*Z" fill="#/, "bands are filled");
      await page.click("[data-part=add-phase]");
      assert.equal(await page.locator("canvas.phase").count(), 1);
      const phase = (await saved(page, () => page.locator(".card:has(canvas.phase)").getByText("SVG").click())).bytes.toString();
      assert.match(phase, /vy \[m\/s\]/, "of the coordinate that changes most");
      assert.deepEqual(await unnamedForReaders(page), []);
    });
  },
  async "a cradle plays, steps to impacts and shows the numbers of its files"() {
    const results = runScene("newtons_cradle.toml", "--set", "duration=5");
    assert.ok(statSync(join(results, "report.html")).size < 2_000_000, "the page is too large");
    await withReport(results, {}, async (page, opened) => {
      console.log(`  ready after ${opened} ms`);
      assert.deepEqual(await named(page), []);
      await drawsSomething(page);
      await page.keyboard.press("Space");
      await page.waitForTimeout(700);
      assert.equal(await page.getAttribute("[data-part=play]", "aria-pressed"), "true");
      assert.ok(shownNumber(await page.textContent("[data-part=time]")) > 0.1, "time stands still");
      await page.keyboard.press("Space");
      assert.equal(await page.getAttribute("[data-part=play]", "aria-pressed"), "false");

      await page.keyboard.press("Home");
      await page.click("[data-part=next]");
      const impacts = csv(join(results, "impacts.csv"));
      const first = Number(impacts("t [s]")[0]);
      closeTo(shownNumber(await page.textContent("[data-part=time]")), first, 5e-3, "time of the first impact");
      assert.match(await page.textContent("[data-part=moment-card]"), /Impact 1/);
      assert.equal(await page.locator("tbody tr.now").count(), impacts("t [s]").filter((t) => Math.abs(t - first) < 1e-9).length);

      // records: the legend of the first plot against trajectory.csv
      const trajectory = csv(join(results, "trajectory.csv"));
      await page.keyboard.press("Home");
      for (let i = 0; i < 40; ++i) await page.keyboard.press("ArrowRight");
      const t = shownNumber(await page.textContent("[data-part=time]"));
      const row = trajectory("t [s]").findIndex((one) => Math.abs(one - t) < 1e-6);
      assert.ok(row > 0, `no record at ${t}`);
      const column = { "Velocity x": "vx [m/s]", "Velocity y": "vy [m/s]" }[await page.locator(".plots select >> nth=0").evaluate((one) => one.selectedOptions[0].text)];
      const legend = await page.locator(".plots .card >> nth=0 >> .legend li").evaluateAll((all) => all.map((one) => [one.childNodes[1].textContent, one.querySelector("b").textContent]));
      assert.equal(legend.length, 5);
      for (const [name, value] of legend) closeTo(shownNumber(value), Number(trajectory(`${name}.${column}`)[row]), 2e-4, `${name} ${column}`);

      // rows lead to their moment
      await page.locator("table tbody tr >> nth=3").click();
      closeTo(shownNumber(await page.textContent("[data-part=time]")), Number(impacts("t [s]")[3]), 5e-3, "time of the row");
      await page.getByRole("tab", { name: /Scene/ }).click();
      assert.match(await page.textContent("[data-part=panel]"), /title = "Newton's cradle"/);
    });
  },
  async "slow motion goes into an impact and out again"() {
    const results = runScene("chain_of_beads.toml");
    await withReport(results, { colorScheme: "dark" }, async (page) => {
      await page.keyboard.press("s");
      await page.waitForTimeout(500);
      assert.ok(await page.isVisible("[data-part=inside-card] canvas"));
      assert.match(await page.textContent("[data-part=time]"), /s$/);
      assert.match(await page.textContent("[data-part=mode]"), /inside the impact/);
      const wave = await page.evaluate(() => {
        const picture = document.querySelector("canvas.wave");
        const data = picture.getContext("2d").getImageData(0, 0, picture.width, picture.height).data;
        let most = 0;
        for (let i = 0; i < data.length; i += 4) most = Math.max(most, data[i + 1]);
        return most;
      });
      assert.ok(wave > 200, "no contact shines");
      assert.equal(await page.textContent(".wavelabel"), "time in the impact [µs]");
      assert.deepEqual(await page.locator(".rows li").allTextContents(), ["bead 1-bead 2", "bead 19-bead 20"]);
      assert.equal(await page.locator("[data-part=moment-card]").getByText("Slow motion").isVisible(), false, "it is slow already");
      const figure = (await saved(page, () => page.locator("[data-part=inside-card]").getByText("SVG").click())).bytes.toString();
      assert.match(figure, /time in the impact \[µs\][\s\S]*<image href="data:image\/png[\s\S]*bead 1-bead 2/);
      await page.keyboard.press("Escape");
      assert.ok(!(await page.isVisible("[data-part=inside-card]")));
    });
  },
  async "tables and controls are whole on a phone"() {
    const phone = { viewport: { width: 390, height: 844 } };
    /** What of a selection sticks out of the window, or is cut off by the box that holds it. */
    const cut = (page, what) => page.locator(what).evaluateAll((all) =>
      all.filter((one) => one.checkVisibility() && one.textContent.trim()).flatMap((one) => {
        const { left, right, bottom } = one.getBoundingClientRect(), box = one.closest(".card").getBoundingClientRect();
        const isCut = left < box.left - 0.5 || right > box.right + 0.5 || bottom > box.bottom + 0.5 && !one.closest(".scroll");
        return isCut || one.scrollWidth > one.clientWidth + 1 ? [`${one.outerHTML.slice(0, 90)}: ${left} to ${right}`] : [];
      }));
    await withReport(runScene("newtons_cradle.toml", "--set", "duration=2"), phone, async (page) => {
      const row = page.locator(".listed tbody tr >> nth=0");
      assert.deepEqual(await row.locator("td").evaluateAll((all) => all.map((one) => one.dataset.title)),
        ["#", "t [s]", "contacts", "approach [m/s]", "impulse [N s]", "lost [J]", "lasts", "certificate", "inside"]);
      assert.deepEqual(await cut(page, ".listed tbody td"), []);
      assert.deepEqual(await cut(page, ".transport button, .transport select, .transport summary"), []);
      assert.deepEqual(await unnamedForReaders(page), []);
      await page.getByRole("columnheader", { name: "impulse [N s]" }).getByRole("button").click();
      const impulses = await page.getByRole("cell").filter({ hasText: /./ }).evaluateAll((all) => all.filter((one) => one.dataset.title === "impulse [N s]").map((one) => Number(one.textContent.replace("−", "-"))));
      assert.ok(impulses.length > 20 && impulses.every((one, i) => !i || one <= impulses[i - 1]), "rows are cards, and sort");
      await row.click();
      assert.match(await row.getAttribute("class"), /now/);
    });
    await withReport(runScene("dominoes.toml"), phone, async (page) => assert.deepEqual(await cut(page, ".listed tbody td"), [], "numbers of many digits"));
    await withReport(runScene("chain_of_beads.toml"), phone, async (page) =>
      assert.deepEqual(await cut(page, ".transport button, .transport select, .transport summary"), []));
    await withReport(pageOf("narrow", "compare", join(scenes, "newtons_cradle.toml"), "--laws", "newton,lzb,poisson", "--set", "duration=1"), phone, async (page) => {
      assert.deepEqual(await cut(page, "table.words td, table.words th"), []);
      assert.deepEqual(await cut(page, ".cardhead button, .cardhead select"), []);
    });
  },
  async "the moment stays where it is when the window changes"() {
    const results = runScene("bouncing_ball.toml");
    await withReport(results, {}, async (page) => {
      await page.fill("[data-part=scrub]", "50000");
      const part = () => page.locator(".plots .u-over").evaluateAll((all) => all.map((one) => {
        const place = one.getBoundingClientRect(), head = one.querySelector(".playhead").getBoundingClientRect();
        return (head.left - place.left) / place.width;
      }));
      const before = await part();
      for (const width of [1500, 700]) {
        await page.setViewportSize({ width, height: 850 });
        await page.waitForTimeout(300);
        (await part()).forEach((one, i) => assert.ok(Math.abs(one - before[i]) < 0.01, `at ${width} pixels the moment is at ${one} of plot ${i}, was ${before[i]}`));
      }
    });
  },
  async "a scene in space turns, on a phone, with less motion"() {
    const results = runScene("spinning_ellipsoid.toml");
    await withReport(results, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" }, async (page) => {
      await drawsSomething(page);
      assert.deepEqual(await named(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
      assert.match(await page.textContent("[data-part=scale]"), /squares of \d+ cm/);
      const places = await page.evaluate(() => ["[data-part=stage]", ".viewtools"].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })));
      assert.ok(places[0].bottom <= places[1].top + 1, "tools cover the picture");
      await page.selectOption("[data-part=follow]", { index: 1 });
      await page.click("[data-part=theme]");
      await page.click("[data-part=add-plot]");
      assert.equal(await page.locator(".plots .card").count(), 4);
    });
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests))
  try {
    const began = Date.now();
    await test();
    console.log(`passed: ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
