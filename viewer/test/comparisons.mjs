// Reports of several laws, and of one impact.
import assert from "node:assert/strict";
import { join } from "node:path";
import { unnamedForReaders } from "./names.mjs";
import { fitsPhone, pageOf, scenes, shownNumber, withReport } from "./opened.mjs";

export const comparisons = {
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
};
