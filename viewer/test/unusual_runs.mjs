// Reports of runs that are small, large, many, oddly named, or end early; and browsers without a graphics card.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unnamedForReaders } from "./names.mjs";
import { browserPath, chromium, closeTo, csv, drawsSomething, fitsPhone, folder, pixels, runScene, runText, scenes, shownNumber, tool, withReport } from "./opened.mjs";

export const unusualRuns = {
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
    const results = runText("boulder", `duration = 1\nlaw = "newton"\n[[body]]\nname = "boulder"\nshape = {type = "disc", radius = 10}\nmass = 1e6\nposition = [0, 0]
[[body]]\nname = "grain"\nshape = {type = "disc", radius = 1e-4}\nmass = 1\nposition = [30, 0]\n`);
    await withReport(results, {}, async (page) => {
      await page.waitForTimeout(400);
      const orange = await pixels(page, (red, _, blue, opacity) => red > 150 && blue < 90 && opacity > 100);
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
    const run = (name, text) => runText(name, `law = "newton"\ncontact = {e = 0.5}\n${text}`);
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
  async "bodies without a shape are seen, and runs of a picosecond have a clock"() {
    const points = (more) => `duration = 1\ngravity = 1\n${more}[[body]]\nname = "point"\nmass = 1\nvelocity = [1, 2]\n`;
    for (const [name, text] of [["point", points("")], ["point_in_space", points("dimension = 3\n").replace("[1, 2]", "[1, 0, 2]")]])
      await withReport(runText(name, text), {}, async (page) => {
        await page.fill("[data-part=scrub]", "50000");
        await page.waitForTimeout(400);
        const blue = await pixels(page, (red, _, blue, opacity) => red < 80 && blue > 120 && opacity > 100);
        assert.ok(blue > 12, `the point has ${blue} pixels`);
      });
    await withReport(runText("short", `duration = 1e-12\n[[body]]\nshape = {type = "disc", radius = 0.1}\nmass = 1\nvelocity = [1, 0]\n`), {}, async (page) => {
      await page.keyboard.press("End");
      assert.match(await page.textContent("[data-part=time]"), /^1000\.\d fs$/);
    });
  },
  async "names are text, whatever is written in them, and stay in their cards"() {
    const names = ["<img src=x onerror=window.bad=1>", "\u05db\u05d3\u05d5\u05e8 \u202E\u05d0", "m".repeat(300), "</script><script>window.bad=2</script>"], text = (one) => JSON.stringify(one);
    const results = runText("named", `title = ${text(`</script><script>window.bad=3</script> <b>bold</b>`)}\nabout = ${text("<!-- <script> " + "x".repeat(400))}
duration = 1\ngravity = 9.81\nlaw = {name = "lzb"}\ncontact = {e = 0.5, k = 1e5}\n[[wall]]\nname = ${text(names[3])}\nshape = "plane"\n${names.slice(0, 3).map((name, i) =>
      `[[body]]\nname = ${text(name)}\nshape = {type = "disc", radius = 0.1}\nmass = 1\nposition = [${i}, 0.5]\n`).join("")}`);
    for (const viewport of [{ width: 1280, height: 850 }, { width: 390, height: 844 }])
      await withReport(results, { viewport }, async (page) => {
        page.on("dialog", () => assert.fail("a script of the scene"));
        await page.keyboard.press("End");
        for (const tab of await page.locator("[data-part=tabs] button").all()) await tab.click();
        await page.locator("[data-part=tabs] button").first().click();
        assert.equal(await page.evaluate(() => window.bad), undefined);
        assert.equal(await page.locator("img, b:text-is('bold')").count(), 0);
        assert.match(await page.title(), /^<\/script><script>/);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width, "the page is wider than its window");
        const out = await page.locator(".legend li, .listed td, .moment dd").evaluateAll((all) => all.filter((one) => one.checkVisibility()).flatMap((one) => {
          const place = one.getBoundingClientRect(), card = one.closest(".card").getBoundingClientRect();
          return place.right > card.right + 0.5 || place.left < card.left - 0.5 || place.height > 160 ? [one.textContent.slice(0, 60)] : [];
        }));
        assert.deepEqual(out, []);
      });
  },
  async "a run that does not finish tells how far it got, and what it lost until then"() {
    const results = runText("late", `duration = 1e5\ngravity = 9.81\nlaw = "newton"\ncontact = {e = 0.99}\nrecord = {interval = 1e5}
[[wall]]\nname = "floor"\nshape = "plane"\n[[wall]]\nname = "shaker"\nshape = {type = "rectangle", size = [1, 0.1]}\nposition = [0, 1]\nmotion = {y = "0.1*sin(20*t)"}
[[body]]\nname = "ball"\nshape = {type = "disc", radius = 0.1}\nmass = 1\nposition = [0, 2]\n`, "--timeout", "0.3");
    const end = JSON.parse(readFileSync(join(results, "summary.json"), "utf8"));
    assert.equal(end.status, "not-finished");
    const times = csv(join(results, "trajectory.csv"))("t [s]").map(Number);
    assert.deepEqual(times, [0, end.t_end], "the last state is recorded");
    await withReport(results, {}, async (page) => {
      assert.match(await page.textContent("[data-part=facts]"), /not-finished/);
      assert.match(await page.textContent("[data-part=fine-print]"), /Not finished: it got to [\d.]+ s\. The time limit was reached/);
      assert.match(await page.textContent("[data-part=energy-card]"), /% was lost/);
      await page.keyboard.press("End");
      closeTo(shownNumber(await page.textContent("[data-part=time]")), end.t_end, 0.01, "the end");
    });
  },
};
