// Opens reports in Chromium: node report_test.mjs TOOL SCENES NODE_MODULES
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { comparisons } from "./comparisons.mjs";
import { unnamedForReaders } from "./names.mjs";
import { closeTo, csv, drawsSomething, named, pageOf, runScene, saved, scenes, shownNumber, withReport, passAll } from "./opened.mjs";
import { unusualRuns } from "./unusual_runs.mjs";

const runs = {
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
      const legend = await page.locator(".plots .card >> nth=0 >> .legend li").evaluateAll((all) => all.map((one) => [one.querySelector("span").textContent, one.querySelector("b").textContent]));
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
  async "paper is white, and what stands on it is whole"() {
    await withReport(runScene("newtons_cradle.toml", "--set", "duration=2"), { colorScheme: "dark" }, async (page) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.equal(await theme(), "light");
      await page.setViewportSize({ width: 703, height: 1000 }); // an A4 sheet between its margins
      await page.emulateMedia({ media: "print" });
      await page.waitForTimeout(300);
      const out = await page.locator("canvas, td, .legend li, h2").evaluateAll((all) => all.filter((one) => one.checkVisibility()).flatMap((one) => {
        const place = one.getBoundingClientRect(), card = one.closest(".card").getBoundingClientRect();
        return place.right > card.right + 0.5 || place.bottom > card.bottom + 0.5 || place.right > 703 || place.height < 5 ? [one.outerHTML.slice(0, 90)] : [];
      }));
      assert.deepEqual(out, []);
      assert.equal(await page.locator("button:visible").filter({ hasText: /SVG|Save|Slow/ }).count(), 0, "buttons on paper");
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.equal(await theme(), "dark");
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

await passAll({ ...comparisons, ...runs, ...unusualRuns });
